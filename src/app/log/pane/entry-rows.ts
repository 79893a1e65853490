import {cutRange} from '../../../log/cells/cut.ts';
import {cellWidth} from '../../../log/cells/width.ts';
import {wrapRanges} from '../../../log/cells/wrap.ts';
import {formatJsonRow} from '../../../log/json/format-row.ts';
import {type Entry, type LineEntry, type Marker, textOf} from '../../../log/line/entry.ts';
import {sanitise, sanitiseStyled} from '../../../log/text/sanitise.ts';
import {showRaw} from '../../../log/text/show-raw.ts';
import type {LogLook} from '../../parts/log-look.ts';
import {rowWidth} from '../../rows/fit-row.ts';
import {type Span, span, type ViewRow} from '../../rows/view-row.ts';
import {markerWords} from '../../words/marker-words.ts';
import {fieldLayer, toneFields} from './field-layer.ts';
import {type Layer, paintLayers, type ToneSpan} from './line-spans.ts';

/** What the rows of an entry depend on, besides the entry. */
export type RowStyle = {
  readonly look: LogLook;
  /** Cells for the text of a line, after its prefix. */
  readonly textColumns: number;
  /** Cells for the rule of a marker. */
  readonly markerColumns: number;
  /** Whether SGR sequences in lines are shown as styles. */
  readonly keepsColour: boolean;
  /** Layers over a line's safe text; later ones cover earlier ones. */
  readonly layersOf: (safeText: string) => readonly Layer[];
};

/**
 * Returns the rows of an entry without their prefixes: a line's text, or a rule whose words cannot be mistaken for a
 * line.
 */
export const formatEntry = (entry: Entry, style: RowStyle, whose: string | undefined): readonly ViewRow[] =>
  entry.kind === 'line' ? formatLine(entry, style) : formatMarker(entry, style, whose);

const late = span('late ', 'busy');

/** Returns the rows of a line: its text, made safe, cut or wrapped. */
const formatLine = (line: LineEntry, style: RowStyle): readonly ViewRow[] => {
  const {look, textColumns} = style;
  const before = line.late ? [late] : [];
  const columns = Math.max(1, textColumns - rowWidth(before));
  const {text, row} = readText(line, style);
  if (!look.wraps) {
    const {lead, start, end, tail} = cutRange(text, columns, {from: look.cellsLeft});
    return [[...before, ...blank(lead), ...sliceRow(row, start, end), ...blank(tail)]];
  }
  const indent = line.late ? [span(' '.repeat(rowWidth(before)))] : [];
  return wrapRanges(text, columns).map(({start, end}, index) => [
    ...(index === 0 ? before : indent),
    ...sliceRow(row, start, end),
  ]);
};

const blank = (text: string): ViewRow => (text === '' ? [] : [span(text)]);

/** Returns the displayed text of a line before it is cut or wrapped. Safe. */
export const shownText = (line: LineEntry, style: RowStyle): string => readText(line, style).text;

const readText = (line: LineEntry, style: RowStyle): {readonly text: string; readonly row: ViewRow} => {
  const raw = textOf(line);
  if (style.look.isRaw) {
    const text = showRaw(raw);
    return {text, row: paintLayers(text, 'plain', style.layersOf(text))};
  }
  const fields = style.look.readsJson ? formatJsonRow(raw) : undefined;
  if (fields !== undefined) {
    const layers = [toneFields(fields.spans), ...style.layersOf(fields.text)];
    return {text: fields.text, row: paintLayers(fields.text, 'plain', layers)};
  }
  const kept = style.keepsColour ? sanitiseStyled(raw) : undefined;
  const text = kept?.text ?? sanitise(raw);
  const keptLayer = (kept?.spans ?? []).map((piece): ToneSpan => ({...piece, tone: 'plain'}));
  return {
    text,
    row: paintLayers(text, 'plain', [fieldLayer(text), keptLayer, ...style.layersOf(text)]),
  };
};

/** Returns the part of a row from code unit `start` to `end`, exclusive. */
const sliceRow = (row: ViewRow, start: number, end: number): ViewRow => {
  const slice: Span[] = [];
  let index = 0;
  for (const piece of row) {
    const next = index + piece.text.length;
    if (next > start && index < end) {
      slice.push({...piece, text: piece.text.slice(Math.max(0, start - index), end - index)});
    }
    index = next;
    if (index >= end) {
      break;
    }
  }
  return slice;
};

const formatMarker = (
  marker: Marker,
  {look, markerColumns}: RowStyle,
  whose: string | undefined,
): readonly ViewRow[] => {
  const {words, tone} = markerWords(marker);
  const text = `── ${whose === undefined ? '' : `${whose}: `}${words}`;
  if (look.wraps && cellWidth(text) > markerColumns) {
    return wrapRanges(text, Math.max(1, markerColumns)).map(({start, end}) => [span(text.slice(start, end), tone)]);
  }
  const rule = `${text} `;
  return [[span(`${rule}${'─'.repeat(Math.max(0, markerColumns - cellWidth(rule) - 1))}`, tone)]];
};
