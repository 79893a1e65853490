import {
  cursorRight,
  eraseToRowEnd,
  formatLink,
  moveTo,
  resetScrollRegion,
  resetStyle,
  scrollRegion,
  setStyle,
} from '../sequences/escapes.ts';
import {type Cell, isSameLook, type Look} from './cell.ts';
import type {Scroll} from './row-scroll.ts';

/** Collects the bytes of a frame. It knows where the cursor stands and which look is on, and says only what must be said. */
export type Pen = {
  /** Writes a cell at its place and remembers that the cursor stands behind it, if that is certain. */
  put(cell: Cell, rowIndex: number, columnIndex: number): void;
  /** Erases a row from a column on, in the terminal's own look. */
  eraseFrom(rowIndex: number, columnIndex: number): void;
  /** Moves rows; what is written to them until `endScroll` costs less. */
  scroll(scroll: Scroll): void;
  endScroll(): void;
  /** Everything written so far, with the look put back. */
  finish(): string;
};

/** The SGR that leads from one look to another, the shorter of two ways: adding what is new, or beginning anew. */
const changeStyle = (from: Look, to: Look): string => {
  if (to.style === from.style) {
    return '';
  }
  if (to.style === '') {
    return resetStyle;
  }
  // What is on can only be added to where nothing of it has to go.
  const isAddition = from.slots.every((slot, index) => slot === '' || to.slots[index] !== '');
  return isAddition
    ? setStyle(to.slots.filter((slot, index) => slot !== '' && slot !== from.slots[index]).join(';'))
    : setStyle(`0;${to.style}`);
};

export const createPen = (plain: Look): Pen => {
  let bytes = '';
  let look = plain;
  let row = -1;
  // Unknown after a character whose width is disputed.
  let column: number | undefined;

  const take = (next: Look): void => {
    if (isSameLook(next, look)) {
      return;
    }
    bytes += changeStyle(look, next);
    bytes += next.link === look.link ? '' : formatLink(next.link);
    look = next;
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
      take(cell.look);
      if (!cell.isDisputed) {
        bytes += cell.text;
        column = columnIndex + cell.columns;
        return;
      }
      // Blank first: a terminal that takes fewer columns for it leaves what stood there.
      bytes += ' '.repeat(cell.columns);
      column = undefined;
      move(rowIndex, columnIndex);
      bytes += cell.text;
      column = undefined;
    },
    eraseFrom(rowIndex, columnIndex) {
      move(rowIndex, columnIndex);
      // Erasing takes on the background.
      take(plain);
      bytes += eraseToRowEnd;
    },
    scroll({topIndex, bottomIndex, byRows}) {
      bytes += scrollRegion(topIndex, bottomIndex);
      row = byRows > 0 ? bottomIndex : topIndex;
      column = 0;
      // A line feed at the bottom of the region and a reverse one at its top: the one way that the VT100 has too.
      bytes += moveTo(row, 0) + (byRows > 0 ? '\n' : '\u001bM').repeat(Math.abs(byRows));
    },
    endScroll() {
      take(plain);
      bytes += resetScrollRegion;
      // Whoever sets a scroll region sends the cursor home.
      row = 0;
      column = 0;
    },
    finish() {
      take(plain);
      return bytes;
    },
  };
};
