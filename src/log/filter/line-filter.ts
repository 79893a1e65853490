import {firstIndexWhere, type LineBuffer} from '../buffer/buffer.ts';
import type {Chunk} from '../buffer/chunk.ts';
import type {EntryList} from '../buffer/entry-list.ts';
import {markersOf} from '../buffer/markers-of.ts';
import {noOffsets} from '../buffer/offset-search.ts';
import {selectEntries} from '../buffer/select-entries.ts';
import {type ChunkTable, createChunkTable, createSideTable} from '../buffer/side-table.ts';
import type {Instant} from '../line/instant.ts';
import type {Matches} from '../pattern/matches.ts';
import {areTraitsKnown, levelsOf} from '../traits/line-traits.ts';
import {type ChunkSelection, type ChunkTables, selectLines, unknownSelection} from './chunk-selection.ts';
import {distancesBefore, distancesBehind, showEntries} from './context-lines.ts';
import {keepHeadless} from './headless-folds.ts';
import {headsBefore} from './heads-before.ts';

/** What of a log is to be seen. Markers always are. */
export type LineFilterOptions = {
  /** Any of them must match, where there are any. */
  readonly includes: readonly Matches[];
  /** None of them may match. */
  readonly excludes: readonly Matches[];
  /** The rank of the least level, see `levelRank`; 0 for any. A line that continues another has the level of that one. */
  readonly levelMin: number;
  /** Lines shown before and behind each, though they are not asked for: from 0 to 9, and none that is excluded. */
  readonly contextLines: number;
  /**
   * Of each entry of a chunk, 1 where it is folded into the line above it, the same for a chunk every time; such a line is seen only where an include or
   * one of `unfolds` matches it itself, or where the line that it would be folded into is no longer held.
   */
  readonly foldsOf?: ((chunk: Chunk) => Uint8Array) | undefined;
  readonly unfolds?: readonly Matches[];
  /** How many chunks are worked out at a time, at the most; one that was never looked through counts as several. */
  readonly chunksMax?: number | undefined;
};

/** About 8 ms. */
export const filterChunksMax = 128;
/** As much as looking through a chunk for levels and continuations costs. */
const traitsCost = 6;

/** What a filter leaves of a buffer. */
export type FilteredEntries = {
  readonly list: EntryList;
  /** Of each chunk, the places of the entries in the list. */
  readonly offsetsOfChunks: readonly Uint16Array[];
  /** Chunks that are not wholly tried yet: of their lines only what is known is shown. */
  readonly pendingCount: number;
  /** Those among them that wait for no answer but for the filter itself: its `next` goes on with them. */
  readonly waitingCount: number;
};

/**
 * A filter and what comes of it. It takes nothing from a buffer and keeps what it worked out for each chunk, so that
 * a buffer that changed costs the chunks, and the lines of those that did.
 */
export type LineFilter = {
  /**
   * What is left of a buffer: the same as before, unless more is known of the patterns. Never works out more than a bounded number of chunks: those
   * nearest to a time, or where none is given the newest.
   */
  readonly apply: (buffer: LineBuffer, near?: Instant | undefined) => FilteredEntries;
  /** The same filter, which goes on where this one ended when it is applied. What this one leaves stays as it is. */
  readonly next: () => LineFilter;
};

/** What was worked out for a chunk, and out of what. */
type Work = {
  readonly tables: ChunkTables;
  readonly headRank: number;
  readonly selection: ChunkSelection;
  /** How far the next wanted lines before and behind the chunk were, and what is shown of it with them. */
  before: number;
  behind: number;
  offsets: Uint16Array | undefined;
};

