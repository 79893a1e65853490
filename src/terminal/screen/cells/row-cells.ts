import {classOf, codePointClass, isDisputed} from '#log/text/code-point-class.ts';
import {cellWidth} from '#log/text/width.ts';
import {linkPattern} from '../escapes.ts';
import {type Cell, type CellStyle, isSameStyle, type StyleTable} from './cell-style.ts';

const escapeCode = 0x1b;
// A sequence as in ECMA-48: CSI with its parameters, a string control up to its end, or ESC and one character.
const sequencePattern =
  /\u001b(?:\[[0-9:;<=>?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])?/y;

/** Combining marks start here; below it, one code unit is one character. */
const marksStart = 0x300;

/** The sanitiser leaves four marks on a character; one with more has not passed it. */
const marksMax = 4;

/** Cells kept per style; a row of a wide screen has 500, so the rows of a screen in one script fit. */
const cellsKeptMax = 4096;

const linkStart = '\u001b]8;;';

const replacement = '\ufffd';

const makeCell = (text: string, style: CellStyle): Cell => {
  const columns = cellWidth(text);
  const disputed = isDisputed(text);
  // At most two columns a code point; a terminal that does not know the character may give each mark its own.
  return {text, style, columns, reach: disputed ? 2 * [...text].length : columns, isDisputed: disputed};
};

/**
 * Returns the cell of a character in a style: always the same object for the same two, so that comparing rows is cheap.
 */
const cellOf = (text: string, style: CellStyle): Cell => {
  const kept = style.cells.get(text);
  if (kept) {
    return kept;
  }
  if (style.cells.size >= cellsKeptMax) {
    style.cells.clear();
  }
  const cell = makeCell(text, style);
  style.cells.set(text, cell);
  return cell;
};

const asciiCellOf = (code: number, style: CellStyle): Cell => {
  const cell = cellOf(String.fromCharCode(code), style);
  style.asciiCells[code] = cell;
  return cell;
};

/** Returns the place of the final byte of the SGR sequence that begins at `start`; -1 if none does. */
const sgrEnd = (row: string, start: number): number => {
  if (row.charCodeAt(start + 1) !== 0x5b) {
    return -1;
  }
  let end = start + 2;
  let code = row.charCodeAt(end);
  // Digits, colons and semicolons
  while (code >= 0x30 && code <= 0x3b) {
    end += 1;
    code = row.charCodeAt(end);
  }
  return code === 0x6d ? end : -1;
};

const isAscii = (code: number): boolean => code >= 0x20 && code < 0x7f;

/** Adds the cells of a run of printable ASCII to which nothing joins, as most rows are. Returns where it ends. */
const pushAscii = (cells: Cell[], row: string, start: number, columnsMax: number, style: CellStyle): number => {
  const {asciiCells} = style;
  let index = start;
  let code = row.charCodeAt(index);
  let next = row.charCodeAt(index + 1);
  while (isAscii(code) && !(next >= marksStart) && cells.length < columnsMax) {
    cells.push(asciiCells[code] ?? asciiCellOf(code, style));
    index += 1;
    code = next;
    next = row.charCodeAt(index + 1);
  }
  return index;
};

/** Returns the cell of an erased column. */
export const blankCell = (styles: StyleTable): Cell => cellOf(' ', styles.plain);

const isJoining = (codePoint: number): boolean => {
  const kind = classOf(codePoint);
  return kind === codePointClass.mark || kind === codePointClass.spacingMark;
};

/** Returns the end of the marks that start at `start`. */
const marksEnd = (row: string, start: number): number => {
  let end = start;
  for (;;) {
    const codePoint = row.codePointAt(end) ?? 0;
    if (codePoint < marksStart || !isJoining(codePoint)) {
      return end;
    }
    end += codePoint > 0xffff ? 2 : 1;
  }
};

/**
 * Returns a character above ASCII in a form that is safe to draw: one without width, or that hides text, is replaced as
 * by the sanitiser and keeps its width.
 */
const drawable = (codePoint: number): string => {
  switch (classOf(codePoint)) {
    case codePointClass.replaced:
      return replacement;
    case codePointClass.selector:
    case codePointClass.mark:
      // A mark on its own would attach to whatever precedes it.
      return '';
    default:
      return String.fromCodePoint(codePoint);
  }
};

/**
 * Parses a row of a frame into cells. Cuts everything past `columnsMax`, because without wrapping a terminal would pile
 * it up in the last column. Drops plain blanks at the end, because an erased row shows the same.
 *
 * A row may contain SGR sequences and the links made by `formatLink`. Other sequences and control characters are
 * dropped: foreign text is sanitised long before, and this is the last check before the terminal. Widths are those of
 * the layout (`log/text/width.ts`); a character that may extend past the right edge in some terminal is replaced.
 */
export const parseRow = (row: string, columnsMax: number, styles: StyleTable): readonly Cell[] => {
  const cells: Cell[] = [];
  let style = styles.plain;
  let index = 0;
  const put = (text: string): void => {
    const cell = cellOf(text, style);
    if (cell.columns === 0) {
      return;
    }
    if (cells.length + cell.columns > columnsMax) {
      index = row.length;
      return;
    }
    if (cells.length + cell.reach > columnsMax) {
      cells.push(cellOf(replacement, style));
      for (let column = 1; column < cell.columns; column += 1) {
        cells.push(cellOf(' ', style));
      }
      return;
    }
    cells.push(cell);
    for (let column = 1; column < cell.columns; column += 1) {
      // The second column of a wide one.
      cells.push(cellOf('', style));
    }
  };
  while (index < row.length && cells.length < columnsMax) {
    const code = row.charCodeAt(index);
    if (isAscii(code)) {
      const start = index;
      index = pushAscii(cells, row, start, columnsMax, style);
      if (index === start) {
        // The next character joins this one.
        index = marksEnd(row, start + 1);
        put(row.slice(start, Math.min(index, start + 1 + marksMax)));
      }
    } else if (code === escapeCode) {
      const end = sgrEnd(row, index);
      if (end === -1) {
        sequencePattern.lastIndex = index;
        const [sequence = '\u001b'] = sequencePattern.exec(row) ?? [];
        const link = sequence.startsWith(linkStart) ? linkPattern.exec(sequence) : null;
        style = link ? styles.withLink(style, link[1] ?? '') : style;
        index += sequence.length;
      } else {
        style = styles.afterSgr(style, row.slice(index + 2, end));
        index = end + 1;
      }
    } else if (code < 0xa0) {
      index += 1;
    } else {
      const codePoint = row.codePointAt(index) ?? 0;
      index += codePoint > 0xffff ? 2 : 1;
      const base = drawable(codePoint);
      const from = index;
      index = marksEnd(row, index);
      const marks = row.slice(from, Math.min(index, from + marksMax));
      // Marks without a base are dropped together with it.
      if (base !== '') {
        put(base + marks);
      }
    }
  }
  let length = cells.length;
  for (let last = cells[length - 1]; last?.text === ' ' && isSameStyle(last.style, styles.plain); ) {
    length -= 1;
    last = cells[length - 1];
  }
  cells.length = length;
  return cells;
};
