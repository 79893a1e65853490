import {skipCells} from './width.ts';

/** The place behind the row that begins at `start`. A wide character alone fills the one column that it does not fit into. */
const findRowEnd = (text: string, start: number, columns: number): number => {
  const end = skipCells(text, start, Math.max(1, columns)).index;
  return end > start ? end : skipCells(text, start, 2).index;
};

/** A row of a text: code units `start` to, not including, `end`. */
export type TextRow = {readonly start: number; readonly end: number};

/**
 * A safe text in rows of at most `columns` cells, broken wherever a row is full: a log line has no better places, and what is
 * copied from the screen stays one piece. The rows joined are the text; an empty text is one empty row. In a single column a
 * wide character keeps its two cells, because half of it can't be shown.
 */
export const wrapRanges = (text: string, columns: number): readonly TextRow[] => {
  const rows: TextRow[] = [];
  let start = 0;
  do {
    const end = findRowEnd(text, start, columns);
    rows.push({start, end});
    start = end;
  } while (start < text.length);
  return rows;
};
