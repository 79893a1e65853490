import {highlightTones, type Span, type Tone, type ViewRow} from '#app/rows/view-row.ts';
import {type ActivePattern, findPattern, type PatternUse, searchedPattern, spansOf} from '#app/search/patterns.ts';
import {type FieldName, fieldsOf} from '#log/reading/find-fields.ts';
import type {Reading} from '#log/reading/reading.ts';
import type {TextStyle} from '#log/text/style-spans.ts';

/** A piece of text from code unit `start` to `end`, exclusive, and its look. */
export type ToneSpan = {readonly start: number; readonly end: number; readonly tone: Tone; readonly style?: TextStyle};

/** Pieces in order and without overlap. Later layers cover earlier ones. */
export type Layer = readonly ToneSpan[];

/** A row holds 500 cells, and no reader tells more pieces apart; text after them stays plain. */
const piecesMax = 1000;

type SpanLook = {readonly tone: Tone; readonly style?: TextStyle};

/** Paints layers over a safe text and returns the spans of a row. Text in no layer gets the tone `ground`. */
export const paintLayers = (text: string, ground: Tone, layers: readonly Layer[]): ViewRow => {
  const pieces = layers.filter(layer => layer.length > 0).reduce<Layer>(lay, []);
  const row: Span[] = [];
  // Neighbours of one look are one span: each costs time in every frame that shows the row.
  let from = 0;
  let look: SpanLook = {tone: ground};
  const turnTo = (next: SpanLook, index: number): void => {
    if (next.tone === look.tone && next.style === look.style) {
      return;
    }
    if (index > from) {
      row.push({text: text.slice(from, index), ...look});
    }
    from = index;
    look = next;
  };
  let end = 0;
  for (const {start, end: pieceEnd, tone, style} of pieces) {
    if (start > end) {
      turnTo({tone: ground}, end);
    }
    turnTo(style === undefined ? {tone} : {tone, style}, start);
    end = pieceEnd;
  }
  if (text.length > end) {
    turnTo({tone: ground}, end);
  }
  if (text.length > from || row.length === 0) {
    row.push({text: text.slice(from), ...look});
  }
  return row;
};

/** Lays one layer over another. */
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

/** Quiet by default: only the part of a line that says what is wrong stands out. */
const tones: Readonly<Partial<Record<FieldName, Tone>>> = {time: 'faint', key: 'faint', method: 'field', path: 'field'};

/** Returns the tones of a line's fields, over its safe text; fields without a tone of their own are left out. */
export const fieldLayer = (reading: Reading): Layer =>
  fieldsOf(reading).flatMap(({start, end, field, severity}) => {
    const tone = severity === 'plain' ? tones[field] : severity;
    return tone === undefined ? [] : [{start, end, tone}];
  });

/** Returns the layers of all patterns: search hits over highlights. */
export const patternLayers = (use: PatternUse, hitTone: 'hit' | 'hitNow', text: string): readonly Layer[] => {
  const highlights = use.highlights.map((id, index) =>
    toLayer(findPattern(use, id), highlightTones[index % highlightTones.length] ?? 'highlight1', text),
  );
  return [...highlights, toLayer(searchedPattern(use), hitTone, text)];
};

const toLayer = (pattern: ActivePattern | undefined, tone: Tone, text: string): Layer =>
  pattern === undefined ? [] : spansOf(pattern, text).map(({start, end}) => ({start, end, tone}));
