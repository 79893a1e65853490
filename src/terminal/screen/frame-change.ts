import type {Capabilities} from './capabilities.ts';
import {type Cell, createStyleTable, isPlainBlank, isSameStyle} from './cells/cell-style.ts';
import {createPen, type Pen} from './cells/pen.ts';
import {blankCell, parseRow} from './cells/row-cells.ts';
import {findScroll, type Scroll, scrollLines} from './cells/row-scroll.ts';
import {beginSynchronised, endSynchronised, eraseScreen, resetScrollRegion, resetStyle} from './escapes.ts';
import type {ScreenSize} from './frame-stream.ts';

/**
 * Moving the cursor costs about as much as writing this many cells, so shorter unchanged stretches are written again.
 */
const keptCellsWrittenMax = 4;

const isSameCell = (a: Cell, b: Cell): boolean =>
  a === b ||
  (a.text === b.text && a.columns === b.columns && isSameStyle(a.style, b.style)) ||
  (isPlainBlank(a) && isPlainBlank(b));

/** Checks whether a cell takes one column in every terminal. */
const isSingle = ({columns, isDisputed}: Cell): boolean => columns === 1 && !isDisputed;

/** Marks the columns from `start` up to, but not including, `end`. Returns whether any of them was new. */
const mark = (marks: Uint8Array, start: number, end: number): boolean => {
  let isNew = false;
  for (let column = Math.max(0, start); column < Math.min(end, marks.length); column += 1) {
    if (marks[column] === 0) {
      marks[column] = 1;
      isNew = true;
    }
  }
  return isNew;
};

const isMarked = (marks: Uint8Array, start: number, end: number): boolean =>
  marks.subarray(Math.max(0, start), end).includes(1);

/**
 * The columns that a change must write together: a wide cell, or a disputed cell with its possibly damaged neighbours.
 */
type Bond = {readonly start: number; readonly end: number};

/**
 * Finds the bonds of a row. A character of disputed width may have overwritten its neighbours on the right, or may be
 * attached to the one before it, so it is bound to them: if one of them is written, all are, in one order, and every
 * terminal shows the same as after a repaint.
 */
const findBonds = (cells: readonly Cell[]): readonly Bond[] => {
  const bonds: Bond[] = [];
  cells.forEach((cell, column) => {
    if (cell.isDisputed) {
      bonds.push({start: column - 1, end: column + cell.reach});
    } else if (cell.columns > 1) {
      bonds.push({start: column, end: column + cell.columns});
    }
  });
  return bonds;
};

/** Extends the marks to whole bonds until nothing more changes. */
const spread = (marks: Uint8Array, bonds: readonly Bond[]): void => {
  const pull = (isPulled: boolean, {start, end}: Bond): boolean =>
    (isMarked(marks, start, end) && mark(marks, start, end)) || isPulled;
  // One pass to the right and one to the left carry a change along a chain. The loop ends because marks only grow.
  while (bonds.reduceRight(pull, bonds.reduce(pull, false))) {}
};

/**
 * Checks whether unchanged cells in between may be written again: they need no style other than the current one, and
 * their widths are certain.
 */
const isCheap = (cells: readonly Cell[], start: number, end: number): boolean => {
  const style = cells[start - 1]?.style;
  for (let column = start; column < end; column += 1) {
    const cell = cells[column];
    const needsStyle = cell?.style !== style && !(style?.hidesBlanks && cell !== undefined && isPlainBlank(cell));
    if (cell === undefined || needsStyle || !isSingle(cell)) {
      return false;
    }
  }
  return true;
};

/** Returns the end of the marked cells from `start` on that are written as one: of one style, and of certain width. */
const runEnd = (cells: readonly Cell[], marks: Uint8Array, start: number): number => {
  const first = cells[start];
  let end = start + 1;
  if (first !== undefined && isSingle(first)) {
    for (let cell = cells[end]; marks[end] === 1 && cell?.style === first.style && isSingle(cell); cell = cells[end]) {
      end += 1;
    }
  }
  return end;
};

const joinCells = (first: Cell, cells: readonly Cell[], start: number, end: number): Cell => {
  let {text} = first;
  for (let column = start + 1; column < end; column += 1) {
    text += cells[column]?.text ?? '';
  }
  return {...first, text, columns: end - start};
};

/**
 * Draws the change from one row of the screen to another; nothing if both are the same. `blank` is the cell past the
 * end of a row.
 */
export const drawRowChange = (
  pen: Pen,
  before: readonly Cell[],
  after: readonly Cell[],
  rowIndex: number,
  {blank, columns}: {readonly blank: Cell; readonly columns: number},
): void => {
  const marks = new Uint8Array(columns);
  let hasChanged = false;
  let hasBonds = false;
  const length = Math.max(before.length, after.length);
  for (let column = 0; column < length; column += 1) {
    const old = before[column] ?? blank;
    const next = after[column] ?? blank;
    hasBonds ||= !isSingle(old) || !isSingle(next);
    if (!isSameCell(old, next)) {
      marks[column] = 1;
      hasChanged = true;
    }
  }
  if (!hasChanged) {
    return;
  }
  if (hasBonds) {
    spread(marks, [...findBonds(before), ...findBonds(after)]);
  }
  let column = marks.indexOf(1);
  while (column >= 0 && column < after.length) {
    const end = runEnd(after, marks, column);
    const cell = after[column];
    if (cell !== undefined && cell.columns > 0) {
      pen.put(end === column + 1 ? cell : joinCells(cell, after, column, end), rowIndex, column);
    }
    const next = marks[end] === 1 ? end : marks.indexOf(1, end);
    const isBridged = next > 0 && next < after.length && next - end <= keptCellsWrittenMax && isCheap(after, end, next);
    column = isBridged ? end : next;
  }
  const erasedStart = marks.indexOf(1, after.length);
  if (erasedStart >= 0) {
    pen.eraseFrom(rowIndex, erasedStart);
  }
};

