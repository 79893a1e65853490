import {keyFor} from '#app/keys/keymap.ts';
import {highlightTones} from '#app/rows/view-row.ts';
import {
  dropUnused,
  type Filter,
  type FilterKind,
  findPattern,
  type PatternUse,
  takeUpPattern,
} from '#app/search/patterns.ts';
import type {LogState} from '#app/state/state.ts';
import {askFor, type LogHandler} from '#app/state/step.ts';

/** Returns a filter as it is kept: as typed, after `+` for lines to show and `-` for lines to hide. */
export const writeFilter = (use: PatternUse, {kind, patternId}: Filter): string =>
  `${kind === 'include' ? '+' : '-'}${findPattern(use, patternId)?.pattern.query ?? ''}`;

/** Reads what `writeFilter` wrote. */
export const readFilter = (written: string): {readonly kind: FilterKind; readonly query: string} => ({
  kind: written.startsWith('-') ? 'exclude' : 'include',
  query: written.slice(1),
});

/** Toggles the highlight of a pattern; returns an error sentence if it cannot be added. */
export const toggleHighlight = (log: LogState, query: string): LogState | {readonly error: string} => {
  const known = log.use.highlights.find(id => findPattern(log.use, id)?.pattern.query === query);
  if (known !== undefined) {
    const highlights = log.use.highlights.filter(id => id !== known);
    return {...log, use: dropUnused({...log.use, highlights})};
  }
  if (log.use.highlights.length >= highlightTones.length) {
    return {
      error: `${highlightTones.length} patterns are highlighted already; ${keyFor('highlight', 'log')} and one of them removes it.`,
    };
  }
  const used = takeUpPattern(log.use, query);
  return 'error' in used ? used : {...log, use: {...used.use, highlights: [...used.use.highlights, used.id]}};
};

/** Removes all highlights. */
export const removeHighlights = (log: LogState): LogState => ({
  ...log,
  use: dropUnused({...log.use, highlights: []}),
});

/** Handles the highlight key. */
export const highlightKeys: LogHandler = (state, _log, command) =>
  command === 'highlight' ? askFor(state, 'highlight') : undefined;
