import {firstIndexWhere} from '#log/buffer/buffer.ts';
import type {Instant} from '#log/line/instant.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import {eachLine, type WindowLine, type WindowLines} from '#log/window/window-lines.ts';
import {linesPerPause, type Work} from '#log/work.ts';

/** Steps to the next line's time before a search for it: lines are asked for in order, most of them neighbours. */
const stepsMax = 4;

/**
 * Creates a function that counts the copies of a line in a window. Remembers the time it was asked for last, so that
 * each line of a thousand with one time is not compared with all of them; quickest for lines in order of time.
 */
export const createCopyCounter = ({lines}: ReadWindow): ((line: WindowLine) => number) => {
  let start = 0;
  let end = 0;
  /** The copies of each line with this time. Undefined: a single line has it, or none. */
  let counts: ReadonlyMap<string, number> | undefined;
  let lastAt: Instant | undefined;

  const timeFrom = (index: number): Instant => lines.timeAt(index) ?? 0n;
  const goTo = (at: Instant): void => {
    start = lastAt !== undefined && at > lastAt ? end : 0;
    for (let steps = 0; steps < stepsMax && start < lines.length && timeFrom(start) < at; steps++) {
      start += 1;
    }
    if (start < lines.length && timeFrom(start) < at) {
      start += firstIndexWhere(lines.length - start, index => timeFrom(start + index) >= at);
    }
    end = start;
    while (lines.timeAt(end) === at) {
      end += 1;
    }
    counts = end - start > 1 ? countKeys(lines, start, end) : undefined;
    lastAt = at;
  };

  return ({at, key}) => {
    if (at !== lastAt) {
      goTo(at);
    }
    return counts === undefined ? Number(end > start && lines.hasKey(start, key)) : (counts.get(key) ?? 0);
  };
};

