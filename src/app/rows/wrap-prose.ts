import {cellWidth} from '#log/text/width.ts';
import {span, type ViewRow} from './view-row.ts';

const indent = span('   ');

/** Wraps a sentence into rows at blanks, indented like all text in an empty pane. */
export const wrapProse = (sentence: ViewRow, columns: number): readonly ViewRow[] => {
  const words = sentence.flatMap(({text, tone}) => text.split(/(?<= )/).map(word => span(word, tone)));
  const rows: ViewRow[] = [];
  const finish = (row: ViewRow): void => {
    const last = row.at(-1);
    // The blank at a row break may be one cell beyond the width.
    rows.push(last === undefined ? row : [...row.slice(0, -1), {...last, text: last.text.trimEnd()}]);
  };
  let row: ViewRow = [indent];
  let width = cellWidth(indent.text);
  for (const word of words) {
    const wordWidth = cellWidth(word.text.trimEnd());
    if (row.length > 1 && width + wordWidth > columns) {
      finish(row);
      row = [indent];
      width = cellWidth(indent.text);
    }
    // Drop the blank at the row break, which would begin the next row.
    if (row.length > 1 || wordWidth > 0) {
      row = [...row, word];
      width += cellWidth(word.text);
    }
  }
  finish(row);
  return rows;
};
