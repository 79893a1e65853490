import {classOf, codePointClass} from './code-point-class.ts';

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

const notPrintableAscii = /[^ -~]/;

/**
 * Returns the cells of a code point, 0 to 2, by the rules of `cellWidth`. What `sanitise` would replace counts one, as
 * its mark does.
 */
export const codePointWidth = (codePoint: number): number => {
  if (codePoint < 0x300) {
    return 1;
  }
  switch (classOf(codePoint)) {
    case codePointClass.wide:
    case codePointClass.skinTone:
    case codePointClass.regional:
      return 2;
    case codePointClass.mark:
    case codePointClass.selector:
      return 0;
    default:
      return 1;
  }
};

/**
 * Returns the cells that a sanitised text takes in a row: one for most characters, two for East Asian wide and
 * fullwidth ones and emoji, none for combining marks (UAX #11, and Unicode's Mn and Me). It is the sum over the code
 * points, which holds for terminals with and without character clusters, because `sanitise` leaves nothing that would
 * form a cluster of another width:
 *
 * - Emoji sequences, keycaps and flags: the joiner is replaced and a variation selector or skin tone dropped, so each
 *   emoji is independent and two cells wide; a symbol that only VS16 makes an emoji (❤) stays the one-cell symbol it is
 *   without. Regional indicators become fullwidth letters, two cells each.
 * - Hangul in pieces is composed to syllables; an Indic conjunct is one cell per consonant.
 * - East Asian ambiguous characters are one cell, the default of every terminal.
 *
 * What remains disputed depends on a terminal's age: see `isDisputed`.
 */
export const cellWidth = (text: string): number => {
  if (!notPrintableAscii.test(text)) {
    return text.length;
  }
  let cells = 0;
  for (let i = 0; i < text.length; i += 1) {
    const codePoint = text.codePointAt(i) ?? 0;
    cells += codePointWidth(codePoint);
    i += codePoint > 0xffff ? 1 : 0;
  }
  return cells;
};

/** A place in a text, and its distance in cells from where counting began. */
type CellPlace = {readonly index: number; readonly cells: number};

/**
 * Skips as many characters as fit into `cells` cells, each with its combining marks, from code unit `start` of a safe
 * text. Fewer cells than requested mean that the text ends or a wide character straddles the boundary. The cost grows
 * with `cells`, not with the text.
 */
export const skipCells = (text: string, start: number, cells: number): CellPlace => {
  if (cells <= 0) {
    return {index: start, cells: 0};
  }
  // One more than fits: the next may be a mark that belongs to the last character.
  const ahead = text.slice(start, start + cells + 1);
  if (!notPrintableAscii.test(ahead)) {
    const skipped = Math.min(cells, ahead.length);
    return {index: start + skipped, cells: skipped};
  }
  let index = start;
  let skippedCells = 0;
  while (index < text.length) {
    const codePoint = text.codePointAt(index) ?? 0;
    const width = codePointWidth(codePoint);
    if (skippedCells + width > cells) {
      break;
    }
    skippedCells += width;
    index += codePoint > 0xffff ? 2 : 1;
  }
  return {index, cells: skippedCells};
};
