/** Prefixes of containers and loggers before a record are shorter. */
const prefixCharsMax = 512;

const recordStart = /\{\s{0,8}"/;

/**
 * Returns where a JSON record may begin in a line: at the first brace followed by a name, if the text before it ends in
 * a space or a sign. -1 if there is none.
 */
export const findRecordStart = (text: string): number => {
  if (text.startsWith('{')) {
    return 0;
  }
  const head = text.length > prefixCharsMax ? text.slice(0, prefixCharsMax) : text;
  const start = head.search(recordStart);
  return start > 0 && /[\s:|=\])>-]/.test(head.charAt(start - 1)) ? start : -1;
};

/** Monolog writes its empty context or extra after the other one. */
const rest = /^\s*(?:\[\]|\{\})?\s*$/;

/** Checks whether the text after a record belongs to it: nothing, or an empty list or record. */
export const isRecordEnd = (text: string, end: number): boolean => text.length - end < 16 && rest.test(text.slice(end));

/** Decodes a JSON string, given with its quotes. */
export const decodeJsonString = (token: string): string =>
  token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);

const quoteCode = 0x22;
const backslashCode = 0x5c;
const colonCode = 0x3a;

/** Returns the index of the quote that closes the string opened at `start`, or -1 if the text ends first. */
export const findClosingQuote = (text: string, start: number): number => {
  for (let index = text.indexOf('"', start + 1); index !== -1; index = text.indexOf('"', index + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(index - 1 - backslashes) === backslashCode) {
      backslashes += 1;
    }
    if (backslashes % 2 === 0) {
      return index;
    }
  }
  return -1;
};

/** Returns the index of the next code unit that is no white space of JSON (RFC 8259). */
export const skipJsonBlanks = (text: string, index: number): number => {
  let next = index;
  for (;;) {
    const code = text.charCodeAt(next);
    if (code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) {
      return next;
    }
    next += 1;
  }
};

/** A name in an object: code units `start` to `end`, without quotes. Advanced in place by `moveToNextName`. */
type JsonName = {
  start: number;
  end: number;
  /** Where the name's value begins. */
  valueStart: number;
  /** How many objects and lists are open around it; 1 in the outermost object. */
  depth: number;
  /** Where the search for the next name begins. A caller that has read a string value may set it to the value's end. */
  next: number;
};

/** Returns the starting point of a search for the names of a text. */
export const beforeNames = (start = 0): JsonName => ({start: 0, end: 0, valueStart: 0, depth: 0, next: start});

/**
 * Moves on to the next name of a JSON record. Returns false if there is none. Goes from string to string without
 * validating, so it is cheap and works on truncated or damaged records. Use `walkJson` if the text must be valid JSON.
 * Linear.
 */
export const moveToNextName = (text: string, name: JsonName): boolean => {
  let index = name.next;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code !== quoteCode) {
      // `{` or `[`, and what closes them
      if (code === 0x7b || code === 0x5b) {
        name.depth += 1;
      } else if (code === 0x7d || code === 0x5d) {
        name.depth -= 1;
      }
      index += 1;
      continue;
    }
    const close = findClosingQuote(text, index);
    if (close === -1) {
      return false;
    }
    const after = skipJsonBlanks(text, close + 1);
    if (text.charCodeAt(after) === colonCode) {
      name.start = index + 1;
      name.end = close;
      name.valueStart = skipJsonBlanks(text, after + 1);
      name.next = name.valueStart;
      return true;
    }
    index = after;
  }
  return false;
};
