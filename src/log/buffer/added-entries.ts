import type {Entry} from '#log/line/entry.ts';
import type {LineBuffer} from './buffer.ts';
import {entriesOf} from './chunk.ts';

/**
 * Returns the entries that a later value of a buffer holds and an earlier one did not, in buffer order: late lines
 * before newer ones. Entries evicted in the meantime are missing. O(chunks + entries of changed chunks).
 */
export const addedEntries = (before: LineBuffer, now: LineBuffer): readonly Entry[] => {
  if (before.nextId === now.nextId) {
    return [];
  }
  // Buffers share unchanged chunks, and every entry has a larger id than those made before it.
  const known = new Set(before.chunks);
  return now.chunks
    .filter(chunk => !known.has(chunk))
    .flatMap(chunk => entriesOf(chunk).filter(({id}) => id >= before.nextId));
};
