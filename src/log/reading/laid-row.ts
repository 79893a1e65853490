import {cutMark} from '#log/cells/marks.ts';
import {cutToCells} from '#log/text/cut.ts';
import {cellWidth} from '#log/text/width.ts';
import type {Piece} from './form.ts';

/** A part of a received text: code units `start` up to but not including `end`, shown as `text` if that differs. */
export type LaidPart = Piece & {readonly text?: string};

/**
 * A piece of a laid-out row, and the part of the received text that it shows; what the layout adds shows none, and
 * `end` equals `start`.
 */
export type LaidPiece = {
  /** Its place in the row, in code units. */
  readonly at: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** It stands after what matters. */
  readonly isQuiet: boolean;
};

/** A line laid out for reading. */
export type LaidLine = {readonly text: string; readonly pieces: readonly LaidPiece[]};

/** Builds a row from parts of a received text. */
export type LaidRow = {
  /** Adds a part; an empty one adds nothing. */
  readonly show: (part: LaidPart, isQuiet?: boolean) => void;
  /** Adds a part; of one that is wider than `columns`, the beginning, and a mark that it is cut. */
  readonly showWithin: (part: LaidPart, columns: number) => void;
  /** Adds a text of our own. */
  readonly add: (text: string) => void;
  /** Adds blanks, unless the row is empty. */
  readonly addGap: (columns: number) => void;
  /** Adds blanks up to a column, at least `gap`, unless the row is empty. */
  readonly padTo: (column: number, gap?: number) => void;
  /** Code units so far. */
  readonly length: () => number;
  readonly line: () => LaidLine;
};

export const createLaidRow = (received: string): LaidRow => {
  const pieces: LaidPiece[] = [];
  let text = '';
  const put = (piece: string, {start, end}: Piece, isQuiet: boolean): void => {
    pieces.push({at: text.length, text: piece, start, end, isQuiet});
    text += piece;
  };
  const add = (piece: string): void => put(piece, {start: 0, end: 0}, true);
  const addGap = (columns: number): void => {
    if (text !== '') {
      add(' '.repeat(columns));
    }
  };
  const show = (part: LaidPart, isQuiet = false): void => {
    if (part.end > part.start) {
      put(part.text ?? received.slice(part.start, part.end), part, isQuiet);
    }
  };
  return {
    show,
    showWithin: (part, columns) => {
      const whole = part.text ?? received.slice(part.start, part.end);
      if (cellWidth(whole) <= columns) {
        show(part);
        return;
      }
      const kept = cutToCells(whole, columns - 1, {ellipsis: ''}).trimEnd();
      show(part.text === undefined ? {start: part.start, end: part.start + kept.length} : {...part, text: kept});
      add(cutMark);
    },
    add,
    addGap,
    padTo: (column, gap = 1) => addGap(Math.max(gap, column - cellWidth(text))),
    length: () => text.length,
    line: () => ({text, pieces}),
  };
};
