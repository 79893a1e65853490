import type {Entry} from '../line/entry.ts';
import type {LineBuffer} from './buffer.ts';
import {entriesOf} from './chunk.ts';

/**
 * What a later value of a buffer holds that an earlier one did not, in the order in which it stands there: late lines before newer ones.
 * What left to make room meanwhile is missing. Costs the chunks, and the entries of those that changed.
 */
export const addedEntries = (before: LineBuffer, now: LineBuffer): readonly Entry[] => {
  if (before.nextId === now.nextId) {
    return [];
  }
  // Buffers share the chunks that did not change, and every entry has a larger id than those made before it.
  const known = new Set(before.chunks);
  return now.chunks
    .filter(chunk => !known.has(chunk))
    .flatMap(chunk => entriesOf(chunk).filter(({id}) => id >= before.nextId));
};
