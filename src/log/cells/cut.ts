import {cutMark} from './marks.ts';
import {cellWidth, skipCells} from './width.ts';

export type CutOptions = {
  /** Cells of the text to the left of what is shown, for scrolling sideways. Default 0. */
  readonly from?: number;
  /** Stands in the last cells where the text goes on to the right; empty for none. Default `…`. */
  readonly ellipsis?: string;
};

/** A wide character is at most two cells, so this finds the one that stands across a left edge. */
const widestCells = 2;

/** What of a text shows in a row: code units `start` to, not including, `end`, between what stands for the rest. */
export type CutRange = {
  /** A blank for the half of a wide character, or empty. */
  readonly lead: string;
  readonly start: number;
  readonly end: number;
  /** The ellipsis, with a blank before it where a wide character did not fit; or empty. */
  readonly tail: string;
};

/**
 * Which part of a safe text shows in `columns` cells. With `from` 0 the cost grows with `columns`, not with the text.
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
  // Too narrow for the ellipsis: then rather a piece of the text.
  const tail = cellWidth(ellipsis) > columns ? '' : ellipsis;
  const room = columns - cellWidth(tail) - lead.length;
  if (room < 0) {
    return {lead: '', start, end: start, tail};
  }
  const shown = skipCells(text, start, room);
  return {lead, start, end: shown.index, tail: ' '.repeat(room - shown.cells) + tail};
};

/**
 * The part of a safe text that shows in `columns` cells, at most that wide and exactly that wide where the text goes on. A
 * wide character that an edge would halve becomes a blank.
 */
export const cutToCells = (text: string, columns: number, options: CutOptions = {}): string => {
  const {lead, start, end, tail} = cutRange(text, columns, options);
  return lead + text.slice(start, end) + tail;
};

/** The text with as many blanks behind it as `columns` cells need; a text that is wider stays as it is. */
export const padToCells = (text: string, columns: number): string => {
  const missing = columns - cellWidth(text);
  return missing > 0 ? text + ' '.repeat(missing) : text;
};
