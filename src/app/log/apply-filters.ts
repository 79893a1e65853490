import {changePattern, findPattern} from '#app/search/patterns.ts';
import type {StampedEvent} from '#app/state/event.ts';
import {filteredOf, isFiltering} from '#app/state/log-sources.ts';
import type {LogState, SourceFiltering, State} from '#app/state/state.ts';
import {withLog} from '#app/state/step.ts';
import type {Matches} from '#log/pattern/matches.ts';
import type {LineFilter} from '#log/view/line-filter.ts';
import {restSearch, seekOn} from './search.ts';

type ShownCounts = {
  /** Lines that the filters keep, as far as they have worked. */
  readonly shown: number;
  /** All lines in the buffers. */
  readonly held: number;
  /** Chunks that the filters have yet to work through. */
  readonly pending: number;
};

/** Counts the lines that the filters keep. */
export const countShown = (log: LogState): ShownCounts => {
  const {sources} = log;
  return {
    shown: sources.reduce(
      (sum, {tail}, index) => sum + (filteredOf(log, index)?.lineCount ?? tail.log.buffer.lineCount),
      0,
    ),
    held: sources.reduce((sum, {tail}) => sum + tail.log.buffer.lineCount, 0),
    pending: sources.reduce((sum, _, index) => sum + (filteredOf(log, index)?.pendingCount ?? 0), 0),
  };
};

/** Counts the lines held that match a pattern, as far as they have been searched. Counts again only what changed. */
export const countMatching = ({kept, sources}: LogState, matches: Matches): number => {
  const buffers = sources.map(({tail}) => tail.log.buffer);
  const counts = kept.matchCounts.answer(buffers, () => new Map());
  const known = counts.get(matches);
  if (known?.version === matches.version()) {
    return known.count;
  }
  const chunks = buffers.flatMap(buffer => buffer.chunks);
  const count = chunks.reduce((sum, chunk) => sum + (matches.of(chunk)?.offsets.length ?? 0), 0);
  counts.set(matches, {version: matches.version(), count});
  return count;
};

/** Checks whether the filters hide every line there is. */
export const isAllHidden = (log: LogState): boolean => {
  const {shown, held, pending} = countShown(log);
  return held > 0 && shown === 0 && pending === 0;
};

/**
 * Applies the filters to the lines held and to the matches known so far. Free if neither changed; otherwise handles a
 * bounded number of chunks, those near the reader first.
 */
export const applyFilters = (log: LogState): LogState => {
  const {filtering} = log;
  const applied = filtering?.map(({filter}, index) => applyFilter(log, filter, index));
  return applied === undefined || applied.every(({filtered}, index) => filtered === filtering?.[index]?.filtered)
    ? log
    : {...log, filtering: applied};
};

/** Applies a filter to one source. */
export const applyFilter = ({sources, viewport}: LogState, filter: LineFilter, index: number): SourceFiltering => {
  const {buffer} = (sources[index] ?? sources[0]).tail.log;
  const near = viewport.kind === 'paused' ? viewport.top.at : undefined;
  return {filter, filtered: filter.apply(buffer, near)};
};

type PatternAnswer = Extract<StampedEvent, {readonly patternId: number}>;

/** Takes a search result; ignores it if the pattern is no longer in use. */
export const takePatternAnswer = (state: State, log: LogState, event: PatternAnswer): State => {
  const id = event.patternId;
  const active = findPattern(log.use, id);
  if (active === undefined) {
    return state;
  }
  switch (event.kind) {
    case 'patternMatched': {
      for (const [chunk, offsets] of event.results) {
        active.matches.take(chunk, offsets);
      }
      const use = changePattern(log.use, id, {version: active.matches.version()});
      return withLog(state, seekOn(state, applyFilters({...log, use})));
    }
    case 'spansFound': {
      // The request covers the whole screen, so that texts no longer on it can be dropped.
      const spans = new Map(event.texts.map((text, index) => [text, event.spansOfTexts[index] ?? []]));
      return withLog(state, {...log, use: changePattern(log.use, id, {spans})});
    }
    case 'patternSlow':
      return withLog(state, {...log, use: changePattern(log.use, id, {isSlow: true})});
    case 'patternFailed': {
      const use = changePattern(log.use, id, {failure: event.sentence});
      return {...withLog(state, restSearch({...log, use})), notice: event.sentence};
    }
    default:
      return event satisfies never;
  }
};

/**
 * Continues filters that could not handle all lines at once; returns undefined if there are none. A search may be
 * waiting for their result.
 */
export const filterOn = (state: State, log: LogState): State | undefined => {
  if (!isFiltering(log)) {
    return undefined;
  }
  const filtering = log.filtering?.map((each, index) =>
    each.filtered.waitingCount === 0 ? each : applyFilter(log, each.filter.next(), index),
  );
  return withLog(state, seekOn(state, {...log, filtering}));
};
