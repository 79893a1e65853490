import {cutMark} from '#log/text/width.ts';
import {findAddressEnd, findTimeEnd} from '#log/tokens/find-tokens.ts';

/**
 * The marks that replace the changing parts of a line in a shape, and the patterns that find such parts. The patterns
 * use only what both V8 and RE2 support.
 */
export const shapeMarks = {number: '‹n›', id: '‹id›', address: '‹ip›', name: '‹name›', time: '‹time›'} as const;

const number = String.raw`-?\d+(?:\.\d+)*`;
// Both letters and digits: a number alone has a mark of its own.
const id = String.raw`(?:[A-Za-z]+\d|\d+[A-Za-z-])[\w-]*`;
const address = String.raw`[\da-fA-F.:]+`;
const name = String.raw`[^\s,;()[\]"]+`;
const time = String.raw`(?:[\d:.,/+_ -]|[A-Z][a-z]{2}|T|Z|UTC|GMT|[AP]M){5,40}`;

const patternsOfMarks: ReadonlyMap<string, string> = new Map([
  [shapeMarks.number, number],
  [shapeMarks.id, id],
  [shapeMarks.address, address],
  [shapeMarks.name, name],
  [shapeMarks.time, time],
]);

const special = /[\\^$.*+?()[\]{}|]/g;
const mark = /(‹(?:n|id|ip|name|time)›)/;

/** Escapes a text to a pattern that finds exactly it. */
export const escapePattern = (text: string): string => text.replaceAll(special, sign => `\\${sign}`);

/** Converts a text with shape marks to a pattern: each mark finds what it replaces, the rest finds itself. */
export const patternOfShape = (shape: string): string =>
  shape
    .split(mark)
    .map(piece => patternsOfMarks.get(piece) ?? escapePattern(piece))
    .join('');

/** Messages differ before this; differences further in do not make them different messages. */
const foldedCharsMax = 512;

/** The id of a hash, span or container has eight digits or more. */
const hexIdCharsMin = 8;

/**
 * A word that alternates between letters and digits this often is an id: `9f3K2m`. `sha256`, `i18n` and `log4j` stay.
 */
const idTurnsMin = 3;
const idCharsMin = 6;

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-z])/iy;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
const isHexLetter = (code: number): boolean => (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46);

/** Properties of a run of letters and digits. */
const runOf = {end: 0, digits: 0, turns: 0, isHex: true};

/** Reads the run that begins at `index` into `runOf`, which is reused for every run. */
const readRun = (text: string, index: number): void => {
  runOf.digits = 0;
  runOf.turns = 0;
  runOf.isHex = true;
  let wasDigit = isDigit(text.charCodeAt(index));
  let end = index;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    const digit = isDigit(code);
    if (!digit && !isLetter(code)) {
      break;
    }
    if (digit) {
      runOf.digits += 1;
    } else if (!isHexLetter(code)) {
      runOf.isHex = false;
    }
    if (digit !== wasDigit) {
      runOf.turns += 1;
      wasDigit = digit;
    }
  }
  runOf.end = end;
};

const isId = (length: number): boolean =>
  runOf.digits < length &&
  ((runOf.isHex && length >= hexIdCharsMin) || (runOf.turns >= idTurnsMin && length >= idCharsMin));

const findUuidEnd = (text: string, index: number): number => {
  uuid.lastIndex = index;
  return uuid.test(text) ? uuid.lastIndex : -1;
};

/** Returns the index after `1`, `1.5`, `1.2.3` and so on, where `end` is the index after the first digits. */
const skipDecimals = (text: string, end: number): number => {
  let next = end;
  while (text.charCodeAt(next) === 0x2e && isDigit(text.charCodeAt(next + 1))) {
    next += 1;
    while (isDigit(text.charCodeAt(next))) {
      next += 1;
    }
  }
  return next;
};

/** Writes the shape of one text; `from` is the start of what is not written yet. */
class ShapeWriter {
  readonly #text: string;
  #shape = '';
  #from = 0;

  constructor(text: string) {
    this.#text = text;
  }

  write(start: number, end: number, mark: string): void {
    this.#shape += this.#text.slice(this.#from, start) + mark;
    this.#from = end;
  }

  finish(): string {
    return this.#from === 0 ? this.#text : this.#shape + this.#text.slice(this.#from);
  }
}

