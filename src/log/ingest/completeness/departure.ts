import {firstIndexWhere} from '#log/buffer/buffer.ts';
import type {Instant} from '#log/line/instant.ts';
import {measureTexts} from '#log/window/texts.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import {eachLine, type WindowLine, type WindowLines} from '#log/window/window-lines.ts';
import {linesPerPause, visitEach, type Work} from '#log/work.ts';
import {bannerLinesMax} from './find-front.ts';
import type {Extent} from './share.ts';

/** The lines that left between two windows, compared by identity and count. */
export type Departure = {
  /** Lines of the previous window that are not in this one. */
  readonly leftCount: number;
  /** The newest of them with a readable timestamp. */
  readonly newestLeft: Instant | undefined;
  /** No line with a readable timestamp stayed. */
  readonly keptNone: boolean;
  /**
   * A line left although it came after one that stayed, in the order received. Then the window is not cut as one, a pod
   * went away, or this answer is older than the previous one. Lines without a timestamp are no evidence, unless there
   * are no others.
   */
  readonly hasHole: boolean;
  /**
   * If something other than the count of lines may have taken those that left, from among others that stayed: the
   * last of them, what followed it, and how many lines of this window are older. A few lines ahead of all are a banner.
   */
  readonly taken: {readonly last: string; readonly after: Extent; readonly olderCount: number} | undefined;
  /** New lines stand before lines that stayed, although times go back or are equal: one part follows another. */
  readonly isMixed: boolean;
  /** Lines of this window that equal others at the newest time of the previous one: some may be later copies. */
  readonly copiesInDoubt: number;
};

/** No line left. */
export const nothingLeft: Departure = {
  leftCount: 0,
  newestLeft: undefined,
  keptNone: false,
  hasHole: false,
  taken: undefined,
  isMixed: false,
  copiesInDoubt: 0,
};

/**
 * Compares two windows. `overlap` is the number of lines at the end of the first that repeat at the front of the
 * second; 0 if unknown. `banners`: lines of the first that the service stamps again; that they left says nothing.
 */
export function* compareWindows(
  before: ReadWindow,
  now: ReadWindow,
  overlap: number,
  banners: ReadonlySet<string>,
): Work<Departure> {
  if (overlap > 0) {
    // Aligned: what left was at the front, so there is no hole.
    const leftCount = before.received.length - overlap;
    return {...nothingLeft, leftCount, newestLeft: newestOf(eachLine(before.received, 0, leftCount))};
  }
  const firstKeptIndex = yield* indexOfFirstKept(before, now);
  const leaving = yield* linesThatLeft(before, now, banners);
  const {newestLeft, leftCount, lastIndex, hasNewAmongKept, hasNewAheadOfTie, stayedAmongLeft} = leaving;
  const isUnsorted = hasNewAmongKept && !now.cameSorted;
  const olderCount = countOlder(now.lines, newestLeft);
  const hasHole = firstKeptIndex !== undefined && lastIndex > firstKeptIndex;
  return {
    leftCount,
    newestLeft,
    keptNone: firstKeptIndex === undefined,
    copiesInDoubt: yield* countCopiesInDoubt(before, now),
    hasHole: isUnsorted ? olderCount > 0 && firstKeptIndex !== undefined : hasHole,
    taken:
      stayedAmongLeft && (olderCount > countBanner(before, now) || (before.cameSorted && !hasNewAmongKept))
        ? {last: before.raws.at(lastIndex) ?? '', after: extentAfter(before, lastIndex, newestLeft), olderCount}
        : undefined,
    isMixed: isUnsorted || hasNewAheadOfTie,
  };
}

/** Counts the lines at the front of both windows if they are as few as a banner has. */
const countBanner = (before: ReadWindow, now: ReadWindow): number => {
  let count = 0;
  while (count <= bannerLinesMax && count < now.received.length && before.raws.at(count) === now.raws.at(count)) {
    count += 1;
  }
  return count > bannerLinesMax ? 0 : count;
};

const countOlder = (lines: WindowLines, at: Instant | undefined): number =>
  at === undefined ? 0 : firstIndexWhere(lines.length, index => (lines.timeAt(index) ?? 0n) >= at);

/** Returns what follows a line: as received, or by time where the order received may be of parts, whichever is more. */
const extentAfter = (before: ReadWindow, index: number, at: Instant | undefined): Extent => {
  const after = before.received.length - 1 - index;
  const newer = before.cameSorted ? 0 : before.lines.length - 1 - countOlder(before.lines, at);
  const lines = newer > after ? before.lines : before.received;
  const count = Math.max(after, newer);
  return {lines: count, characters: measureTexts(lines.raws, lines.length - count).characters};
};

/**
 * Counts copies that may be new: a coarse clock gives many lines the same time, and a service may log the same text
 * many times within it.
 */
function* countCopiesInDoubt(before: ReadWindow, now: ReadWindow): Work<number> {
  const newestAt = before.lines.timeAt(before.lines.length - 1);
  function* copies(lines: WindowLines): Work<Map<string, number>> {
    const counts = new Map<string, number>();
    for (let index = lines.length - 1; index >= 0; index--) {
      const line = lines.get(index);
      if (line === undefined || newestAt === undefined || line.at < newestAt) {
        break;
      }
      // Newer lines have no equals among those of that time.
      if (line.at === newestAt) {
        counts.set(line.key, (counts.get(line.key) ?? 0) + (line.textIndex === 0 ? 0 : 1));
      }
      if (index % linesPerPause === 0) {
        yield;
      }
    }
    return counts;
  }
  const held = yield* copies(before.lines);
  let inDoubt = 0;
  for (const [key, count] of yield* copies(now.lines)) {
    inDoubt += count > 1 ? Math.min(count, held.get(key) ?? 0) : 0;
  }
  return inDoubt;
}

