import {keyFor} from '#app/keys/keymap.ts';
import {dropUnused, type Filter, type FilterKind, takeUpPattern} from '#app/search/patterns.ts';
import type {LogState, State} from '#app/state/state.ts';
import {askFor, closePane, type LogHandler, next, type Step, withLog} from '#app/state/step.ts';
import {filtersMax} from '#base/bounds.ts';
import type {Level} from '#log/tokens/level-words.ts';
import {isFiltered} from './log-pane.ts';

/** Maximum lines of context around each line that a filter keeps. */
export const contextLinesMax = 9;

/** The minimum levels that one key cycles through, from all lines to fewer and fewer. */
export const minimumLevels: readonly Level[] = ['none', 'info', 'warn', 'error'];

/**
 * Adds a filter; returns an error sentence if the query is not a valid pattern or there are too many filters. The
 * current place stays in view.
 */
export const addFilter = (log: LogState, kind: FilterKind, query: string): LogState | {readonly error: string} => {
  if (log.use.filters.length >= filtersMax) {
    return {error: `${filtersMax} filters are in use already; ${keyFor('removeFilter', 'log')} removes one.`};
  }
  const used = takeUpPattern(log.use, query);
  if ('error' in used) {
    return used;
  }
  const filter: Filter = {kind, patternId: used.id};
  const others = used.use.filters.map(each => (each.kind === kind && each.patternId === used.id ? filter : each));
  const filters = others.includes(filter) ? others : [...others, filter];
  return {...log, use: {...used.use, filters}};
};

/** Shows only what a pane over the lines asks for, and closes it; `query` is undefined if it would be too long. */
export const filterFromPane = (state: State, log: LogState, query: string | undefined): Step => {
  const filtered = query === undefined ? {error: 'too long for a pattern'} : addFilter(log, 'include', query);
  return 'error' in filtered ? next({...state, notice: filtered.error}) : closePane(state, filtered);
};

/** Removes the n-th filter, counted from 0. */
export const removeFilter = (log: LogState, index: number): LogState => ({
  ...log,
  use: dropUnused({...log.use, filters: log.use.filters.filter((_, at) => at !== index)}),
});

/** Switches the n-th filter off, counted from 0, or on again. */
export const toggleFilter = ({use, ...log}: LogState, index: number): LogState => ({
  ...log,
  use: {...use, filters: use.filters.map((each, at) => (at === index ? {...each, isOff: each.isOff !== true} : each))},
});

/** Removes the filter with the typed number, as shown on its chip; empty input means the last filter. */
export const removeNumberedFilter = (state: State, log: LogState, typed: string): State => {
  const {filters} = log.use;
  const number = typed.trim() === '' ? filters.length : Number(typed);
  return filters[number - 1] === undefined
    ? {...state, notice: `there is no filter number ${typed.trim()}: there are ${filters.length}`}
    : withLog(state, removeFilter(log, number - 1));
};

/** Handles the keys of filters, context and the minimum level. */
export const filterKeys: LogHandler = (state, log, command) => {
  switch (command) {
    case 'filterIn':
      return askFor(state, 'include');
    case 'filterOut':
      return askFor(state, 'exclude');
    case 'removeFilter':
      return log.use.filters.length === 0
        ? next(withoutLast(state, log))
        : log.use.filters.length === 1
          ? next(withLog(state, removeFilter(log, 0)))
          : askFor(state, 'unfilter');
    case 'removeFilters':
      return next(
        withLog(state, {
          ...log,
          minimumLevel: 'none',
          contextLines: 0,
          sourcePick: undefined,
          range: undefined,
          use: dropUnused({...log.use, filters: []}),
        }),
      );
    case 'toggleFilters':
      return next(
        isFiltered(log)
          ? {...withLog(state, {...log, areFiltersOff: log.areFiltersOff !== true}), notice: offWords(log)}
          : {...state, notice: 'there are no filters'},
      );
    case 'moreContext':
      return next(withLog(state, {...log, contextLines: Math.min(contextLinesMax, log.contextLines + 1)}));
    case 'lessContext':
      return next(withLog(state, {...log, contextLines: Math.max(0, log.contextLines - 1)}));
    case 'raiseLevel':
      return next(withLevel(state, log, levelBeside(log.minimumLevel, 1)));
    case 'lowerLevel':
      return next(withLevel(state, log, levelBeside(log.minimumLevel, -1)));
    default:
      return undefined;
  }
};

const offWords = ({areFiltersOff}: LogState): string =>
  areFiltersOff === true ? 'filters on' : `filters off; ${keyFor('toggleFilters', 'log')} switches them on`;

/** Removes what else hides lines: first the range of time, then the choice of sources, then the minimum level. */
const withoutLast = (state: State, log: LogState): State => {
  if (log.range !== undefined) {
    return withLog(state, {...log, range: undefined});
  }
  if (log.sourcePick !== undefined) {
    return withLog(state, {...log, sourcePick: undefined});
  }
  return log.minimumLevel === 'none' ? {...state, notice: 'there are no filters'} : withLevel(state, log, 'none');
};

const withLevel = (state: State, log: LogState, minimumLevel: Level): State => withLog(state, {...log, minimumLevel});

const levelBeside = (level: Level, step: number): Level =>
  minimumLevels[(minimumLevels.indexOf(level) + step + minimumLevels.length) % minimumLevels.length] ?? 'none';
