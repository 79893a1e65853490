import type {LaidLine, LaidPiece} from '../reading/laid-row.ts';

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
