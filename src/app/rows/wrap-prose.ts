import {cellWidth} from '../../log/cells/width.ts';
import {span, type ViewRow} from './view-row.ts';

const indent = span('   ');

/** A sentence as rows: broken at blanks where it is too long for one, and indented as what stands in an empty pane is. */
export const wrapProse = (sentence: ViewRow, columns: number): readonly ViewRow[] => {
  const words = sentence.flatMap(({text, tone}) => text.split(/(?<= )/).map(word => span(word, tone)));
  const rows: ViewRow[] = [];
  const finish = (row: ViewRow): void => {
    const last = row.at(-1);
    // The blank that a row was broken at may be one cell more than it has.
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
    // A blank that would begin a row is what the row was broken at.
    if (row.length > 1 || wordWidth > 0) {
      row = [...row, word];
      width += cellWidth(word.text);
    }
  }
  finish(row);
  return rows;
};
