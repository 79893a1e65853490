import {beforeNames, findClosingQuote, moveToNextName} from '#log/text/json-record.ts';
import {type Level, levelOfStatus, levelOfWord, levelRank} from '#log/tokens/level-words.ts';
import {isStatus, isValueOf, levelOfField, type PartName, partOfName, rankOf} from './vocabulary.ts';

/** A part of a JSON record: the innermost name of its field, and its value in the line, without quotes. */
export type RecordPart = {readonly name: string; readonly start: number; readonly end: number};

/** The fields of a JSON record that the vocabulary knows. */
export type RecordParts = Readonly<Partial<Record<PartName, RecordPart>>> & {readonly stated: Level | undefined};

/** Fields of the record, of the objects in it, and of ECS's `http.request.method`. */
const depthMax = 3;

/** The fields that decide the level of a record. */
const levelParts: ReadonlySet<PartName> = new Set(['level', 'severityNumber', 'status', 'method', 'path', 'request']);

/** Deeper in a record these are of something else, unless the object around them has a name that says of what. */
const ownParts: ReadonlySet<PartName> = new Set([
  'time',
  'level',
  'severityNumber',
  'logger',
  'message',
  'request',
  'nested',
]);

const number = /[\d.]{1,20}(?:e-\d{1,2})?(?=[\s,}])/y;
const requestForm = /^([A-Z]{3,16}) (?=[/*])/;
/** Datadog and others put the level into `status`; the words of other statuses (`success`, `fail`) are no levels. */
const statusWord = /^(?:emerg|emergency|alert|critical|error|err|warn|warning|notice|info|debug)$/i;

/** Nextcloud counts its levels from 0 (debug) to 4 (fatal); other records with such numbers mean those of syslog. */
const nextcloud = /^\{"reqId":"[\w-]{0,40}","level":([0-4]),/;
const nextcloudLevels: readonly Level[] = ['debug', 'info', 'warn', 'error', 'fatal'];

/** MongoDB: {"t":{"$date":"2026-11-21T14:02:11.031+00:00"},"s":"E", "c":"NETWORK", … */
const mongo = /^\{"t": ?\{"\$date": ?"[^"]{20,35}"\}, ?"s": ?"([FEWID])\d?"/;
const mongoLevels: Readonly<Record<string, Level>> = {F: 'fatal', E: 'error', W: 'warn', I: 'info', D: 'debug'};

/** Returns what the last of some nested names is, by itself or with those around it. */
const partOfNested = (names: readonly string[], depth: number): PartName | undefined => {
  const name = names[depth] ?? '';
  const part = partOfName(name);
  if (part === undefined && depth > 1 && name === 'code') {
    return partOfName(names.slice(1, depth + 1).join('.'));
  }
  if (part === undefined || depth === 1) {
    return part;
  }
  const isOwn = depth === depthMax || ownParts.has(part) || (part === 'status' && name.length === 'status'.length);
  return isOwn ? partOfName(names.slice(1, depth + 1).join('.')) : part;
};

/** Finds the value at `start`, a string that is closed or a number. Returns undefined for any other. */
const findValue = (text: string, start: number): readonly [start: number, end: number] | undefined => {
  if (text[start] === '"') {
    const close = findClosingQuote(text, start);
    return close > start + 1 ? [start + 1, close] : undefined;
  }
  number.lastIndex = start;
  return number.test(text) ? [start, number.lastIndex] : undefined;
};

/**
 * Reads the JSON record that begins at `start`, truncated ones too: of each part the first field that holds one, of
 * messages the one that ranks first. With `onlyLevel`, stops where nothing that follows can change the level.
 */
export const readRecordParts = (text: string, start: number, onlyLevel = false): RecordParts => {
  const parts: Partial<Record<PartName, RecordPart>> = {};
  const name = beforeNames(start);
  const names: string[] = [];
  let stated: Level | undefined;
  let fromStatus: Level | undefined;
  const mayBeRequest = !onlyLevel || text.includes('tatus') || text.includes('esponse');
  while ((mayBeRequest || stated === undefined) && moveToNextName(text, name)) {
    const {depth, valueStart} = name;
    if (depth > depthMax) {
      continue;
    }
    const own = text.slice(name.start, name.end);
    names[depth] = own;
    const part = partOfNested(names, depth);
    const value = part === undefined || (onlyLevel && !levelParts.has(part)) ? undefined : findValue(text, valueStart);
    if (part === undefined || value === undefined) {
      continue;
    }
    const [from, to] = value;
    name.next = to;
    if (text[valueStart] === '"') {
      name.next = to + 1;
    }
    if (part === 'level' || part === 'severityNumber') {
      stated ??= levelOfField(part, text.slice(from, to));
    } else if (part === 'status' && !isStatus(text.slice(from, to))) {
      fromStatus ??=
        depth === 1 && statusWord.test(text.slice(from, to)) ? levelOfWord(text.slice(from, to)) : undefined;
      continue;
    }
    if (!isValueOf(part, text.slice(from, to))) {
      continue;
    }
    const known = parts[part];
    const isMessage = part === 'message' && text[valueStart] === '"';
    if (part === 'message' ? isMessage && (!known || rankOf('message', own) < rankOf('message', known.name)) : !known) {
      parts[part] = {name: own, start: from, end: to};
    }
  }
  return {...parts, stated: stated ?? fromStatus};
};

/**
 * Returns the level of a JSON record: the level that it states, or that of the status of the request that it reports,
 * whichever is worse; undefined if there is neither. A record reports a request that came in if it has a status, a
 * method and a path: one that goes out has the whole address. Ignores a level in the text of a message.
 */
export const levelOfRecord = (text: string): Level | undefined => {
  const letter = text.startsWith('{"t"') ? mongo.exec(text)?.[1] : undefined;
  if (letter !== undefined) {
    return mongoLevels[letter];
  }
  const digit = text.startsWith('{"reqId":"') ? nextcloud.exec(text)?.[1] : undefined;
  if (digit !== undefined) {
    return nextcloudLevels[Number(digit)];
  }
  const {stated, status, method, path, request} = readRecordParts(text, 0, true);
  const wordOf = (part: RecordPart | undefined): string => (part === undefined ? '' : text.slice(part.start, part.end));
  const isRequest =
    status !== undefined &&
    (requestForm.test(wordOf(request)) || requestForm.test(wordOf(path)) || (method && wordOf(path).startsWith('/')));
  const answered = isRequest ? levelOfStatus(Number(wordOf(status))) : undefined;
  if (stated === undefined && text.startsWith('{"@t":')) {
    // Serilog's compact form leaves out the level of what is only information.
    return answered ?? 'info';
  }
  return answered !== undefined && levelRank(answered) > levelRank(stated ?? 'none') ? answered : stated;
};
