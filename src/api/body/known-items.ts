import {linesPerPause, type Work} from '../../log/work/work.ts';
import {quote, skipString, skipWhite} from './scan-json.ts';

/** How many occurrences of the first item are tried; a log that repeats one line endlessly is parsed the usual way. */
const candidatesMax = 8;

/** An array of strings whose front is known: it was the end of an earlier array. */
export type KnownFront = {
  /** Items of the earlier array before the known part. */
  readonly leftCount: number;
  /** Index in this body where the known part ends. */
  readonly knownEnd: number;
};

/**
 * Finds out whether an array of strings begins with the end of an earlier array. The array's first item starts at
 * `firstStart`; `before` holds the bytes of the earlier array from its first quote to its last. Compares whole byte
 * ranges, so the known part costs next to nothing. Returns undefined if the arrays do not overlap.
 */
export function* findKnownFront(body: Buffer, firstStart: number, before: Buffer): Work<KnownFront | undefined> {
  const firstEnd = body[firstStart] === quote ? skipString(body, firstStart) : -1;
  if (firstEnd === -1) {
    return undefined;
  }
  const first = body.subarray(firstStart, firstEnd);
  let itemStart = 0;
  let leftCount = 0;
  let candidate = before.indexOf(first);
  for (let tried = 0; candidate !== -1 && tried < candidatesMax; tried++) {
    // A match may begin at the quote that ends another item. Walking from item to item rules that out, and counts the
    // items.
    while (itemStart < candidate) {
      itemStart = skipWhite(before, skipWhite(before, skipString(before, itemStart)) + 1);
      leftCount += 1;
      if (leftCount % linesPerPause === 0) {
        yield;
      }
    }
    yield;
    const knownEnd = firstStart + before.length - candidate;
    if (
      itemStart === candidate &&
      knownEnd <= body.length &&
      body.compare(before, candidate, before.length, firstStart, knownEnd) === 0
    ) {
      return {leftCount, knownEnd};
    }
    candidate = before.indexOf(first, candidate + 1);
  }
  return undefined;
}
