import {beginSynchronised, endSynchronised, eraseScreen, resetScrollRegion, resetStyle, scrollRows} from './escapes.ts';
import {type Cell, parseRow} from './row-cells.ts';
import {formatRowChange} from './row-change.ts';
import {findScroll, scrollLines} from './row-scroll.ts';
import type {ScreenSize} from './screen-size.ts';

/** A row as it stands on the screen: the text it was drawn from, and its cells. */
type ShownRow = {readonly row: string; readonly cells: readonly Cell[]};

/** What is on the screen, from the first row to the last. */
export type ShownFrame = readonly ShownRow[];

export type FrameChange = {
  /** What to write; empty where nothing changed. */
  readonly bytes: string;
  readonly shown: ShownFrame;
};

const blankRow: ShownRow = {row: '', cells: []};

/** Rows one below the other; exactly as many as the screen has. */
const splitRows = (frame: string, rowCount: number): string[] => {
  const rows = frame.split('\n', rowCount);
  while (rows.length < rowCount) {
    rows.push('');
  }
  return rows;
};

/**
 * The bytes that turn what is shown into `frame`, rows joined by line feeds. Without `shown` nothing is known of the
 * screen, so it is cleared and drawn whole.
 *
 * More than one changed row goes into one synchronised update, so that a slow line never shows half a frame.
 */
export const formatFrameChange = (
  shown: ShownFrame | undefined,
  frame: string,
  {columns, rows}: ScreenSize,
): FrameChange => {
  const texts = splitRows(frame, rows);
  const parts: string[] = [];
  let before: ShownFrame;
  if (shown && shown.length === rows) {
    const scroll = findScroll(
      shown.map(({row}) => row),
      texts,
    );
    before = scroll ? scrollLines(shown, scroll, blankRow) : shown;
    if (scroll) {
      parts.push(scrollRows(scroll.topIndex, scroll.bottomIndex, scroll.byRows));
    }
  } else {
    before = texts.map(() => blankRow);
    parts.push(resetStyle + resetScrollRegion + eraseScreen);
  }
  const after = texts.map((row, rowIndex): ShownRow => {
    const old = before[rowIndex] ?? blankRow;
    if (old.row === row) {
      return old;
    }
    const cells = parseRow(row, columns);
    const change = formatRowChange(old.cells, cells, rowIndex, columns);
    if (change !== '') {
      parts.push(change);
    }
    return {row, cells};
  });
  const bytes = parts.length > 1 ? beginSynchronised + parts.join('') + endSynchronised : parts.join('');
  return {bytes, shown: after};
};
