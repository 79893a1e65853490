import type {GapReason, LineEntry} from '../line/entry.ts';
import type {Instant} from '../line/instant.ts';
import type {WindowCut} from '../line/window-cut.ts';
import type {ReadWindow} from '../line/window-line.ts';
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

/** From when to when lines may be missing; `after` is always less than `before`. */
export type GapRange = {readonly after: Instant; readonly before: Instant; readonly wentBack: boolean};

/** Steps of clocks that stamps are written with, nanoseconds. */
const ticks: readonly Instant[] = [1_000_000_000n, 1_000_000n, 1_000n];

/**
 * Lines that were lost came after those of the window before. So they are no older than the newest of those, less what lines were
 * seen to be late by. Where lines come that are later still, a clock was set back: what is lost may then be older than they are.
 */
export const gapRange = (input: GapRangeInput): GapRange => {
  const {before: last, added, newestBefore, newestNow, learned, newestLeft, share} = input;
  const earliest = newestBefore - marginOf(learned.lateness);
  const oldestNew = added[0]?.at ?? newestBefore;
  const wentBack = newestNow !== undefined && newestNow < earliest;
  // What is lost may have come before a clock went back, or from the pod whose clock is ahead.
  const before = newestNow !== undefined && newestNow < newestBefore ? newestBefore + spanOf(last) : endOf(input);
  const after =
    [
      earliest,
      // Not yet known is how far apart the clocks of pods are: each has lines in the window before, or what left was its newest.
      ...(isLatenessKnown(learned.lateness) ? [] : [newestLeft, share.isOnePod ? undefined : last?.lines[0]?.at]),
      ...(oldestNew < earliest ? [oldestNew - spanOf(last)] : []),
      ...(input.reason === 'short-window' ? [before - latenessBesideOf(learned.lateness)] : []),
    ].reduce((a, b) => (b !== undefined && (a === undefined || b < a) ? b : a), earliest) ?? earliest;
  return {after: after < before ? after : before - tickOf(input.now), before, wentBack};
};

/**
 * Lines that were lost came before those that this window shows of their source. Cut as one: before its front. Otherwise before
 * the newest new lines that make up a share, since a source that lost lines shows no less. Where lines come late, before the
 * newest one.
 */
const endOf = ({cut, front, added, newestNow, share, learned, now, reason}: GapRangeInput): Instant => {
  const newest = newestNow ?? now.lines.at(-1)?.at ?? 0n;
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
    // A line that came before all that are shown is no later than the oldest of them and the lateness of that one.
    const latest = (now.lines[0]?.at ?? newest) + latenessOf(learned.lateness);
    return latest > newest ? latest : newest;
  }
  if (isCutAsOne(cut, share)) {
    return frontAt ?? newest;
  }
  // Of a share so many may have been taken for old ones.
  const index = Math.max(0, added.length - Math.max(1, Math.floor(share.lines) - now.guessedCount));
  const at = added[index]?.at ?? newest;
  return at < newest ? at : newest;
};

/** How long a window is, an hour at most: a stamp that nobody's clock gave makes none longer. */
const spanOf = (window: ReadWindow | undefined): Instant => {
  const span = (window?.lines.at(-1)?.at ?? 0n) - (window?.lines[0]?.at ?? 0n);
  return span < spanMax ? span : spanMax;
};
const spanMax: Instant = 3_600_000_000_000n;

/** The step of the clock: the longest of which every time of the window is a multiple. */
const tickOf = ({lines}: ReadWindow): Instant =>
  ticks.find(tick => lines.every(({at, textIndex}) => textIndex === 0 || at % tick === 0n)) ?? 1n;
