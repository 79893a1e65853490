import type {GapReason, LineEntry} from '../line/entry.ts';
import type {Instant} from '../line/instant.ts';
import type {Arrivals, WindowCut} from '../line/window-cut.ts';
import type {ReadWindow} from '../line/window-line.ts';
import type {Departure} from './departure.ts';
import type {WindowFront} from './find-front.ts';
import {gapRange} from './gap-range.ts';
import {latenessBesideOf} from './lateness.ts';
import {type Learned, mostOf} from './learned.ts';
import {isCutAsOne, isLessThanShare, type Share, showsClearlyLess} from './share.ts';

/** What a window says about the log between it and the previous one. */
export type Verdict =
  | {readonly kind: 'whole'}
  /**
   * The service drops lines by age, and the windows do not join: what came and went from `after` to `before` is
   * unknowable.
   */
  | {readonly kind: 'quiet'; readonly after: Instant; readonly before: Instant}
  /** Lines from `after` to `before` may be missing, both ends included, since several lines may share one time. */
  | {readonly kind: 'gap'; readonly after: Instant; readonly before: Instant; readonly reason: GapReason};

export type JudgeInput = {
  /** The last window that was not empty, or undefined. */
  readonly before: ReadWindow | undefined;
  /** Windows have been empty since `before`. */
  readonly wasEmpty: boolean;
  /** The service's clock when the log was first seen to be empty. */
  readonly emptyAt: Instant | undefined;
  readonly now: ReadWindow;
  /** How the service cuts its windows, or undefined if unknown. */
  readonly cut: WindowCut | undefined;
  /** What the service's own count says, or undefined if it does not count. */
  readonly joins: boolean | undefined;
  readonly front: WindowFront;
  readonly departure: Departure;
  /** The lines that were never held, ordered by time: those added, and those too late for the buffer. */
  readonly added: readonly LineEntry[];
  readonly tooLate: readonly LineEntry[];
  /** The newest believed time of the previous window and of this one; see `believe.ts`. */
  readonly newestBefore: Instant | undefined;
  readonly newestNow: Instant | undefined;
  readonly share: Share;
  /** What the polls have taught, except for the lateness of this window's lines. */
  readonly learned: Learned;
};

/** At most this many new lines and none of the previous window: a nearly silent log whose lines are dropped by age. */
const agedLinesMax = 2;

const whole: Verdict = {kind: 'whole'};

/** Decides whether anything may be missing. Never uses the client's clock. The rules are in `src/README.md`. */
export const judgeWindow = (input: JudgeInput): Verdict => {
  const {before, added, tooLate, joins, now, front} = input;
  const cameCount = added.length + tooLate.length;
  // Before the first line nothing can be missing, unless the service counts what it has dropped.
  const isFirst = before === undefined && joins !== false;
  if (isFirst || cameCount === 0) {
    return whole;
  }
  const reason = joins === undefined ? reasonToDoubt(input) : joins ? undefined : 'moved-on';
  if (reason === undefined) {
    return whole;
  }
  const oldestNew = added[0]?.at ?? now.lines.timeAt(0) ?? 0n;
  const newestBefore = input.newestBefore ?? input.emptyAt ?? oldestNew;
  const range = gapRange({...input, newestLeft: input.departure.newestLeft, newestBefore, reason});
  const {after, before: end, wentBack} = range;
  // A full window always holds the same amount. One that holds clearly less drops lines by age, so what came and went
  // is unknowable.
  const isAged =
    joins === undefined &&
    front.kind !== 'held' &&
    (input.wasEmpty || (input.departure.keptNone && cameCount <= agedLinesMax)) &&
    showsClearlyLess(mostOf(input.learned), now);
  return isAged
    ? {kind: 'quiet', after, before: end}
    : {kind: 'gap', after, before: end, reason: wentBack ? 'clock-back' : reason};
};

/**
 * Returns what the service's count says: whether this answer joins the one before (undefined: it does not count), and
 * whether the pods that went away were read to their end. One that was not, and that no answer has shown, leaves no
 * marker of its own: then the answers do not join.
 */
export const judgeArrivals = (
  before: Arrivals | undefined,
  now: Arrivals | undefined,
  didPodsGo: boolean,
): {readonly joins: boolean | undefined; readonly podsAreRead: boolean} => {
  const joins = joinsByCount(before, now);
  const isRead = (now?.unread ?? 0) <= (before?.last ?? 0);
  return {joins: joins && (isRead || didPodsGo), podsAreRead: joins === true && isRead};
};

/**
 * Checks whether two answers of a service that numbers its lines join. Returns undefined if their numbers can't be
 * compared.
 */
export const joinsByCount = (before: Arrivals | undefined, now: Arrivals | undefined): boolean | undefined =>
  before === undefined ||
  now === undefined ||
  now.series !== before.series ||
  // An older answer, or a service that was reset to an older state: its numbers say nothing.
  now.last < before.last
    ? undefined
    : now.dropped <= before.last;

/** Returns why something may be missing, or undefined if nothing is. */
const reasonToDoubt = (input: JudgeInput): GapReason | undefined => {
  const {cut, front, share, learned, now, departure, before, wasEmpty} = input;
  const isOne = isCutAsOne(cut, share);
  const isBelowShare = isLessThanShare(share, input.added.length + input.tooLate.length + now.guessedCount);
  const oldestBefore = before?.lines.timeAt(0);
  const oldestNew = input.added[0]?.at;
  const reachesBack = oldestBefore !== undefined && oldestNew !== undefined && oldestNew < oldestBefore;
  const isAllThere = departure.leftCount === 0 && !(isOne && departure.copiesInDoubt > 0) && !reachesBack && !wasEmpty;
  if (isAllThere && (isOne || !learned.sawLeave || isBelowShare)) {
    return undefined;
  }
  if (cut !== undefined && !isOne) {
    // A source that lost lines shows a whole share of new ones. Lines that left prove nothing: a quiet source may burst
    // past its share.
    return isBelowShare ? undefined : 'share';
  }
  if (front.kind !== 'held') {
    return wasEmpty ? 'empty' : 'moved-on';
  }
  if (!isOne && !isBelowShare) {
    return 'unproven';
  }
  const span = (input.newestNow ?? 0n) - (now.lines.timeAt(0) ?? 0n);
  const mayHideLate = now.cameSorted && learned.lateness.isShown && span < latenessBesideOf(learned.lateness);
  return mayHideLate ? 'short-window' : undefined;
};
