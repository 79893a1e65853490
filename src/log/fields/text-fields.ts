import {findLeadingLevel, type LevelPlace} from '../level/leading-level.ts';
import {findLevel} from '../level/level.ts';
import {findClosingQuote} from '../record/next-name.ts';
import {findRequest} from './access-line.ts';
import {fieldOfKey} from './field-keys.ts';
import {type FieldCollector, severityOfLevel, severityOfStatus} from './field-span.ts';
import {findAddressEnd} from './find-address.ts';
import {findTimeEnd} from './find-time.ts';
import {addJsonFields} from './json-fields.ts';
import {addRecordValue} from './record-value.ts';

/** The most words of a line to examine; a line of thousands of single letters stays cheap. */
const tokensMax = 400;

/** How many words after its level a line may name its logger: a process and a thread may come between them. */
const loggerTokensMax = 6;

/** A syslog line names its program after the time and the host. */
const programTokensMax = 3;

const keyEquals = /[A-Za-z_@][\w.@/-]{0,63}=/y;
const bareValue = /[^\s,;)\]}"]+/y;
const dottedLogger = /[A-Za-z_]\w{0,63}(?:[.$:]{1,2}\w{1,64}){1,12}(?=:(?: |$)| :| - | -- | \[)/y;
const program = /[A-Za-z][\w./-]{0,63}(?=(?:\([\w.-]{1,64}\))?(?:\[\d{1,10}\])?:(?: |$))/y;
const status = /[1-5]\d\d(?= |$)/y;

const endOf = (pattern: RegExp, text: string, index: number): number => {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : -1;
};

const isOpener = (code: number): boolean =>
  code === 0x5b || code === 0x28 || code === 0x22 || code === 0x27 || code === 0x3c || code === 0x7c;

const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a;

// Sanitised text has no other kind of space.
const skipBlanks = (text: string, index: number): number => {
  let next = index;
  while (text.charCodeAt(next) === 0x20) {
    next += 1;
  }
  return next;
};

const findTokenEnd = (text: string, index: number): number => {
  const end = text.indexOf(' ', index);
  return end === -1 ? text.length : end;
};

/** Adds the `key=value` that begins at `index`. Returns the index after it, or -1. */
const addPair = (fields: FieldCollector, text: string, index: number): number => {
  const equals = endOf(keyEquals, text, index);
  if (equals === -1) {
    return -1;
  }
  fields.add('key', index, equals - 1);
  const field = fieldOfKey(text.slice(index, equals - 1));
  const isQuoted = text[equals] === '"';
  const close = isQuoted ? findClosingQuote(text, equals) : -1;
  const start = isQuoted ? equals + 1 : equals;
  const end = isQuoted ? close : endOf(bareValue, text, equals);
  if (end === -1) {
    return isQuoted ? text.length : equals;
  }
  if (field !== undefined) {
    addRecordValue(fields, field, text, start, end);
  }
  return isQuoted ? end + 1 : end;
};

const addStatus = (fields: FieldCollector, text: string, index: number): number => {
  const end = endOf(status, text, index);
  if (end !== -1) {
    fields.add('status', index, end, severityOfStatus(Number(text.slice(index, end))));
  }
  return end;
};

/** Adds a request such as `GET /cart`, and the status that some formats put directly after it. */
const addRequest = (fields: FieldCollector, text: string, index: number): number => {
  const request = findRequest(text, index);
  if (request === undefined) {
    return -1;
  }
  fields.add('method', request.method.start, request.method.end);
  fields.add('path', request.path.start, request.path.end);
  const behind = addStatus(fields, text, request.path.end + 1);
  return behind === -1 ? request.path.end : behind;
};

/**
 * Adds the value after a label: `client: 10.2.0.7` of nginx, `[client 10.2.0.7:80]` of Apache, `status: 200`,
 * `Completed 200` of Rails.
 */
const addLabelled = (fields: FieldCollector, text: string, index: number): number => {
  const first = text.charCodeAt(index);
  if (first !== 0x63 && first !== 0x73 && first !== 0x43) {
    return -1;
  }
  const end = findTokenEnd(text, index);
  const label = end - index > 9 ? '' : text.slice(index, end);
  if (label === 'client:' || label === 'client') {
    const addressEnd = findAddressEnd(text, end + 1);
    fields.add('client', end + 1, addressEnd);
    return addressEnd;
  }
  return label === 'status:' || label === 'Completed' ? addStatus(fields, text, end + 1) : -1;
};

/** Adds the time, pair, request or labelled value that begins at `start`. Returns the index after it, or -1. */
const addField = (fields: FieldCollector, text: string, start: number, hasEquals: boolean): number => {
  const pairEnd = hasEquals ? addPair(fields, text, start) : -1;
  if (pairEnd !== -1) {
    return pairEnd;
  }
  const requestEnd = isUpper(text.charCodeAt(start)) ? addRequest(fields, text, start) : -1;
  return requestEnd === -1 ? addLabelled(fields, text, start) : requestEnd;
};

/** Positions in a line's head: the logger follows the level, or a program follows the time. */
type Head = {levelToken: number; timeToken: number; hasLogger: boolean};

const addLogger = (fields: FieldCollector, text: string, start: number, count: number, head: Head): number => {
  if (head.hasLogger) {
    return -1;
  }
  const isBehindLevel = head.levelToken !== -1 && count - head.levelToken <= loggerTokensMax;
  const isBehindTime = head.timeToken === 0 && count < programTokensMax;
  const end = isBehindLevel ? endOf(dottedLogger, text, start) : isBehindTime ? endOf(program, text, start) : -1;
  if (end !== -1) {
    head.hasLogger = true;
    fields.add('logger', start, end);
  }
  return end;
};

/**
 * Finds the word that states the line's level. A word in the line's head takes priority over a syslog priority, a field
 * or an exception's name.
 */
const findLevelWord = (text: string): LevelPlace | undefined => {
  const said = findLevel(text);
  if (said === undefined || text.startsWith('PHP ', said.start)) {
    return said;
  }
  const leading = findLeadingLevel(text);
  return leading?.level === said.level ? leading : said.end === 0 ? undefined : said;
};

/** Adds the fields of a line that is neither a JSON record nor an access line. */
export const addTextFields = (fields: FieldCollector, text: string): void => {
  const level = findLevelWord(text);
  const head: Head = {levelToken: -1, timeToken: -1, hasLogger: false};
  let index = skipBlanks(text, 0);
  let tokenEnd = 0;
  let equals = text.indexOf('=');
  for (let count = 0; count < tokensMax && index < text.length; count += 1) {
    if (index >= tokenEnd) {
      tokenEnd = findTokenEnd(text, index);
    }
    if (equals !== -1 && equals < index) {
      equals = text.indexOf('=', index);
    }
    let start = index;
    while (isOpener(text.charCodeAt(start))) {
      start += 1;
    }
    let end = -1;
    if (level !== undefined && level.start >= index && level.start < tokenEnd) {
      fields.add('level', level.start, level.end, severityOfLevel(level.level));
      head.levelToken = count;
      end = level.end;
    } else if (text[start] === '{') {
      addJsonFields(fields, text, start);
      return;
    } else {
      end = findTimeEnd(text, start, count === 0);
      if (end !== -1) {
        fields.add('time', start, end);
        head.timeToken = count;
      } else {
        end = addField(fields, text, start, equals !== -1 && equals < tokenEnd);
      }
      if (end === -1) {
        end = text[index - 2] === '|' ? addStatus(fields, text, start) : addLogger(fields, text, start, count, head);
      }
    }
    if (level !== undefined && level.start > index && level.start < end) {
      // The word is inside the quotes of a value.
      fields.add('level', level.start, level.end, severityOfLevel(level.level));
    }
    index = skipBlanks(text, end === -1 ? tokenEnd : Math.max(end, start + 1));
  }
};
