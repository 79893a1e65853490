import {scanForeign, shownCharsMax} from './scan-foreign.ts';
import {createStyleCollector, type StyleSpan} from './style-spans.ts';
import {cutMark} from './width.ts';

const notPlain = /[^ -~]|\\/gu;

const escapeOne = (character: string): string => {
  const codePoint = character.codePointAt(0) ?? 0;
  if (character === '\\') {
    return '\\\\';
  }
  return codePoint < 0x100 ? `\\x${codePoint.toString(16).padStart(2, '0')}` : `\\u{${codePoint.toString(16)}}`;
};

/**
 * Shows a text as received, in printable ASCII only: everything else is escaped as in a JavaScript string, `\x1b`,
 * `\u{202e}`, a backslash as two. So nothing is hidden and no two texts look the same. After `shownCharsMax` code units
 * only the length of the rest is given, `\...(120 more)`, which can't be mistaken for an escape.
 */
export const showRaw = (text: string): string => {
  const escapeAll = (part: string): string => part.replace(notPlain, escapeOne);
  return text.length <= shownCharsMax
    ? escapeAll(text)
    : `${escapeAll(text.slice(0, shownCharsMax))}\\...(${text.length - shownCharsMax} more)`;
};

const notPrintableAscii = /[^ -~]/;

const cutAscii = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}${cutMark}`;

const makeSafe = (text: string, charsMax: number): string => {
  if (charsMax < 1) {
    return '';
  }
  // Cut first: running a pattern over a line of megabytes would cost more than what is shown of it.
  const readMax = Math.max(shownCharsMax, charsMax);
  const shown = text.length > readMax ? text.slice(0, readMax) : text;
  return notPrintableAscii.test(shown) ? scanForeign(text, charsMax).text : cutAscii(text, charsMax);
};

/**
 * Makes an untrusted text safe to draw. Every string from a service, a log or a person other than the user passes here
 * (or through `sanitiseWord` or `sanitiseStyled`) before it can reach a cell.
 *
 * It is an allow-list: printable ASCII passes unchanged, and so does every character that is drawn, takes a known
 * number of cells and leaves its neighbours alone. The others leave a visible mark, so that nothing can hide:
 *
 * - An escape sequence, 7-bit or 8-bit, becomes `␛` and its payload is dropped; one that never ends becomes `␛` and its
 *   payload is shown. SGR, which only colours, is dropped.
 * - A control character becomes its picture, TAB spaces up to the next multiple of eight cells. NEL, U+2028 and U+2029
 *   become `␤`: nothing in a line ends a row.
 * - Bidi controls (CVE-2021-42574), zero-width characters, tags, fillers, lone surrogates, private use and unassigned
 *   code points become `�`. So does the blank Braille pattern: a name made of it looks like no name at all.
 * - At most four combining marks stay on a character, one `�` replaces the others; a mark without a base gets `◌`.
 * - A variation selector or skin tone after a fitting character is dropped, regional indicators become fullwidth
 *   letters, conjoining Hangul is composed: terminals disagree about the width of these. See `width.ts`.
 *
 * The result holds no control character, is at most `shownCharsMax` long and ends with `…` if it was cut. Sanitising it
 * again changes nothing. The cost is linear in the part shown and independent of the rest.
 */
export const sanitise = (text: string): string => makeSafe(text, shownCharsMax);

/** Like `sanitise`, but cuts nothing: for what is printed and not drawn. */
export const sanitiseWhole = (text: string): string => makeSafe(text, Number.POSITIVE_INFINITY);

/** Like `sanitise`, for names and fields: at most `charsMax` code units long, including `…` if it was cut. */
export const sanitiseWord = (text: string, charsMax: number): string =>
  makeSafe(text, Math.min(charsMax, shownCharsMax));

/**
 * Like `sanitise`, with the SGR sequences turned into spans over the safe text, which is the same as that of
 * `sanitise`. Spans ascend and do not overlap; text outside them is plain.
 */
export const sanitiseStyled = (
  text: string,
  charsMax = shownCharsMax,
): {readonly text: string; readonly spans: readonly StyleSpan[]} => {
  if (text.length <= charsMax && !notPrintableAscii.test(text)) {
    return {text, spans: []};
  }
  const collector = createStyleCollector();
  const safe = scanForeign(text, charsMax, collector);
  return {text: safe.text, spans: collector.finish(safe.uncutLength)};
};