const countKeys = (lines: WindowLines, start: number, end: number): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (let index = start; index < end; index++) {
    const key = lines.get(index)?.key ?? '';
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

/** Counts the copies of a line at or below the eviction floor that the last windows show were handed out. */
export const createSeenCounter = (
  recent: readonly ReadWindow[],
  podsExplain: boolean,
): ((line: WindowLine) => number) => {
  const oldest = recent[0]?.lines.timeAt(0);
  const counters = recent.map(createCopyCounter);
  return line =>
    podsExplain && oldest !== undefined && line.at < oldest
      ? // A pod that went away leaves room for older lines of the others: they come again and are not late.
        Number.POSITIVE_INFINITY
      : counters.reduce((most, count) => Math.max(most, count(line)), 0);
};

/** The evidence of the first line of a window: it was already held, it is new, or no line shows anything. */
export type WindowFront =
  | {readonly kind: 'held'; readonly line: WindowLine}
  | {readonly kind: 'new'; readonly line: WindowLine}
  | {readonly kind: 'none'};

export type FrontInput = {
  readonly before: ReadWindow;
  readonly now: ReadWindow;
  /** Lines at the front that prove nothing, see `countStayed`. */
  readonly stayedCount: number;
  /** Counts the copies of a line held before this window; stops at `enough`. */
  readonly countHeld: (line: WindowLine, enough: number) => number;
  /** The order received says nothing: goes by time. */
  readonly isMixed: boolean;
  /** Lines at the end of the first window that the second begins with; 0 if unknown. */
  readonly overlap: number;
};

/** This many lines in a row are not sent a second time by chance. */
const resentLinesMax = 2;
/** No known service writes more lines of its own ahead of a window. */
export const bannerLinesMax = 4;

/**
 * Finds the line that decides whether the window continues what is held. A window is cut from the end of a log, so if
 * its first line was already held, everything after that line is present.
 *
 * Skips lines that prove nothing either way:
 * - lines without a timestamp
 * - lines that stayed at the front although lines after them left (a banner or a quiet source)
 * - a line that differs from the one in the same place before only in its stamp (a banner that is stamped again)
 * - new lines older than the whole previous window (the window reaches further back, or a stamp is forged)
 * - a few lines held of old that the previous window did not have: a service that delivers twice sends them again. More
 *   of them in a row are the front, and the previous answer was an older one.
 */
export function* findFront(input: FrontInput): Work<WindowFront> {
  const {before, now, stayedCount, countHeld, isMixed, overlap} = input;
  const joined = joinedBy(now, overlap);
  if (joined !== undefined) {
    return {kind: 'held', line: joined};
  }
  const oldestBefore = before.lines.timeAt(0);
  const countCopies = createCopyCounter(now);
  const countBefore = createCopyCounter(before);
  const lines = isMixed ? now.lines : now.received;
  let banners = 0;
  let known: WindowLine | undefined;
  let knownCount = 0;
  let doubtful: WindowLine | undefined;
  /**
   * A line that has copies: the held ones may be other copies, so the next line without copies decides, if there is
   * one.
   */
  let copy: WindowLine | undefined;
  for (let index = isMixed ? 0 : stayedCount; index < lines.length; index++) {
    const line = lines.get(index);
    if (line === undefined || line.textIndex === 0) {
      continue;
    }
    if (doubtful !== undefined && line.at !== doubtful.at) {
      break;
    }
    yield;
    const copies = countCopies(line);
    const held = countHeld(line, copies);
    if (held >= copies && countBefore(line) === 0) {
      known ??= line;
      knownCount += 1;
      if (knownCount < resentLinesMax) {
        continue;
      }
      return {kind: 'held', line: known};
    }
    knownCount = 0;
    if (held >= copies && copies > 1) {
      copy ??= line;
      continue;
    }
    if (held >= copies) {
      return {kind: 'held', line: copy ?? line};
    }
    if (held > 0) {
      // Some of these copies are new, and it is impossible to tell which: the next line with the same time may decide.
      doubtful ??= line;
      continue;
    }
    if (doubtful !== undefined) {
      break;
    }
    if (oldestBefore !== undefined && line.at < oldestBefore) {
      continue;
    }
    if (isMixed) {
      // Nobody knows the order of lines of one time: one that was held shows that all that came after it are there.
      const tie = findTie(lines, index, each => countBefore(each) === 1 && countCopies(each) === 1);
      if (tie !== undefined) {
        return {kind: 'held', line: tie};
      }
    }
    const place = before.received.get(index);
    if (banners < bannerLinesMax && place !== undefined && (yield* isStampedAnew(before, place, now, line))) {
      banners += 1;
      continue;
    }
    return {kind: 'new', line: copy ?? line};
  }
  if (doubtful !== undefined) {
    return {kind: 'new', line: doubtful};
  }
  return copy === undefined ? {kind: 'none'} : {kind: 'held', line: copy};
}

/** Returns the first of the lines of the time of the one at an index that are like that; not of a few: see above. */
const findTie = (
  lines: WindowLines,
  from: number,
  isLikeThat: (line: WindowLine) => boolean,
): WindowLine | undefined => {
  const at = lines.timeAt(from);
  let first: WindowLine | undefined;
  let count = 0;
  for (let index = from + 1; lines.timeAt(index) === at; index++) {
    const line = lines.get(index);
    if (line !== undefined && line.textIndex !== 0 && isLikeThat(line)) {
      first ??= line;
      count += 1;
      if (count >= resentLinesMax) {
        return first;
      }
    }
  }
  return undefined;
};

/** This many different texts in the same order are no chance, even without a stamp. */
const unstampedTextsMin = 3;

/**
 * Checks whether lines that two windows share, from one to before another, show that the windows overlap. Lines without
 * a stamp can be equal by chance, unless the service sends no others and the texts differ.
 */
export const isNoChance = (lines: WindowLines, from: number, to = lines.length): boolean =>
  lines.hasStamp(from, to) || (new Set(lines.raws.slice(from, to)).size >= unstampedTextsMin && !lines.hasStamp());

/**
 * Returns the front if two different lines, however many copies they have, stand in the same order at the end of one
 * window and at the front of the next.
 */
export const joinedBy = ({received}: ReadWindow, overlap: number): WindowLine | undefined => {
  let first: WindowLine | undefined;
  for (const [, line] of eachLine(received, 0, overlap)) {
    if (line.textIndex !== 0 && first !== undefined && line.key !== first.key) {
      return first;
    }
    first ??= line.textIndex === 0 ? undefined : line;
  }
  return first === undefined && isNoChance(received, 0, overlap) ? received.get(0) : undefined;
};

export type Banners = {readonly before: ReadonlySet<string>; readonly now: ReadonlySet<string>};

/** Returns the lines at the front that get a new timestamp in each window, as they were and as they are. */
export function* findBanners(before: ReadWindow | undefined, now: ReadWindow): Work<Banners> {
  const banners = {before: new Set<string>(), now: new Set<string>()};
  for (let index = 0; index < bannerLinesMax; index++) {
    const [place, line] = [before?.received.get(index), now.received.get(index)];
    const isBanner =
      before !== undefined &&
      place !== undefined &&
      line !== undefined &&
      (yield* isStampedAnew(before, place, now, line));
    if (isBanner) {
      banners.before.add(place.raw);
      banners.now.add(line.raw);
    }
  }
  return banners;
}

/**
 * Counts the equal lines at the front of both windows, up to the first line that has copies: other copies may have
 * left.
 */
export function* countStayed(before: ReadWindow, now: ReadWindow): Work<number> {
  const countCopies = createCopyCounter(before);
  let length = 0;
  for (;;) {
    const line = now.received.get(length);
    if (line === undefined || line.key !== before.received.get(length)?.key || countCopies(line) > 1) {
      return length;
    }
    length += 1;
    yield;
  }
}

/** A banner's text occurs once per window; a text that occurs more often is a repeating log line. */
function* isStampedAnew(before: ReadWindow, place: WindowLine, now: ReadWindow, line: WindowLine): Work<boolean> {
  return (
    place.textIndex !== 0 &&
    place.at !== line.at &&
    textOf(place) === textOf(line) &&
    (yield* isOnlyOne(before, textOf(line))) &&
    (yield* isOnlyOne(now, textOf(line)))
  );
}

function* isOnlyOne({received, raws}: ReadWindow, text: string): Work<boolean> {
  let count = 0;
  for (let index = 0; index < raws.length && count < 2; index++) {
    const line = raws.at(index)?.endsWith(text) ? received.get(index) : undefined;
    count += line !== undefined && line.textIndex !== 0 && textOf(line) === text ? 1 : 0;
    if (index % linesPerPause === 0) {
      yield;
    }
  }
  return count === 1;
}

const textOf = ({raw, textIndex}: WindowLine): string => raw.slice(textIndex);