export const createLineFilter = (options: LineFilterOptions): LineFilter => {
  const {includes, excludes, levelMin, contextLines, foldsOf, unfolds = [], chunksMax = filterChunksMax} = options;
  const needsTraits = levelMin > 0 || foldsOf !== undefined;
  const works: ChunkTable<Work> = createChunkTable();

  /** Nothing of it can be shown before more is known of the patterns. */
  const isUntried = (chunk: Chunk): boolean =>
    (includes.length > 0 && includes.every(matches => matches.of(chunk) === undefined)) ||
    excludes.some(matches => matches.of(chunk) === undefined);

  /** Nearly every chunk is as it was, so this makes nothing anew to find that out. */
  const isCurrent = ({tables}: Work, chunk: Chunk): boolean =>
    includes.every((matches, index) => matches.of(chunk) === tables.includes[index]) &&
    (tables.folds === undefined || unfolds.every((matches, index) => matches.of(chunk) === tables.unfolds[index])) &&
    excludes.every((matches, index) => matches.of(chunk) === tables.excludes[index]);

  const workOut = (chunk: Chunk, headRank: number, folds: Uint8Array | undefined): Work => {
    const tables: ChunkTables = {
      includes: includes.map(matches => matches.of(chunk)),
      excludes: excludes.map(matches => matches.of(chunk)),
      folds,
      unfolds: folds === undefined ? [] : unfolds.map(matches => matches.of(chunk)),
    };
    const selection = selectLines(chunk, tables, levelMin, headRank);
    const work: Work = {tables, headRank, selection, before: 0, behind: 0, offsets: undefined};
    works.set(chunk, work);
    return work;
  };

  const show = (work: Work, before: number, behind: number): Uint16Array => {
    if (work.offsets === undefined || work.before !== before || work.behind !== behind) {
      work.offsets = showEntries(work.selection, before, behind, contextLines);
      work.before = before;
      work.behind = behind;
    }
    return work.offsets;
  };

  /** What is known of each chunk of a buffer when as much was worked out as may be at a time. */
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

    /** Undefined where nothing is known that is still true. */
    const look = (chunk: Chunk, index: number): {readonly work: Work | undefined; readonly isWaiting: boolean} => {
      const head = needsTraits ? headBefore(index) : undefined;
      if (needsTraits && (head === undefined || !readTraits(chunk))) {
        return {work: undefined, isWaiting: true};
      }
      const all = foldsOf?.(chunk);
      const folds = all === undefined || head?.isHeld === true ? all : keepHeadless(chunk, all);
      const headRank = head?.rank ?? 0;
      const found = works.get(chunk);
      const known = found?.headRank === headRank && found.tables.folds === folds ? found : undefined;
      if (known !== undefined && isCurrent(known, chunk)) {
        return {work: known, isWaiting: false};
      }
      if (costLeft <= 0) {
        // More is known of the patterns by now, but nothing else.
        return {work: known, isWaiting: true};
      }
      costLeft -= 1;
      return {work: workOut(chunk, headRank, folds), isWaiting: false};
    };

    const worked = new Array<Work | undefined>(chunks.length);
    let pendingCount = 0;
    let waitingCount = 0;
    for (const index of outwards(centreOf(chunks, near), chunks.length)) {
      const chunk = chunks[index];
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
    const before = distancesBefore(selections, contextLines);
    const behind = distancesBehind(selections, contextLines);
    const offsetsOfChunks = buffer.chunks.map((chunk, index) => {
      const work = worked[index];
      return work === undefined ? markerOffsets(chunk) : show(work, before[index] ?? 0, behind[index] ?? 0);
    });
    return {list: selectEntries(buffer, offsetsOfChunks), offsetsOfChunks, pendingCount, waitingCount};
  };

  const open = (): LineFilter => {
    const applied = createSideTable<LineBuffer, {readonly version: number; readonly filtered: FilteredEntries}>();
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

/** What a filter leaves of a buffer when all of it is worked out, however long that takes. */
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

const markerOffsets = (chunk: Chunk): Uint16Array => {
  const markers = markersOf(chunk);
  return markers.length === 0 ? noOffsets : Uint16Array.from(markers, ({offset}) => offset);
};

/** The indices from 0 to `count − 1`, those next to a centre first. */
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
