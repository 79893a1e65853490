import {cutToCells} from '#log/text/cut.ts';
import {cellWidth} from '#log/text/width.ts';
import {type Span, span, type ViewRow} from './view-row.ts';

/** Limits a name, so that one of a megabyte costs nothing. In code units of the text as received. */
export const nameCharsMax = 80;

/** The same for a name that shares its row, as in a header. */
export const headerNameCharsMax = 60;

export const messageCharsMax = 500;

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

export const rowWidth = (row: ViewRow): number => row.reduce((sum, {text}) => sum + cellWidth(text), 0);

/** Cuts a row to a width, or pads it with blanks. */
export const fitRow = (row: ViewRow, columns: number): ViewRow => {
  const fitted: Span[] = [];
  let left = columns;
  for (const part of row) {
    const width = cellWidth(part.text);
    if (width > left) {
      return left > 0 ? [...fitted, {...part, text: cutToCells(part.text, left)}] : fitted;
    }
    fitted.push(part);
    left -= width;
  }
  return left > 0 ? [...fitted, span(' '.repeat(left))] : fitted;
};

/** A part of a row. If there is not enough room, the parts of the highest rank are dropped first. */
export type Part = {readonly row: ViewRow; readonly rank: number};

const separator = span('   ');

const widthOf = (parts: readonly Part[]): number =>
  2 + parts.reduce((sum, {row}) => sum + rowWidth(row) + rowWidth([separator]), -rowWidth([separator]));

/** Checks whether `joinParts` has room for all of them. */
export const fitsParts = (parts: readonly Part[], columns: number): boolean =>
  widthOf(parts.filter(({row}) => row.length > 0)) <= columns;

/** Joins parts side by side, with `right` at the right edge; drops what does not fit, by rank. */
export const joinParts = (parts: readonly Part[], columns: number, right?: Part): ViewRow => {
  const all = right === undefined ? parts : [...parts, right];
  const kept = all.filter(part => part.row.length > 0);
  while (kept.length > 1 && widthOf(kept) > columns) {
    const worst = kept.reduce((a, b) => (b.rank >= a.rank ? b : a));
    kept.splice(kept.indexOf(worst), 1);
  }
  const hasRight = right !== undefined && kept.includes(right);
  const left: Span[] = [span(' ')];
  for (const [index, part] of kept.filter(each => each !== right).entries()) {
    left.push(...(index > 0 ? [separator] : []), ...part.row);
  }
  if (!hasRight) {
    return fitRow(left, columns);
  }
  const gap = columns - rowWidth(left) - rowWidth(right.row) - 1;
  return fitRow([...left, span(' '.repeat(Math.max(1, gap))), ...right.row, span(' ')], columns);
};
