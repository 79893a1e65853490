import {findLiteralSpans, type Spans} from '../../log/pattern/matcher.ts';
import {createMatches, type Matches} from '../../log/pattern/matches.ts';
import {type Pattern, parsePattern} from '../../log/pattern/parse-pattern.ts';

/** A pattern in use: by the search, by filters, by highlights. */
export type ActivePattern = {
  /** Unlike that of any other pattern of this run: answers carry it. */
  readonly id: number;
  readonly pattern: Pattern;
  /** The table of what is known; `version` is that of its last change, so that a state with more known is another state. */
  readonly matches: Matches;
  readonly version: number;
  /** The fast engine was given up: it goes on in the slow one. */
  readonly isSlow: boolean;
  /** Why it was cancelled: a sentence. Nothing more becomes known. */
  readonly failure: string | undefined;
  /** Of a regular expression, where it stands in texts on the screen. Of a literal it is found out when it is drawn. */
  readonly spans: ReadonlyMap<string, Spans>;
};

/** What the log is searched for, and how its lines are chosen and highlighted. Patterns are named by their ids. */
export type PatternUse = {
  readonly patterns: readonly ActivePattern[];
  readonly nextPatternId: number;
  readonly search: Search;
  readonly filters: readonly Filter[];
  readonly highlights: readonly number[];
};

/**
 * What is searched for, by its pattern's id. A search that was begun is `seeking` until the hit in that direction is
 * known and gone to.
 */
export type Search =
  | {readonly kind: 'none'}
  | {readonly kind: 'resting'; readonly patternId: number}
  | {readonly kind: 'seeking'; readonly patternId: number; readonly direction: 'next' | 'previous'};

/** Returns the id of the pattern that is searched for, if any. */
export const searchedId = ({search}: PatternUse): number | undefined =>
  search.kind === 'none' ? undefined : search.patternId;

/** Returns the pattern that is searched for, if any. */
export const searchedPattern = (use: PatternUse): ActivePattern | undefined => findPattern(use, searchedId(use));

export type FilterKind = 'include' | 'exclude';

/** Lines in which the pattern stands are kept, or left out. */
export type Filter = {readonly kind: FilterKind; readonly patternId: number};

/** More chips than fit into a row are more than anybody keeps in mind. */
export const filtersMax = 20;

/** More patterns than anybody types while one log is open: answers about those of a log that was left fit none of the next. */
const patternsPerLog = 1_000_000;

/** Nothing is searched for or filtered yet in a log that was opened under that generation of the state. */
export const noPatterns = (generation: number): PatternUse => ({
  patterns: [],
  nextPatternId: generation * patternsPerLog + 1,
  search: {kind: 'none'},
  filters: [],
  highlights: [],
});

export const findPattern = (use: PatternUse, id: number | undefined): ActivePattern | undefined =>
  id === undefined ? undefined : use.patterns.find(each => each.id === id);

/** The pattern of a query that is in use by now, whoever uses it; a sentence where the query is none. */
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

/** Without the patterns that nobody uses any more. */
export const dropUnused = (use: PatternUse): PatternUse => {
  const used = new Set([searchedId(use), ...use.highlights, ...use.filters.map(({patternId}) => patternId)]);
  return use.patterns.every(({id}) => used.has(id))
    ? use
    : {...use, patterns: use.patterns.filter(({id}) => used.has(id))};
};

/** With something of a pattern changed; nothing happens where it is no longer in use. */
export const changePattern = (use: PatternUse, id: number, change: Partial<ActivePattern>): PatternUse => ({
  ...use,
  patterns: use.patterns.map(pattern => (pattern.id === id ? {...pattern, ...change} : pattern)),
});

/** Where a pattern stands in a text, as far as that is known. */
export const spansOf = ({pattern, spans}: ActivePattern, text: string): Spans =>
  pattern.kind === 'literal' ? findLiteralSpans(pattern, text) : (spans.get(text) ?? []);
