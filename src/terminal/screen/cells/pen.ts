import {
  cursorRight,
  eraseToRowEnd,
  formatLink,
  moveTo,
  resetScrollRegion,
  resetStyle,
  scrollRegion,
  setStyle,
} from '../escapes.ts';
import {type Cell, type CellStyle, isSameStyle} from './cell-style.ts';
import type {Scroll} from './row-scroll.ts';

/** Collects the bytes of a frame. Tracks the cursor position and the current style, and emits only what is needed. */
export type Pen = {
  /** Writes a cell at its position. Tracks the cursor after it, if its position is certain. */
  put(cell: Cell, rowIndex: number, columnIndex: number): void;
  /** Erases a row from a column on, in the terminal's default style. */
  eraseFrom(rowIndex: number, columnIndex: number): void;
  /** Scrolls rows; writing to them before `endScroll` costs less. */
  scroll(scroll: Scroll): void;
  endScroll(): void;
  /** Returns everything written so far, with the style reset. */
  finish(): string;
};

/**
 * Returns the SGR that changes one style to another, the shorter of two ways: adding what is new, or starting from a
 * reset.
 */
const changeStyle = (from: CellStyle, to: CellStyle): string => {
  if (to.sent === from.sent) {
    return '';
  }
  if (to.sent === '') {
    return resetStyle;
  }
  // Adding is possible only if no slot has to be cleared.
  const isAddition = from.slots.every((slot, index) => slot === '' || to.slots[index] !== '');
  return isAddition
    ? setStyle(to.slots.filter((slot, index) => slot !== '' && slot !== from.slots[index]).join(';'))
    : setStyle(`0;${to.sent}`);
};

/** Checks whether nothing of a cell, or of several as one, is seen. */
const isBlank = ({text, style}: Cell): boolean => style.hidesBlanks && /^ *$/.test(text);

export const createPen = (plain: CellStyle): Pen => {
  let bytes = '';
  let style = plain;
  let row = -1;
  // Unknown after a character of disputed width.
  let column: number | undefined;

  const take = (next: CellStyle): void => {
    if (isSameStyle(next, style)) {
      return;
    }
    bytes += changeStyle(style, next);
    bytes += next.link === style.link ? '' : formatLink(next.link);
    style = next;
  };

  const move = (rowIndex: number, columnIndex: number): void => {
    if (row === rowIndex && column === columnIndex) {
      return;
    }
    if (row !== rowIndex || columnIndex === 0) {
      bytes += moveTo(rowIndex, columnIndex);
    } else if (column !== undefined && column < columnIndex) {
      bytes += cursorRight(columnIndex - column);
    } else {
      bytes += `\r${cursorRight(columnIndex)}`;
    }
    row = rowIndex;
    column = columnIndex;
  };

  return {
    put(cell, rowIndex, columnIndex) {
      move(rowIndex, columnIndex);
      if (!style.hidesBlanks || !isBlank(cell)) {
        take(cell.style);
      }
      if (!cell.isDisputed) {
        bytes += cell.text;
        column = columnIndex + cell.columns;
        return;
      }
      // Blank the columns first: a terminal that uses fewer of them for the character would leave the old content.
      bytes += ' '.repeat(cell.columns);
      column = undefined;
      move(rowIndex, columnIndex);
      bytes += cell.text;
      column = undefined;
    },
    eraseFrom(rowIndex, columnIndex) {
      move(rowIndex, columnIndex);
      // Erasing uses the current background.
      take(plain);
      bytes += eraseToRowEnd;
    },
    scroll({topIndex, bottomIndex, byRows}) {
      bytes += scrollRegion(topIndex, bottomIndex);
      row = byRows > 0 ? bottomIndex : topIndex;
      column = 0;
      // A line feed at the bottom of the region or a reverse one at its top: the VT100 supports only this.
      bytes += moveTo(row, 0) + (byRows > 0 ? '\n' : '\u001bM').repeat(Math.abs(byRows));
    },
    endScroll() {
      take(plain);
      bytes += resetScrollRegion;
      // Setting a scroll region moves the cursor home.
      row = 0;
      column = 0;
    },
    finish() {
      take(plain);
      return bytes;
    },
  };
};
