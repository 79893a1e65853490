import {linesPerPause, type Work} from '../../log/work/work.ts';
import {createElasticMemory} from './elastic-memory.ts';
import type {ParseJson} from './parse-body.ts';
import {parseJson} from './parse-json.ts';
import {batchBytes, betweenObjects, betweenStrings, readItems} from './read-items.ts';
import {
  closeBrace,
  closeBracket,
  comma,
  type FieldPlace,
  findJsonFields,
  openBracket,
  quote,
  skipString,
  skipValue,
  skipWhite,
  trimWhite,
} from './scan-json.ts';
import {textOfUtf8} from './utf8-text.ts';

/**
 * Reads successive bodies of one branch's log as bytes, and decodes only what is new, a little at a time. Windows
 * overlap, so most of a body was in the previous one: that part is recognised by its bytes and its lines are reused,
 * which costs a memory comparison and no parsing. Nothing of `events`, which repeats `data`, is kept.
 */
export type LogBodyReader = {
  /**
   * Returns the body as `JSON.parse` would, except that `events` may be missing. Throws the `SyntaxError` of
   * `JSON.parse`.
   */
  readonly read: ParseJson;
  /** Forgets the previous body. */
  readonly forget: () => void;
};

/** How much is copied before a pause: some milliseconds, most of them for memory that is new. */
const copiedBytes = 4 * 1024 * 1024;

type Data = DataPlace & {
  /** Its front was in the previous body. */
  readonly isKnown: boolean;
};

/** Creates a reader. `bodyBytesMax` limits a body, and with it the bytes that are kept. */
export const createLogBodyReader = (bodyBytesMax: number): LogBodyReader => {
  const memory = createElasticMemory(bodyBytesMax);
  let knownLines: readonly string[] = [];
  /** The bytes of the known lines, from the first line's opening quote to the last line's closing quote. */
  let knownBytes = memory.resize(0);

  const forget = (): void => {
    knownLines = [];
    knownBytes = memory.resize(0);
  };
  /** Nothing is known until all is copied: the work may never go on. */
  function* remember(lines: readonly string[], bytes: Buffer): Work<void> {
    const isKept = bytes.length <= bodyBytesMax;
    const copy = memory.resize(isKept ? bytes.length : 0);
    knownLines = [];
    knownBytes = copy.subarray(0, 0);
    if (isKept) {
      for (let start = 0; start < bytes.length; start += copiedBytes) {
        bytes.copy(copy, start, start, start + copiedBytes);
        yield;
      }
      knownLines = lines;
      knownBytes = copy;
    }
  }

  function* readData(body: Buffer, start: number): Work<Data | undefined> {
    if (body[start] !== openBracket) {
      return undefined;
    }
    const firstStart = skipWhite(body, start + 1);
    const front = yield* findKnownFront(body, firstStart, knownBytes);
    const lines = front ? knownLines.slice(front.leftCount) : [];
    const end = yield* front ? readStringsAfter(body, front.knownEnd, lines) : readStrings(body, firstStart, lines);
    return end === -1 ? undefined : {start, end, lines, isKnown: front !== undefined};
  }

  const read: ParseJson = function* (body) {
    let data: Data | undefined;
    const fields = yield* findJsonFields(body, function* (name, start) {
      if (name === 'data') {
        data = yield* readData(body, start);
        return data?.end;
      }
      return name === 'events'
        ? ((data?.isKnown ? foreseeEventsEnd(body, start, data) : undefined) ?? (yield* checkEvents(body, start, data)))
        : undefined;
    });
    if (fields === undefined || data === undefined || !fields.every(isPlainlyNamed)) {
      return yield* parseJson(body);
    }
    const {start, end, lines} = data;
    yield;
    const json = Object.fromEntries([
      ...fields
        .filter(({name}) => name !== 'data' && name !== 'events')
        .map(({name, start, end}) => [name, JSON.parse(textOfUtf8(body, start, end)) as unknown]),
      ['data', lines],
    ]);
    yield* remember(lines, body.subarray(skipWhite(body, start + 1), trimWhite(body, end - 1)));
    return json;
  };

  return {read, forget};
};

/** Reads strings starting at `start` and appends them to `strings`. Returns what `readItems` returns. */
const readStrings = (body: Buffer, start: number, strings: string[]): Work<number> =>
  readItems(body, start, betweenStrings, items => {
    for (const item of items) {
      if (typeof item !== 'string') {
        return false;
      }
      strings.push(item);
    }
    return true;
  });

/** Like `readStrings`, but starts after an item, which may be the last. */
function* readStringsAfter(body: Buffer, itemEnd: number, strings: string[]): Work<number> {
  const next = skipWhite(body, itemEnd);
  if (body[next] === closeBracket) {
    return next + 1;
  }
  return body[next] === comma ? yield* readStrings(body, next + 1, strings) : -1;
}

/**
 * Returns whether a field name is written without escapes. If one is not, or is invalid, `JSON.parse` reads the body
 * instead. If two fields have the same name, the last one wins, as in `JSON.parse`.
 */
