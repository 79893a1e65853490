import {finishWork, type Work} from '#log/work.ts';
import {skipJsonBlanks} from './json-record.ts';

/** Receives what a JSON text holds, in order. Indices are code units of the text; an `end` is exclusive. */
export type JsonVisitor = {
  /** An object (else an array) begins; `isEmpty` means that it ends again at once. */
  onOpen(isObject: boolean, start: number, isEmpty: boolean): void;
  onClose(isObject: boolean, end: number): void;
  /** A name with its quotes. */
  onKey(start: number, end: number): void;
  /** A string with its quotes, a number, `true`, `false` or `null`. */
  onScalar(start: number, end: number): void;
};

/** Enough that a line is read without a pause. */
const valuesPerPause = 4096;

/** Deeper than any real record; our own readers stop earlier. */
const recordDepthMax = 100;

// RFC 8259, sections 7 and 6. Each repeats only over disjoint characters, so none can backtrack badly.
const plainPiece = /[^"\\\x00-\x1f]*/y;
const escapeToken = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const escapeCutOff = /^\\(?:u[\da-fA-F]{0,3})?$/;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literalToken = /true|false|null/y;

const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;

/** Returns the index after a token, or `~index` if there is none. */
const endOf = (pattern: RegExp, text: string, index: number): number => {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : ~index;
};

// Piece by piece: a single pattern for the whole string overflows the stack at some millions of escapes.
const findStringEnd = (text: string, start: number): number => {
  let index = endOf(plainPiece, text, start + 1);
  while (text[index] === '\\') {
    const end = endOf(escapeToken, text, index);
    if (end < 0) {
      return escapeCutOff.test(text.slice(index, index + 6)) ? ~text.length : end;
    }
    index = endOf(plainPiece, text, end);
  }
  return text.charCodeAt(index) === quote ? index + 1 : ~index;
};

const findScalarEnd = (text: string, index: number): number => {
  const code = text.charCodeAt(index);
  if (code === quote) {
    return findStringEnd(text, index);
  }
  return code === 0x74 || code === 0x66 || code === 0x6e
    ? endOf(literalToken, text, index)
    : endOf(numberToken, text, index);
};

/** Reads `"name" :` at `index`. Returns the index of the value, or `~` of the index where it is not JSON. */
const walkKey = (text: string, index: number, visitor: JsonVisitor): number => {
  const end = text.charCodeAt(index) === quote ? findStringEnd(text, index) : ~index;
  if (end < 0) {
    return end;
  }
  const after = skipJsonBlanks(text, end);
  if (text.charCodeAt(after) !== colon) {
    return ~after;
  }
  visitor.onKey(index, end);
  return skipJsonBlanks(text, after + 1);
};

/**
 * Closes what ends at `index` and skips a comma. Returns the index of the next key or value, or of the end; on error as
 * `walkKey`.
 */
const walkEnds = (text: string, index: number, isObject: boolean[], visitor: JsonVisitor): number => {
  let next = index;
  while (isObject.length > 0) {
    next = skipJsonBlanks(text, next);
    const code = text.charCodeAt(next);
    const inner = isObject.at(-1) === true;
    if (code === comma) {
      const start = skipJsonBlanks(text, next + 1);
      return inner ? walkKey(text, start, visitor) : start;
    }
    if (code !== (inner ? closeBrace : closeBracket)) {
      return ~next;
    }
    isObject.pop();
    next += 1;
    visitor.onClose(inner, next);
  }
  return next;
};

/**
 * Walks the JSON value that begins at `start`, by RFC 8259 and without decoding anything, so that numbers, duplicate
 * names and the order stay as they are. Returns the index after it. If it stops being JSON, is cut off, or is nested
 * deeper than `depthMax`, returns `~` of that index, which is negative; the visitor has then received everything before
 * it. Linear.
 */
export const walkJson = (text: string, start: number, visitor: JsonVisitor, depthMax = recordDepthMax): number =>
  finishWork(walkingJson(text, start, visitor, depthMax));

/** `walkJson` as work that may pause. */
export function* walkingJson(text: string, start: number, visitor: JsonVisitor, depthMax: number): Work<number> {
  const isObject: boolean[] = [];
  let index = skipJsonBlanks(text, start);
  let values = 0;
  do {
    values += 1;
    if (values % valuesPerPause === 0) {
      yield;
    }
    const code = text.charCodeAt(index);
    if (code === openBrace || code === openBracket) {
      const inner = code === openBrace;
      const next = skipJsonBlanks(text, index + 1);
      const isEmpty = text.charCodeAt(next) === (inner ? closeBrace : closeBracket);
      visitor.onOpen(inner, index, isEmpty);
      isObject.push(inner);
      if (isObject.length > depthMax) {
        return ~index;
      }
      if (!isEmpty) {
        index = inner ? walkKey(text, next, visitor) : next;
        continue;
      }
      index = walkEnds(text, next, isObject, visitor);
    } else {
      const end = findScalarEnd(text, index);
      if (end < 0) {
        return end;
      }
      visitor.onScalar(index, end);
      index = walkEnds(text, end, isObject, visitor);
    }
  } while (isObject.length > 0 && index >= 0);
  return index;
}
