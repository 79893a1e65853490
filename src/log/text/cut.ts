import {cellWidth, cutMark, skipCells} from './width.ts';

/**
 * Returns the index after the row that begins at `start`. In a single column, a wide character that does not fit still
 * fills a row of its own.
 */
const findRowEnd = (text: string, start: number, columns: number): number => {
  const end = skipCells(text, start, Math.max(1, columns)).index;
  return end > start ? end : skipCells(text, start, 2).index;
};

/**
 * Returns the index after the last blank of a row that ends inside a word; its end if that is no better: the word may
 * be longer than half a row, or a mark stands on the blank.
 */
const endAtWord = (text: string, start: number, end: number, columns: number): number => {
  const isInWord = end < text.length && text[end] !== ' ';
  const blank = isInWord ? text.lastIndexOf(' ', end - 1) : -1;
  const middle = blank === -1 ? end : skipCells(text, start, Math.ceil(columns / 2)).index;
  return blank >= middle && !/^\p{M}/u.test(text.slice(blank + 1, blank + 3)) ? blank + 1 : end;
};

/** A row of a text: code units `start` up to but not including `end`. */
type TextRow = {readonly start: number; readonly end: number};

/**
 * Breaks a safe text into rows of at most `columns` cells, after a blank if one is in the second half of the row. The
 * rows joined are the text; an empty text is one empty row. In a single column a wide character keeps its two cells,
 * because half of it can't be shown.
 */
export const wrapRanges = (text: string, columns: number): readonly TextRow[] => {
  const rows: TextRow[] = [];
  let start = 0;
  do {
    const end = endAtWord(text, start, findRowEnd(text, start, columns), columns);
    rows.push({start, end});
    start = end;
  } while (start < text.length);
  return rows;
};

type CutOptions = {
  /** Cells of the text hidden on the left, for scrolling sideways. Default 0. */
  readonly from?: number;
  /** Shown in the last cells if the text continues to the right; empty for none. Default `…`. */
  readonly ellipsis?: string;
};

/** A wide character is at most two cells, so this finds one that straddles the left edge. */
const widestCells = 2;

/**
 * The part of a text shown in a row: code units `start` up to but not including `end`, with replacements for the rest.
 */
type CutRange = {
  /** A space for half of a wide character, or empty. */
  readonly lead: string;
  readonly start: number;
  readonly end: number;
  /** The ellipsis, after a space if a wide character did not fit; or empty. */
  readonly tail: string;
};

/**
 * Returns the part of a safe text that shows in `columns` cells. With `from` 0 the cost grows with `columns`, not with
 * the text.
 */
export const cutRange = (text: string, columns: number, {from = 0, ellipsis = cutMark}: CutOptions = {}): CutRange => {
  if (columns <= 0) {
    return {lead: '', start: 0, end: 0, tail: ''};
  }
  const left = skipCells(text, 0, from);
  const isHalved = left.cells < from && left.index < text.length;
  const start = isHalved ? skipCells(text, left.index, widestCells).index : left.index;
  const lead = isHalved ? ' ' : '';
  if (skipCells(text, start, columns - lead.length).index === text.length) {
    return {lead, start, end: text.length, tail: ''};
  }
  // If there is no room for the ellipsis, show more text instead.
  const tail = cellWidth(ellipsis) > columns ? '' : ellipsis;
  const room = columns - cellWidth(tail) - lead.length;
  if (room < 0) {
    return {lead: '', start, end: start, tail};
  }
  const shown = skipCells(text, start, room);
  return {lead, start, end: shown.index, tail: ' '.repeat(room - shown.cells) + tail};
};

/**
 * Returns the part of a safe text that shows in `columns` cells: at most that wide, and exactly that wide if the text
 * continues. A wide character cut in half by an edge becomes a space.
 */
export const cutToCells = (text: string, columns: number, options: CutOptions = {}): string => {
  const {lead, start, end, tail} = cutRange(text, columns, options);
  return lead + text.slice(start, end) + tail;
};

/** Pads the text with spaces to `columns` cells; a wider text is returned unchanged. */
export const padToCells = (text: string, columns: number): string => {
  const missing = columns - cellWidth(text);
  return missing > 0 ? text + ' '.repeat(missing) : text;
};

/** Cuts a safe text to `cells` cells in the middle: the ends of a name say most. */
export const cutMiddle = (text: string, cells: number): string => {
  const width = cellWidth(text);
  if (width <= cells) {
    return text;
  }
  const endCells = Math.floor((cells - 1) / 2);
  const start = cutToCells(text, cells - 1 - endCells, {ellipsis: ''});
  return `${start}${cutMark}${cutToCells(text, endCells, {from: width - endCells})}`;
};
