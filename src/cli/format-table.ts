import {sanitiseWord} from '../log/sanitise.ts';
import {cellWidth} from '../log/width.ts';

/** A name longer than this is cut: one hostile name must not push every other column off the screen. */
const cellCharsMax = 120;

/** A word of a table, and how it is coloured where colour is wanted (SGR parameters). */
export type Cell = {readonly text: string; readonly style?: string};

/** Rows below a head, in aligned columns two blanks apart. Foreign words are made safe here. */
export const formatTable = (
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  hasColour: boolean,
): string => {
  const safeRows = [head.map((text): Cell => ({text, style: '1'})), ...rows].map(row =>
    row.map(cell => ({...cell, text: sanitiseWord(cell.text, cellCharsMax)})),
  );
  const widths = head.map((_, column) => Math.max(...safeRows.map(row => cellWidth(row[column]?.text ?? ''))));
  const formatCell = (cell: Cell, column: number): string => {
    const isLast = column === head.length - 1;
    const padding = isLast ? '' : ' '.repeat((widths[column] ?? 0) - cellWidth(cell.text));
    return (hasColour && cell.style && cell.text ? `\x1b[${cell.style}m${cell.text}\x1b[0m` : cell.text) + padding;
  };
  return safeRows.map(row => `${row.map(formatCell).join('  ').trimEnd()}\n`).join('');
};
