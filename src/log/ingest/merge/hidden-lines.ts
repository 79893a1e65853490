import type {Arrivals} from '#log/window/window-claims.ts';
import {
  type AccountInput,
  type Counted,
  type Counts,
  countIn,
  countKeys,
  isUnstamped,
  type Keyed,
  keyed,
  sumOf,
} from './counts.ts';

/** A line that is held once may be sent again; one that was written twice with one time is written like that often. */
export const copiesMin = 2;

type Input = Pick<
  AccountInput,
  'before' | 'now' | 'banners' | 'least' | 'arrivals' | 'counted' | 'cut' | 'itemCount' | 'kind'
>;

/**
 * Finds which lines came that are new by the numbers only, of which equal ones left: `added` and `missing` more.
 * Undefined where nothing tells it. All above `dropped` are there, so that
 * - where none below is, what follows the lines that stayed has come
 * - only lines below can have left, and that number itself has
 * - equal lines came if they have copies and only one distribution of those that left explains it.
 */
export const placeHidden = (input: Input, added: Counts, missing: number): Counts | undefined => {
  const {before, now, banners, least, arrivals, counted, cut, itemCount, kind} = input;
  const [had, has] = [keyed(before, banners.before), keyed(now, banners.now)];
  const [were, are] = [countOf(had), countOf(has)];
  const sure = new Map(
    [...are].map(([key, count]) => [key, Math.max(countIn(added, key), count - countIn(were, key))] as const),
  );
  const isSure = sumOf(sure) <= least;
  /** So many came at least. */
  const base = isSure ? sure : added;
  const wanted = isSure ? least - sumOf(sure) : missing;
  const finish = (extra: Counts): Counts =>
    new Map([...are.keys()].map(key => [key, countIn(base, key) + countIn(extra, key)]));
  if (wanted === 0) {
    return finish(new Map());
  }
  const {last, dropped} = arrivals.now;
  const oldCount = Math.max(0, had.length - Math.max(0, arrivals.before.last - dropped));
  const stayedCount = Math.max(0, itemCount - (last - dropped));
  const joined = kind === 'joins' && stayedCount === 0 ? withoutStayed(had, has, oldCount) : undefined;
  if (joined !== undefined) {
    return finish(new Map([...countOf(joined)].map(([key, count]) => [key, count - countIn(base, key)])));
  }
  const isCopied = (key: string): boolean =>
    Math.max(
      countIn(counted.copies, key),
      countIn(are, key) - countIn(were, key),
      isUnstamped(key) ? Math.max(countIn(were, key), countIn(are, key)) : 0,
    ) >= copiesMin;
  /** So many more of each may have come if no more than so many of it can have left. */
  const roomFor = (leavable: (key: string) => number): Counts =>
    new Map(
      [...are].map(([key, count]) => {
        const most = Math.min(count, leavable(key) - countIn(were, key) + count);
        return [key, Math.max(0, most - countIn(base, key))];
      }),
    );
  const staying = stayingAbove(counted.came, dropped);
  const leavable = (key: string): number =>
    dropped === 0 ? 0 : Math.max(0, countIn(were, key) - countIn(staying, key));
  const all = roomFor(leavable);
  const room = withRoom(all, isCopied);
  if (room.size === 0) {
    return undefined;
  }
  const front = had[0]?.key ?? '';
  const staysAhead = front === has[0]?.key && countIn(were, front) === 1 && countIn(are, front) === 1;
  const hasLeft = (key: string): boolean => countIn(were, key) - countIn(are, key) + countIn(base, key) > 0;
  const lastLeft = ofLastDropped(counted.came, arrivals);
  const isParted = cut === 'pod' || cut === 'source';
  const way =
    (staysAhead && !isParted ? undefined : onlyWay(room, wanted, lastLeft, hasLeft)) ?? inOrder() ?? behindOthers();
  return way && finish(way);

  /** Where windows list lines as they came, those that left are the oldest, the last one dropped the newest of them. */
  function inOrder(): Counts | undefined {
    // A few of quiet sources may stay ahead of them.
    const ahead = staysAhead ? stayedCount : 0;
    const oldest = countOf(had.slice(ahead, oldCount));
    const lastKey = had[oldCount - 1]?.key;
    const isInOrder =
      kind === 'joins' &&
      oldCount > stayedCount &&
      had.slice(0, ahead).every(({key}, index) => key === has[index]?.key) &&
      [...were].every(([key, count]) => count - countIn(are, key) + countIn(base, key) <= countIn(oldest, key));
    const isDropped = lastKey !== undefined && dropped > arrivals.before.dropped;
    const first = isDropped ? new Map([[lastKey, 1]]) : undefined;
    return isInOrder
      ? onlyWay(
          withRoom(
            roomFor(key => Math.min(leavable(key), countIn(oldest, key))),
            isCopied,
          ),
          wanted,
          first,
          hasLeft,
        )
      : undefined;
  }

  /** Where parts follow each other, what came is in a row, or behind what is new by its text. */
  function behindOthers(): Counts | undefined {
    const ways = [...rowsWithout(had, has, least), behindNew(has, {were, are})].map(
      lines => new Map([...countOf(lines)].map(([key, count]) => [key, count - countIn(base, key)] as const)),
    );
    return ways.find(
      extra =>
        sumOf(extra) === wanted &&
        [...are.keys()].every(key => {
          const count = extra.get(key) ?? -countIn(base, key);
          return count === 0 || (count > 0 && count <= countIn(room, key));
        }) &&
        (lastLeft === undefined || [...lastLeft.keys()].some(key => hasLeft(key) || countIn(extra, key) > 0)),
    );
  }
};

