import type {Frame} from '#app/parts/frame.ts';
import type {SourceTags} from '#app/parts/kept-views.ts';
import {isFolding} from '#app/parts/log-parts.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import {searchedId} from '#app/search/patterns.ts';
import {filteredOf, openedRepeats, viewLog} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {paneRows} from '#app/state/step.ts';
import {type BranchLabel, labelBranches, partWord} from '#app/words/branch-labels.ts';
import {sliceEntries} from '#log/buffer/buffer.ts';
import type {EntryList} from '#log/buffer/entry-list.ts';
import {createWeakCache, type WeakCache} from '#log/buffer/weak-cache.ts';
import type {Entry} from '#log/line/entry.ts';
import {type Instant, instantFromMs, nanosPerSecond} from '#log/line/instant.ts';
import {layOutHeadings} from '#log/reading/lay-out-columns.ts';
import {cutToCells} from '#log/text/cut.ts';
import {countFolded, traceLinesMax} from '#log/traits/trace.ts';
import type {LogView, SourcedEntry} from '#log/view/log-view.ts';
import type {LogPane} from '#log/view/viewport.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {whenWidth} from '#log/words/format-when.ts';
import {tagsOf} from './log-sources-pane.ts';
import {belowRows, isAt} from './mark-rows.ts';
import {formatEntry, type RowStyle} from './pane/entry-rows.ts';
import {patternLayers} from './pane/layers.ts';
import {dayRules, edgeColumns} from './row-edges.ts';

/** Returns whether lines may be hidden by a filter, the minimum level, their time or their source. */
export const isFiltered = ({use, minimumLevel, sourcePick, range}: LogState): boolean =>
  use.filters.length > 0 || minimumLevel !== 'none' || sourcePick !== undefined || range !== undefined;

/** The pane of the log, and the rows its entries take there. */
export type Pane = LogPane & {
  readonly view: LogView;
  readonly style: RowStyle;
  /** All times are of whole seconds, so that the time column has no fractions. */
  readonly isWhole: boolean;
  /** Returns the rows of an entry without their prefixes. */
  readonly bodyOf: (entry: SourcedEntry) => readonly ViewRow[];
  /** Returns the rule above the first entry of a day. */
  readonly aboveOf: (entry: SourcedEntry) => readonly ViewRow[];
  /** Returns the reader's own rows below an entry, over the full width. */
  readonly belowOf: (entry: SourcedEntry) => readonly ViewRow[];
  /** Labels that tell branches apart; empty if there is only one. */
  readonly labels: readonly BranchLabel[];
  /** The tags that tell the sources of lines apart. */
  readonly tags: SourceTags;
  /** Rows above the lines: one names their columns, if columns are chosen. */
  readonly headRows: 0 | 1;
};

/** Starts every row: the cursor or a blank. */
const gutterColumns = 1;

/** The newest lines of a log tell whether it has fractions of seconds: as many as a screen has, and some more. */
const secondsLookedAt = 256;
/** Nanoseconds that no column shows may tell lines of one time apart, after it, or before that of the next line. */
const millisecond = instantFromMs(1);
const isWholeSecond = (at: Instant): boolean => (at + millisecond - 1n) % nanosPerSecond < 2n * millisecond - 1n;

const hasWholeSeconds = ({kept, sources}: LogState): boolean => {
  const buffers = sources.map(({tail}) => tail.log.buffer);
  return kept.wholeSeconds.answer(buffers, () =>
    buffers.every(buffer =>
      sliceEntries(buffer, buffer.entryCount - secondsLookedAt, secondsLookedAt).every(
        entry => entry.kind !== 'line' || entry.textIndex === 0 || isWholeSecond(entry.at),
      ),
    ),
  );
};

/** Checks whether an entry is the first line of a shape that the log had not shown before. */
export const isNewShape = ({sources}: LogState, {source, entry}: SourcedEntry): boolean =>
  sources[source]?.shapes.newIds.has(entry.id) === true;

/** `× 30` for a line that stands for thirty. */
const timesTag = (log: LogState, {source, entry}: SourcedEntry): string => {
  const count = openedRepeats(log) === undefined ? 0 : (filteredOf(log, source)?.repeatsOf(entry) ?? 0);
  return count === 0 ? '' : `× ${formatCount(count + 1)}`;
};

/** Returns the pane of the log screen. */
export const paneOf = (frame: Frame, log: LogState): Pane => {
  const known = panes.get(log);
  if (known?.frame === frame) {
    return known.pane;
  }
  const pane = makePane(frame, log);
  panes.set(log, {frame, pane});
  return pane;
};

/** The last one of each log: a key asks for it a dozen times. */
const panes = createWeakCache<LogState, {readonly frame: Frame; readonly pane: Pane}>();

