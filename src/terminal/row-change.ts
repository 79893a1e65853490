import {eraseToRowEnd, moveTo, moveToColumn, resetStyle, setStyle} from './escapes.ts';
import type {Cell} from './row-cells.ts';

/** Moving the cursor costs about as much as writing this many characters, so shorter equal stretches are written again. */
const equalCellsWrittenMax = 7;

const isSameCell = (a: Cell | undefined, b: Cell | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.text === b.text &&
  a.style === b.style &&
  a.columnIndex === b.columnIndex &&
  a.sure === b.sure;

const isUnsure = (cell: Cell | undefined): boolean => cell !== undefined && !cell.sure;

/**
 * Cells as bytes, from where the cursor stands, with the style put back at the end.
 *
 * After cells whose width the terminal may see otherwise, the cursor goes where the layout put the next one, and what
 * the terminal drew past that place is erased.
 */
const formatCells = (cells: readonly Cell[], columnsMax: number): string => {
  let bytes = '';
  let style = '';
  let wasSure = true;
  for (const cell of cells) {
    if (cell.sure && !wasSure) {
      // Erasing takes on the background, so the style is put back first.
      bytes += (style === '' ? '' : resetStyle) + moveToColumn(cell.columnIndex) + eraseToRowEnd;
      style = '';
    }
    if (cell.style !== style) {
      bytes += style === '' ? `\u001b[${cell.style}m` : setStyle(cell.style);
      style = cell.style;
    }
    bytes += cell.text;
    wasSure = cell.sure;
  }
  if (style !== '') {
    bytes += resetStyle;
  }
  const last = cells.at(-1);
  const end = last ? last.columnIndex + last.columns : columnsMax;
  return wasSure || end >= columnsMax ? bytes : bytes + moveToColumn(end) + eraseToRowEnd;
};

/** Rows of sure cells only, equal in length from `start` to `end`: writes the stretches that differ. */
const formatStretches = (
  before: readonly Cell[],
  after: readonly Cell[],
  rowIndex: number,
  start: number,
  end: number,
  columnsMax: number,
): string => {
  let bytes = '';
  let stretchStart = start;
  let stretchEnd = start;
  const flush = (): void => {
    const first = after[stretchStart];
    if (first && stretchEnd > stretchStart) {
      bytes += moveTo(rowIndex, first.columnIndex) + formatCells(after.slice(stretchStart, stretchEnd), columnsMax);
    }
  };
  for (let index = start; index < end; index += 1) {
    if (isSameCell(before[index], after[index])) {
      continue;
    }
    if (index - stretchEnd > equalCellsWrittenMax) {
      flush();
      stretchStart = index;
    }
    stretchEnd = index + 1;
  }
  flush();
  return bytes;
};

/**
 * The bytes that turn one row of the screen into another; empty where both are the same.
 *
 * As long as only sure cells change, just these are written. From an unsure cell on, the rest of the row is erased
 * and written anew, because nobody knows which columns of the terminal it took.
 */
export const formatRowChange = (
  before: readonly Cell[],
  after: readonly Cell[],
  rowIndex: number,
  columnsMax: number,
): string => {
  let start = 0;
  while (start < after.length && isSameCell(before[start], after[start])) {
    start += 1;
  }
  if (start === after.length && start === before.length) {
    return '';
  }
  // Where one unsure cell ends and the next begins only the terminal knows, and a mark may sit on the sure one before them.
  if (isUnsure(before[start]) || isUnsure(after[start])) {
    while (start > 0 && isUnsure(after[start - 1])) {
      start -= 1;
    }
    start = Math.max(0, start - 1);
  }
  let beforeEnd = before.length;
  let afterEnd = after.length;
  while (beforeEnd > start && afterEnd > start && isSameCell(before[beforeEnd - 1], after[afterEnd - 1])) {
    beforeEnd -= 1;
    afterEnd -= 1;
  }
  // A mark at the start of what stays would be lost with the character under it.
  if (isUnsure(after[afterEnd])) {
    afterEnd = after.length;
    beforeEnd = before.length;
  }
  const isSure = !before.slice(start, beforeEnd).some(isUnsure) && !after.slice(start, afterEnd).some(isUnsure);
  if (isSure && beforeEnd < before.length) {
    // What follows stays, so both stretches take the same columns, and sure cells are one column each.
    return formatStretches(before, after, rowIndex, start, afterEnd, columnsMax);
  }
  const columnIndex = after[start]?.columnIndex ?? before[start]?.columnIndex ?? 0;
  if (!isSure) {
    return moveTo(rowIndex, columnIndex) + eraseToRowEnd + formatCells(after.slice(start), columnsMax);
  }
  if (before.length > after.length) {
    // Erased after writing, so that nothing flickers. The row ends before the edge: in the last column this would erase what was just written.
    return moveTo(rowIndex, columnIndex) + formatCells(after.slice(start), columnsMax) + eraseToRowEnd;
  }
  return formatStretches(before, after, rowIndex, start, after.length, columnsMax);
};
