import {type Cell, isSameLook} from './cell.ts';
import type {Pen} from './pen.ts';

/** Moving the cursor costs about as much as writing this many cells, so a shorter stretch that stays is written again. */
const keptCellsWrittenMax = 4;

const isSameCell = (a: Cell, b: Cell): boolean =>
  a === b || (a.text === b.text && a.columns === b.columns && isSameLook(a.look, b.look));

/** Marks columns `start` to, not including, `end`; answers whether that was new. */
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

/** The columns that a change must write together: a wide cell is one, and so is a disputed cell with what it may have spoilt. */
type Bond = {readonly start: number; readonly end: number};

/**
 * A character of disputed width may have been drawn over its neighbours on the right, or may hang on the one before it. So
 * it is bound to them: where one of them is written, all are, in one order, and every terminal shows the same as after a repaint.
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

/** Marks all of every bond of which something is marked, until nothing more follows. */
const spread = (marks: Uint8Array, bonds: readonly Bond[]): void => {
  const pull = (isPulled: boolean, {start, end}: Bond): boolean =>
    (isMarked(marks, start, end) && mark(marks, start, end)) || isPulled;
  // One round to the right and one to the left carry a change along a chain. It ends because marks only grow.
  while (bonds.reduceRight(pull, bonds.reduce(pull, false))) {}
};

/** Whether what stays in between may be written again: it needs no other look than the pen has on, and its width is certain. */
const isCheap = (cells: readonly Cell[], start: number, end: number): boolean => {
  const look = cells[start - 1]?.look;
  for (let column = start; column < end; column += 1) {
    const cell = cells[column];
    if (cell === undefined || cell.look !== look || cell.columns !== 1 || cell.isDisputed) {
      return false;
    }
  }
  return true;
};

/**
 * Writes what turns one row of the screen into another, and nothing where both are the same. `blank` is what stands past the end
 * of a row's cells.
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
  const length = Math.max(before.length, after.length);
  for (let column = 0; column < length; column += 1) {
    if (!isSameCell(before[column] ?? blank, after[column] ?? blank)) {
      marks[column] = 1;
      hasChanged = true;
    }
  }
  if (!hasChanged) {
    return;
  }
  spread(marks, [...findBonds(before), ...findBonds(after)]);
  let column = marks.indexOf(1);
  while (column >= 0 && column < after.length) {
    const cell = after[column];
    if (cell !== undefined && cell.columns > 0) {
      pen.put(cell, rowIndex, column);
    }
    const next = marks.indexOf(1, column + 1);
    const isBridged =
      next > 0 && next < after.length && next - column - 1 <= keptCellsWrittenMax && isCheap(after, column + 1, next);
    column = isBridged ? column + 1 : next;
  }
  const erasedStart = marks.indexOf(1, after.length);
  if (erasedStart >= 0) {
    pen.eraseFrom(rowIndex, erasedStart);
  }
};
