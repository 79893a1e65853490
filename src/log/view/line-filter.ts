import {firstIndexWhere, type LineBuffer} from '#log/buffer/buffer.ts';
import type {Chunk} from '#log/buffer/chunk.ts';
import {type EntryList, markersOf} from '#log/buffer/entry-list.ts';
import {countBelow, noOffsets} from '#log/buffer/offset-search.ts';
import {selectEntries} from '#log/buffer/select-entries.ts';
import {type ChunkCache, createChunkCache, createWeakCache} from '#log/buffer/weak-cache.ts';
import type {Entry, SourceName} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Matches} from '#log/pattern/matches.ts';
import type {TimeRange} from '#log/tokens/time-words.ts';
import {areTraitsKnown, continuedIn, type LineWriter, levelsOf} from '#log/traits/line-traits.ts';
import {distancesToWanted, headsBefore, keepHeadless, showEntries} from './filter/around-lines.ts';
import {type ChunkCaches, type ChunkSelection, selectLines, unknownSelection} from './filter/chunk-selection.ts';
import {areRepeatsKnown, foldList, readRepeats} from './filter/repeats.ts';

/** Which lines of a log are shown. Markers always are. */
export type LineFilterOptions = {
  /** If there are any, at least one must match. */
  readonly includes: readonly Matches[];
  /** None of them may match. */
  readonly excludes: readonly Matches[];
  /**
   * The rank of the minimum level, see `levelRank`; 0 for any. A continuation line has the level of the line it
   * continues.
   */
  readonly levelMin: number;
  /** Whether the lines of a source are hidden; `unsaidSource` stands for lines without one. */
  readonly hidesSource?: ((name: SourceName) => boolean) | undefined;
  /** Only what is of this time is shown, markers too. */
  readonly range?: TimeRange | undefined;
  /** Lines of context shown before and after each match: from 0 to 9, and never an excluded one. */
  readonly contextLines: number;
  /**
   * Returns, for each entry of a chunk, 1 if it is folded into the line above it; always the same array for one chunk.
   * A folded line is shown only if an include or one of `unfolds` matches the line itself, or if the line it would be
   * folded into is no longer held.
   */
  readonly foldsOf?: ((chunk: Chunk) => Uint8Array) | undefined;
  readonly unfolds?: readonly Matches[];
  /**
   * Lines that repeat the one shown above them become one with it, unless one of `unfolds` matches them. These are the
   * first lines of those runs that are shown whole; undefined: all lines are.
   */
  readonly repeats?: readonly Pick<Entry, 'id' | 'at'>[] | undefined;
  /** The most chunks to process per call; a chunk never scanned before counts as several. */
  readonly chunksMax?: number | undefined;
};

/** About 8 ms. */
export const filterChunksMax = 128;
/** The cost of scanning a chunk for levels and continuations, relative to filtering it. */
const traitsCost = 6;
/** The same of reading their shapes. */
const shapesCost = 12;

/** The entries of a buffer that a filter leaves. */
export type FilteredEntries = {
  readonly list: EntryList;
  /** The list before repeated lines were folded. */
  readonly unfolded: EntryList;
  /** Returns how many repeated lines are folded into one of the list. */
  readonly repeatsOf: (entry: Pick<Entry, 'id' | 'at'>) => number;
  /** How many entries of the unfolded list are lines. */
  readonly lineCount: number;
  /** The offsets of each chunk's entries in the list. */
  readonly offsetsOfChunks: readonly Uint16Array[];
  /** Chunks not fully tried yet: only their known lines are shown. */
  readonly pendingCount: number;
  /** Those of them that wait only for the filter itself, not for a search; `next` continues with them. */
  readonly waitingCount: number;
};

/**
 * A filter and its results. It never changes a buffer. It caches its work per chunk, so a changed buffer costs O(chunks
 * + lines of changed chunks).
 */
export type LineFilter = {
  /**
   * Filters a buffer: the same result as before unless more is known of the patterns. Processes a bounded number of
   * chunks: those nearest to `near`, or the newest if it is not given.
   */
  readonly apply: (buffer: LineBuffer, near?: Instant | undefined) => FilteredEntries;
  /**
   * Returns the same filter, which continues where this one ended when it is applied. The results of this one do not
   * change.
   */
  readonly next: () => LineFilter;
};

/** The work done for a chunk, and its inputs. */
type Work = {
  readonly tables: ChunkCaches;
  /** The levels of the heads before the chunk, of the sources that it continues. */
  readonly headRanks: readonly number[];
  readonly selection: ChunkSelection;
  /** The distances to the nearest wanted lines before and after the chunk, and what is shown of it as a result. */
  before: number;
  after: number;
  offsets: Uint16Array | undefined;
};

