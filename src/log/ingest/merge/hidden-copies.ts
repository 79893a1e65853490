import type {LineEntry} from '#log/line/entry.ts';
import {type ReadWindow, readLine, unreadableLine} from '#log/window/window-line.ts';
import {eachLine, type WindowLine} from '#log/window/window-lines.ts';
import type {Added} from '../added.ts';
import type {Banners, FrontInput} from '../completeness/find-front.ts';

/** A line that is held once may be sent again; one that was written twice with one time is written like that often. */
const copiesMin = 2;

/**
 * Finds the lines that came while an equal one left, so that only the numbers tell of them: `growth` came, of which
 * `cameCount` are new by their texts, `added` among them. If lines leave a window from its front, as many left as it
 * has room for, and what is there of each text beyond those that stayed has come. If others leave, too, so many in a
 * row have come without which all lines are there as before, or those behind lines that are new. Where none of that is
 * as many as came, some of the lines that have copies did, and none is found. A banner that is stamped again has no
 * number.
 */
export const findHiddenCopies = (
  before: ReadWindow,
  now: ReadWindow,
  {
    growth,
    cameCount,
    added,
    countHeld,
    banners,
  }: {
    readonly growth: number;
    readonly cameCount: number;
    readonly added: Added<LineEntry>;
    readonly countHeld: FrontInput['countHeld'];
    readonly banners: Banners;
  },
): readonly WindowLine[] => {
  const entries = added.filter(({raw}) => !banners.now.has(raw));
  const missing = growth - cameCount + (added.length - entries.length);
  if (missing <= 0) {
    return [];
  }
  const [had, has] = [linesOf(before, banners.before), linesOf(now, banners.now)];
  const [were, are] = [countKeys(had), countKeys(has)];
  const lines = new Map(has.map(line => [line.key, line]));
  const isCopied = (key: string): boolean => {
    const line = lines.get(key);
    return (
      line !== undefined && Math.max(were.get(key) ?? 0, are.get(key) ?? 0, countHeld(line, copiesMin)) >= copiesMin
    );
  };
  // A line that has no copies is not written again with the same time, unless it has none and had left.
  const mayHaveCome = (key: string): boolean => isCopied(key) || (lines.get(key)?.textIndex === 0 && !were.has(key));
  for (const came of candidates(had, has, {were, are, growth})) {
    for (const {at, raw} of entries) {
      const key = readLine(raw)?.key ?? unreadableLine(raw, at).key;
      came.set(key, (came.get(key) ?? 0) - 1);
    }
    const hidden = [...came].reduce((sum, [, count]) => sum + Math.max(0, count), 0);
    if (hidden === missing && [...came].every(([key, count]) => count === 0 || (count > 0 && mayHaveCome(key)))) {
      return [...eachLine(now.lines)].flatMap(([, line]) => {
        const count = came.get(line.key) ?? 0;
        came.set(line.key, 0);
        return Array.from({length: count}, () => line);
      });
    }
  }
  return [];
};

type Lines = readonly WindowLine[];
type Counts = Map<string, number>;

const linesOf = ({received}: ReadWindow, banners: ReadonlySet<string>): Lines =>
  Array.from(eachLine(received), ([, line]) => line).filter(({raw}) => !banners.has(raw));

/** Tells, in turn, what may have come: so many lines of each key. */
function* candidates(
  before: Lines,
  now: Lines,
  {were, are, growth}: {readonly were: Counts; readonly are: Counts; readonly growth: number},
): Generator<Counts> {
  const leftCount = before.length + growth - now.length;
  const front = before[0]?.key ?? '';
  const staysAhead = leftCount > 0 && front === now[0]?.key && were.get(front) === 1 && are.get(front) === 1;
  if (leftCount >= 0 && leftCount <= before.length && !staysAhead) {
    const left = countKeys(before.slice(0, leftCount));
    yield new Map([...are].map(([key, count]) => [key, count - ((were.get(key) ?? 0) - (left.get(key) ?? 0))]));
  }
  // The newest lines are the last, the first, or the last of a part that others follow.
  const last = now.length - growth;
  for (const from of new Set([last, 0, last - countEqualEnd(before, now)])) {
    if (from >= 0 && staysWithout(before, now, from, from + growth)) {
      yield countKeys(now.slice(from, from + growth));
    }
  }
  yield countKeys(behindNew(now, {were, are}));
}

/** Returns the lines that are new and the copies behind them, up to one that was there: parts end with what is new. */
const behindNew = (now: Lines, {were, are}: {were: Counts; are: Counts}): Lines => {
  let isBehind = false;
  return now.filter(({key}) => {
    const [had, has] = [were.get(key) ?? 0, are.get(key) ?? 0];
    isBehind = had === 0 || (isBehind && Math.max(had, has) >= copiesMin);
    return isBehind;
  });
};

const countEqualEnd = (before: Lines, now: Lines): number => {
  let count = 0;
  while (count < before.length && now.at(-1 - count)?.key === before.at(-1 - count)?.key) {
    count += 1;
  }
  return count;
};

/** Checks whether the lines of a window but some in a row were there before, in that order. */
const staysWithout = (before: Lines, now: Lines, from: number, to: number): boolean => {
  let place = 0;
  for (const {key} of [...now.slice(0, from), ...now.slice(to)]) {
    while (place < before.length && before[place]?.key !== key) {
      place += 1;
    }
    if (place === before.length) {
      return false;
    }
    place += 1;
  }
  return true;
};

const countKeys = (lines: Lines): Counts => {
  const counts: Counts = new Map();
  for (const {key} of lines) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};
