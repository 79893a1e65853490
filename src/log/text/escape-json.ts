// Characters that JSON.stringify keeps but that are unsafe for a terminal or a human reader: DEL, C1, bidi controls
// (UAX #9), the two separators that end a row in some programs, and all that is drawn as nothing
// (Default_Ignorable_Code_Point of Unicode 17). JSON.stringify escapes lone surrogates itself (ECMA-262, 25.5.2.3).
const unsafeInJson =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: one that combines is to be escaped on its own, too.
  /[\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|[\udb40-\udb43][\udc00-\udfff]/g;

// A short escape, or an escaped backslash or quote; matched as one unit so that it is left alone.
const shortEscape = /\\([bfnrt"\\])/g;

const shortEscapeUnits: Readonly<Record<string, string>> = {
  b: '\\u0008',
  t: '\\u0009',
  n: '\\u000a',
  f: '\\u000c',
  r: '\\u000d',
};

const escapeUnits = (units: string): string =>
  units
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/**
 * Formats a value as JSON on one row that is safe to print: control and bidi characters, U+2028, U+2029, invisible
 * characters and lone surrogates are written as `\uXXXX`, so `JSON.parse` returns the same value. Values that JSON
 * can't express (undefined, a function) become `null`. Throws TypeError for a cycle or a bigint, as `JSON.stringify`
 * does.
 */
export const stringifySafe = (value: unknown): string => {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) {
    return 'null';
  }
  const escaped = json.includes('\\')
    ? json.replace(shortEscape, (whole, letter: string) => shortEscapeUnits[letter] ?? whole)
    : json;
  return escaped.replace(unsafeInJson, escapeUnits);
};