/** Returns as many lines in a row as came, without which a window has none that was not there, in the same order. */
function* rowsWithout(had: readonly Keyed[], has: readonly Keyed[], count: number): Generator<readonly Keyed[]> {
  const last = has.length - count;
  let equalEnd = 0;
  while (equalEnd < had.length && has.at(-1 - equalEnd)?.key === had.at(-1 - equalEnd)?.key) {
    equalEnd += 1;
  }
  for (const from of new Set([last, 0, last - equalEnd])) {
    if (from >= 0 && areWithin([...has.slice(0, from), ...has.slice(from + count)], had)) {
      yield has.slice(from, from + count);
    }
  }
}

const areWithin = (some: readonly Keyed[], all: readonly Keyed[]): boolean => {
  let place = 0;
  return some.every(({key}) => {
    while (place < all.length && all[place]?.key !== key) {
      place += 1;
    }
    place += 1;
    return place <= all.length;
  });
};

/** Returns the lines that are new and the copies behind them, up to one that was there: parts end with what is new. */
const behindNew = (has: readonly Keyed[], {were, are}: Record<'were' | 'are', Counts>): readonly Keyed[] => {
  let isBehind = false;
  return has.filter(({key}) => {
    isBehind = countIn(were, key) === 0 || (isBehind && Math.max(countIn(were, key), countIn(are, key)) >= copiesMin);
    return isBehind;
  });
};

const countOf = (lines: readonly Keyed[]): Counts => countKeys(lines.map(({key}) => key));

const withRoom = (room: Counts, isMeant: (key: string) => boolean): Counts =>
  new Map([...room].filter(([key, count]) => count > 0 && isMeant(key)));

/** Counts the lines of which the numbers are above one that was dropped. */
const stayingAbove = (came: Counted['came'], dropped: number): Counts => {
  const staying = new Map<string, number>();
  for (const {above, counts} of came) {
    for (const [key, count] of above >= dropped ? counts : []) {
      staying.set(key, countIn(staying, key) + count);
    }
  }
  return staying;
};

/** Returns the lines among which the last one that was dropped was, if it has left since the answer before. */
const ofLastDropped = (came: Counted['came'], {before, now}: Record<'before' | 'now', Arrivals>): Counts | undefined =>
  now.dropped > before.dropped && now.dropped <= before.last
    ? came.find(({above}) => above < now.dropped)?.counts
    : undefined;

/** Returns what is there behind the lines that stayed, or ahead of them where the newest come first. */
const withoutStayed = (
  had: readonly Keyed[],
  has: readonly Keyed[],
  oldCount: number,
): readonly Keyed[] | undefined => {
  const count = had.length - oldCount;
  if (count === 0 || count > has.length) {
    return undefined;
  }
  const from = has.length - count;
  const [last, first] = [had.slice(oldCount), had.slice(0, count)];
  return last.every(({key}, index) => key === has[index]?.key)
    ? has.slice(count)
    : first.every(({key}, index) => key === has[from + index]?.key)
      ? has.slice(0, from)
      : undefined;
};

/**
 * Distributes lines over keys with so much room each, if there is one way only. One of `first` is among them unless one
 * of these has left anyway.
 */
const onlyWay = (
  room: Counts,
  wanted: number,
  first: Counts | undefined,
  hasLeft: (key: string) => boolean,
): Counts | undefined => {
  const due =
    first === undefined || [...first.keys()].some(hasLeft) ? [] : [...room.keys()].filter(key => first.has(key));
  const given = new Map(due.length === 1 ? due.map(key => [key, 1] as const) : []);
  const left = wanted - sumOf(given);
  const rest = [...room]
    .map(([key, count]) => [key, count - countIn(given, key)] as const)
    .filter(([, count]) => count > 0);
  const more =
    left === 0
      ? []
      : sumOf(new Map(rest)) === left
        ? rest
        : rest.length === 1
          ? rest.map(([key, count]) => [key, Math.min(count, left)] as const)
          : [];
  const way = new Map([...given, ...more.map(([key, count]) => [key, count + countIn(given, key)] as const)]);
  return sumOf(way) === wanted ? way : undefined;
};
