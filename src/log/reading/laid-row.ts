import {cutToCells} from '#log/text/cut.ts';
import {cellWidth, cutMark} from '#log/text/width.ts';
import type {Piece} from './form.ts';

/** A part of a received text: code units `start` up to but not including `end`, shown as `text` if that differs. */
export type LaidPart = Piece & {readonly text?: string};

/**
 * A piece of a laid-out row, and the part of the received text that it shows; what the layout adds shows none, and
 * `end` equals `start`.
 */
type LaidPiece = {
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
  readonly showWithin: (part: LaidPart, columns: number, isQuiet?: boolean) => void;
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
    showWithin: (part, columns, isQuiet = false) => {
      const whole = part.text ?? received.slice(part.start, part.end);
      if (cellWidth(whole) <= columns) {
        show(part, isQuiet);
        return;
      }
      const kept = cutToCells(whole, columns - 1, {ellipsis: ''}).trimEnd();
      show(
        part.text === undefined ? {start: part.start, end: part.start + kept.length} : {...part, text: kept},
        isQuiet,
      );
      add(cutMark);
    },
    add,
    addGap,
    padTo: (column, gap = 1) => addGap(Math.max(gap, column - cellWidth(text))),
    length: () => text.length,
    line: () => ({text, pieces}),
  };
};

type Range = {readonly start: number; readonly end: number};

/**
 * Returns where a piece shows a range of the received text, in code units of the row. A piece that is written
 * differently there, such as a number with separators or a text without its escapes, shows it at the same words after
 * `lastEnd`, or else as a whole.
 */
const placeIn = (received: string, piece: LaidPiece, range: Range, lastEnd: number): Range => {
  const {at, text} = piece;
  const start = Math.max(piece.start, range.start);
  const end = Math.min(piece.end, range.end);
  if (text.length === piece.end - piece.start && received.startsWith(text, piece.start)) {
    return {start: at + start - piece.start, end: at + end - piece.start};
  }
  const index = text.indexOf(received.slice(start, end), Math.max(0, lastEnd - at));
  return index === -1 ? {start: at, end: at + text.length} : {start: at + index, end: at + index + end - start};
};

/**
 * Moves spans over a received text, ascending and not overlapping, to the row that it is laid out as: ascending and not
 * overlapping again. A span over several pieces becomes several; what the row leaves out has none.
 */
export const mapSpans = <S extends Range>(received: string, {pieces}: LaidLine, spans: readonly S[]): readonly S[] => {
  const mapped: S[] = [];
  let lastEnd = 0;
  for (const piece of pieces) {
    for (const found of spans) {
      if (found.start < piece.end && found.end > piece.start) {
        const place = placeIn(received, piece, found, lastEnd);
        if (place.start >= lastEnd && place.end > place.start) {
          mapped.push({...found, ...place});
          lastEnd = place.end;
        }
      }
    }
  }
  return mapped;
};

/** Checks whether the row leaves out all of a range of the received text. */
export const leavesOut = ({pieces}: LaidLine, {start, end}: Range): boolean =>
  end > start && !pieces.some(piece => start < piece.end && end > piece.start);