/** Counts the markers among the entries of a chunk at some offsets. */
const countMarkers = (chunk: Chunk, offsets: Uint16Array = noOffsets): number =>
  markersOf(chunk).filter(({offset}) => offsets[countBelow(offsets, offset)] === offset).length;

export const createLineFilter = (options: LineFilterOptions): LineFilter => {
  const {
    includes,
    excludes,
    levelMin,
    hidesSource,
    range = {},
    contextLines,
    foldsOf,
    unfolds = [],
    repeats,
    chunksMax = filterChunksMax,
  } = options;
  const needsTraits = levelMin > 0 || foldsOf !== undefined || repeats !== undefined;
  const works: ChunkCache<Work> = createChunkCache();

  /** The work done for a chunk of another time: nothing of it is shown. */
  const outside: Work = {
    tables: {includes: [], excludes: [], folds: undefined, unfolds: []},
    headRanks: [],
    selection: {...unknownSelection, isPending: false, lineCount: 0},
    before: 0,
    after: 0,
    offsets: noOffsets,
  };
  const isOutside = ({firstAt, lastAt}: Chunk): boolean =>
    lastAt < (range.from ?? lastAt) || firstAt > (range.to ?? firstAt);
  const isCutByRange = ({firstAt, lastAt}: Chunk): boolean =>
    firstAt < (range.from ?? firstAt) || lastAt > (range.to ?? lastAt);

  /** Checks whether nothing of a chunk can be shown until more is known of the patterns. */
  const isUntried = (chunk: Chunk): boolean =>
    (includes.length > 0 && includes.every(matches => matches.of(chunk) === undefined)) ||
    excludes.some(matches => matches.of(chunk) === undefined);

  /** Nearly every chunk is unchanged, so this check allocates nothing. */
  const isCurrent = ({tables}: Work, chunk: Chunk): boolean =>
    includes.every((matches, index) => matches.of(chunk) === tables.includes[index]) &&
    (tables.folds === undefined || unfolds.every((matches, index) => matches.of(chunk) === tables.unfolds[index])) &&
    excludes.every((matches, index) => matches.of(chunk) === tables.excludes[index]);

  const workOut = (chunk: Chunk, headRanks: readonly number[], folds: Uint8Array | undefined): Work => {
    const tables: ChunkCaches = {
      includes: includes.map(matches => matches.of(chunk)),
      excludes: excludes.map(matches => matches.of(chunk)),
      folds,
      unfolds: folds === undefined ? [] : unfolds.map(matches => matches.of(chunk)),
    };
    const continued = headRanks.length === 0 ? [] : continuedIn(chunk);
    const rankBefore = (source: LineWriter): number => headRanks[continued.indexOf(source)] ?? 0;
    const wishes = {levelMin, hidesSource, range: isCutByRange(chunk) ? range : undefined};
    const selection = selectLines(chunk, tables, wishes, rankBefore);
    const work: Work = {tables, headRanks, selection, before: 0, after: 0, offsets: undefined};
    works.set(chunk, work);
    return work;
  };

  const show = (work: Work, before: number, after: number): Uint16Array => {
    if (work.offsets === undefined || work.before !== before || work.after !== after) {
      work.offsets = showEntries(work.selection, before, after, contextLines);
      work.before = before;
      work.after = after;
    }
    return work.offsets;
  };

  /** Returns what is known of each chunk after processing as many as allowed per call. */
  const workOn = (chunks: readonly Chunk[], near: Instant | undefined) => {
    let costLeft = chunksMax;
    const readTraits = (chunk: Chunk): boolean => {
      if (!areTraitsKnown(chunk)) {
        if (costLeft <= 0) {
          return false;
        }
        costLeft -= traitsCost;
        levelsOf(chunk);
      }
      return true;
    };
    const headBefore = headsBefore(chunks, readTraits);

    /** Returns undefined `work` if nothing known is still valid. */
    const look = (chunk: Chunk, index: number): {readonly work: Work | undefined; readonly isWaiting: boolean} => {
      if (needsTraits && !readTraits(chunk)) {
        return {work: undefined, isWaiting: true};
      }
      if (repeats !== undefined && !areRepeatsKnown(chunk)) {
        if (costLeft <= 0) {
          return {work: undefined, isWaiting: true};
        }
        costLeft -= shapesCost;
        readRepeats(chunk);
      }
      const continued = needsTraits ? continuedIn(chunk) : [];
      const heads = continued.map(source => headBefore(index, source));
      if (heads.includes(undefined)) {
        return {work: undefined, isWaiting: true};
      }
      const all = foldsOf?.(chunk);
      const folds =
        all &&
        keepHeadless(
          chunk,
          all,
          continued.filter((_, place) => heads[place]?.isHeld === false),
        );
      const headRanks = heads.map(head => head?.rank ?? 0);
      const found = works.get(chunk);
      const areHeadsSame = found !== undefined && headRanks.every((rank, place) => found.headRanks[place] === rank);
      const known = areHeadsSame && found.tables.folds === folds ? found : undefined;
      if (known !== undefined && isCurrent(known, chunk)) {
        return {work: known, isWaiting: false};
      }
      if (costLeft <= 0) {
        // More is known of the patterns by now, but nothing else changed.
        return {work: known, isWaiting: true};
      }
      costLeft -= 1;
      return {work: workOut(chunk, headRanks, folds), isWaiting: false};
    };

    const worked = new Array<Work | undefined>(chunks.length);
    let pendingCount = 0;
    let waitingCount = 0;
    for (const index of outwards(centreOf(chunks, near), chunks.length)) {
      const chunk = chunks[index];
      if (chunk !== undefined && isOutside(chunk)) {
        worked[index] = outside;
        continue;
      }
      if (chunk === undefined || isUntried(chunk)) {
        pendingCount += 1;
        continue;
      }
      const {work, isWaiting} = look(chunk, index);
      worked[index] = work;
      pendingCount += isWaiting || work?.selection.isPending === true ? 1 : 0;
      waitingCount += isWaiting ? 1 : 0;
    }
    return {worked, pendingCount, waitingCount};
  };

  const filter = (buffer: LineBuffer, near: Instant | undefined): FilteredEntries => {
    const {worked, pendingCount, waitingCount} = workOn(buffer.chunks, near);
    const selections = Array.from(worked, work => work?.selection ?? unknownSelection);
    const before = distancesToWanted(selections, contextLines, false);
    const after = distancesToWanted(selections, contextLines, true);
    const offsetsOfChunks = buffer.chunks.map((chunk, index) => {
      const work = worked[index];
      return work === undefined ? markerOffsets(chunk, range) : show(work, before[index] ?? 0, after[index] ?? 0);
    });
    const unfolded = selectEntries(buffer, offsetsOfChunks);
    const folded = repeats && foldList(buffer, offsetsOfChunks, unfolds, repeats);
    const markerCount = buffer.chunks.reduce(
      (sum, chunk, index) => sum + countMarkers(chunk, offsetsOfChunks[index]),
      0,
    );
    return {
      list: folded === undefined ? unfolded : selectEntries(buffer, folded.offsetsOfChunks),
      unfolded,
      repeatsOf: folded?.countInto ?? (() => 0),
      lineCount: unfolded.entryCount - markerCount,
      offsetsOfChunks: folded?.offsetsOfChunks ?? offsetsOfChunks,
      pendingCount,
      waitingCount,
    };
  };

  const open = (): LineFilter => {
    const applied = createWeakCache<LineBuffer, {readonly version: number; readonly filtered: FilteredEntries}>();
    return {
      apply: (buffer, near) => {
        const version = [...includes, ...excludes, ...unfolds].reduce((sum, matches) => sum + matches.version(), 0);
        const known = applied.get(buffer);
        if (known?.version === version) {
          return known.filtered;
        }
        const filtered = filter(buffer, near);
        applied.set(buffer, {version, filtered});
        return filtered;
      },
      next: open,
    };
  };
  return open();
};

/** Filters all of a buffer, however long that takes. */
export const applyWhole = (filter: LineFilter, buffer: LineBuffer): FilteredEntries => {
  let filtered = filter.apply(buffer);
  for (let next = filter.next(); filtered.waitingCount > 0; next = next.next()) {
    filtered = next.apply(buffer);
  }
  return filtered;
};

const centreOf = (chunks: readonly Chunk[], near: Instant | undefined): number =>
  near === undefined
    ? chunks.length - 1
    : Math.min(
        chunks.length - 1,
        firstIndexWhere(chunks.length, index => (chunks[index]?.lastAt ?? near) >= near),
      );

const markerOffsets = (chunk: Chunk, {from, to}: TimeRange): Uint16Array =>
  Uint16Array.from(
    markersOf(chunk).filter(({marker: {at}}) => at >= (from ?? at) && at <= (to ?? at)),
    ({offset}) => offset,
  );

/** Yields the indices from 0 to `count − 1`, nearest to the centre first. */
function* outwards(centre: number, count: number): Generator<number> {
  for (let distance = 0; distance < count; distance++) {
    if (centre + distance < count) {
      yield centre + distance;
    }
    if (distance > 0 && centre - distance >= 0) {
      yield centre - distance;
    }
  }
}
