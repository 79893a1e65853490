import {keyFor} from '#app/keys/keymap.ts';
import type {Frame} from '#app/parts/frame.ts';
import {headerNameCharsMax} from '#app/rows/fit-row.ts';
import {dropUnused, findPattern, searchedId, searchedPattern, takeUpPattern} from '#app/search/patterns.ts';
import type {Effect} from '#app/state/effect.ts';
import {filteredOf, isFiltering} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {askFor, type LogHandler, next, type Step, withLog} from '#app/state/step.ts';
import {isUnread} from '#app/tail/tail.ts';
import type {ScanProgress} from '#log/line/unread.ts';
import {findHit, listHits} from '#log/overview/find-in-log.ts';
import type {Matches} from '#log/pattern/matches.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {escapePattern} from '#log/traits/fold-text.ts';
import {anchorOf, type LogView, mergeLists} from '#log/view/log-view.ts';
import {addFilter} from './filters.ts';
import type {SourcedPod} from './list-pods.ts';
import {type Pane, paneOf} from './log-pane.ts';
import {pickSources} from './log-sources-pane.ts';
import {goToIndex, readerIndex} from './picking.ts';

/**
 * Searches on in what was not read, for the search's pattern; undefined if there is nothing in this direction.
 * `orElse`: in the other one, if there is nothing.
 */
const scanOn = (log: LogState, direction: 'next' | 'previous', orElse = false): LogState | undefined => {
  const [{tail}] = log.sources;
  const wanted = direction === 'next' ? 'later' : 'earlier';
  const patternId = searchedId(log.use);
  const towards = isUnread(tail, wanted) ? wanted : orElse && isUnread(tail, 'earlier') ? 'earlier' : undefined;
  if (patternId === undefined || towards === undefined) {
    return undefined;
  }
  const isSame = log.scan?.patternId === patternId && log.scan.direction === towards;
  return isSame ? log : {...log, scan: {patternId, direction: towards}};
};

/** Runs after every update: has the search begun or ended that the state says. */
export const orderScan = (before: State, {state, effects}: Step): Step => {
  const [was, now] = [before.log?.scan, state.log?.scan];
  const pattern = findPattern(state.log?.use ?? noUse, now?.patternId)?.pattern;
  const isSame =
    (was === undefined && now === undefined) ||
    (now?.patternId === was?.patternId && now?.direction === was?.direction && before.generation === state.generation);
  if (isSame) {
    return {state, effects};
  }
  const order: Effect =
    state.log && now && pattern
      ? {
          kind: 'scanUnread',
          branchId: state.log.sources[0].branch._id,
          pattern,
          direction: now.direction,
          generation: state.generation,
        }
      : {kind: 'cancelScan'};
  return {state, effects: [...effects, order]};
};

const noUse = {patterns: []};

/** Takes how far the search has come. */
export const takeProgress = (state: State, progress: ScanProgress): State =>
  state.log?.scan ? {...state, log: {...state.log, scan: {...state.log.scan, progress}}} : state;

/** Returns the lines that match a pattern, among those the filters keep. */
const viewHits = (log: LogState, matches: Matches): LogView =>
  mergeLists(
    log.sources.map(({tail}, index) => listHits(tail.log.buffer, matches, filteredOf(log, index)?.offsetsOfChunks)),
  );

/** Counts the chunks still to be searched for a pattern, and all chunks. */
export const countPending = (
  {sources}: LogState,
  matches: Matches,
): {readonly pending: number; readonly all: number} => ({
  pending: sources.reduce((sum, {tail}) => sum + matches.pendingIn(tail.log.buffer).length, 0),
  all: sources.reduce((sum, {tail}) => sum + tail.log.buffer.chunks.length, 0),
});

/**
 * Starts a search. As soon as it is known, goes to the newest hit while following, otherwise to the next hit from the
 * top of the pane.
 */
