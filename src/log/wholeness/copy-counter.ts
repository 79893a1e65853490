import {firstIndexWhere} from '#log/buffer/buffer.ts';
import type {Instant} from '#log/line/instant.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import type {WindowLine, WindowLines} from '#log/window/window-lines.ts';

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