/**
 * Painted rows to insert into Ink's frame without passing through Ink. Each is one row of the screen, plain except for
 * SGR colours.
 */
export type RowBlock = {
  /** The row of Ink's frame that `rows` replace, from 0; rows below it move down. Replaces none if omitted. */
  readonly rowIndex?: number | undefined;
  readonly rows: readonly string[];
};

/** Checks whether two blocks look the same. */
export const isSameBlock = (a: RowBlock | undefined, b: RowBlock | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    a.rowIndex === b.rowIndex &&
    a.rows.length === b.rows.length &&
    a.rows.every((row, index) => row === b.rows[index]));

/**
 * Returns exactly `rowCount` rows of the screen: Ink's frame, whose rows are joined by line feeds, with the block
 * inserted.
 */
export const composeRows = (frame: string, block: RowBlock | undefined, rowCount: number): readonly string[] => {
  const rows = frame.split('\n', rowCount);
  if (block?.rowIndex !== undefined) {
    rows.splice(block.rowIndex, 1, ...block.rows);
    rows.length = Math.min(rows.length, rowCount);
  }
  while (rows.length < rowCount) {
    rows.push('');
  }
  return rows;
};

/** A row on the screen: the text it was drawn from, and its cells. */
type ShownRow = {readonly row: string; readonly cells: readonly Cell[]};

/** The content of the screen, from the first row to the last. */
export type ShownFrame = readonly ShownRow[];

export type FrameChange = {
  /** Bytes to write; empty if nothing changed. */
  readonly bytes: string;
  readonly shown: ShownFrame;
};

/**
 * Returns the bytes that turn what is shown into these rows, one for each row of the screen. Without `shown` the
 * content is unknown, so the screen is cleared and drawn completely.
 */
type FrameFormatter = (shown: ShownFrame | undefined, rows: readonly string[], size: ScreenSize) => FrameChange;

const blankRow: ShownRow = {row: '', cells: []};

/**
 * A change up to this size reaches the terminal in one piece, as small as packets may be; a larger one is bracketed.
 */
const onePieceBytesMax = 512;

/** Returns the drawing order of the rows: scrolled ones first, while the cursor is there. */
const drawingOrder = (rowCount: number, scroll: Scroll | undefined): readonly number[] => {
  const indexes = Array.from({length: rowCount}, (_, index) => index);
  if (!scroll) {
    return indexes;
  }
  const isScrolled = (index: number): boolean => index >= scroll.topIndex && index <= scroll.bottomIndex;
  return [...indexes.filter(isScrolled), ...indexes.filter(index => !isScrolled(index))];
};

/** Creates the formatter for one terminal. */
export const createFrameFormatter = (capabilities: Capabilities): FrameFormatter => {
  const styles = createStyleTable(capabilities);
  const blank = blankCell(styles);

  return (shown, texts, {columns, rows}) => {
    const pen = createPen(styles.plain);
    const isKnown = shown !== undefined && shown.length === rows;
    let before: ShownFrame = isKnown ? shown : texts.map(() => blankRow);
    const scroll =
      isKnown && capabilities.hasScrollRegions
        ? findScroll(
            shown.map(({row}) => row),
            texts,
          )
        : undefined;
    if (scroll) {
      pen.scroll(scroll);
      before = scrollLines(before, scroll, blankRow);
    }
    const after = texts.map((row, rowIndex): ShownRow => {
      const old = before[rowIndex] ?? blankRow;
      return old.row === row ? old : {row, cells: parseRow(row, columns, styles)};
    });
    let isScrolling = scroll !== undefined;
    for (const rowIndex of drawingOrder(rows, scroll)) {
      if (isScrolling && scroll && (rowIndex < scroll.topIndex || rowIndex > scroll.bottomIndex)) {
        pen.endScroll();
        isScrolling = false;
      }
      const [old, next] = [before[rowIndex], after[rowIndex]];
      if (old && next && old !== next) {
        drawRowChange(pen, old.cells, next.cells, rowIndex, {blank, columns});
      }
    }
    if (isScrolling) {
      pen.endScroll();
    }
    const bytes = (isKnown ? '' : resetStyle + resetScrollRegion + eraseScreen) + pen.finish();
    const isBracketed = capabilities.hasSynchronisedOutput && (!isKnown || bytes.length > onePieceBytesMax);
    return {bytes: isBracketed ? beginSynchronised + bytes + endSynchronised : bytes, shown: after};
  };
};

/**
 * Returns the first of the rows that changed, as many as fit into so many bytes, and else what is shown: the last two
 * and the first, which say where the reader is, then from the top.
 */
export const firstChanges = (shown: ShownFrame, rows: readonly string[], bytesMax: number): readonly string[] => {
  const partial = shown.map(({row}) => row);
  const last = rows.length - 1;
  let bytes = 0;
  for (const index of [last - 1, last, ...rows.keys()]) {
    const row = rows[index];
    if (row !== undefined && row !== partial[index]) {
      bytes += row.length + 8;
      if (bytes > bytesMax && bytes > row.length + 8) {
        break;
      }
      partial[index] = row;
    }
  }
  return partial;
};
