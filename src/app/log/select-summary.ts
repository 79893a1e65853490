import {type ListPane, selectedIndexOf} from '#app/choices/list-pane.ts';
import type {Hint} from '#app/help/select-hints.ts';
import type {SummaryPane} from '#app/panes/panes.ts';
import type {Frame} from '#app/parts/frame.ts';
import {joinParts} from '#app/rows/fit-row.ts';
import {type Span, span, type Tone, type ViewRow} from '#app/rows/view-row.ts';
import type {LogState} from '#app/state/state.ts';
import {paneRows} from '#app/state/step.ts';
import {labelName} from '#app/words/branch-labels.ts';
import {formatClock, formatInstant, type Instant} from '#log/line/instant.ts';
import {type SummaryResult, type SummaryRow, trendOf} from '#log/summary/summary.ts';
import {cutToCells, padToCells} from '#log/text/cut.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import type {Level} from '#log/tokens/level-words.ts';
import {shapeMarks} from '#log/traits/fold-text.ts';
import {type SourcedShape, shapeWords} from '#log/traits/shape-table.ts';
import {countOf, formatCount, percentWords} from '#log/words/format-count.ts';
import {sourceOfKey, sourceWordsInFull} from '#log/words/source-words.ts';
import {countShown} from './apply-filters.ts';
import {type ChosenItem, listSummaryItems, type SummaryItem} from './summary-items.ts';

/** Small terminals cannot spare a row for the example. */
const rowsForExample = 10;

/** Returns the pane of the summary: the sections and, if there is room, an example. */
export const listSummary = (frame: Frame, log: LogState, pane: SummaryPane): ListPane => {
  const {columns} = frame;
  const items = listSummaryItems(pane);
  // With one branch, no name is needed.
  const names = log.sources.length === 1 ? [] : log.sources.map(({branch}) => labelName(branch));
  const context = layOut(items, pane.result, columns, names);
  const selected = items[selectedIndexOf(items, pane)];
  return {
    title: titleRow(log, pane, columns),
    rows: items.map(item => ({key: item.key, row: () => itemRow(item, context)})),
    foot: paneRows(frame) >= rowsForExample ? [exampleRow(selected)] : [],
    hints: hintsFor(selected?.kind === 'new'),
  };
};

const scopeWords: Readonly<Record<SummaryPane['scope'], string>> = {
  all: '',
  filtered: ' that the filters leave',
  picked: ' that are picked',
};

const titleRow = (log: LogState, {order, scope, readCount, result}: SummaryPane, columns: number): ViewRow => {
  const percent = Math.floor((100 * readCount) / Math.max(1, order.entryCount));
  const lines = result === undefined ? '' : ` of ${countOf(result.lineCount, 'line')}${scopeWords[scope]}`;
  return joinParts(
    [
      {row: [span(`summary${lines}`, 'strong')], rank: 0},
      {row: percent < 100 ? [span(`${percent} % read`, 'busy')] : [], rank: 1},
      {row: result === undefined ? [] : [span(spanWords(result, formatterFor(result)), 'dim')], rank: 3},
      {row: countShown(log).pending > 0 ? [span('filters still searching', 'busy')] : [], rank: 2},
    ],
    columns,
  );
};

type FormatTime = (at: Instant) => string;

/** Returns a formatter for the clock, with the date if the lines span several days. */
const formatterFor = ({firstAt = 0n, lastAt = 0n}: SummaryResult): FormatTime => {
  const isOneDay = formatInstant(firstAt).slice(0, 10) === formatInstant(lastAt).slice(0, 10);
  return isOneDay ? at => formatClock(at) : at => formatInstant(at).slice(5, 16).replace('T', ' ');
};

const spanWords = (
  {firstAt, lastAt}: Pick<SummaryResult | SummaryRow, 'firstAt' | 'lastAt'>,
  format: FormatTime,
): string => (firstAt === undefined || lastAt === undefined ? '' : `${format(firstAt)} to ${format(lastAt)}`);

/** Layout of the columns: counts, keys and times. */
type ListContext = {
  readonly format: FormatTime;
  readonly countCells: number;
  readonly keyCells: number;
  readonly hasTimes: boolean;
  /** Whose a new shape is, by its source. */
  readonly names: readonly string[];
  /** Room for the trends of errors, if any has one. */
  readonly trendCells: number;
};

const hasTrend = ({table}: SummaryRow): boolean => table === 'errors' || table === 'warnings';

/** In narrower terminals the keys need the room of the times. */
const columnsForTimes = 70;
const shareCells = '100 %'.length;
const keyCellsMin = 8;
const trendCellsMax = 'falling'.length + 2;

const layOut = (
  items: readonly SummaryItem[],
  result: SummaryResult | undefined,
  columns: number,
  names: readonly string[],
): ListContext => {
  const format = result === undefined ? formatClock : formatterFor(result);
  const hasTimes = columns >= columnsForTimes;
  const timeCells = hasTimes && result !== undefined ? 2 + spanWords(result, format).length : 0;
  const countCells = Math.max(5, ...items.map(item => countText(item).length));
  const room = columns - 3 - countCells - 2 - shareCells - 2 - timeCells - 1;
  // On a wide screen the times stay next to their keys.
  const hasTrends = items.some(item => item.kind === 'value' && hasTrend(item.row) && trendOf(item.row) !== undefined);
  const trendCells = hasTimes && hasTrends ? trendCellsMax : 0;
  const keyCells = Math.max(
    keyCellsMin,
    Math.min(room, Math.max(0, ...items.map(item => keyWidth(item, trendCells, names)))),
  );
  return {format, countCells, keyCells, hasTimes, names, trendCells};
};

