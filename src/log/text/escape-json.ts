// What JSON.stringify leaves as it is and a terminal, or a person's eye, does not: DEL, C1, bidi controls (UAX #9), and the two
// separators at which some programs end a row. Lone surrogates JSON.stringify escapes by itself (ECMA-262, 25.5.2.3).
const unsafeInJson = /[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

// A short escape, or an escaped backslash or quote, which must be read in one piece to be left alone.
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
 * JSON on one row that is safe to print: control characters, DEL, C1, bidi controls, U+2028, U+2029 and lone surrogates are
 * written as `\uXXXX`, so `JSON.parse` gives the same value back. What JSON has no word for (undefined, a function) is
 * `null`. Throws TypeError for a cycle or a bigint, as `JSON.stringify` does.
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
