import {entryAt, indexAtOrAfter, type LineBuffer} from '../buffer/buffer.ts';
import type {PlaceFront, WindowLine} from '../line/window-line.ts';

/** How far back unreadable lines are looked for: they are matched with what is held close by, not with all of a buffer. */
const searchEntriesMax = 20_000;

/**
 * Times for lines without a readable timestamp at the front of a window that does not begin inside the one before. They are
 * matched by text with what is held, walking back from the first readable line; one that is new takes the next
 * readable timestamp. Costs what is searched once, however many lines there are.
 */
export const placeFrontAmong =
  (buffer: LineBuffer): PlaceFront =>
  (front, firstReadable) => {
    const fallback = firstReadable?.at ?? buffer.newestLine?.at ?? 0n;
    const endIndex = searchEnd(buffer, firstReadable);
    const places = unreadablePlaces(buffer, endIndex);
    let behind = endIndex;
    // Later ones may not stand before earlier ones: an unmatched line between matched ones goes with the one behind it.
    let next = fallback;
    return front
      .toReversed()
      .map(raw => {
        const candidates = places.get(raw) ?? [];
        while ((candidates.at(-1) ?? -1) >= behind) {
          candidates.pop();
        }
        const found = candidates.at(-1);
        behind = found ?? behind;
        next = (found === undefined ? undefined : entryAt(buffer, found)?.at) ?? next;
        return next;
      })
      .toReversed();
  };

/**
 * Where the held lines end that may stand before the first readable line: at its own place. Where it is not held, nor are those
 * before it: an equal text that stands somewhere is another line.
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

/** Where each unreadable text is held below an index, in order. */
const unreadablePlaces = (buffer: LineBuffer, endIndex: number): ReadonlyMap<string, number[]> => {
  const places = new Map<string, number[]>();
  for (let index = Math.max(0, endIndex - searchEntriesMax); index < endIndex; index++) {
    const entry = entryAt(buffer, index);
    if (entry?.kind === 'line' && entry.textIndex === 0) {
      const found = places.get(entry.raw);
      if (found) {
        found.push(index);
      } else {
        places.set(entry.raw, [index]);
      }
    }
  }
  return places;
};
