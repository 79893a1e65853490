import type {LineEntry} from '#log/line/entry.ts';
import {type ReadWindow, readLine, unreadableLine} from '#log/window/window-line.ts';
import {eachLine, type WindowLine, type WindowLines} from '#log/window/window-lines.ts';
import type {Added} from '../added.ts';
import type {FrontInput} from '../completeness/find-front.ts';

/**
 * Lines that came while an equal one left, so that their texts do not show it. `unplaced`: this many, of which nothing
 * tells which they are.
 */
export type HiddenCopies = {readonly lines: readonly WindowLine[]; readonly unplaced: number};

/** A line that is held once may be sent again; one that was written twice with one time is written like that often. */
const copiesMin = 2;

export const noHiddenCopies: HiddenCopies = {lines: [], unplaced: 0};

/**
 * Finds the lines that only the numbers tell: `growth` came, of which `added` are new by their texts. If lines leave a
 * window from its front, as many left as it has room for, and what is there of each text beyond those that stayed has
 * come. If others leave, too, so many in a row have come without which all lines are there as before. Where neither
 * holds, some of the lines that have copies came.
 */
export const findHiddenCopies = (
  before: ReadWindow,
  now: ReadWindow,
  {
    growth,
    cameCount,
    added,
    countHeld,
  }: {
    readonly growth: number;
    readonly cameCount: number;
    readonly added: Added<LineEntry>;
    readonly countHeld: FrontInput['countHeld'];
  },
): HiddenCopies => {
  const missing = growth - cameCount;
  if (missing <= 0) {
    return noHiddenCopies;
  }
  const [were, are] = [countKeys(before.received), countKeys(now.received)];
  // A line that has no copies is not written again with the same time, unless it has none and had left.
  const unstamped = new Set(
    [...eachLine(now.received)].flatMap(([, {key, textIndex}]) => (textIndex === 0 ? [key] : [])),
  );
  const lines = new Map([...eachLine(now.received)].map(([, line]) => [line.key, line]));
  const isCopied = (key: string): boolean => {
    const line = lines.get(key);
    return (
      line !== undefined && Math.max(were.get(key) ?? 0, are.get(key) ?? 0, countHeld(line, copiesMin)) >= copiesMin
    );
  };
  const mayHaveCome = (key: string): boolean => isCopied(key) || (unstamped.has(key) && !were.has(key));
  for (const came of candidates(before.received, now.received, {were, are, growth})) {
    for (const {at, raw} of added) {
      const key = readLine(raw)?.key ?? unreadableLine(raw, at).key;
      came.set(key, (came.get(key) ?? 0) - 1);
    }
    const hidden = [...came].reduce((sum, [, count]) => sum + Math.max(0, count), 0);
    if (hidden === missing && [...came].every(([key, count]) => count === 0 || (count > 0 && mayHaveCome(key)))) {
      const lines = [...eachLine(now.lines)].flatMap(([, line]) => {
        const count = came.get(line.key) ?? 0;
        came.set(line.key, 0);
        return Array.from({length: count}, () => line);
      });
      return {lines, unplaced: 0};
    }
  }
  return {lines: [], unplaced: [...are.keys()].some(isCopied) ? missing : 0};
};

type Counts = Map<string, number>;

/** Tells, in turn, what may have come: so many lines of each key. */
function* candidates(
  before: WindowLines,
  now: WindowLines,
  {were, are, growth}: {readonly were: Counts; readonly are: Counts; readonly growth: number},
): Generator<Counts> {
  const leftCount = before.length + growth - now.length;
  const front = before.get(0)?.key ?? '';
  const hasBanner = front === now.get(0)?.key && were.get(front) === 1 && are.get(front) === 1;
  if (leftCount >= 0 && leftCount <= before.length && !(hasBanner && leftCount > 0)) {
    const left = countKeys(before, 0, leftCount);
    yield new Map([...are].map(([key, count]) => [key, count - ((were.get(key) ?? 0) - (left.get(key) ?? 0))]));
  }
  // The newest lines are the last, the first, or the last of a part that others follow.
  const last = now.length - growth;
  for (const from of new Set([last, 0, last - countEqualEnd(before, now)])) {
    if (from >= 0 && staysWithout(before, now, from, from + growth)) {
      yield countKeys(now, from, from + growth);
    }
  }
}

const countEqualEnd = (before: WindowLines, now: WindowLines): number => {
  let count = 0;
  while (count < before.length && now.get(now.length - 1 - count)?.key === before.get(before.length - 1 - count)?.key) {
    count += 1;
  }
  return count;
};

/** Checks whether the lines of a window but some in a row were there before, in that order. */
const staysWithout = (before: WindowLines, now: WindowLines, from: number, to: number): boolean => {
  let place = 0;
  for (let index = 0; index < now.length; index++) {
    if (index < from || index >= to) {
      while (place < before.length && before.get(place)?.key !== now.get(index)?.key) {
        place += 1;
      }
      if (place === before.length) {
        return false;
      }
      place += 1;
    }
  }
  return true;
};

const countKeys = (lines: WindowLines, from = 0, to = lines.length): Counts => {
  const counts: Counts = new Map();
  for (const [, {key}] of eachLine(lines, from, to)) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};
