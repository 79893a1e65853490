// Characters that JSON.stringify keeps but that are unsafe for a terminal or a human reader: DEL, C1, bidi controls
// (UAX #9), and the two separators that end a row in some programs. JSON.stringify escapes lone surrogates itself
// (ECMA-262, 25.5.2.3).
const unsafeInJson = /[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

// A short escape, or an escaped backslash or quote; matched as one unit so that it is left alone.
const shortEscape = /\\([bfnrt"\\])/g;

const shortEscapeUnits: Readonly<Record<string, string>> = {
  b: '\\u0008',
  t: '\\u0009',
  n: '\\u000a',
  f: '\\u000c',
  r: '\\u000d',
};

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Formats a value as JSON on one row that is safe to print: control characters, DEL, C1, bidi controls, U+2028, U+2029
 * and lone surrogates are written as `\uXXXX`, so `JSON.parse` returns the same value. Values that JSON can't express
 * (undefined, a function) become `null`. Throws TypeError for a cycle or a bigint, as `JSON.stringify` does.
 */
export const stringifySafe = (value: unknown): string => {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) {
    return 'null';
  }
  const escaped = json.includes('\\')
    ? json.replace(shortEscape, (whole, letter: string) => shortEscapeUnits[letter] ?? whole)
    : json;
  return escaped.replace(unsafeInJson, escapeUnit);
};
