import {skipCells} from '../text/width.ts';

/**
 * Returns the index after the row that begins at `start`. In a single column, a wide character that does not fit still
 * fills a row of its own.
 */
const findRowEnd = (text: string, start: number, columns: number): number => {
  const end = skipCells(text, start, Math.max(1, columns)).index;
  return end > start ? end : skipCells(text, start, 2).index;
};

/**
 * Returns the index after the last blank of a row that ends inside a word; its end if that is no better: the word may
 * be longer than half a row, or a mark stands on the blank.
 */
const endAtWord = (text: string, start: number, end: number, columns: number): number => {
  const isInWord = end < text.length && text[end] !== ' ';
  const blank = isInWord ? text.lastIndexOf(' ', end - 1) : -1;
  const middle = blank === -1 ? end : skipCells(text, start, Math.ceil(columns / 2)).index;
  return blank >= middle && !/^\p{M}/u.test(text.slice(blank + 1, blank + 3)) ? blank + 1 : end;
};

/** A row of a text: code units `start` up to but not including `end`. */
export type TextRow = {readonly start: number; readonly end: number};

/**
 * Breaks a safe text into rows of at most `columns` cells, after a blank if one is in the second half of the row. The
 * rows joined are the text; an empty text is one empty row. In a single column a wide character keeps its two cells,
 * because half of it can't be shown.
 */
export const wrapRanges = (text: string, columns: number): readonly TextRow[] => {
  const rows: TextRow[] = [];
  let start = 0;
  do {
    const end = endAtWord(text, start, findRowEnd(text, start, columns), columns);
    rows.push({start, end});
    start = end;
  } while (start < text.length);
  return rows;
};
