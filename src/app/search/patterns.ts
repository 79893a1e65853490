import type {ReadDirection, ScanProgress} from '#log/line/unread.ts';
import {findLiteralSpans, type Spans} from '#log/pattern/matcher.ts';
import {createMatches, type Matches} from '#log/pattern/matches.ts';
import {type Pattern, parsePattern} from '#log/pattern/parse-pattern.ts';

/** A pattern in use by the search, filters or highlights. */
export type ActivePattern = {
  /** Unique in this run; answers carry it. */
  readonly id: number;
  readonly pattern: Pattern;
  /**
   * The table of known matches. `version` is that of its last change, so that a state with more known is another
   * state.
   */
  readonly matches: Matches;
  readonly version: number;
  /** The fast engine gave up; the search continues in the slow one. */
  readonly isSlow: boolean;
  /** Why the search was cancelled, as a sentence. No more results follow. */
  readonly failure: string | undefined;
  /** Match ranges of a regular expression in texts on screen. Ranges of literals are found when drawing. */
  readonly spans: ReadonlyMap<string, Spans>;
};

/** The search, filters and highlights of the log. They refer to patterns by id. */
export type PatternUse = {
  readonly patterns: readonly ActivePattern[];
  readonly nextPatternId: number;
  readonly search: Search;
  readonly filters: readonly Filter[];
  readonly highlights: readonly number[];
  /** The pattern of the trail that is open. */
  readonly trailId?: number | undefined;
};

/**
 * The active search, by its pattern's id. A new search is `seeking` until the hit in that direction is known and the
 * view has jumped to it.
 */
export type Search =
  | {readonly kind: 'none'}
  | {readonly kind: 'resting'; readonly patternId: number}
  | {readonly kind: 'seeking'; readonly patternId: number; readonly direction: 'next' | 'previous'};

/** Returns the id of the search pattern, if any. */
export const searchedId = ({search}: PatternUse): number | undefined =>
  search.kind === 'none' ? undefined : search.patternId;

/** Returns the search pattern, if any. */
export const searchedPattern = (use: PatternUse): ActivePattern | undefined => findPattern(use, searchedId(use));

export type FilterKind = 'include' | 'exclude';

/** Whether lines that match the pattern are shown or hidden; one that is off does neither until it is on again. */
export type Filter = {readonly kind: FilterKind; readonly patternId: number; readonly isOff?: boolean};

/** Filters kept by a name. */
export type NamedFilters = {
  readonly name: string;
  /** As typed, after `+` for lines to show and `-` for lines to hide. */
  readonly filters: readonly string[];
  /** The config file has them: only there can they be changed. */
  readonly isConfigured: boolean;
};

/**
 * More patterns than anyone types while one log is open, so ids of a log that was left never match those of the next.
 */
const patternsPerLog = 1_000_000;

/** The patterns of a newly opened log: none. `generation` is that of the state when the log was opened. */
export const noPatterns = (generation: number): PatternUse => ({
  patterns: [],
  nextPatternId: generation * patternsPerLog + 1,
  search: {kind: 'none'},
  filters: [],
  highlights: [],
});

export const findPattern = (use: Pick<PatternUse, 'patterns'>, id: number | undefined): ActivePattern | undefined =>
  id === undefined ? undefined : use.patterns.find(each => each.id === id);

/**
 * Takes the pattern of a query into use, or reuses it if it is in use already; returns an error sentence if the query
 * is invalid.
 */
export const takeUpPattern = (
  use: PatternUse,
  query: string,
): {readonly use: PatternUse; readonly id: number} | {readonly error: string} => {
  const known = use.patterns.find(({pattern, failure}) => pattern.query === query && failure === undefined);
  if (known !== undefined) {
    return {use, id: known.id};
  }
  const pattern = parsePattern(query);
  if ('error' in pattern) {
    return pattern;
  }
  const id = use.nextPatternId;
  const matches = createMatches();
  const active: ActivePattern = {
    id,
    pattern,
    matches,
    version: matches.version(),
    isSlow: false,
    failure: undefined,
    spans: new Map(),
  };
  return {use: {...use, patterns: [...use.patterns, active], nextPatternId: id + 1}, id};
};

/** Removes patterns that are no longer used. */
export const dropUnused = (use: PatternUse): PatternUse => {
  const used = new Set([
    searchedId(use),
    use.trailId,
    ...use.highlights,
    ...use.filters.map(({patternId}) => patternId),
  ]);
  return use.patterns.every(({id}) => used.has(id))
    ? use
    : {...use, patterns: use.patterns.filter(({id}) => used.has(id))};
};

/** Changes a pattern; does nothing if it is no longer in use. */
export const changePattern = (use: PatternUse, id: number, change: Partial<ActivePattern>): PatternUse => ({
  ...use,
  patterns: use.patterns.map(pattern => (pattern.id === id ? {...pattern, ...change} : pattern)),
});

/** Returns the match ranges of a pattern in a text, as far as they are known. */
export const spansOf = ({pattern, spans}: ActivePattern, text: string): Spans =>
  pattern.kind === 'literal' ? findLiteralSpans(pattern, text) : (spans.get(text) ?? []);

/** A search of what was not read, for one of the patterns in use. */
export type UnreadScan = {
  readonly patternId: number;
  readonly direction: ReadDirection;
  readonly progress?: ScanProgress | undefined;
};
