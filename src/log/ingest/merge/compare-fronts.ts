import {entryAt, firstIndexWhere, indexAtOrAfter} from '#log/buffer/buffer.ts';
import type {Instant} from '#log/line/instant.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import {eachLine} from '#log/window/window-lines.ts';
import type {Work} from '#log/work.ts';
import type {BranchLog, LogWindow} from '../branch-log.ts';
import {compareWindows, type Departure, nothingLeft} from '../completeness/departure.ts';
import {
  type Banners,
  countStayed,
  createCopyCounter,
  type FrontInput,
  findFront,
  joinedBy,
  type WindowFront,
} from '../completeness/find-front.ts';
import {findOverlap} from '../window/overlap.ts';
import {identityWithin} from './merge.ts';

type Fronts = {
  readonly departure: Departure;
  /** The previous window continues this one, which is an older answer. */
  readonly isOlder: boolean;
  readonly stayedCount: number;
  readonly front: WindowFront;
};

/** Compares a window with the one before it, as far as anything rests on that: numbers make it needless. */
export function* compareFronts(
  log: BranchLog,
  now: ReadWindow,
  {
    overlap,
    podsExplain,
    isGuessed,
    banners,
  }: {overlap: number; podsExplain: boolean; isGuessed: boolean; banners: Banners},
): Work<Fronts> {
  const before = log.recent[0];
  if (before === undefined || !isGuessed) {
    return {departure: nothingLeft, isOlder: false, stayedCount: 0, front: {kind: 'none'}};
  }
  const departure = yield* compareWindows(before, now, overlap, banners.before);
  const stayedCount = departure.leftCount === 0 ? 0 : yield* countStayed(before, now);
  const front = yield* findFront({
    before,
    now,
    stayedCount: podsExplain ? Math.min(stayedCount, log.learned.bannerLines) : stayedCount,
    countHeld: createHeldCounter(log),
    // Where times only rise, new lines ahead of held ones may as well be all that is left beside ones sent again.
    isMixed: departure.isMixed && (!now.cameSorted || log.learned.sawMixed),
    overlap,
  });
  const isOlder = overlap === 0 && now.received.length <= before.received.length && (yield* isContinuedBy(now, before));
  return {departure, isOlder, stayedCount, front};
}

/** Checks whether a window begins with lines that another ends with: two different ones, or one that has no copies. */
function* isContinuedBy(older: ReadWindow, newer: ReadWindow): Work<boolean> {
  const shared = yield* findOverlap(older.raws, newer.raws);
  const first = newer.received.get(0);
  const isSingle =
    shared === 1 &&
    first !== undefined &&
    first.textIndex !== 0 &&
    createCopyCounter(older)(first) === 1 &&
    createCopyCounter(newer)(first) === 1;
  return isSingle || joinedBy(newer, shared) !== undefined;
}

/** Creates a function that counts the copies of a line that are held or were recently; it stops at `enough`. */
export const createHeldCounter = ({buffer, recent}: BranchLog): FrontInput['countHeld'] => {
  const counters = recent.map(createCopyCounter);
  return (line, enough) => {
    let most = 0;
    for (const countCopies of counters) {
      most = Math.max(most, countCopies(line));
      if (most >= enough) {
        return most;
      }
    }
    const identity = identityWithin(line);
    let held = 0;
    for (let index = indexAtOrAfter(buffer, line.at); ; index++) {
      const entry = entryAt(buffer, index);
      if (entry?.at !== line.at) {
        return Math.max(most, held);
      }
      held += entry.kind === 'line' && identityWithin(entry) === identity ? 1 : 0;
    }
  };
};

/** Checks whether a window with lower numbers than before shows a line that is not held, later than a time. */
export const showsNewer = (log: BranchLog, now: ReadWindow, {arrivals}: LogWindow, after: Instant): boolean => {
  if (log.arrivals === undefined || arrivals === undefined || arrivals.last >= log.arrivals.last) {
    return true;
  }
  const [countHeld, countNow] = [createHeldCounter(log), createCopyCounter(now)];
  const from = firstIndexWhere(now.lines.length, index => (now.lines.timeAt(index) ?? after) > after);
  return [...eachLine(now.lines, from)].some(([, line]) => countHeld(line, countNow(line)) < countNow(line));
};
