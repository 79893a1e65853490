import type {LogLook} from '#app/parts/log-parts.ts';
import {fitRow, rowWidth} from '#app/rows/fit-row.ts';
import {type Span, span, type ViewRow} from '#app/rows/view-row.ts';
import {markerWords} from '#app/words/marker-words.ts';
import {type Entry, type LineEntry, type Marker, type SourceName, textOf} from '#log/line/entry.ts';
import {severityOfLevel} from '#log/reading/find-fields.ts';
import {type LaidLine, leavesOut, mapSpans} from '#log/reading/laid-row.ts';
import {layOutColumns} from '#log/reading/lay-out-columns.ts';
import {layOutLine} from '#log/reading/lay-out-line.ts';
import {layOutProgress} from '#log/reading/progress.ts';
import {type Reading, readingOf} from '#log/reading/reading.ts';
import {readRecordParts} from '#log/reading/record-parts.ts';
import {isTraceLine} from '#log/reading/traces.ts';
import {cutRange, wrapRanges} from '#log/text/cut.ts';
import {sanitise, sanitiseStyled, showRaw} from '#log/text/sanitise.ts';
import {cellWidth, cutMark} from '#log/text/width.ts';
import {fieldLayer, type Layer, paintLayers, type ToneSpan} from './layers.ts';

/** Settings that the rows of an entry depend on. */
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
  /** Names the source of a line or gap in few words, safe to draw. */
  readonly nameSource?: (name: SourceName) => string;
  /** The parts that a log consists of. */
  readonly part?: string;
};

/**
 * Returns the rows of an entry without their prefixes: a line's text, or a rule whose words cannot be mistaken for a
 * line. `tag`, a short word, ends the first row of a line; no cut takes it away.
 */
export const formatEntry = (entry: Entry, style: RowStyle, whose: string | undefined, tag = ''): readonly ViewRow[] =>
  entry.kind === 'line' ? formatLine(entry, style, tag) : formatMarker(entry, style, whose);

const late = span('late ', 'busy');

/** The text and its tag stay apart. */
const tagGapColumns = 1;

/** Returns the rows of a line: its text, made safe, cut or wrapped, with its tag at the right end of the first. */
const formatLine = (line: LineEntry, style: RowStyle, tag: string): readonly ViewRow[] => {
  const textColumns = style.textColumns - (tag === '' ? 0 : cellWidth(tag) + tagGapColumns);
  const [first = [], ...others] = formatText(line, {...style, textColumns});
  return tag === ''
    ? [first, ...others]
    : [[...fitRow(first, textColumns + tagGapColumns), span(tag, 'accent')], ...others];
};

const formatText = (line: LineEntry, style: RowStyle): readonly ViewRow[] => {
  const {look, textColumns} = style;
  const before = line.late ? [late] : [];
  const columns = Math.max(1, textColumns - rowWidth(before));
  const {text, row} = readText(line, style);
  if (!look.wraps) {
    const hidden = look.cellsLeft === 0 ? cellsBeforeHit(row, columns) : 0;
    const {lead, start, end, tail} = cutRange(text, columns - (hidden === 0 ? 0 : 1), {from: look.cellsLeft + hidden});
    const cut = hidden === 0 ? [] : [span(cutMark, 'dim')];
    return [[...before, ...cut, ...blank(lead), ...sliceRow(row, start, end), ...blank(tail)]];
  }
  const indent = line.late ? [span(' '.repeat(rowWidth(before)))] : [];
  return wrapRanges(text, columns).map(({start, end}, index) => [
    ...(index === 0 ? before : indent),
    ...sliceRow(row, start, end),
  ]);
};

/** A hit that would be out of sight has a third of the row before it. */
const hitShare = 3;

/**
 * Returns how many cells of a row to hide on the left, so that its first hit is seen: none if it is in sight, or there
 * is no hit.
 */