const makePane = (frame: Frame, log: LogState): Pane => {
  const {look, use} = log;
  const tags = tagsOf(frame, log);
  const branches = log.sources.map(({branch}) => branch);
  const labels = labelBranches(branches, frame.columns, tags.columns > 0);
  const isWhole = hasWholeSeconds(log);
  const timeWidth = whenWidth(look.time, isWhole);
  const labelWidth = labels[0] === undefined ? 0 : labels[0].columns + 1;
  const tagWidth = tags.columns === 0 ? 0 : tags.columns + 1;
  const prefixWidth = edgeColumns + (timeWidth === 0 ? 0 : timeWidth + 1) + labelWidth + tagWidth;
  const style: RowStyle = {
    look,
    textColumns: frame.columns - gutterColumns - prefixWidth,
    markerColumns: frame.columns - gutterColumns,
    keepsColour: frame.logSettings.keepsColour,
    layersOf: text => patternLayers(use, 'hit', text),
    nameSource: tags.wordsOf,
    part: partWord(frame.context),
  };
  const bodies = bodiesFor(log, tags, JSON.stringify([style, labels, searchedId(use), use.highlights]));
  const hitStyle: RowStyle = {...style, layersOf: text => patternLayers(use, 'hitNow', text)};
  const textOf = ({source, entry}: SourcedEntry): readonly ViewRow[] => {
    const isHit = use.search.kind !== 'none' && isAt(log.cursor, {source, entry});
    const tag = timesTag(log, {source, entry});
    if (isHit || tag !== '') {
      return formatEntry(entry, isHit ? hitStyle : style, labels[source]?.name, tag);
    }
    const known = bodies.get(entry);
    if (known !== undefined) {
      return known;
    }
    const body = formatEntry(entry, style, labels[source]?.name);
    bodies.set(entry, body);
    return body;
  };
  const view = viewLog(log);
  const belowOf = belowRows(frame, log);
  const foldOf = isFolding(look) ? foldRows(view) : () => [];
  const rulesOf = dayRules(frame, log, view);
  const aboveOf = rulesOf ?? (() => []);
  return {
    view,
    style,
    isWhole,
    rows: linesRows(frame, log),
    rowsOf:
      rulesOf === undefined && takesOneRowEach(log)
        ? undefined
        : entry =>
            aboveOf(entry).length +
            (look.wraps ? textOf(entry).length : 1) +
            foldOf(entry).length +
            belowOf(entry).length,
    aboveOf,
    bodyOf: entry => [...textOf(entry), ...foldOf(entry)],
    belowOf,
    labels,
    tags,
    headRows: headRows(frame, log),
  };
};

/** With fewer rows, every one of them is for a line. */
const rowsForHeadings = 4;

const headRows = (state: Pick<State, 'rows'>, {look}: LogState): 0 | 1 =>
  look.columns.length > 0 && look.rows === 'laid-out' && paneRows(state) >= rowsForHeadings ? 1 : 0;

/** Returns the row that names the columns above their values; it scrolls sideways with them. */
export const headingRow = (columns: number, {look, textColumns}: RowStyle): ViewRow => [
  span(' '.repeat(columns - textColumns)),
  span(cutToCells(layOutHeadings(look.columns), textColumns, {from: look.cellsLeft}), 'strong'),
];

/** Returns whether every entry takes exactly one row. */
const takesOneRowEach = ({look, marks, away}: LogState): boolean =>
  !look.wraps && !isFolding(look) && marks.length === 0 && away === undefined;

/** Returns the rows available for lines: active filters take one row of the pane, and the headings of columns. */
const linesRows = (state: Pick<State, 'rows'>, log: LogState): number =>
  Math.max(1, paneRows(state) - (isFiltered(log) ? 1 : 0) - headRows(state, log));

/** Returns the cached rows, or an empty cache if anything they depend on changed. */
const bodiesFor = ({kept, use}: LogState, tags: SourceTags, key: string): WeakCache<Entry, readonly ViewRow[]> =>
  kept.bodies.answer([key, tags, ...use.patterns.flatMap(({id, spans}) => [id, spans])], () => createWeakCache());

/** Cached counts by entry id. Within one list, what is folded into an entry never changes. */
const counted = createWeakCache<EntryList, Map<number, number>>();

const countOnce = (list: EntryList, entry: SourcedEntry['entry']): number => {
  const counts = counted.get(list) ?? new Map<number, number>();
  counted.set(list, counts);
  const count = counts.get(entry.id) ?? countFolded(list, entry);
  counts.set(entry.id, count);
  return count;
};

const none: readonly ViewRow[] = [];

/** Returns the row below the first line of a trace that counts its folded lines; none if nothing is folded. */
const foldRows =
  ({lists}: LogView): ((entry: SourcedEntry) => readonly ViewRow[]) =>
  ({source, entry}) => {
    const list = lists[source];
    const count = entry.kind !== 'line' || list === undefined ? 0 : countOnce(list, entry);
    return count === 0 ? none : [[span(`⋮ ${moreLines(count)} of the trace`, 'dim')]];
  };

/** `1 more line`, `11 more lines`, and above the bound `500+ more lines` */
const moreLines = (count: number): string =>
  count > traceLinesMax ? `${formatCount(traceLinesMax)}+ more lines` : countOf(count, 'more line');