const newWords = ({shape, source}: SourcedShape, names: readonly string[]): string =>
  sanitise(`${names[source] === undefined ? '' : `${names[source]}: `}${shortWords(shape)}`);

/** The mark of a number takes a cell on screens, where texts are cut. */
const shortWords = (shape: string): string => shapeWords(shape).replaceAll(shapeMarks.number, '#');

const keyWidth = (item: SummaryItem, trendCells: number, names: readonly string[]): number =>
  item.kind === 'value'
    ? cellWidth(sanitise(keyWords(item.row))) + (hasTrend(item.row) ? trendCells : 0)
    : item.kind === 'new'
      ? cellWidth(newWords(item.shape, names)) - shareCells - 2
      : 0;

const countText = (item: SummaryItem): string => {
  switch (item.kind) {
    case 'level':
    case 'others':
      return formatCount(item.count);
    case 'value':
      return formatCount(item.row.count);
    case 'new':
      return formatCount(item.shape.count);
    default:
      return '';
  }
};

const shareText = (count: number, total: number): string => percentWords(count / Math.max(1, total));

const itemRow = (item: SummaryItem, context: ListContext): ViewRow => {
  switch (item.kind) {
    case 'blank':
      return [];
    case 'head':
      return [span(` ${item.title}`, 'strong'), span(item.words === '' ? '' : `  ${item.words}`, 'dim')];
    case 'others':
      return [span('   '), ...numbers(item, item.count, item.total, context), span('in others', 'dim')];
    case 'level':
      return [
        ...numbers(item, item.count, item.total, context),
        span(item.level === 'none' ? 'no level' : item.level, toneOf(item)),
      ];
    case 'value': {
      const trendCells = hasTrend(item.row) ? context.trendCells : 0;
      const trend = trendCells === 0 ? undefined : (trendOf(item.row) ?? '');
      const cells = context.keyCells - trendCells;
      const key = cutToCells(sanitise(keyWords(item.row)), cells);
      return [
        ...numbers(item, item.row.count, item.total, context),
        span(context.hasTimes ? padToCells(key, cells) : key, toneOf(item)),
        ...(trend === undefined ? [] : [span(trend.padStart(trendCells), trend === 'rising' ? 'bad' : 'dim')]),
        ...(context.hasTimes ? [span(`  ${spanWords(item.row, context.format)}`, 'dim')] : []),
      ];
    }
    case 'new': {
      // What is new has no share, so that its words begin there.
      const cells = context.keyCells + shareCells + 2;
      const key = cutToCells(newWords(item.shape, context.names), cells);
      return [
        span(`${countText(item).padStart(context.countCells)}  `),
        span(context.hasTimes ? padToCells(key, cells) : key),
        ...(context.hasTimes ? [span(`  ${spanWords(item.shape, context.format)}`, 'dim')] : []),
      ];
    }
    default:
      return item satisfies never;
  }
};

const keyWords = ({table, key}: SummaryRow): string => {
  if (table === 'sources') {
    return sourceWordsInFull(sourceOfKey(key)) || 'not said';
  }
  return table === 'errors' || table === 'warnings' || table === 'shapes'
    ? shortWords(key)
    : key.replaceAll(shapeMarks.number, '#');
};

const numbers = (item: SummaryItem, count: number, total: number, {countCells}: ListContext): readonly Span[] => [
  span(countText(item).padStart(countCells)),
  span(`  ${shareText(count, total).padStart(shareCells)}  `, 'dim'),
];

const levelTones: Readonly<Partial<Record<Level, Tone>>> = {fatal: 'bad', error: 'bad', warn: 'warn'};

const toneOf = (item: Exclude<ChosenItem, {kind: 'new'}>): Tone => {
  if (item.kind === 'level') {
    return levelTones[item.level] ?? 'plain';
  }
  const status = item.row.table === 'statuses' ? Number(item.row.key) : 0;
  return status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'plain';
};

/** Shows the first line counted in the selected row, so that the row can be recognised. */
const exampleRow = (item: SummaryItem | undefined): ViewRow =>
  item?.kind === 'value' ? [span(' such as ', 'dim'), span(sanitise(item.row.example))] : [];

/** Returns the selected row in words. */
export const readSummary = (pane: SummaryPane): string => {
  const items = listSummaryItems(pane);
  const item = items[selectedIndexOf(items, pane)];
  if (item?.key === undefined) {
    return 'Computing the summary.';
  }
  if (item.kind === 'new') {
    return `new: ${sanitise(shortWords(item.shape.shape))}, ${countOf(item.shape.count, 'line')}`;
  }
  const [count, key] =
    item.kind === 'level'
      ? [item.count, item.level === 'none' ? 'no level' : item.level]
      : [item.row.count, keyWords(item.row)];
  return `${item.section}: ${sanitise(key)}, ${countOf(count, 'line')}, ${shareText(count, item.total)}`;
};

const hintsFor = (isNew: boolean): readonly Hint[] => [
  [['openLine'], isNew ? 'go to its first line' : 'filter by it'],
  [['back'], 'back to the log'],
  [['moveUp', 'moveDown'], 'choose'],
  [['nextSection'], 'next section'],
  [['toggleHelp'], 'help'],
];
