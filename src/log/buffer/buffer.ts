import type {Entry, LineEntry} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import {type Chunk, entriesOf, timeAt} from './chunk.ts';
import {createSlabWriter, type SlabWriter} from './packed.ts';

/**
 * The lines held for one branch and the markers between them, ordered by time. An immutable value: merging makes a new
 * one that shares all unchanged chunks, so rendering an older one is not disturbed.
 */
export type LineBuffer = {
  readonly chunks: readonly Chunk[];
  /** Where the text of packed chunks is written; shared by all buffers made from the same one. */
  readonly slabs: SlabWriter;
  /** For each chunk, the index of its first entry. */
  readonly starts: readonly number[];
  readonly entryCount: number;
  readonly lineCount: number;
  /** Bytes of the lines, see `chunk.ts`. */
  readonly bytes: number;
  /** The bound on `bytes`; the oldest leave first. */
  readonly bytesMax: number;
  readonly nextId: number;
  /** The newest line with a believed timestamp; see `believe.ts`. */
  readonly newestLine: LineEntry | undefined;
  /** Number of lines evicted to make room. */
  readonly evictedLines: number;
  /**
   * The newest evicted time: lines that come at or below it are not inserted, and the buffer can't tell whether it held
   * them.
   */
  readonly evictedThrough: Instant | undefined;
  /** Lines that came too late: at or below `evictedThrough` and in neither of the two previous windows. */
  readonly tooLateLines: number;
};

/** Creates an empty buffer that holds at most about `bytesMax` bytes. */
export const createBuffer = (bytesMax: number): LineBuffer => ({
  chunks: [],
  slabs: createSlabWriter(),
  starts: [],
  entryCount: 0,
  lineCount: 0,
  bytes: 0,
  bytesMax,
  nextId: 1,
  newestLine: undefined,
  evictedLines: 0,
  evictedThrough: undefined,
  tooLateLines: 0,
});

/** Returns the chunk that contains an index from 0 to `entryCount - 1`, and the offset in it. */
export const pieceOf = (
  {starts}: LineBuffer,
  index: number,
): {readonly chunkIndex: number; readonly offset: number} => {
  const chunkIndex = lastIndexWhere(starts.length, at => (starts[at] ?? 0) <= index);
  return {chunkIndex, offset: index - (starts[chunkIndex] ?? 0)};
};

/** Returns the entry at an index from 0 (the oldest) to `entryCount - 1`; undefined outside. */
export const entryAt = (buffer: LineBuffer, index: number): Entry | undefined => {
  if (index < 0 || index >= buffer.entryCount) {
    return undefined;
  }
  const {chunkIndex, offset} = pieceOf(buffer, index);
  const chunk = buffer.chunks[chunkIndex];
  return chunk === undefined ? undefined : entriesOf(chunk)[offset];
};

/** Returns the time of the entry at an index; undefined outside. Unpacks nothing. */
export const timeAtIndex = (buffer: LineBuffer | undefined, index: number): Instant | undefined => {
  if (buffer === undefined || index < 0 || index >= buffer.entryCount) {
    return undefined;
  }
  const {chunkIndex, offset} = pieceOf(buffer, index);
  const chunk = buffer.chunks[chunkIndex];
  return chunk === undefined ? undefined : timeAt(chunk, offset);
};

/** Returns at most `count` entries from index `from`. O(entries returned). */
export const sliceEntries = (buffer: LineBuffer, from: number, count: number): readonly Entry[] => {
  const start = Math.max(0, from);
  const end = Math.min(buffer.entryCount, from + count);
  const found: Entry[] = [];
  let chunkIndex = lastIndexWhere(buffer.starts.length, at => (buffer.starts[at] ?? 0) <= start);
  while (start + found.length < end) {
    const chunk = buffer.chunks[chunkIndex];
    if (chunk === undefined) {
      break;
    }
    const offset = start + found.length - (buffer.starts[chunkIndex] ?? 0);
    found.push(...entriesOf(chunk).slice(offset, offset + end - start - found.length));
    chunkIndex += 1;
  }
  return found;
};

/** Returns the index of the first entry at or after a time; `entryCount` if all are earlier. */
export const indexAtOrAfter = (buffer: LineBuffer, at: Instant): number => {
  const chunkIndex = firstIndexWhere(buffer.chunks.length, index => (buffer.chunks[index]?.lastAt ?? at) >= at);
  const chunk = buffer.chunks[chunkIndex];
  if (chunk === undefined) {
    return buffer.entryCount;
  }
  return (
    (buffer.starts[chunkIndex] ?? 0) + firstIndexWhere(chunk.entryCount, index => (timeAt(chunk, index) ?? at) >= at)
  );
};

/** Returns the index of an entry by its id and time; if it is no longer held, that of the first entry later than it. */
export const indexOfEntry = (buffer: LineBuffer, entry: {readonly id: number; readonly at: Instant}): number => {
  const first = indexAtOrAfter(buffer, entry.at);
  for (let index = first; ; index++) {
    const candidate = entryAt(buffer, index);
    if (candidate === undefined || candidate.at !== entry.at) {
      return index === buffer.entryCount ? first : index;
    }
    if (candidate.id === entry.id) {
      return index;
    }
  }
};

/** Returns where an entry is; undefined if it is not held. */
export const placeOfEntry = (
  buffer: LineBuffer,
  entry: {readonly id: number; readonly at: Instant},
): ReturnType<typeof pieceOf> | undefined => {
  const index = indexOfEntry(buffer, entry);
  return entryAt(buffer, index)?.id === entry.id ? pieceOf(buffer, index) : undefined;
};

/**
 * Returns the smallest index below `length` for which `holds` is true; `length` if there is none. `holds` must be
 * monotonic: false, then true. O(log length).
 */
export const firstIndexWhere = (length: number, holds: (index: number) => boolean): number => {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
};

const lastIndexWhere = (length: number, holds: (index: number) => boolean): number =>
  firstIndexWhere(length, index => !holds(index)) - 1;
