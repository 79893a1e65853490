import {entryAt, type LineBuffer, pieceOf} from '#log/buffer/buffer.ts';
import type {EntryList} from '#log/buffer/entry-list.ts';
import {countBelow, noOffsets} from '#log/buffer/offset-search.ts';
import type {Entry} from '#log/line/entry.ts';
import {errorOffsetsOf, warningOffsetsOf} from '#log/traits/error-lines.ts';
import {findInView, type LogView, type ViewSearch} from '#log/view/log-view.ts';

const offsetsOf = {warn: warningOffsetsOf, error: errorOffsetsOf} as const;

/** `levelMin`: the lowest level to find; error if absent. */
export type ErrorSearch = ViewSearch & {readonly levelMin?: keyof typeof offsetsOf};

/**
 * Returns the index of the nearest line of the level or above in one direction, or undefined if there is none.
 * O(chunks).
 */
export const findError = (view: LogView, search: ErrorSearch): number | undefined =>
  findInView(view, search, (list, place) => nearest(list, place, search))?.index;

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

const nearest = (list: EntryList, place: number, {direction, levelMin = 'error'}: ErrorSearch): Entry | undefined => {
  const {chunks, starts, entryCount} = list.buffer;
  const isNext = direction === 'next';
  const from = Math.min(place, entryCount);
  const first = isNext ? Math.max(0, from) : from - 1;
  if (first < 0 || first >= entryCount) {
    return undefined;
  }
  for (
    let index = pieceOf(list.buffer, first).chunkIndex;
    index >= 0 && index < chunks.length;
    index += isNext ? 1 : -1
  ) {
    const start = starts[index] ?? 0;
    const offsets = listedLines(list, index, levelMin);
    const below = countBelow(offsets, from - start);
    const offset = offsets[isNext ? below : below - 1];
    if (offset !== undefined) {
      return entryAt(list.buffer, start + offset);
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
