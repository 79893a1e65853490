/**
 * The characters that replace what is not drawn. Each is one cell wide in every terminal we know, and none changes when
 * a text is sanitised again.
 */

/**
 * Replaces anything without a picture of its own: bidi controls, zero-width and private characters, lone surrogates.
 */
export const replacementMark = '\ufffd';

/** Replaces an escape sequence, or the introducer of one that never ends. */
export const escapeMark = '\u241b';

/** Replaces characters other than CR and LF that end a row in some programs: NEL, U+2028 and U+2029. */
export const lineEndMark = '\u2424';

/** The base for a combining mark that has none in the text. */
export const markBase = '\u25cc';

/** Replaces the rest of a text that is cut. */
export const cutMark = '\u2026';

const controlPictures = 0x2400;

/** Returns the picture of a C0 control or DEL, and the mark of a C1 control that introduces nothing. */
export const pictureOfControl = (code: number): string => {
  if (code < 0x20) {
    return String.fromCharCode(controlPictures + code);
  }
  if (code === 0x7f) {
    return '\u2421';
  }
  return code === 0x85 ? lineEndMark : replacementMark;
};
