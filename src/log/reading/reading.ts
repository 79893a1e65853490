import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {type LineEntry, textOf} from '#log/line/entry.ts';
import {findRecordStart} from '#log/text/json-record.ts';
import {sanitise} from '#log/text/sanitise.ts';
import type {Level} from '#log/tokens/level-words.ts';
import {type FoundForm, findForm, type Head, placeParts, readHead} from './find-form.ts';
import type {Piece, PlacedParts} from './form.ts';
import {findRequestTime} from './formats/web/access.ts';
import {findLeadingLevel, findLevel, levelOf, recordHeadCharsMax} from './level.ts';
import {type RecordPart, type RecordParts, readRecordParts} from './record-parts.ts';
import {
  noRequest,
  type Request,
  type RequestFields,
  readMentionedRequest,
  readRequestOfForm,
  readRequestOfRecord,
  requestOf,
  type SaidName,
} from './request.ts';
import {scanText, type TextParts} from './scan-text.ts';

/** An exception that a line names. Its message is empty if the line has none. */
type Exception = {readonly name: string; readonly message: string};

/** A message is told apart by its beginning; what a trace prints after it is not read. */
const readCharsMax = 1024;

const part = String.raw`[A-Za-z_$][\w$]{0,63}`;
const qualified = String.raw`(?:${part}(?:\.|::|\\)){0,12}`;
/** By its name alone a word is an exception only if it ends like one. */
const name = String.raw`${qualified}[A-Z]?[\w$]{0,59}(?:Exception|Error)`;

