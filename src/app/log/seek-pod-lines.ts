import {keyFor} from '#app/keys/keymap.ts';
import {headerNameCharsMax} from '#app/rows/fit-row.ts';
import {dropUnused, findPattern} from '#app/search/patterns.ts';
import type {LogState, State} from '#app/state/state.ts';
import {withLog} from '#app/state/step.ts';
import {listHits} from '#log/overview/find-in-log.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {escapePattern} from '#log/traits/fold-text.ts';
import {addFilter} from './filters.ts';
import type {SourcedPod} from './list-pods.ts';
import {pickSources} from './log-sources-pane.ts';
import {countPending} from './search.ts';

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
