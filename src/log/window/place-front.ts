import {entryAt, indexAtOrAfter, type LineBuffer} from '../buffer/buffer.ts';
import type {PlaceFront} from '../line/window-line.ts';
import type {WindowLine} from '../line/window-lines.ts';
import {addToList} from './add-to-list.ts';

/**
 * How far back to search for unreadable lines: they are matched with what is held nearby, not with the whole buffer.
 */
const searchEntriesMax = 20_000;

/**
 * Assigns times to lines without a readable timestamp at the front of a window that does not overlap the previous one.
 * Matches them by text with what is held, walking back from the first readable line; a new one takes the next readable
 * timestamp. Searches once, however many lines there are.
 */
export const placeFrontAmong =
  (buffer: LineBuffer): PlaceFront =>
  (front, firstReadable) => {
    const fallback = firstReadable?.at ?? buffer.newestLine?.at ?? 0n;
    const endIndex = searchEnd(buffer, firstReadable);
    const places = unreadablePlaces(buffer, endIndex);
    let after = endIndex;
    // Later lines must not precede earlier ones: an unmatched line between matched ones goes with the one after it.
    let next = fallback;
    return front
      .toReversed()
      .map(raw => {
        const candidates = places.get(raw) ?? [];
        while ((candidates.at(-1) ?? -1) >= after) {
          candidates.pop();
        }
        const found = candidates.at(-1);
        after = found ?? after;
        next = (found === undefined ? undefined : entryAt(buffer, found)?.at) ?? next;
        return next;
      })
      .toReversed();
  };

/**
 * Returns the end of the held lines that may precede the first readable line: its own place. If it is not held, the
 * lines before it are not either: an equal text elsewhere is another line.
 */
const searchEnd = (buffer: LineBuffer, firstReadable: WindowLine | undefined): number => {
  if (firstReadable === undefined) {
    return buffer.entryCount;
  }
  for (let index = indexAtOrAfter(buffer, firstReadable.at); ; index++) {
    const entry = entryAt(buffer, index);
    if (entry?.at !== firstReadable.at) {
      return 0;
    }
    if (entry.kind === 'line' && entry.raw === firstReadable.raw) {
      return index;
    }
  }
};

/** Returns, for each unreadable text, the places where it is held below `endIndex`, in order. */
const unreadablePlaces = (buffer: LineBuffer, endIndex: number): ReadonlyMap<string, number[]> => {
  const places = new Map<string, number[]>();
  for (let index = Math.max(0, endIndex - searchEntriesMax); index < endIndex; index++) {
    const entry = entryAt(buffer, index);
    if (entry?.kind === 'line' && entry.textIndex === 0) {
      addToList(places, entry.raw, index);
    }
  }
  return places;
};