/** Writes a mark for each number in a run such as `worker12`. */
const foldDigits = (writer: ShapeWriter, text: string, start: number, end: number): void => {
  for (let index = start; index < end; index += 1) {
    if (isDigit(text.charCodeAt(index))) {
      const from = index;
      while (index < end && isDigit(text.charCodeAt(index))) {
        index += 1;
      }
      writer.write(from, index, shapeMarks.number);
    }
  }
};

/**
 * Returns the start of a number with its sign. A sign belongs to the number unless it follows a word: `blk_-12`, but
 * `a-12`.
 */
const signedStart = (text: string, index: number): number =>
  text.charCodeAt(index - 1) === 0x2d && !isDigit(text.charCodeAt(index - 2)) && !isLetter(text.charCodeAt(index - 2))
    ? index - 1
    : index;

/** Folds what begins at `index` and is more than one run: a time, an address, a UUID. Returns its end, or -1. */
const foldLong = (writer: ShapeWriter, text: string, index: number): number => {
  const next = text.charCodeAt(runOf.end);
  const isNumber = runOf.digits === runOf.end - index;
  if (isNumber) {
    // `-`, `.`, `/`, `:` and spaces join the parts of a time.
    const isJoined = (next >= 0x2d && next <= 0x2f) || next === 0x3a || next === 0x20 || index === 0;
    const timeEnd = isJoined ? findTimeEnd(text, index, index === 0) : -1;
    if (timeEnd !== -1) {
      writer.write(index, timeEnd, shapeMarks.time);
      return timeEnd;
    }
  }
  if ((next === 0x2e && isNumber) || (next === 0x3a && runOf.isHex)) {
    const addressEnd = findAddressEnd(text, index);
    if (addressEnd !== -1) {
      writer.write(index, addressEnd, shapeMarks.address);
      return addressEnd;
    }
  }
  if (next === 0x2d && runOf.isHex && runOf.end - index === hexIdCharsMin) {
    const uuidEnd = findUuidEnd(text, index);
    if (uuidEnd !== -1) {
      writer.write(index, uuidEnd, shapeMarks.id);
      return uuidEnd;
    }
  }
  return -1;
};

const foldRun = (writer: ShapeWriter, text: string, index: number): number => {
  readRun(text, index);
  const {end, digits} = runOf;
  const first = text.charCodeAt(index);
  if (digits === 0) {
    const timeEnd = end - index === 3 && first <= 0x5a ? findTimeEnd(text, index, false) : -1;
    if (timeEnd !== -1) {
      writer.write(index, timeEnd, shapeMarks.time);
      return timeEnd;
    }
    // An address such as `fe80::1`, or an id, may begin with letters alone.
    const longEnd = runOf.isHex ? foldLong(writer, text, index) : -1;
    return longEnd === -1 ? end : longEnd;
  }
  const longEnd = foldLong(writer, text, index);
  if (longEnd !== -1) {
    return longEnd;
  }
  if (digits === end - index) {
    const numberEnd = skipDecimals(text, end);
    writer.write(signedStart(text, index), numberEnd, shapeMarks.number);
    return numberEnd;
  }
  if (isId(end - index) || (first === 0x30 && text.charCodeAt(index + 1) === 0x78)) {
    writer.write(index, end, shapeMarks.id);
  } else {
    foldDigits(writer, text, index, end);
  }
  return end;
};

/**
 * Returns a text with marks for what changes from line to line (`shapeMarks`): numbers, ids in hexadecimal or with
 * mixed letters and digits, UUIDs, IP addresses and times. Words stay, as does a JSON escape such as `\u00f6`. Reads
 * the first 512 code units; the shape of a longer text ends in `…`. Linear.
 */
export const foldText = (text: string): string => {
  const read = text.length > foldedCharsMax ? text.slice(0, foldedCharsMax) : text;
  const writer = new ShapeWriter(read);
  let index = 0;
  while (index < read.length) {
    const code = read.charCodeAt(index);
    if (isDigit(code) || isLetter(code)) {
      index = foldRun(writer, read, index);
    } else if (code === 0x5c) {
      index += read.charCodeAt(index + 1) === 0x75 ? 6 : 1;
    } else {
      index += 1;
    }
  }
  const shape = writer.finish();
  return read.length < text.length ? `${shape}${cutMark}` : shape;
};
