import {cutMark} from '../cells/marks.ts';
import {cellWidth, skipCells} from './width.ts';

export type CutOptions = {
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
export type CutRange = {
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
