import type {Work} from '#log/work.ts';

/**
 * Finds the end of JSON values in UTF-8 bytes. Does not validate: malformed values are skipped like valid ones, so use
 * it only on values that are parsed afterwards or compared with parsed ones. Functions return -1 for a value that does
 * not end within the bytes.
 *
 * Shares no code with `log/text`, which reads text: decoding a whole body to text is the cost that this file avoids (a
 * poll takes 0.5 to 0.9 × as long as `JSON.parse` alone).
 */

export const quote = 0x22;
export const comma = 0x2c;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const closeBrace = 0x7d;
export const openBrace = 0x7b;
const colon = 0x3a;
export const backslash = 0x5c;

const isWhite = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Returns the index of the next byte that is not white space. */
export const skipWhite = (body: Buffer, start: number): number => {
  let index = start;
  while (isWhite(body[index])) {
    index += 1;
  }
  return index;
};

/** Returns the index after the last byte before `end` that is not white space. */
export const trimWhite = (body: Buffer, end: number): number => {
  let index = end;
  while (isWhite(body[index - 1])) {
    index -= 1;
  }
  return index;
};

/** Returns the index after the string whose opening quote is at `start`. */
export const skipString = (body: Buffer, start: number): number => {
  let end = body.indexOf(quote, start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (body[end - 1 - backslashes] === backslash) {
      backslashes += 1;
    }
    if (backslashes % 2 === 0) {
      return end + 1;
    }
    end = body.indexOf(quote, end + 1);
  }
  return -1;
};

/** Longer or deeper texts are not items or fields of a log: they are not scanned in one go but parsed bit by bit. */
const tableBytesMax = 1024 * 1024;
const tableDepthMax = 1000;

/** Returns the index after the value that starts at `start`; -1 also for an object or array that is long or deep. */
export const skipValue = (body: Buffer, start: number): number => {
  const first = body[start];
  if (first === quote) {
    return skipString(body, start);
  }
  if (first !== openBrace && first !== openBracket) {
    return skipScalar(body, start);
  }
  let depth = 0;
  const endMax = Math.min(body.length, start + tableBytesMax);
  for (let index = start; index < endMax; ) {
    const byte = body[index];
    if (byte === quote) {
      index = skipString(body, index);
      if (index === -1) {
        return -1;
      }
      continue;
    }
    if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > tableDepthMax) {
        return -1;
      }
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth === 0) {
        return index + 1;
      }
    }
    index += 1;
  }
  return -1;
};

const endsScalar = (byte: number | undefined): boolean =>
  byte === comma || byte === closeBracket || byte === closeBrace || isWhite(byte);

const skipScalar = (body: Buffer, start: number): number => {
  let index = start;
  while (index < body.length && !endsScalar(body[index])) {
    index += 1;
  }
  return index > start && index < body.length ? index : -1;
};

/** The position of an object's field: `start` and `end` are those of its value. */
export type FieldPlace = {
  /** As written, escapes included, without its quotes. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
};

/**
 * Returns the fields of the object that makes up the body, in order. `skip` may return where a value ends, which saves
 * scanning it, or undefined if it does not know. Returns undefined if the body is not exactly one object.
 */
export function* findJsonFields(
  body: Buffer,
  skip: (name: string, start: number) => Work<number | undefined>,
): Work<readonly FieldPlace[] | undefined> {
  const fields: FieldPlace[] = [];
  let index = skipWhite(body, 0);
  if (body[index] !== openBrace) {
    return undefined;
  }
  index = skipWhite(body, index + 1);
  if (body[index] === closeBrace) {
    return skipWhite(body, index + 1) === body.length ? fields : undefined;
  }
  for (;;) {
    const nameEnd = body[index] === quote ? skipString(body, index) : -1;
    const colonIndex = nameEnd === -1 ? -1 : skipWhite(body, nameEnd);
    if (colonIndex === -1 || body[colonIndex] !== colon) {
      return undefined;
    }
    const name = body.toString('utf8', index + 1, nameEnd - 1);
    const start = skipWhite(body, colonIndex + 1);
    const end = (yield* skip(name, start)) ?? skipValue(body, start);
    if (end === -1) {
      return undefined;
    }
    fields.push({name, start, end});
    index = skipWhite(body, end);
    if (body[index] === closeBrace) {
      return skipWhite(body, index + 1) === body.length ? fields : undefined;
    }
    if (body[index] !== comma) {
      return undefined;
    }
    index = skipWhite(body, index + 1);
  }
}