type Left = {
  readonly leftCount: number;
  /** The newest time of those with a readable timestamp. */
  readonly newestLeft: Instant | undefined;
  /** The index of the last one with a readable timestamp; -1 if there is none. */
  readonly lastIndex: number;
  /** A line that is not in the first window stands before one that is. */
  readonly hasNewAmongKept: boolean;
  /** One that has the same time. */
  readonly hasNewAheadOfTie: boolean;
  /** A line stayed after one that left and ahead of another, or more did ahead of all than a banner has lines. */
  readonly stayedAmongLeft: boolean;
};

/**
 * Returns a function that tells whether a line of the first window can have an equal in the second: equal lines have
 * equal times, so a line older than the whole second window has none. This keeps most lines of a large window out of
 * the tables below.
 */
const mayBeKept = (now: ReadWindow): ((line: WindowLine) => boolean) => {
  const oldestAt = now.lines.timeAt(0);
  return ({at, textIndex}) => oldestAt !== undefined && (textIndex === 0 || at >= oldestAt);
};

/** Returns a function that tells whether a line shows anything: one without a timestamp only if no other has one. */
const isEvidenceIn = (before: ReadWindow, now: ReadWindow): ((line: WindowLine) => boolean) => {
  const hasNone = !before.received.hasStamp() && !now.received.hasStamp();
  return ({textIndex}) => hasNone || textIndex !== 0;
};

/** Finds the lines that occur more often in the first window. Of equal lines, the oldest leave first. */
function* linesThatLeft(before: ReadWindow, now: ReadWindow, banners: ReadonlySet<string>): Work<Left> {
  const [isCandidate, isEvidence] = [mayBeKept(now), isEvidenceIn(before, now)];
  const surplus = new Map<string, number>();
  yield* visitEach(eachLine(before.received), ([, line]) => {
    if (isCandidate(line)) {
      surplus.set(line.key, (surplus.get(line.key) ?? 0) + 1);
    }
  });
  let [hasNewAmongKept, hasNewAheadOfTie] = [false, false];
  let newAt: Instant | undefined;
  if (surplus.size > 0) {
    for (const [index, {key, at}] of eachLine(now.received)) {
      const count = surplus.get(key);
      if (count !== undefined) {
        surplus.set(key, count - 1);
        hasNewAmongKept ||= newAt !== undefined;
        hasNewAheadOfTie ||= newAt === at;
      } else {
        newAt = at;
      }
      if (index % linesPerPause === 0) {
        yield;
      }
    }
  }
  let newestLeft: Instant | undefined;
  let leftCount = 0;
  let lastIndex = -1;
  let stayedCount = 0;
  let [isPrefix, stayedAmongLeft] = [true, false];
  for (const [index, line] of eachLine(before.received)) {
    const more = isCandidate(line) ? (surplus.get(line.key) ?? 0) : undefined;
    if (more !== undefined && more > 0) {
      surplus.set(line.key, more - 1);
    }
    if (more === undefined || more > 0) {
      leftCount += 1;
      if (isEvidence(line) && !banners.has(line.raw)) {
        newestLeft = newestLeft === undefined || line.at > newestLeft ? line.at : newestLeft;
        lastIndex = index;
        stayedAmongLeft ||= isPrefix ? stayedCount > bannerLinesMax : stayedCount > 0;
        stayedCount = isPrefix ? 0 : stayedCount;
        isPrefix = false;
      }
    } else if (isEvidence(line)) {
      stayedCount += 1;
    }
    if (index % linesPerPause === 0) {
      yield;
    }
  }
  return {newestLeft, leftCount, lastIndex, hasNewAmongKept, hasNewAheadOfTie, stayedAmongLeft};
}

/**
 * Returns the index in the previous window of the first line that both windows have. Of equal lines the last index
 * counts: an equal line later in this window may be a newer copy.
 */
function* indexOfFirstKept(before: ReadWindow, now: ReadWindow): Work<number | undefined> {
  const [isCandidate, isEvidence] = [mayBeKept(now), isEvidenceIn(before, now)];
  const places = new Map<string, number>();
  yield* visitEach(eachLine(before.received), ([index, line]) => {
    if (isEvidence(line) && isCandidate(line)) {
      places.set(line.key, index);
    }
  });
  for (const [index, {key}] of places.size === 0 ? [] : eachLine(now.received)) {
    const place = places.get(key);
    if (place !== undefined) {
      return place;
    }
    if (index % linesPerPause === 0) {
      yield;
    }
  }
  return undefined;
}

const newestOf = (lines: Iterable<readonly [index: number, line: WindowLine]>): Instant | undefined => {
  let newest: Instant | undefined;
  for (const [, {at, textIndex}] of lines) {
    newest = textIndex !== 0 && (newest === undefined || at > newest) ? at : newest;
  }
  return newest;
};
