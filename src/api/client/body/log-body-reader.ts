import {setNewest} from '#base/bounds.ts';
import {BlockTexts, forgetNewBlocks, keepNewBlock, type TextBlock} from '#log/window/texts.ts';
import type {Work} from '#log/work.ts';
import type {ParseJson} from './parse-body.ts';
import {parseJson, textOfUtf8} from './parse-json.ts';
import {batchBytes, betweenObjects, betweenStrings, parseItems, readItems} from './read-items.ts';
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

/**
 * Reads successive bodies of one branch's log as bytes, and decodes only what is new, a little at a time. Windows
 * overlap, so most of a body was in the previous one: that part is recognised by its bytes, and the blocks of its lines
 * are reused, which costs a memory comparison and no parsing. Nothing of `events`, which repeats `data`, is kept.
 */
export type LogBodyReader = {
  /**
   * Returns the body as `JSON.parse` would, except that `data` may be `BlockTexts` and that `events` may be missing.
   * Throws the `SyntaxError` of `JSON.parse`.
   */
  readonly read: ParseJson;
  /** Forgets the previous body. */
  readonly forget: () => void;
};

/** Lines as the bytes of their JSON strings, with what stood between them. */
type JsonBlock = TextBlock & {
  readonly bytes: Buffer;
  /** One of them is nothing but a comma. */
  readonly hasComma: boolean;
};

const noLines = new BlockTexts<JsonBlock>([]);

type Data = DataPlace & {
  /** Its front was in the previous body. */
  readonly isKnown: boolean;
};

/** Creates a reader, which keeps the bytes of the last body's lines. */
export const createLogBodyReader = (): LogBodyReader => {
  let known = noLines;

  function* readData(body: Buffer, start: number): Work<Data | undefined> {
    if (body[start] !== openBracket) {
      return undefined;
    }
    const firstStart = skipWhite(body, start + 1);
    const front = yield* findKnownFront(body, firstStart, known.blocks);
    const blocks = [...(front?.blocks ?? [])];
    const end = yield* front ? readStringsAfter(body, front.knownEnd, blocks) : readStrings(body, firstStart, blocks);
    const lines = new BlockTexts(blocks, front?.skipped);
    return end === -1 ? undefined : {start, end, lines, isKnown: front !== undefined};
  }

  const read: ParseJson = function* (body) {
    forgetNewBlocks();
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
    const {lines} = data;
    yield;
    const json = Object.fromEntries([
      ...fields
        .filter(({name}) => name !== 'data' && name !== 'events')
        .map(({name, start, end}) => [name, JSON.parse(textOfUtf8(body, start, end)) as unknown]),
      ['data', lines],
    ]);
    known = lines;
    return json;
  };

  return {
    read,
    forget: () => {
      known = noLines;
    },
  };
};

/** New parts of a body are copied into memory of this size: thousands of small pieces would leave holes. */
const copiedBytes = 2 * 1024 * 1024;
/** Less is not worth pages of its own. */
const copiedBytesMin = 64 * 1024;

/** Returns a function that copies bytes of a body: its memory is another's as soon as it is read. */
const createCopier = (bytesMax: number): ((bytes: Buffer) => Buffer) => {
  const pieceBytes = Math.min(copiedBytes, bytesMax);
  let free = Buffer.alloc(0);
  return bytes => {
    if (pieceBytes < copiedBytesMin || bytes.length > pieceBytes) {
      return Buffer.from(bytes);
    }
    if (free.length < bytes.length) {
      // A buffer that may be resized has pages of its own, which the system gets back.
      free = Buffer.from(new ArrayBuffer(pieceBytes, {maxByteLength: pieceBytes}));
    }
    const copy = free.subarray(0, bytes.length);
    bytes.copy(copy);
    free = free.subarray(bytes.length);
    return copy;
  };
};

/** Made apart from where blocks are listed: a function keeps all that is in scope, and each window the one before. */
const readerOf = (bytes: Buffer) => (): readonly string[] => parseItems(bytes) as readonly string[];

/** Reads strings starting at `start` and appends them to `blocks`. Returns what `readItems` returns. */
const readStrings = (body: Buffer, start: number, blocks: JsonBlock[]): Work<number> => {
  const copy = createCopier(body.length - start);
  return readItems(body, start, betweenStrings, (items, itemsStart, end) => {
    if (!items.every(item => typeof item === 'string')) {
      return false;
    }
    let [characters, longest, hasComma] = [0, 0, false];
    for (const item of items) {
      characters += item.length;
      longest = Math.max(longest, item.length);
      hasComma ||= item === ',';
    }
    const bytes = copy(body.subarray(skipWhite(body, itemsStart), trimWhite(body, end)));
    if (items.length > 0) {
      const block = {length: items.length, characters, longest, bytes, hasComma, read: readerOf(bytes)};
      keepNewBlock(block, items);
      blocks.push(block);
    }
    return true;
  });
};

