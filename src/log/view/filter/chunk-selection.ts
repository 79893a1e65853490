import {type Chunk, sourceAt, timeAt} from '#log/buffer/chunk.ts';
import {markersOf} from '#log/buffer/entry-list.ts';
import type {SourceName} from '#log/line/entry.ts';
import type {ChunkMatches} from '#log/pattern/matches.ts';
import type {TimeRange} from '#log/tokens/time-words.ts';
import {headRanksOf, type LineWriter} from '#log/traits/line-traits.ts';
import {unsaidSource} from '#log/words/source-words.ts';
import {countLinesOfSources} from '../sources.ts';

/** The state of a chunk: where each pattern matches, and which lines are folded. */
export type ChunkCaches = {
  readonly includes: readonly (ChunkMatches | undefined)[];
  readonly excludes: readonly (ChunkMatches | undefined)[];
  readonly folds: Uint8Array | undefined;
  /** Lines that they match are not folded. */
  readonly unfolds: readonly (ChunkMatches | undefined)[];
};

/**
 * The fate of an entry: a line that is never shown; one that is shown if it is near a wanted one; a wanted one; a
 * marker.
 */
export const fate = {hidden: 0, nearby: 1, wanted: 2, marker: 3} as const;

/** The wanted lines of a chunk, before their context is added. */
export type ChunkSelection = {
  /** The fate of each entry, see `fate`. */
  readonly fates: Uint8Array;
  /** Some of its lines have not been tried yet. */
  readonly isPending: boolean;
  /** Lines that are not hidden. */
  readonly lineCount: number;
  /** How many of them precede the first wanted one and follow the last; undefined if there is none. */
  readonly linesBeforeFirst: number | undefined;
  readonly linesAfterLast: number | undefined;
};

/** A chunk of which nothing is known yet. Context does not reach across it. */
export const unknownSelection: ChunkSelection = {
  fates: new Uint8Array(0),
  isPending: true,
  lineCount: Number.POSITIVE_INFINITY,
  linesBeforeFirst: undefined,
  linesAfterLast: undefined,
};

/** Conditions of a filter other than patterns. */
export type LineWishes = {
  /** The rank of the minimum level; 0 for any. */
  readonly levelMin: number;
  /** Whether the lines of a source are never shown. */
  readonly hidesSource?: ((name: SourceName) => boolean) | undefined;
  /** Entries of other times are never shown. */
  readonly range?: TimeRange | undefined;
};

/**
 * Decides which lines are wanted. `rankBefore` tells the level of the last line of a source before the chunk that
 * is not a continuation.
 */
export const selectLines = (
  chunk: Chunk,
  tables: ChunkCaches,
  {levelMin, hidesSource, range}: LineWishes,
  rankBefore: (source: LineWriter) => number,
): ChunkSelection => {
  const fates = new Uint8Array(chunk.entryCount);
  if (tables.includes.length === 0) {
    fates.fill(fate.wanted);
    foldAway(fates, tables, fate.wanted);
  } else {
    fates.fill(fate.nearby);
    foldAway(fates, tables, fate.nearby);
    // Lines not tried yet do not count as matches; they are added when they are.
    for (const matches of tables.includes) {
      mark(fates, matches?.offsets, fate.wanted);
    }
  }
  for (const matches of tables.excludes) {
    // Lines not tried yet are not shown, so that no visible line disappears again.
    if (matches === undefined) {
      fates.fill(fate.hidden);
    }
    mark(fates, matches?.offsets, fate.hidden);
    mark(fates, matches?.unknown, fate.hidden);
  }
  if (hidesSource !== undefined) {
    hideSources(chunk, fates, hidesSource);
  }
  for (const {offset} of markersOf(chunk)) {
    fates[offset] = fate.marker;
  }
  if (levelMin > 0) {
    keepLevels(fates, headRanksOf(chunk, rankBefore), levelMin);
  }
  if (range !== undefined) {
    keepRange(chunk, fates, range);
  }
  return {
    fates,
    isPending: [...tables.includes, ...tables.excludes].some(matches => matches?.unknown.length !== 0),
    ...countLines(fates),
  };
};

const mark = (fates: Uint8Array, offsets: Iterable<number> = [], becomes: number): void => {
  for (const offset of offsets) {
    fates[offset] = becomes;
  }
};

const hideSources = (chunk: Chunk, fates: Uint8Array, hidesSource: (name: SourceName) => boolean): void => {
  const names = [...(countLinesOfSources(chunk)?.keys() ?? [unsaidSource])];
  const hidden = new Set(names.filter(hidesSource));
  if (hidden.size === names.length) {
    fates.fill(fate.hidden);
  } else if (hidden.size > 0) {
    for (let offset = 0; offset < fates.length; offset++) {
      if (hidden.has(sourceAt(chunk, offset) ?? unsaidSource)) {
        fates[offset] = fate.hidden;
      }
    }
  }
};

const keepRange = (chunk: Chunk, fates: Uint8Array, {from, to}: TimeRange): void => {
  for (let offset = 0; offset < fates.length; offset++) {
    const at = timeAt(chunk, offset);
    if (at === undefined || at < (from ?? at) || at > (to ?? at)) {
      fates[offset] = fate.hidden;
    }
  }
};

/** Hides folded lines. `ground` is the fate of lines that are not folded. */
const foldAway = (fates: Uint8Array, {folds, unfolds}: ChunkCaches, ground: number): void => {
  for (const [offset, isFolded] of folds?.entries() ?? []) {
    if (isFolded === 1) {
      fates[offset] = fate.hidden;
    }
  }
  for (const matches of unfolds) {
    mark(fates, matches?.offsets, ground);
  }
};

/** Hides lines below the minimum level. */
const keepLevels = (fates: Uint8Array, headRanks: Uint8Array, levelMin: number): void => {
  for (let offset = 0; offset < fates.length; offset++) {
    if ((headRanks[offset] ?? 0) < levelMin && fates[offset] === fate.wanted) {
      fates[offset] = fate.nearby;
    }
  }
};

const countLines = (fates: Uint8Array): Pick<ChunkSelection, 'lineCount' | 'linesBeforeFirst' | 'linesAfterLast'> => {
  let lineCount = 0;
  let linesBeforeFirst: number | undefined;
  let linesThroughLast: number | undefined;
  for (const each of fates) {
    if (each === fate.wanted) {
      linesBeforeFirst ??= lineCount;
      linesThroughLast = lineCount + 1;
    }
    lineCount += each === fate.nearby || each === fate.wanted ? 1 : 0;
  }
  return {
    lineCount,
    linesBeforeFirst,
    linesAfterLast: linesThroughLast === undefined ? undefined : lineCount - linesThroughLast,
  };
};
