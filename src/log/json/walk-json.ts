/** Told of what a text in JSON holds, in order. Indices are code units of the text; an `end` is not included. */
export type JsonVisitor = {
  /** An object (else an array) begins; `isEmpty` says that it ends again at once. */
  onOpen(isObject: boolean, start: number, isEmpty: boolean): void;
  onClose(isObject: boolean, end: number): void;
  /** A name with its quotes. */
  onKey(start: number, end: number): void;
  /** A string with its quotes, a number, `true`, `false` or `null`. */
  onScalar(start: number, end: number): void;
};

/** Deeper than any record is; our own readers stop earlier. */
const depthMax = 100;

// RFC 8259, sections 7 and 6. Each repeats over disjoint characters only, so none can backtrack badly.
const stringToken = /"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\x00-\x1f]*)*"/y;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literalToken = /true|false|null/y;

const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;

const endOf = (pattern: RegExp, text: string, index: number): number => {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : -1;
};

const skipBlanks = (text: string, index: number): number => {
  let next = index;
  for (;;) {
    const code = text.charCodeAt(next);
    if (code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) {
      return next;
    }
    next += 1;
  }
};

const findScalarEnd = (text: string, index: number): number => {
  const code = text.charCodeAt(index);
  if (code === quote) {
    return endOf(stringToken, text, index);
  }
  return code === 0x74 || code === 0x66 || code === 0x6e
    ? endOf(literalToken, text, index)
    : endOf(numberToken, text, index);
};

/** Reads `"name" :` at `index`; answers the index of the value, or -1. */
const walkKey = (text: string, index: number, visitor: JsonVisitor): number => {
  const end = text.charCodeAt(index) === quote ? endOf(stringToken, text, index) : -1;
  const behind = end === -1 ? -1 : skipBlanks(text, end);
  if (behind === -1 || text.charCodeAt(behind) !== colon) {
    return -1;
  }
  visitor.onKey(index, end);
  return skipBlanks(text, behind + 1);
};

/** Closes what ends at `index` and passes a comma; answers the index of the next key or value, of the end, or -1. */
const walkEnds = (text: string, index: number, isObject: boolean[], visitor: JsonVisitor): number => {
  let next = index;
  while (isObject.length > 0) {
    next = skipBlanks(text, next);
    const code = text.charCodeAt(next);
    const inner = isObject.at(-1) === true;
    if (code === comma) {
      const start = skipBlanks(text, next + 1);
      return inner ? walkKey(text, start, visitor) : start;
    }
    if (code !== (inner ? closeBrace : closeBracket)) {
      return -1;
    }
    isObject.pop();
    next += 1;
    visitor.onClose(inner, next);
  }
  return next;
};

/**
 * Reads the value in JSON that begins at `start`, by RFC 8259 and without decoding anything, so that numbers, copies of a name
 * and the order stay as they are. Answers the index behind it, or -1 where it is not JSON, is cut off, or is nested
 * deeper than 100: the visitor has then been told of what stands before. Linear.
 */
export const walkJson = (text: string, start: number, visitor: JsonVisitor): number => {
  const isObject: boolean[] = [];
  let index = skipBlanks(text, start);
  do {
    const code = text.charCodeAt(index);
    if (code === openBrace || code === openBracket) {
      const inner = code === openBrace;
      const next = skipBlanks(text, index + 1);
      const isEmpty = text.charCodeAt(next) === (inner ? closeBrace : closeBracket);
      visitor.onOpen(inner, index, isEmpty);
      isObject.push(inner);
      if (isObject.length > depthMax) {
        return -1;
      }
      if (!isEmpty) {
        index = inner ? walkKey(text, next, visitor) : next;
        continue;
      }
      index = walkEnds(text, next, isObject, visitor);
    } else {
      const end = findScalarEnd(text, index);
      if (end === -1) {
        return -1;
      }
      visitor.onScalar(index, end);
      index = walkEnds(text, end, isObject, visitor);
    }
  } while (isObject.length > 0 && index !== -1);
  return index;
};
