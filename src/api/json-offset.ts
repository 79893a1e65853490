/**
 * Where a text stops being JSON (RFC 8259), as a byte offset. V8's own message quotes the body and names no offset for most errors;
 * this runs only after `JSON.parse` refused, and keeps its nesting in an array, so that depth costs no stack.
 */

const quote = 0x22;
const backslash = 0x5c;
const literals = ['true', 'false', 'null'].map(word => Buffer.from(word));
// Matched on latin1 text, so that an index is a byte offset; sticky, so that nothing is searched for.
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const isWhite = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isHex = (byte: number | undefined): boolean =>
  byte !== undefined && /[0-9a-fA-F]/.test(String.fromCharCode(byte));

/** The offset behind a string that starts at `start`, or the offset of what is wrong with it as `{wrongAt}`. */
const scanString = (body: Buffer, start: number): number | {readonly wrongAt: number} => {
  let at = start + 1;
  while (at < body.length) {
    const byte = body[at] ?? 0;
    if (byte === quote) {
      return at + 1;
    }
    if (byte < 0x20) {
      return {wrongAt: at};
    }
    if (byte !== backslash) {
      at += 1;
      continue;
    }
    const escaped = body[at + 1];
    if (escaped === undefined) {
      return {wrongAt: body.length};
    }
    if (escaped === 0x75) {
      for (let digit = at + 2; digit < at + 6; digit += 1) {
        if (!isHex(body[digit])) {
          return {wrongAt: Math.min(digit, body.length)};
        }
      }
      at += 6;
    } else if ('"\\/bfnrt'.includes(String.fromCharCode(escaped))) {
      at += 2;
    } else {
      return {wrongAt: at + 1};
    }
  }
  return {wrongAt: body.length};
};

/** The offset behind a number or a word, undefined where there is neither. */
const scanScalar = (body: Buffer, at: number): number | undefined => {
  const literal = literals.find(word => body.subarray(at, at + word.length).equals(word));
  if (literal) {
    return at + literal.length;
  }
  // The longest number that can stand here is read from a slice: a body of many megabytes is not turned into text.
  const digits = body.subarray(at, at + 1024).toString('latin1');
  numberPattern.lastIndex = 0;
  const match = numberPattern.exec(digits);
  return match ? at + match[0].length : undefined;
};

type Expecting = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd';

const isKey = (expecting: Expecting): boolean => expecting === 'key' || expecting === 'keyOrEnd';
const mayEnd = (expecting: Expecting): boolean => expecting.endsWith('OrEnd');

/** The byte offset at which `body` stops being JSON: its length where it only ends too early, undefined where it is JSON. */
export const findJsonError = (body: Buffer): number | undefined => {
  const closers: number[] = [];
  let expecting: Expecting = 'value';
  let at = 0;
  while (true) {
    while (isWhite(body[at])) {
      at += 1;
    }
    const byte = body[at];
    if (expecting === 'commaOrEnd' && closers.length === 0) {
      return at === body.length ? undefined : at;
    }
    if (byte === undefined) {
      return body.length;
    }
    const closer = closers.at(-1);
    if (byte === closer && mayEnd(expecting)) {
      closers.pop();
      expecting = 'commaOrEnd';
      at += 1;
    } else if (expecting === 'commaOrEnd') {
      if (byte !== 0x2c) {
        return at;
      }
      expecting = closer === 0x7d ? 'key' : 'value';
      at += 1;
    } else if (expecting === 'colon') {
      if (byte !== 0x3a) {
        return at;
      }
      expecting = 'value';
      at += 1;
    } else if (byte === quote) {
      const end = scanString(body, at);
      if (typeof end !== 'number') {
        return end.wrongAt;
      }
      expecting = isKey(expecting) ? 'colon' : 'commaOrEnd';
      at = end;
    } else if (isKey(expecting)) {
      return at;
    } else if (byte === 0x7b || byte === 0x5b) {
      closers.push(byte + 2);
      expecting = byte === 0x7b ? 'keyOrEnd' : 'valueOrEnd';
      at += 1;
    } else {
      const end = scanScalar(body, at);
      if (end === undefined) {
        return at;
      }
      expecting = 'commaOrEnd';
      at = end;
    }
  }
};
