import type {Entry} from '#log/line/entry.ts';
import {indexAtOrAfter, indexOfEntry, type LineBuffer, pieceOf} from './buffer.ts';
import {entriesAt, timeAt} from './chunk.ts';
import type {EntryList} from './entry-list.ts';
import {countBelow, noOffsets, pieceAt, startsOf} from './offset-search.ts';

/**
 * Lists some entries of a buffer: those at the given ascending offsets of each chunk. Making the list is O(chunks);
 * reading costs what is read plus binary searches.
 */
export const selectEntries = (buffer: LineBuffer, offsetsOfChunks: readonly Uint16Array[]): EntryList => {
  const starts = startsOf(buffer.chunks.map((_, chunkIndex) => offsetsOfChunks[chunkIndex]?.length ?? 0));
  const entryCount = starts.at(-1) ?? 0;
  const offsetsIn = (chunkIndex: number): Uint16Array => offsetsOfChunks[chunkIndex] ?? noOffsets;

  /** Counts the entries of the list that precede an entry of the buffer. */
  const countBefore = (bufferIndex: number): number => {
    if (bufferIndex >= buffer.entryCount) {
      return entryCount;
    }
    const {chunkIndex, offset} = pieceOf(buffer, bufferIndex);
    return (starts[chunkIndex] ?? 0) + countBelow(offsetsIn(chunkIndex), offset);
  };

  const slice = (from: number, count: number): readonly Entry[] => {
    const start = Math.max(0, from);
    const end = Math.min(entryCount, from + count);
    const found: Entry[] = [];
    for (let chunkIndex = pieceAt(starts, start); start + found.length < end; chunkIndex++) {
      const chunk = buffer.chunks[chunkIndex];
      if (chunk === undefined) {
        break;
      }
      const chunkStart = starts[chunkIndex] ?? 0;
      const first = start + found.length - chunkStart;
      found.push(...entriesAt(chunk, offsetsIn(chunkIndex).subarray(first, end - chunkStart)));
    }
    return found;
  };

  return {
    buffer,
    entryCount,
    slice,
    offsetsIn,
    timeAt: index => {
      if (index < 0 || index >= entryCount) {
        return undefined;
      }
      const chunkIndex = pieceAt(starts, index);
      const chunk = buffer.chunks[chunkIndex];
      const offset = offsetsIn(chunkIndex)[index - (starts[chunkIndex] ?? 0)];
      return chunk === undefined || offset === undefined ? undefined : timeAt(chunk, offset);
    },
    indexAtOrAfter: at => countBefore(indexAtOrAfter(buffer, at)),
    indexOf: entry => countBefore(indexOfEntry(buffer, entry)),
    bufferIndexAt: index => {
      if (index >= entryCount) {
        return buffer.entryCount;
      }
      const chunkIndex = pieceAt(starts, Math.max(0, index));
      const offset = offsetsIn(chunkIndex)[Math.max(0, index) - (starts[chunkIndex] ?? 0)] ?? 0;
      return (buffer.starts[chunkIndex] ?? 0) + offset;
    },
  };
};
