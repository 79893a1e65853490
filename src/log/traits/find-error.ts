import {entryAt, type LineBuffer, pieceOf} from '../buffer/buffer.ts';
import type {EntryList} from '../buffer/entry-list.ts';
import {countBelow, noOffsets} from '../buffer/offset-search.ts';
import type {LogView} from '../view/log-view.ts';
import {errorOffsetsOf, warningOffsetsOf} from './error-lines.ts';

const offsetsOf = {warn: warningOffsetsOf, error: errorOffsetsOf} as const;

export type ErrorSearch = {
  /** An index of the view, itself excluded from the search. −1 and `entryCount` search all of it. */
  readonly fromIndex: number;
  readonly direction: 'next' | 'previous';
  /** The lowest level to find; error if absent. */
  readonly levelMin?: 'warn' | 'error';
};

/**
 * Returns the index of the nearest line of the level or above in one direction, or undefined if there is none.
 * O(chunks).
 */
export const findError = (
  view: LogView,
  {fromIndex, direction, levelMin = 'error'}: ErrorSearch,
): number | undefined => {
  const isNext = direction === 'next';
  const offsets = view.offsetsAt(isNext ? fromIndex + 1 : fromIndex);
  const found = view.lists.flatMap((list, source): readonly number[] => {
    const place = offsets[source] ?? 0;
    const bufferIndex = isNext ? firstFrom(list, place, levelMin) : lastBefore(list, place, levelMin);
    const entry = bufferIndex === undefined ? undefined : entryAt(list.buffer, bufferIndex);
    return entry === undefined ? [] : [view.indexOf({source, id: entry.id, at: entry.at})];
  });
  return found.length === 0 ? undefined : isNext ? Math.min(...found) : Math.max(...found);
};

/** Counts the errors from an index of a buffer on. O(chunks). */
export const countErrorsFrom = ({chunks, starts}: LineBuffer, fromIndex: number): number => {
  let count = 0;
  for (let index = chunks.length - 1; index >= 0; index--) {
    const chunk = chunks[index];
    const start = starts[index] ?? 0;
    if (chunk === undefined || start + chunk.entryCount <= fromIndex) {
      break;
    }
    const offsets = offsetsOf.error(chunk);
    count += offsets.length - countBelow(offsets, fromIndex - start);
  }
  return count;
};

const firstFrom = (list: EntryList, from: number, level: keyof typeof offsetsOf): number | undefined => {
  const {chunks, starts, entryCount} = list.buffer;
  if (from >= entryCount) {
    return undefined;
  }
  for (let index = pieceOf(list.buffer, Math.max(0, from)).chunkIndex; index < chunks.length; index++) {
    const start = starts[index] ?? 0;
    const offsets = listedLines(list, index, level);
    const offset = offsets[countBelow(offsets, from - start)];
    if (offset !== undefined) {
      return start + offset;
    }
  }
  return undefined;
};

const lastBefore = (list: EntryList, before: number, level: keyof typeof offsetsOf): number | undefined => {
  const {starts, entryCount} = list.buffer;
  const last = Math.min(before, entryCount) - 1;
  if (last < 0) {
    return undefined;
  }
  for (let index = pieceOf(list.buffer, last).chunkIndex; index >= 0; index--) {
    const start = starts[index] ?? 0;
    const offsets = listedLines(list, index, level);
    const offset = offsets[countBelow(offsets, last + 1 - start) - 1];
    if (offset !== undefined) {
      return start + offset;
    }
  }
  return undefined;
};

/** Returns the lines of the level of a chunk that are in the list. Free if the chunk has none, as most have. */
export const listedLines = (list: EntryList, chunkIndex: number, level: keyof typeof offsetsOf): Uint16Array => {
  const chunk = list.buffer.chunks[chunkIndex];
  const found = chunk === undefined ? noOffsets : offsetsOf[level](chunk);
  const listed = found.length === 0 ? undefined : list.offsetsIn(chunkIndex);
  return listed === undefined ? found : found.filter(offset => listed[countBelow(listed, offset)] === offset);
};
