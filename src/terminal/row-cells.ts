import stringWidth from 'string-width';
import {applySgr, type Style} from './sgr-style.ts';

/**
 * A piece of a row that is drawn as a whole. Printable ASCII is one column wide on every terminal, so each such
 * character is a cell of its own and `sure`. About everything else terminals disagree (emoji, marks, East Asian
 * ambiguous width), so a run of it is one cell, and its width is only what the layout assumed.
 */
export type Cell = {
  readonly text: string;
  readonly style: Style;
  readonly columnIndex: number;
  readonly columns: number;
  readonly sure: boolean;
};

// The styles of a program are few; the bound only keeps coloured log lines from growing the table for ever.
const stylesKeptMax = 2048;
const keptStyles = new Map<string, Style>();

const nextStyle = (style: Style, parameters: string): Style => {
  const key = `${style}\n${parameters}`;
  const kept = keptStyles.get(key);
  if (kept !== undefined) {
    return kept;
  }
  if (keptStyles.size >= stylesKeptMax) {
    keptStyles.clear();
  }
  const next = applySgr(style, parameters);
  keptStyles.set(key, next);
  return next;
};

const escapeCode = 0x1b;
// A sequence as ECMA-48 writes them: CSI with its parameters, a string control up to its end, or ESC and one character.
const sequencePattern =
  /\u001b(?:\[([0-9:;<=>?]*)([ -/]*[@-~])|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])?/y;
const graphemes = new Intl.Segmenter('en', {granularity: 'grapheme'});

const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0);

/** As many graphemes of `text` as fit. */
const cutToColumns = (text: string, columnsMax: number): string => {
  let cut = '';
  let columns = 0;
  for (const {segment} of graphemes.segment(text)) {
    columns += stringWidth(segment);
    if (columns > columnsMax) {
      break;
    }
    cut += segment;
  }
  return cut;
};

/** The end of the run of characters that start at `start` and are neither ASCII nor a control. */
const foreignRunEnd = (row: string, start: number): number => {
  let end = start;
  while (end < row.length && row.charCodeAt(end) >= 0xa0) {
    end += 1;
  }
  return end;
};

/**
 * Takes a row of a frame apart. What lies past `columnsMax` is cut off, because with wrapping switched off a terminal
 * would pile it up in the last column; plain blanks at the end are dropped, because that is what an erased row shows.
 *
 * A row may hold SGR sequences only. Others, and control characters, do not get through: foreign text is made safe
 * long before, and this is the last door in front of the terminal.
 */
export const parseRow = (row: string, columnsMax: number): Cell[] => {
  const cells: Cell[] = [];
  let style: Style = '';
  let column = 0;
  let index = 0;
  while (index < row.length && column < columnsMax) {
    const code = row.charCodeAt(index);
    if (code >= 0x20 && code < 0x7f) {
      cells.push({text: row.charAt(index), style, columnIndex: column, columns: 1, sure: true});
      column += 1;
      index += 1;
      continue;
    }
    if (code === escapeCode) {
      sequencePattern.lastIndex = index;
      const match = sequencePattern.exec(row);
      const [sequence = '\u001b', parameters, final] = match ?? [];
      if (final === 'm' && parameters !== undefined && !/[<=>?]/.test(parameters)) {
        style = nextStyle(style, parameters);
      }
      index += sequence.length;
      continue;
    }
    if (isControl(code)) {
      index += 1;
      continue;
    }
    const end = foreignRunEnd(row, index);
    let text = row.slice(index, end);
    index = end;
    let columns = stringWidth(text);
    if (column + columns > columnsMax) {
      text = cutToColumns(text, columnsMax - column);
      columns = stringWidth(text);
      index = row.length;
    }
    if (text !== '') {
      cells.push({text, style, columnIndex: column, columns, sure: false});
      column += columns;
    }
  }
  while (cells.at(-1)?.text === ' ' && cells.at(-1)?.style === '') {
    cells.pop();
  }
  return cells;
};
