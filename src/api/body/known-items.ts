import {quote, skipString, skipWhite} from './scan-json.ts';

/** So many places where the first item stands are tried; a log that repeats one line for ever is read the usual way. */
const candidatesMax = 8;

/** An array of strings of which the front is known: it stood at the end of an earlier array. */
export type KnownFront = {
  /** Items of the earlier array that stand before the known part. */
  readonly leftCount: number;
  /** Where the known part ends in this body. */
  readonly knownEnd: number;
};

/**
 * Compares an array of strings, of which the first item begins at `firstStart`, with the bytes of an earlier one, from its first quote to its last: does it begin where
 * that one has this array's first item, and go on as that one does to its end? Bytes are compared as a whole, so that what is known
 * costs next to nothing. Undefined where they do not fit.
 */
export const findKnownFront = (body: Buffer, firstStart: number, before: Buffer): KnownFront | undefined => {
  const firstEnd = body[firstStart] === quote ? skipString(body, firstStart) : -1;
  if (firstEnd === -1) {
    return undefined;
  }
  const first = body.subarray(firstStart, firstEnd);
  let itemStart = 0;
  let leftCount = 0;
  let candidate = before.indexOf(first);
  for (let tried = 0; candidate !== -1 && tried < candidatesMax; tried++) {
    // What looks like the item may begin with the quote that ends another one; going from item to item tells, and counts them.
    while (itemStart < candidate) {
      itemStart = skipWhite(before, skipWhite(before, skipString(before, itemStart)) + 1);
      leftCount += 1;
    }
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
};
