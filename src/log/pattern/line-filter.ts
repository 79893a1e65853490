import type {LineBuffer} from '../buffer.ts';
import type {Chunk, ChunkKey} from '../chunk.ts';
import type {EntryList} from '../entry-list.ts';
import {type ChunkSelection, type ChunkTables, selectLines} from './chunk-selection.ts';
import {distancesBefore, distancesBehind, showEntries} from './context-lines.ts';
import {firstHead, keepHeadless} from './headless-folds.ts';
import type {Matches} from './matches.ts';
import {selectEntries} from './select-entries.ts';

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
};

/** What a filter leaves of a buffer. */
export type FilteredEntries = {
  readonly list: EntryList;
  /** Of each chunk, the places of the entries in the list. */
  readonly offsetsOfChunks: readonly Uint16Array[];
  /** Chunks that are not wholly tried yet: of their lines only what is known is shown. */
  readonly pendingCount: number;
};

/**
 * A filter for one buffer and what comes of it. It takes nothing from the buffer and keeps what it worked out for each chunk, so that
 * a buffer that changed costs the chunks, and the lines of those that did.
 */
export type LineFilter = {readonly apply: (buffer: LineBuffer) => FilteredEntries};

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
  const {includes, excludes, levelMin, contextLines, foldsOf, unfolds = []} = options;
  const works = new WeakMap<ChunkKey, Work>();
  let last: {readonly buffer: LineBuffer; readonly version: number; readonly filtered: FilteredEntries} | undefined;

  /** Nearly every chunk is as it was, so this makes nothing anew to find that out. */
  const isCurrent = ({tables}: Work, chunk: Chunk, folds: Uint8Array | undefined): boolean =>
    tables.folds === folds &&
    includes.every((matches, index) => matches.of(chunk) === tables.includes[index]) &&
    (folds === undefined || unfolds.every((matches, index) => matches.of(chunk) === tables.unfolds[index])) &&
    excludes.every((matches, index) => matches.of(chunk) === tables.excludes[index]);

  const workOn = (chunk: Chunk, headRank: number, folds: Uint8Array | undefined): Work => {
    const known = works.get(chunk.key);
    if (known !== undefined && known.headRank === headRank && isCurrent(known, chunk, folds)) {
      return known;
    }
    const tables: ChunkTables = {
      includes: includes.map(matches => matches.of(chunk)),
      excludes: excludes.map(matches => matches.of(chunk)),
      folds,
      unfolds: folds === undefined ? [] : unfolds.map(matches => matches.of(chunk)),
    };
    const selection = selectLines(chunk, tables, levelMin, headRank);
    const work: Work = {tables, headRank, selection, before: 0, behind: 0, offsets: undefined};
    works.set(chunk.key, work);
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

  const filter = (buffer: LineBuffer): FilteredEntries => {
    let headRank = 0;
    let hasHead = false;
    let pendingCount = 0;
    const worked = buffer.chunks.map(chunk => {
      const all = foldsOf?.(chunk);
      const folds = all === undefined || hasHead ? all : keepHeadless(chunk, all);
      hasHead ||= all !== undefined && firstHead(chunk, all) !== undefined;
      const work = workOn(chunk, headRank, folds);
      headRank = work.selection.headRank;
      pendingCount += work.selection.isPending ? 1 : 0;
      return work;
    });
    const selections = worked.map(({selection}) => selection);
    const before = distancesBefore(selections, contextLines);
    const behind = distancesBehind(selections, contextLines);
    const offsetsOfChunks = worked.map((work, index) => show(work, before[index] ?? 0, behind[index] ?? 0));
    return {list: selectEntries(buffer, offsetsOfChunks), offsetsOfChunks, pendingCount};
  };

  return {
    apply: buffer => {
      const version = [...includes, ...excludes, ...unfolds].reduce((sum, matches) => sum + matches.version(), 0);
      if (last?.buffer !== buffer || last.version !== version) {
        last = {buffer, version, filtered: filter(buffer)};
      }
      return last.filtered;
    },
  };
};
