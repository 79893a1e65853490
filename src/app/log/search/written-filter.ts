import {type Filter, type FilterKind, findPattern, type PatternUse} from '#app/search/patterns.ts';

/** Returns a filter as it is kept: as typed, after `+` for lines to show and `-` for lines to hide. */
export const writeFilter = (use: PatternUse, {kind, patternId}: Filter): string =>
  `${kind === 'include' ? '+' : '-'}${findPattern(use, patternId)?.pattern.query ?? ''}`;

/** Reads what `writeFilter` wrote. */
export const readFilter = (written: string): {readonly kind: FilterKind; readonly query: string} => ({
  kind: written.startsWith('-') ? 'exclude' : 'include',
  query: written.slice(1),
});