/** Like `readStrings`, but starts after an item, which may be the last. */
function* readStringsAfter(body: Buffer, itemEnd: number, blocks: JsonBlock[]): Work<number> {
  const next = skipWhite(body, itemEnd);
  if (body[next] === closeBracket) {
    return next + 1;
  }
  return body[next] === comma ? yield* readStrings(body, next + 1, blocks) : -1;
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
  /** The blocks of the earlier array that the known part is in, and the items of the first that are not in it. */
  readonly blocks: readonly JsonBlock[];
  readonly skipped: number;
  /** Index in this body where the known part ends. */
  readonly knownEnd: number;
};

/**
 * Finds out whether an array of strings begins with the end of an earlier array. The array's first item starts at
 * `firstStart`. Compares whole byte ranges, so the known part costs next to nothing. Returns undefined if the arrays do
 * not overlap.
 */
function* findKnownFront(body: Buffer, firstStart: number, before: readonly JsonBlock[]): Work<KnownFront | undefined> {
  const firstEnd = body[firstStart] === quote ? skipString(body, firstStart) : -1;
  if (firstEnd === -1) {
    return undefined;
  }
  const first = body.subarray(firstStart, firstEnd);
  let tried = 0;
  for (const [index, {bytes}] of before.entries()) {
    yield;
    let itemStart = 0;
    let skipped = 0;
    for (let candidate = bytes.indexOf(first); candidate !== -1; candidate = bytes.indexOf(first, candidate + 1)) {
      // A match may begin at the quote that ends another item. Walking from item to item rules that out, and counts the
      // items.
      while (itemStart < candidate) {
        itemStart = skipWhite(bytes, skipWhite(bytes, skipString(bytes, itemStart)) + 1);
        skipped += 1;
      }
      const front =
        itemStart === candidate ? yield* matchBlocks(body, firstStart, before.slice(index), candidate) : undefined;
      tried += 1;
      if (front !== undefined || tried >= candidatesMax) {
        return front && {...front, skipped};
      }
    }
  }
  return undefined;
}

/**
 * Checks whether a body has the items of some blocks in a row, those of the first from a byte on. A last block that is
 * small is left to be read again, together with what follows it: or else each body would add a block.
 */
function* matchBlocks(
  body: Buffer,
  start: number,
  blocks: readonly JsonBlock[],
  from: number,
): Work<Omit<KnownFront, 'skipped'> | undefined> {
  let end = start;
  for (const [index, {bytes}] of blocks.entries()) {
    const isFirst = index === 0;
    const next = skipWhite(body, end);
    if (!isFirst && body[next] !== comma) {
      return undefined;
    }
    const itemsStart = isFirst ? start : skipWhite(body, next + 1);
    const offset = isFirst ? from : 0;
    const itemsEnd = itemsStart + bytes.length - offset;
    if (itemsEnd > body.length || body.compare(bytes, offset, bytes.length, itemsStart, itemsEnd) !== 0) {
      return undefined;
    }
    if (!isFirst && index === blocks.length - 1 && bytes.length < batchBytes / 2) {
      return {blocks: blocks.slice(0, -1), knownEnd: end};
    }
    end = itemsEnd;
    yield;
  }
  return {blocks, knownEnd: end};
}

/** The position of `data` in a body, from its opening bracket to after its closing one. */
type DataPlace = {readonly start: number; readonly end: number; readonly lines: BlockTexts<JsonBlock>};

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
  if (items.includes(escapedBetweenLinesBytes) || data.lines.blocks.some(({hasComma}) => hasComma)) {
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

/** Longer than any wait between two polls of a watched log, of which a guard has hundreds. */
const forgottenAfterMs = 10 * 60 * 1000;

/**
 * Keeps a reader for each of the most recently requested logs, as many as are watched at once: each holds the lines of
 * its last body and their bytes, which the windows of a watched log share. A reader that is no longer used forgets its
 * last body after a while.
 */
export const createLogBodyReaders = (watchedMax: number): {of(branch: string): LogBodyReader} => {
  const readers = new Map<string, {readonly reader: LogBodyReader; readonly forgetting: NodeJS.Timeout}>();
  return {
    of: branch => {
      const known = readers.get(branch);
      const reader = known?.reader ?? createLogBodyReader();
      const forgetting = known?.forgetting.refresh() ?? setTimeout(reader.forget, forgottenAfterMs).unref();
      clearTimeout(setNewest(readers, branch, {reader, forgetting}, watchedMax)?.forgetting);
      return reader;
    },
  };
};
