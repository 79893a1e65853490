import type {TextStyle} from '../../../log/text/style-spans.ts';
import type {Tone} from '../../rows/tones.ts';
import type {Span, ViewRow} from '../../rows/view-row.ts';

/** A piece of a text, code units `start` to, not including, `end`, and how it looks. */
export type ToneSpan = {readonly start: number; readonly end: number; readonly tone: Tone; readonly style?: TextStyle};

/** Pieces in order and apart. Of two layers the later one lies on top. */
export type Layer = readonly ToneSpan[];

/** A row holds 500 cells, and no reader tells more pieces apart; what is past them stays plain. */
const piecesMax = 1000;

/** A safe text as spans of a row. Where no layer says how it looks it has the tone of the ground. */
export const paintLayers = (text: string, ground: Tone, layers: readonly Layer[]): ViewRow => {
  const pieces = layers.filter(layer => layer.length > 0).reduce<Layer>(lay, []);
  const row: Span[] = [];
  let index = 0;
  for (const {start, end, tone, style} of pieces) {
    if (start > index) {
      row.push({text: text.slice(index, start), tone: ground});
    }
    row.push({text: text.slice(start, end), tone, ...(style === undefined ? {} : {style})});
    index = end;
  }
  if (index < text.length || row.length === 0) {
    row.push({text: text.slice(index), tone: ground});
  }
  return row;
};

/** One layer over another. */
const lay = (below: Layer, above: Layer): Layer => {
  const laid: ToneSpan[] = [];
  let lowest = 0;
  const keepBelow = (from: number, to: number): void => {
    while (lowest < below.length && (below[lowest]?.end ?? 0) <= from) {
      lowest += 1;
    }
    for (let index = lowest; index < below.length; index++) {
      const piece = below[index];
      if (piece === undefined || piece.start >= to) {
        break;
      }
      laid.push({...piece, start: Math.max(piece.start, from), end: Math.min(piece.end, to)});
    }
  };
  let index = 0;
  for (const piece of above.slice(0, piecesMax)) {
    if (piece.end <= piece.start) {
      continue;
    }
    keepBelow(index, piece.start);
    laid.push(piece);
    index = piece.end;
  }
  keepBelow(index, Number.POSITIVE_INFINITY);
  return laid;
};