export const searchFor = (state: State, log: LogState, query: string): Step => {
  const used = takeUpPattern(log.use, query);
  if ('error' in used) {
    return next({...state, notice: used.error});
  }
  const direction = log.viewport.kind === 'following' ? 'previous' : 'next';
  const use = dropUnused({...used.use, search: {kind: 'seeking', patternId: used.id, direction}});
  return next(withLog(state, seekOn(state, {...log, use})));
};

/** Ends the search; the pane does not move. */
const endSearch = (log: LogState): LogState => ({
  ...log,
  use: dropUnused({...log.use, search: {kind: 'none'}}),
});

/** Stops the search from waiting for a hit. */
export const restSearch = (log: LogState): LogState =>
  log.use.search.kind === 'seeking'
    ? {...log, use: {...log.use, search: {kind: 'resting', patternId: log.use.search.patternId}}}
    : log;

/** Goes to the hit a search is waiting for, once it is known. */
export const seekOn = (frame: Frame, log: LogState): LogState => {
  const {search} = log.use;
  const active = searchedPattern(log.use);
  if (search.kind !== 'seeking' || active === undefined) {
    return log;
  }
  const hits = viewHits(log, active.matches);
  const isDone = active.failure !== undefined || (countPending(log, active.matches).pending === 0 && !isFiltering(log));
  // Chunks are searched from the newest on, so the newest hit is known first.
  const isKnown = search.direction === 'previous' ? hits.entryCount > 0 : isDone;
  if (!isKnown) {
    return isDone ? searchOn(restSearch(log), search.direction) : log;
  }
  const pane = paneOf(frame, log);
  const sought = restSearch(log);
  return (
    goToHit(sought, pane, hits, search.direction) ??
    goToHit(sought, pane, hits, search.direction === 'next' ? 'previous' : 'next') ??
    searchOn(sought, search.direction)
  );
};

/** Runs when a search finds nothing in the lines that were read. */
const searchOn = (log: LogState, direction: 'next' | 'previous'): LogState => scanOn(log, direction, true) ?? log;

const goToHit = (log: LogState, pane: Pane, hits: LogView, direction: 'next' | 'previous'): LogState | undefined => {
  const [reader] = pane.view.slice(readerIndex(log, pane), 1);
  const from = reader === undefined ? undefined : anchorOf(reader);
  const isHere = log.cursor === undefined && direction === 'next' && findHit(hits, from, 'here') !== undefined;
  const hit = findHit(hits, from, isHere ? 'here' : direction);
  return hit === undefined ? undefined : goToIndex(log, pane, pane.view.indexOf(hit.anchor));
};

/** Handles the search keys. */
export const searchKeys: LogHandler = (state, log, command) => {
  const active = searchedPattern(log.use);
  switch (command) {
    case 'openSearch':
      return askFor(state, 'search');
    case 'back':
      if (log.scan !== undefined) {
        return next({
          ...withLog(state, {...log, scan: undefined}),
          notice: 'the search of the unread part was cancelled',
        });
      }
      return active === undefined ? undefined : next(withLog(state, endSearch(log)));
    case 'nextHit':
    case 'previousHit': {
      if (active === undefined) {
        return next({...state, notice: `no search yet: ${keyFor('openSearch', 'log')} starts one`});
      }
      const direction = command === 'nextHit' ? 'next' : 'previous';
      const found = goToHit(log, paneOf(state, log), viewHits(log, active.matches), direction);
      const scanned = found === undefined ? scanOn(log, direction) : undefined;
      return next(
        scanned !== undefined
          ? withLog(state, scanned)
          : found === undefined
            ? {...state, notice: `no more hits ${direction === 'next' ? 'below' : 'above'}`}
            : withLog(state, restSearch(found)),
      );
    }
    default:
      return undefined;
  }
};

/**
 * Returns the number of the hit under the cursor, from 1, the number of all hits, and the number of those hidden by
 * filters; undefined without a search.
 */
