import type {Frame} from '#app/parts/frame.ts';
import {isFolding} from '#app/parts/log-parts.ts';
import {type ActivePattern, searchedId} from '#app/search/patterns.ts';
import type {Effect} from '#app/state/effect.ts';
import {isFiltering, openedRepeats, sourcesInMemory} from '#app/state/log-sources.ts';
import type {LogSource, LogState, State} from '#app/state/state.ts';
import type {Step} from '#app/state/step.ts';
import type {Chunk} from '#log/buffer/chunk.ts';
import type {Matches} from '#log/pattern/matches.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {continuationsOf} from '#log/traits/line-traits.ts';
import {createLineFilter, filterChunksMax, type LineFilter} from '#log/view/line-filter.ts';
import {anchorOf} from '#log/view/log-view.ts';
import {hiddenBy} from '#log/view/sources.ts';
import {type HeldRow, putInRow, type VisibleEntry, visibleEntries} from '#log/view/viewport.ts';
import {applyFilter} from './apply-filters.ts';
import {isFiltered, type Pane, paneOf} from './log-pane.ts';
import {isAt} from './mark-rows.ts';
import {matchedText} from './pane/entry-rows.ts';

/**
 * Keeps the line under the cursor, or else the middle one, in its row when filters or the look changed what is around
 * it. If a filter hides that line, the next one takes its row until it is shown again or the reader moves.
 */
const holdRow = (
  before: State & {readonly log: LogState | undefined},
  state: State & {readonly log: LogState},
): LogState => {
  const {log} = state;
  const {log: was} = before;
  if (was === undefined || log.viewport.kind === 'following' || log.viewport !== was.viewport || !isRedrawn(was, log)) {
    return log;
  }
  const held = heldRow(log.viewport.held, paneOf(before, was), was);
  if (held === undefined) {
    return log;
  }
  const pane = paneOf(state, log);
  const index = Math.min(pane.view.indexOf(held.anchor), pane.view.entryCount - 1);
  const [entry] = pane.view.slice(index, 1);
  const viewport =
    entry === undefined
      ? log.viewport
      : putInRow(
          log.viewport,
          pane.view,
          pane,
          index,
          Math.max(0, held.row - pane.headRows) - pane.aboveOf(entry).length,
        );
  return {...log, viewport: {...viewport, ...(viewport.kind === 'paused' && {held})}};
};

/** Returns the line that would keep its row now; undefined while following. */
export const rowToHold = (frame: Frame, log: LogState): HeldRow | undefined =>
  log.viewport.kind === 'following' ? undefined : heldRow(log.viewport.held, paneOf(frame, log), log);

/** If lines arrived meanwhile, they move nothing: the top is held instead. */
const isRedrawn = (was: LogState, log: LogState): boolean =>
  (was.filtering !== log.filtering || was.look !== log.look) &&
  log.sources.every(({tail}, index) => tail.log.buffer === was.sources[index]?.tail.log.buffer);

const heldRow = (known: HeldRow | undefined, pane: Pane, {viewport, cursor}: LogState): HeldRow | undefined => {
  const visible = visibleEntries(viewport, pane.view, pane);
  const atCursor = visible.find(entry => isAt(cursor, entry));
  if (known !== undefined && (atCursor === undefined || isAt({kind: 'at', anchor: known.anchor}, atCursor))) {
    return known;
  }
  const startOf = (entry: VisibleEntry): number =>
    visible.slice(0, visible.indexOf(entry)).reduce((row, {fromRow, toRow}) => row + toRow - fromRow, -entry.fromRow);
  const middle = Math.floor(pane.rows / 2);
  const entry = atCursor ?? visible.findLast(each => startOf(each) <= middle);
  return entry && {anchor: anchorOf(entry), row: startOf(entry) + pane.headRows + pane.aboveOf(entry).length};
};

/**
 * Runs after every update on the log screen: rebuilds the filters if their inputs changed, and requests what is still
 * unknown about the patterns in use.
 */
export const keepMatching = (before: State, {state, effects}: Step): Step => {
  const {log} = state;
  const hasHeldChanged = log?.use.trailId !== undefined && state.held !== before.held;
  if (log === before.log && !hasHeldChanged) {
    return {state, effects};
  }
  const ended = (before.log?.use.patterns ?? []).filter(({id}) => !log?.use.patterns.some(each => each.id === id));
  const cancels = ended.map(({id}): Effect => ({kind: 'cancelPattern', patternId: id}));
  if (log === undefined) {
    return {state, effects: [...effects, ...cancels]};
  }
  const was = before.log?.siteId === log.siteId && before.generation === state.generation ? before.log : undefined;
  const filtered = holdRow({...before, log: was}, {...state, log: withFilters(was, switchedOn(was, log))});
  const next = {...state, log: filtered};
  return {
    state: next,
    effects: [
      ...effects,
      ...cancels,
      ...orderMatches(was, next, filtered, hasHeldChanged),
      ...orderSpans(next, filtered),
      ...orderFiltering(next, filtered),
    ],
  };
};

