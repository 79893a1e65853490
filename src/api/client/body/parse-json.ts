import {isAscii} from 'node:buffer';
import {type JsonVisitor, walkingJson} from '#log/text/walk-json.ts';
import type {Work} from '#log/work.ts';
import {backslash, closeBrace, closeBracket, openBrace, openBracket, quote, skipWhite} from './scan-json.ts';

/** Decodes bytes of valid UTF-8. All-ASCII bytes, the usual case for logs, are copied without decoding. */
export const textOfUtf8 = (body: Buffer, start = 0, end = body.length): string => {
  const bytes = body.subarray(start, end);
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
};

/**
 * Deeper than anything that is meant as data. `JSON.parse` takes 70 ms for as many levels, but 15 s and gigabytes for a
 * body that is all brackets, which a few kilobytes of gzip can hold.
 */
const depthMax = 250_000;

/** Objects and arrays of a body: a listing of 10,000 branches has a fifth of that. Each takes up to a hundred bytes. */
const containersMax = 2_000_000;

/**
 * Creates a function that takes the bytes of a JSON text chunk by chunk and returns false once the text is nested too
 * deeply or holds too many objects and arrays to be parsed.
 */
export const createJsonGauge = (): ((chunk: Buffer) => boolean) => {
  let depth = 0;
  let containers = 0;
  let isInString = false;
  /** The string's next byte follows a backslash of the last chunk. */
  let isEscaped = false;

  /** Returns the index after what is left of a string: after its closing or an escaped quote, or at the chunk's end. */
  const skipString = (chunk: Buffer, start: number): number => {
    const first = isEscaped ? start + 1 : start;
    const found = chunk.indexOf(quote, first);
    const end = found === -1 ? chunk.length : found;
    let backslashes = 0;
    while (end - backslashes > first && chunk[end - backslashes - 1] === backslash) {
      backslashes += 1;
    }
    const isNextEscaped = backslashes % 2 === 1;
    isInString = found === -1 || isNextEscaped;
    isEscaped = found === -1 && isNextEscaped;
    return end + 1;
  };

  return chunk => {
    let index = 0;
    while (index < chunk.length) {
      if (isInString) {
        index = skipString(chunk, index);
        continue;
      }
      const byte = chunk[index];
      index += 1;
      if (byte === quote) {
        isInString = true;
      } else if (byte === openBracket || byte === openBrace) {
        depth += 1;
        containers += 1;
        if (depth > depthMax || containers > containersMax) {
          return false;
        }
      } else if (byte === closeBracket || byte === closeBrace) {
        depth -= 1;
      }
    }
    return true;
  };
};

/** Smaller bodies are parsed in one go. */
const bytesAtOnceMax = 4 * 1024 * 1024;

/** How much is gauged before a pause: some milliseconds. */
const gaugedBytes = 1024 * 1024;

/**
 * Parses a body of valid UTF-8 as `JSON.parse` does, but piece by piece if it is large. Throws a `SyntaxError`, or a
 * `RangeError` for too many brackets to be data.
 */
export function* parseJson(body: Buffer): Work<unknown> {
  const canBeParsed = createJsonGauge();
  for (let start = 0; start < body.length; start += gaugedBytes) {
    if (!canBeParsed(body.subarray(start, start + gaugedBytes))) {
      throw new RangeError('too many brackets');
    }
    yield;
  }
  if (body.length <= bytesAtOnceMax) {
    return JSON.parse(textOfUtf8(body)) as unknown;
  }
  const builder = createBuilder(body);
  if ((yield* findJsonFault(body, builder)) !== undefined) {
    throw new SyntaxError('The body is not JSON.');
  }
  return builder.value();
}

const ignored: JsonVisitor = {onOpen: () => {}, onClose: () => {}, onKey: () => {}, onScalar: () => {}};

/**
 * Returns the offset at which a body stops being JSON, its length if it merely ends too early, and undefined if it is
 * JSON. V8's own message quotes the body, which may hold secrets, and gives no position for most errors.
 */
export function* findJsonFault(body: Buffer, visitor: JsonVisitor = ignored): Work<number | undefined> {
  // In latin1 one code unit is one byte.
  const end = yield* walkingJson(body.toString('latin1'), 0, visitor, Number.POSITIVE_INFINITY);
  if (end < 0) {
    return ~end;
  }
  const after = skipWhite(body, end);
  return after === body.length ? undefined : after;
}

/** Builds the value of a walked body. */
const createBuilder = (body: Buffer): JsonVisitor & {readonly value: () => unknown} => {
  // The outermost one holds the value itself.
  const open: {readonly items: unknown[]; readonly names: string[]}[] = [{items: [], names: []}];
  const add = (item: unknown): void => {
    open.at(-1)?.items.push(item);
  };
  const parse = (start: number, end: number): unknown => JSON.parse(textOfUtf8(body, start, end));
  return {
    onOpen: () => open.push({items: [], names: []}),
    onClose: isObject => {
      const {items = [], names = []} = open.pop() ?? {};
      add(isObject ? Object.fromEntries(items.map((item, index) => [names[index] ?? '', item])) : items);
    },
    onKey: (start, end) => open.at(-1)?.names.push(String(parse(start, end))),
    onScalar: (start, end) => add(parse(start, end)),
    value: () => open[0]?.items[0],
  };
};
