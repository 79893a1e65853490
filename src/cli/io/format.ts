import type {Tone} from '#app/rows/view-row.ts';
import {parseInstant} from '#log/line/instant.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {paint} from '#ui/paint-screen.ts';
import type {Theme} from '#ui/theme.ts';

/**
 * Wraps a sentence at spaces to a maximum number of columns. A longer word gets a row of its own. For our own texts
 * only: it counts one cell per character.
 */
export const wrapWords = (sentence: string, columns: number): readonly string[] => {
  const rows: string[] = [];
  let row = '';
  for (const word of sentence.split(' ')) {
    const longer = row === '' ? word : `${row} ${word}`;
    if (longer.length > columns && row !== '') {
      rows.push(row);
      row = word;
    } else {
      row = longer;
    }
  }
  return [...rows, row];
};

type PrintedParts = {readonly timestamp: string; readonly text: string};

/**
 * Splits a line for JSON at the first space, as received. Where the timestamp is empty, the text is the whole line: one
 * that begins with a space, or that has none and is not exactly one readable timestamp. For any other line, joining the
 * two parts with a space gives the line again.
 */
export const splitLine = (raw: string): PrintedParts => {
  const spaceIndex = raw.indexOf(' ');
  if (spaceIndex > 0) {
    return {timestamp: raw.slice(0, spaceIndex), text: raw.slice(spaceIndex + 1)};
  }
  return parseInstant(raw) === undefined ? {timestamp: '', text: raw} : {timestamp: raw, text: ''};
};

/** Formats a duration: `12 s`, `3 min 20 s`, `2 h 5 min`, `3 days 4 h`. */
export const formatElapsed = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) {
    return `${seconds} s`;
  }
  if (hours === 0) {
    return `${minutes} min ${seconds % 60} s`;
  }
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days ${hours % 24} h`;
};

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