const cellsBeforeHit = (row: ViewRow, columns: number): number => {
  const index = row.findIndex(({tone}) => tone === 'hit' || tone === 'hitNow');
  // Nearly every row: it is not measured.
  if (index === -1) {
    return 0;
  }
  const cells = rowWidth(row.slice(0, index));
  // The last cell may be the mark that the row is cut.
  if (cells + Math.min(rowWidth(row.slice(index, index + 1)), columns) < columns) {
    return 0;
  }
  // Nothing is hidden that would fit, besides the mark at the left edge.
  return Math.max(0, Math.min(cells - Math.floor(columns / hitShare), rowWidth(row) - columns + 1));
};

const blank = (text: string): ViewRow => (text === '' ? [] : [span(text)]);

/** Returns the text of a line that patterns are matched with for the screen: as received, made safe. */
export const matchedText = (line: LineEntry, {look}: RowStyle): string =>
  look.rows === 'escaped' ? showRaw(textOf(line)) : sanitise(textOf(line));

const readText = (line: LineEntry, style: RowStyle): {readonly text: string; readonly row: ViewRow} => {
  const {look, textColumns} = style;
  const text = matchedText(line, style);
  const patterns = style.layersOf(text);
  if (look.rows === 'escaped') {
    return {text, row: paintLayers(text, 'plain', patterns)};
  }
  const reading = readingOf(line);
  const ground = isTraceLine(reading.text) ? 'dim' : 'plain';
  const kept = style.keepsColour ? sanitiseStyled(textOf(line)).spans : [];
  const layers = [
    messageLayer(reading),
    fieldLayer(reading),
    kept.map((piece): ToneSpan => ({...piece, tone: 'plain'})),
    ...patterns,
  ];
  const context = {
    reading,
    at: look.time === 'off' || line.textIndex === 0 ? undefined : line.at,
    columns: textColumns,
    keepsWhole: look.wraps || look.cellsLeft > 0,
    chosen: look.columns,
  };
  // A match that a layout leaves out must be seen.
  const showsMatches = (laid: LaidLine | undefined): laid is LaidLine =>
    laid !== undefined && !patterns.some(layer => layer.some(match => leavesOut(laid, match)));
  const first = look.rows === 'laid-out' ? (layOutProgress(textOf(line), text) ?? layOutColumns(context)) : undefined;
  const laid = look.rows === 'laid-out' && !showsMatches(first) ? layOutLine(context) : first;
  if (!showsMatches(laid)) {
    return {text, row: paintLayers(text, ground, layers)};
  }
  const [message = [], ...moved] = layers.map(layer => mapSpans(text, laid, layer));
  return {text: laid.text, row: paintLayers(laid.text, ground, [message, quietLayer(laid), ...moved])};
};

/** The layer of an error's message, below all others. */
const messageLayer = (reading: Reading): Layer => {
  const message =
    severityOfLevel(reading.level) !== 'bad'
      ? undefined
      : reading.isRecord
        ? readRecordParts(reading.text, 0).message
        : reading.parts.message;
  return message === undefined ? [] : [{start: message.start, end: message.end, tone: 'strong'}];
};

const quietLayer = ({pieces}: LaidLine): Layer =>
  pieces.flatMap(({at, text, isQuiet}) => (isQuiet ? [{start: at, end: at + text.length, tone: 'dim'}] : []));

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
  {look, markerColumns, ...names}: RowStyle,
  whose: string | undefined,
): readonly ViewRow[] => {
  const {words, tone} = markerWords(marker, names);
  const text = `── ${whose === undefined ? '' : `${whose}: `}${words}`;
  if (look.wraps && cellWidth(text) > markerColumns) {
    return wrapRanges(text, Math.max(1, markerColumns)).map(({start, end}) => [span(text.slice(start, end), tone)]);
  }
  const rule = `${text} `;
  return [[span(`${rule}${'─'.repeat(Math.max(0, markerColumns - cellWidth(rule) - 1))}`, tone)]];
};