const isPlainlyNamed = ({name}: FieldPlace): boolean => JSON.stringify(name) === `"${name}"`;

/** How many occurrences of the first item are tried; a log that repeats one line endlessly is parsed the usual way. */
const candidatesMax = 8;

/** An array of strings whose front is known: it was the end of an earlier array. */
type KnownFront = {
  /** Items of the earlier array before the known part. */
  readonly leftCount: number;
  /** Index in this body where the known part ends. */
  readonly knownEnd: number;
};

/**
 * Finds out whether an array of strings begins with the end of an earlier array. The array's first item starts at
 * `firstStart`; `before` holds the bytes of the earlier array from its first quote to its last. Compares whole byte
 * ranges, so the known part costs next to nothing. Returns undefined if the arrays do not overlap.
 */
function* findKnownFront(body: Buffer, firstStart: number, before: Buffer): Work<KnownFront | undefined> {
  const firstEnd = body[firstStart] === quote ? skipString(body, firstStart) : -1;
  if (firstEnd === -1) {
    return undefined;
  }
  const first = body.subarray(firstStart, firstEnd);
  let itemStart = 0;
  let leftCount = 0;
  let candidate = before.indexOf(first);
  for (let tried = 0; candidate !== -1 && tried < candidatesMax; tried++) {
    // A match may begin at the quote that ends another item. Walking from item to item rules that out, and counts the
    // items.
    while (itemStart < candidate) {
      itemStart = skipWhite(before, skipWhite(before, skipString(before, itemStart)) + 1);
      leftCount += 1;
      if (leftCount % linesPerPause === 0) {
        yield;
      }
    }
    yield;
    const knownEnd = firstStart + before.length - candidate;
    if (
      itemStart === candidate &&
      knownEnd <= body.length &&
      body.compare(before, candidate, before.length, firstStart, knownEnd) === 0
    ) {
      return {leftCount, knownEnd};
    }
    candidate = before.indexOf(first, candidate + 1);
  }
  return undefined;
}

/** The position of `data` in a body, from its opening bracket to after its closing one. */
type DataPlace = {readonly start: number; readonly end: number; readonly lines: readonly string[]};

const eventStart = '{"message":';
const betweenLines = '","';
const betweenLinesBytes = Buffer.from(betweenLines);
const escapedBetweenLinesBytes = Buffer.from(`\\${betweenLines}`);
const betweenEvents = `"},${eventStart}"`;

/**
 * Returns where `events` ends if it repeats `data` byte for byte, each line in an object of its own, as the
 * specification says. Returns undefined if it visibly does not. The content is not checked, because none of it is used.
 */
const foreseeEventsEnd = (body: Buffer, start: number, {lines, ...data}: DataPlace): number | undefined => {
  const end = start + (data.end - data.start) + lines.length * (eventStart.length + 1);
  return end <= body.length &&
    body.toString('latin1', start, start + 1 + eventStart.length) === `[${eventStart}` &&
    body[end - 3] === quote &&
    body[end - 2] === closeBrace &&
    body[end - 1] === closeBracket
    ? end
    : undefined;
};

/**
 * Returns where `events` ends and checks that all of it is JSON; -1 if it has no end. Throws the `SyntaxError` of
 * `JSON.parse`.
 */
function* checkEvents(body: Buffer, start: number, data: DataPlace | undefined): Work<number> {
  const foreseenEnd = data && foreseeEventsEnd(body, start, data);
  if (data && foreseenEnd !== undefined && (yield* repeatLines(body, start, foreseenEnd, data))) {
    return foreseenEnd;
  }
  const arrayEnd = body[start] === openBracket ? yield* readItems(body, start + 1, betweenObjects, () => true) : -1;
  if (arrayEnd !== -1) {
    return arrayEnd;
  }
  const end = skipValue(body, start);
  if (end !== -1) {
    JSON.parse(textOfUtf8(body, start, end));
  }
  return end;
}

/**
 * Returns whether `events` holds exactly the lines, written as events. The separator between two lines cannot be
 * confused with a line's content as long as no escaped quote is followed by a comma and a quote, and no line is a
 * single comma. Because the end is also the expected one, each line is then in an event of its own. Reads bytes as
 * Latin-1, which preserves each of them.
 */
function* repeatLines(body: Buffer, start: number, foreseenEnd: number, data: DataPlace): Work<boolean> {
  const items = body.subarray(data.start + 1, data.end - 1);
  if (items.includes(escapedBetweenLinesBytes) || data.lines.includes(',')) {
    return false;
  }
  let at = start + 1;
  for (let from = 0; from < items.length; ) {
    const between = items.indexOf(betweenLinesBytes, from + batchBytes);
    const to = between === -1 ? items.length : between + 1;
    const lines = items.toString('latin1', from, to);
    const events = `${eventStart}${lines.replaceAll(betweenLines, betweenEvents)}}${between === -1 ? ']' : ','}`;
    if (body.toString('latin1', at, at + events.length) !== events) {
      return false;
    }
    at += events.length;
    from = to + 1;
    yield;
  }
  return at === foreseenEnd;
}
