import type {Tone} from '#app/rows/view-row.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {paint} from '#ui/paint-screen.ts';
import type {Theme} from '#ui/theme.ts';

/** Longer names are cut: one hostile name must not push every other column off the screen. */
const cellCharsMax = 120;

/** A cell of a table, with the tone that gives its meaning. */
export type TableCell = {readonly text: string; readonly tone?: Tone};

/** Formats rows below a header, in aligned columns two spaces apart. Sanitises text from outside. */
export const formatTable = (
  head: readonly string[],
  rows: readonly (readonly TableCell[])[],
  theme: Theme | undefined,
): string => {
  const safeRows = [head.map((text): TableCell => ({text, tone: 'strong'})), ...rows].map(row =>
    row.map(cell => ({...cell, text: sanitiseWord(cell.text, cellCharsMax)})),
  );
  const widths = head.map((_, column) => Math.max(...safeRows.map(row => cellWidth(row[column]?.text ?? ''))));
  const formatCell = (cell: TableCell, column: number): string => {
    const isLast = column === head.length - 1;
    const padding = isLast ? '' : ' '.repeat((widths[column] ?? 0) - cellWidth(cell.text));
    return paint(cell.text, theme?.(cell.tone ?? 'plain') ?? '') + padding;
  };
  return safeRows.map(row => `${row.map(formatCell).join('  ').trimEnd()}\n`).join('');
};