/** Where an exception stands in a line: after nothing but what a runtime puts before it. */
const forms: readonly RegExp[] = [
  // Java, .NET, Python, Node, PHP: java.lang.IllegalStateException: text; Error [ERR_X]: text
  new RegExp(
    String.raw`^(?:Exception in thread "[^"]{0,128}" |Caused by: |(?:PHP (?:Fatal|Recoverable fatal) error: +)?Uncaught (?:exception )?'?|Unhandled [Ee]xception[.:] +)?(${name})(?: \[\w{1,64}\])?(?:: |$)(.*)`,
  ),
  // Ruby: cart.rb:3:in 'Cart#total': divided by 0 (ZeroDivisionError)
  new RegExp(String.raw`^\S{1,200}\.rb:\d{1,7}:in [\x60'].{1,128}?': (?<text>.*) \((?<name>${qualified}\w{1,64})\)$`),
  // Rails: NoMethodError (undefined method 'total'):
  new RegExp(String.raw`^(${qualified}[A-Z]\w{0,63}(?:Error|Exception|NotFound|Invalid)) \((.*)\):$`),
  // Elixir: ** (RuntimeError) text
  /^\*\* \(([A-Z][\w.]{1,128}|exit|throw)\) (.*)/,
  // Go and Rust
  /^(panic): (.*)/,
  /^(?:\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d )?http: (panic) serving \S{1,64}: (.*)/,
  /^thread '[^']{1,64}' (?:\(\d{1,10}\) )?(panicked) at (?:'(.*)', )?/,
  // In the middle of a message: … nested exception is java.lang.IllegalStateException: text
  new RegExp(String.raw`[\s:([](${name}): (.*)`),
];
const mayName = /Exception|Error|panic|\.rb:|^\*\* \(|NotFound|Invalid/;

/** Reads the exception that a message names, in it or as all of it. */
const readException = (message: string): Exception | undefined => {
  const text = message.slice(0, readCharsMax);
  for (const form of mayName.test(text) ? forms : []) {
    const match = form.exec(text);
    if (match !== null) {
      const {name = match[1] ?? '', text: said = match[2] ?? ''} = match.groups ?? {};
      return {name, message: said};
    }
  }
  return undefined;
};

/** As JSON writes it. */
const lineEnd = /(?:\\r)?\\n/;
/** Python prints the exception after its traceback. */
const tracebackEnd = /\\n(?! |\\n)((?:(?!\\n).){1,1024})(?:\\n)?$/;

/** Reads the exception that a record names in fields of its own, or else in its message. */
const readExceptionOfRecord = (text: string, parts: RecordParts): Exception | undefined => {
  const textOf = (found: RecordPart | undefined): string => (found ? text.slice(found.start, found.end) : '');
  const [named, stack] = [textOf(parts.exception), textOf(parts.stack)];
  const last = stack.startsWith('Traceback') ? (tracebackEnd.exec(stack)?.[1] ?? '') : stack.split(lineEnd, 1)[0];
  const thrown = readException(last ?? '') ?? readException(textOf(parts.message));
  return named === '' ? thrown : {name: named, message: textOf(parts.exceptionMessage) || (thrown?.message ?? '')};
};

/** Beginnings and ends of the names of request fields. */
const requestName = /(?:status|code|path|ur[il]|target|client\w*|remote\w*|response|(?:^|\s)(?:src_)?ip)=/i;

/** A text without any of these mentions no request. */
const mayMention = (text: string): boolean =>
  (text.includes('=') && requestName.test(text)) || text.includes(' HTTP/') || text.includes('client');

/** Text further in is visible only after much scrolling; levels are not searched for there either. */
const scannedCharsMax = 4096;
const scan = (text: string, hasTimes?: boolean): TextParts => scanText(text.slice(0, scannedCharsMax), hasTimes);

/** A longer record is read only as far as it is shown. */
const recordCharsMax = 16_384;

/**
 * The reading of a line: each part is read once, when it is first asked for. The text must be free of SGR: sanitised,
 * or as received without colours. Places are code units of it.
 */
export class Reading {
  readonly text: string;
  #level: Level | undefined;
  #head: Head | undefined;
  #form: FoundForm | 'none' | undefined;
  #parts: PlacedParts | undefined;
  #mentions: TextParts | undefined;
  #record: RecordParts | 'none' | undefined;
  #said: RequestFields | undefined;

  /** Pass the level if it is known. */
  constructor(text: string, level?: Level) {
    this.text = text;
    this.#level = level;
  }

  get level(): Level {
    this.#level ??= levelOf(this.text);
    return this.#level;
  }

  /** It is a JSON record and nothing else. */
  get isRecord(): boolean {
    return this.text.startsWith('{');
  }

  /** The time with which the line begins, if one stands there. */
  get head(): Head {
    this.#head ??= readHead(this.text);
    return this.#head;
  }

  /** The form that the line has; undefined for a record, and for a line of no known form. */
  get form(): FoundForm | undefined {
    this.#form ??= (this.isRecord ? undefined : findForm(this.text, this.level, this.head)) ?? 'none';
    return this.#form === 'none' ? undefined : this.#form;
  }

  /** The parts that the form has, and the time before it. */
  get parts(): PlacedParts {
    this.#parts ??= {
      ...(this.head.time && {time: this.head.time}),
      ...(this.form && placeParts(this.form, this.text)),
    };
    return this.#parts;
  }

  /** Where a JSON record begins that the line is or that only a container's log precedes; -1 if there is none. */
  get #recordStart(): number {
    const {text} = this;
    const start = text.startsWith('{') || text.endsWith('}') ? findRecordStart(text) : -1;
    return start > recordHeadCharsMax ? -1 : start;
  }

  /** The JSON record that the line is, or ends with after a container's prefix. */
  get record(): RecordParts | undefined {
    const start = this.#record === undefined ? this.#recordStart : -1;
    this.#record ??= start === -1 ? 'none' : readRecordParts(this.text.slice(0, recordCharsMax), start);
    return this.#record === 'none' ? undefined : this.#record;
  }

  /** The request fields that the line has, whether it reports a request or not: texts, and where they were read. */
  get said(): RequestFields {
    this.#said ??= this.#readSaid();
    return this.#said;
  }

  #readSaid(): RequestFields {
    const {text, record} = this;
    if (record !== undefined) {
      return readRequestOfRecord(text, record);
    }
    const {form} = this;
    if (form?.texts.status !== undefined) {
      return readRequestOfForm(form);
    }
    return mayMention(text) ? readMentionedRequest(text, (this.#mentions ?? scan(text, false)).parts) : noRequest;
  }

  /** The exception that the line names: a record in its fields, another line in its message. */
  get exception(): Exception | undefined {
    const {record, form, text} = this;
    return record ? readExceptionOfRecord(text, record) : readException(form?.texts.message ?? text);
  }

  /** The request that the line reports. */
  get request(): Request | undefined {
    return requestOf(this.said);
  }

  /** The place of what the line says of a request. */
  placeOf(name: SaidName): Piece | undefined {
    const said = this.said[name];
    if (said === undefined || said.place !== undefined) {
      return said?.place;
    }
    const {rest, took} = this.parts;
    if (name !== 'duration' || took !== undefined || rest === undefined) {
      return name === 'duration' ? took : this.parts[name];
    }
    const time = findRequestTime(this.text.slice(rest.start, rest.end));
    return time && {start: rest.start + time.start, end: rest.start + time.end};
  }

  /** Values that the text mentions in passing. */
  get mentions(): TextParts {
    this.#mentions ??= scan(this.text);
    return this.#mentions;
  }

  /**
   * The word that states the level. A word in the line's head takes priority over a syslog priority, a field or an
   * exception's name.
   */
  get levelWord(): Piece | undefined {
    if (this.parts.level !== undefined || this.level === 'none') {
      return this.parts.level;
    }
    const {text} = this;
    const said = findLevel(text);
    const leading = said === undefined || text.startsWith('PHP ', said.start) ? undefined : findLeadingLevel(text);
    const place = leading?.level === said?.level ? leading : said;
    return place === undefined || place.end === 0 ? undefined : place;
  }
}

/** Returns the reading of a line's safe text, which is kept as long as the line. */
export const readingOf: (line: LineEntry) => Reading = once(
  createWeakCache(),
  line => new Reading(sanitise(textOf(line)), levelOf(textOf(line))),
);
