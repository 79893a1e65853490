import type {GapReason, LineEntry} from '../line/entry.ts';
import type {Instant} from '../line/instant.ts';
import type {WindowCut} from '../line/window-cut.ts';
import type {ReadWindow} from '../line/window-line.ts';
import {eachLine} from '../line/window-lines.ts';
import type {WindowFront} from './find-front.ts';
import {isLatenessKnown, latenessBesideOf, latenessOf, marginOf} from './lateness.ts';
import type {Learned} from './learned.ts';
import {isCutAsOne, type Share} from './share.ts';

export type GapRangeInput = {
  readonly before: ReadWindow | undefined;
  readonly now: ReadWindow;
  readonly cut: WindowCut | undefined;
  readonly front: WindowFront;
  readonly newestLeft: Instant | undefined;
  readonly added: readonly LineEntry[];
  readonly newestBefore: Instant;
  readonly newestNow: Instant | undefined;
  readonly share: Share;
  readonly learned: Learned;
  readonly reason: GapReason;
};

/** The time range in which lines may be missing; `after` is always less than `before`. */
export type GapRange = {readonly after: Instant; readonly before: Instant; readonly wentBack: boolean};

/** Steps of the clocks that produce timestamps, in nanoseconds. */
const ticks: readonly Instant[] = [1_000_000_000n, 1_000_000n, 1_000n];

/**
 * Computes the time range of a gap. Lost lines came after the lines of the previous window, so they are no older than
 * the newest of those minus the lateness seen so far. If even later lines arrive, a clock was set back, and lost lines
 * may be older than they are.
 */
export const gapRange = (input: GapRangeInput): GapRange => {
  const {before: last, added, newestBefore, newestNow, learned, newestLeft, share} = input;
  const earliest = newestBefore - marginOf(learned.lateness);
  const oldestNew = added[0]?.at ?? newestBefore;
  const wentBack = newestNow !== undefined && newestNow < earliest;
  // Lost lines may date from before a clock went back, or from the pod whose clock is ahead.
  const before = newestNow !== undefined && newestNow < newestBefore ? newestBefore + spanOf(last) : endOf(input);
  const after =
    [
      earliest,
      // How far apart the pod clocks are is not known yet: each pod has lines in the previous window, or what left was
      // its newest.
      ...(isLatenessKnown(learned.lateness) ? [] : [newestLeft, share.isOnePod ? undefined : last?.lines.timeAt(0)]),
      ...(oldestNew < earliest ? [oldestNew - spanOf(last)] : []),
      ...(input.reason === 'short-window' ? [before - latenessBesideOf(learned.lateness)] : []),
    ].reduce((a, b) => (b !== undefined && (a === undefined || b < a) ? b : a), earliest) ?? earliest;
  return {after: after < before ? after : before - tickOf(input.now), before, wentBack};
};

/**
 * Returns the end of the range. Lost lines came before the lines this window shows of the same source. If cut as one:
 * before its front. Otherwise: before the newest new lines that make up a share, since a source that lost lines shows
 * at least that many. If lines come late: before the newest one.
 */
const endOf = ({cut, front, added, newestNow, share, learned, now, reason}: GapRangeInput): Instant => {
  const newest = newestNow ?? now.lines.timeAt(now.lines.length - 1) ?? 0n;
  const frontAt = front.kind === 'none' ? undefined : front.line.at;
  const isLate = latenessOf(learned.lateness) > 0n || added.some(({late}) => late) || !now.cameSorted;
  if (reason === 'short-window') {
    // Only late lines can be missing, older than what is shown.
    return frontAt ?? newest;
  }
  if (isLate && now.cameSorted) {
    return newest;
  }
  if (isLate) {
    // A line that came before everything shown is no later than the oldest shown line plus the lateness.
    const latest = (now.lines.timeAt(0) ?? newest) + latenessOf(learned.lateness);
    return latest > newest ? latest : newest;
  }
  if (isCutAsOne(cut, share)) {
    return frontAt ?? newest;
  }
  // This many lines of a share may have been mistaken for old ones.
  const index = Math.max(0, added.length - Math.max(1, Math.floor(share.lines) - now.guessedCount));
  const at = added[index]?.at ?? newest;
  return at < newest ? at : newest;
};

/** Returns the time span of a window, one hour at most, so that a bogus timestamp cannot stretch it. */
const spanOf = (window: ReadWindow | undefined): Instant => {
  const span = (window?.lines.timeAt(window.lines.length - 1) ?? 0n) - (window?.lines.timeAt(0) ?? 0n);
  return span < spanMax ? span : spanMax;
};
const spanMax: Instant = 3_600_000_000_000n;

/** Returns the step of the clock: the largest one that divides every time in the window. */
const tickOf = ({lines}: ReadWindow): Instant =>
  ticks.find(tick => ![...eachLine(lines)].some(([, {at, textIndex}]) => textIndex !== 0 && at % tick !== 0n)) ?? 1n;
