import {findPattern, type NamedFilters} from '#app/search/patterns.ts';
import type {LogState, State} from '#app/state/state.ts';

/** A row of the list of filters: a pattern by its place, what else hides lines, or filters kept by a name. */
export type FilterItem = {readonly key: string} & (
  | {readonly kind: 'pattern'; readonly index: number}
  | {readonly kind: 'minimumLevel' | 'range' | 'sourcePick'}
  | {readonly kind: 'named'; readonly named: NamedFilters}
);

/** Returns the rows of the list: first what hides lines now. */
export const listFilterItems = ({namedFilters = []}: State, log: LogState): readonly FilterItem[] => [
  ...log.use.filters.map(({kind, patternId}, index): FilterItem => {
    // The place of a filter changes when one before it goes; its pattern stays.
    const query = findPattern(log.use, patternId)?.pattern.query ?? '';
    return {key: `${kind} ${query}`, kind: 'pattern', index};
  }),
  ...(log.minimumLevel === 'none' ? [] : [{key: 'level', kind: 'minimumLevel'} as const]),
  ...(log.range === undefined ? [] : [{key: 'range', kind: 'range'} as const]),
  ...(log.sourcePick === undefined ? [] : [{key: 'sources', kind: 'sourcePick'} as const]),
  ...namedFilters.map((named): FilterItem => ({key: `named ${named.name}`, kind: 'named', named})),
];