/** Who changes a filter wants to see what it does. */
const switchedOn = (was: LogState | undefined, log: LogState): LogState =>
  log.areFiltersOff === true && was !== undefined && !areFiltersSame(was, log) ? {...log, areFiltersOff: false} : log;

const areFiltersSame = (was: LogState, log: LogState): boolean =>
  was.use.filters === log.use.filters &&
  was.minimumLevel === log.minimumLevel &&
  was.sourcePick === log.sourcePick &&
  was.range === log.range;

const withFilters = (was: LogState | undefined, log: LogState): LogState => {
  const isSame =
    was !== undefined &&
    areFiltersSame(was, log) &&
    was.contextLines === log.contextLines &&
    was.areFiltersOff === log.areFiltersOff &&
    isFolding(was.look) === isFolding(log.look) &&
    openedRepeats(was) === openedRepeats(log) &&
    (searchedId(was.use) === searchedId(log.use) || !(isFolding(log.look) || openedRepeats(log)));
  if (isSame) {
    return log;
  }
  const areAllShown =
    (!isFiltered(log) || log.areFiltersOff === true) && !isFolding(log.look) && openedRepeats(log) === undefined;
  return {
    ...log,
    filtering: areAllShown ? undefined : log.sources.map((_, index) => applyFilter(log, makeFilter(log, index), index)),
  };
};

/** Builds the line filter for one buffer of the log, by its index. */
export const makeFilter = (log: LogState, index: number): LineFilter => {
  const {sources, use, contextLines, look} = log;
  const isOff = log.areFiltersOff === true;
  const {minimumLevel, sourcePick, range} = isOff ? {minimumLevel: 'none' as const} : log;
  const matchesOf = (kind: 'include' | 'exclude'): readonly Matches[] =>
    use.filters
      .filter(filter => filter.kind === kind && !isOff && filter.isOff !== true)
      .flatMap(({patternId}) => use.patterns.filter(({id}) => id === patternId).map(({matches}) => matches));
  return createLineFilter({
    includes: matchesOf('include'),
    excludes: matchesOf('exclude'),
    levelMin: levelRank(minimumLevel),
    hidesSource: sourcePick && hiddenBy(sourcePick),
    range,
    contextLines,
    foldsOf: isFolding(look) ? continuationsOf : undefined,
    // Hits are never folded away.
    unfolds: use.patterns.filter(({id}) => id === searchedId(use)).map(({matches}) => matches),
    repeats: openedRepeats(log)?.filter(({source}) => source === index),
    chunksMax: Math.ceil(filterChunksMax / sources.length),
  });
};

/** Schedules the next slice of filtering, if any is left. Slices are short enough that no key press waits for them. */
const orderFiltering = ({generation}: State, log: LogState): readonly Effect[] =>
  isFiltering(log) ? [{kind: 'filterSoon', generation}] : [];

/** Requests all unknown matches of new patterns, and of all patterns if chunks changed; newest chunks first. */
const orderMatches = (
  was: LogState | undefined,
  state: State,
  log: LogState,
  hasHeldChanged: boolean,
): readonly Effect[] => {
  const haveChunksChanged =
    hasHeldChanged || log.sources.some(({tail}, index) => tail.log.buffer !== was?.sources[index]?.tail.log.buffer);
  return log.use.patterns
    .filter(pattern => pattern.failure === undefined)
    .filter(({id}) => haveChunksChanged || !was?.use.patterns.some(each => each.id === id))
    .flatMap(({id, pattern, matches}): readonly Effect[] => {
      // Only a trail leads through the logs that were left.
      const chunks = pendingChunks(id === log.use.trailId ? sourcesInMemory(state, log) : log.sources, matches);
      return chunks.length === 0 ? [] : [{kind: 'match', patternId: id, pattern, chunks}];
    });
};

const pendingChunks = (sources: readonly LogSource[], matches: Matches): readonly Chunk[] => {
  const pending = sources.map(({tail}) => matches.pendingIn(tail.log.buffer));
  return pending.length === 1
    ? (pending[0] ?? [])
    : pending.flat().toSorted((a, b) => (a.lastAt < b.lastAt ? 1 : a.lastAt > b.lastAt ? -1 : 0));
};

/**
 * Requests the match ranges of regular expressions in the visible lines. They are not computed here: that may take
 * long.
 */
const orderSpans = (frame: Frame, log: LogState): readonly Effect[] => {
  const marking = log.use.patterns.filter(pattern => marksText(log, pattern));
  if (marking.length === 0) {
    return [];
  }
  const pane = paneOf(frame, log);
  const texts = visibleEntries(log.viewport, pane.view, pane).flatMap(({entry}) =>
    entry.kind === 'line' ? [matchedText(entry, pane.style)] : [],
  );
  return marking.flatMap(({id, pattern, spans}): readonly Effect[] => {
    const missing = texts.filter(text => !spans.has(text));
    return missing.length === 0 ? [] : [{kind: 'findSpans', patternId: id, pattern, texts}];
  });
};

/** Returns whether this is a regular expression whose matches are shown. */
const marksText = ({use}: LogState, {id, pattern, failure}: ActivePattern): boolean =>
  pattern.kind === 'regex' && failure === undefined && (searchedId(use) === id || use.highlights.includes(id));