export const placeAmongHits = (
  log: LogState,
): {readonly number: number | undefined; readonly count: number; readonly hiddenCount: number} | undefined => {
  const active = searchedPattern(log.use);
  if (active === undefined) {
    return undefined;
  }
  const hits = viewHits(log, active.matches);
  // While filters still work, what they have yet to look at is not hidden.
  const isKnown = log.filtering?.every(({filtered}) => filtered.pendingCount === 0) === true;
  const all = isKnown ? viewHits({...log, filtering: undefined}, active.matches) : hits;
  return {
    number: findHit(hits, log.cursor?.anchor, 'here')?.number,
    count: hits.entryCount,
    hiddenCount: all.entryCount - hits.entryCount,
  };
};

/**
 * Shows only the lines of one pod. If the service does not say which pod a line is from, these are the lines that name
 * the pod. Filters that hide lines stay; those that pick others give way.
 */
export const showLinesOf = (state: State, log: LogState, name: string, pods: readonly SourcedPod[]): State => {
  const ofPod = log.sourceNames.filter(({pod}) => pod === name);
  if (ofPod.length > 0) {
    const picked = pickSources(log, 'only', ofPod);
    return {
      ...withLog(state, {...picked, overlay: undefined}),
      notice:
        picked.sourcePick === undefined
          ? `all lines are from ${wordOf(name)}`
          : `only lines of ${wordOf(name)}; ${keyFor('removeFilters', 'log')} shows all`,
    };
  }
  // `web-1` must not find the lines of `web-10`.
  const isPartOfAnother = pods.some(({pod}) => pod.name !== name && pod.name.includes(name));
  const query = isPartOfAnother ? `re:\\b${escapePattern(name)}\\b` : name;
  const {use} = log;
  const kept = use.filters.filter(({kind}) => kind === 'exclude');
  const filtered = addFilter({...log, use: {...use, filters: kept}}, 'include', query);
  if ('error' in filtered) {
    return {...state, notice: filtered.error};
  }
  const patternId = filtered.use.filters.at(-1)?.patternId ?? 0;
  const filtersBefore = use.filters.flatMap(({kind, patternId: id}) => {
    const active = findPattern(use, id);
    return active === undefined ? [] : [{kind, query: active.pattern.query}];
  });
  const soughtPod = {name, patternId, filtersBefore};
  const instead = kept.length < use.filters.length ? ', instead of the filters before' : '';
  return {
    ...withLog(state, {...filtered, use: dropUnused(filtered.use), overlay: undefined, soughtPod}),
    notice: `only lines that name ${wordOf(name)}${instead}; ${keyFor('removeFilter', 'log')} shows all`,
  };
};

const wordOf = (name: string): string => sanitiseWord(name, headerNameCharsMax);

/** Once all lines have been searched for a pod's name: if none has it, goes back to the filters before, and says so. */
export const settleSoughtPod = (state: State): State => {
  const {log} = state;
  const sought = log?.soughtPod;
  if (log === undefined || sought === undefined) {
    return state;
  }
  const pattern = findPattern(log.use, sought.patternId);
  const isFiltering = log.use.filters.some(({patternId}) => patternId === sought.patternId);
  const isNamed =
    pattern !== undefined && log.sources.some(({tail}) => listHits(tail.log.buffer, pattern.matches).entryCount > 0);
  if (pattern === undefined || pattern.failure !== undefined || !isFiltering || isNamed) {
    return withLog(state, {...log, soughtPod: undefined});
  }
  if (countPending(log, pattern.matches).pending > 0) {
    return state;
  }
  const restored = sought.filtersBefore.reduce<LogState>(
    (before, {kind, query}) => {
      const added = addFilter(before, kind, query);
      return 'error' in added ? before : added;
    },
    {...log, soughtPod: undefined, use: {...log.use, filters: []}},
  );
  return {
    ...withLog(state, {...restored, use: dropUnused(restored.use)}),
    notice: `no line names this pod: ${wordOf(sought.name)}`,
  };
};
