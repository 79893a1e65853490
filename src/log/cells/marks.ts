/**
 * The characters that stand for what is not drawn. Each is one cell wide in every terminal known to us, and none is changed
 * when a text is made safe a second time.
 */

/** Stands for anything that has no picture of its own: bidi controls, zero-width and private characters, lone surrogates. */
export const replacementMark = '\ufffd';

/** Stands for an escape sequence, or for the introducer of one that never ends. */
export const escapeMark = '\u241b';

/** Stands for what would end a row in some programs and is no CR or LF: NEL, U+2028 and U+2029. */
export const lineEndMark = '\u2424';

/** The base that a combining mark gets where the text gives it none. */
export const markBase = '\u25cc';

/** Stands for the rest of a text that is cut. */
export const cutMark = '\u2026';

const controlPictures = 0x2400;

/** The picture of a C0 control or DEL, and the mark of a C1 control that introduces nothing. */
export const pictureOfControl = (code: number): string => {
  if (code < 0x20) {
    return String.fromCharCode(controlPictures + code);
  }
  if (code === 0x7f) {
    return '\u2421';
  }
  return code === 0x85 ? lineEndMark : replacementMark;
};
