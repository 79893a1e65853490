import type {GapReason, LineEntry} from '#log/line/entry.ts';
import {earliestOf, type Instant, laterOf, latestOf, nanosPerSecond} from '#log/line/instant.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import type {WindowLines} from '#log/window/window-lines.ts';
import {type Added, timesIn} from '../added.ts';
import {newestBelieved, offMax, oldestOfClock} from './believe.ts';
import {decimalsLost, type Lateness, latenessBesideOf, marginOf, tickIn} from './learned.ts';

/** A window, the one before, and when they were. */
export type WindowChange = {
  /** The last window that was not empty, or undefined. */
  readonly before: ReadWindow | undefined;
  /** The windows ahead of that, as far as they are remembered. */
  readonly earlier: readonly ReadWindow[];
  readonly now: ReadWindow;
  /** The lines that were never held, ordered by time. */
  readonly added: Added<LineEntry>;
  /** The newest believed time of the previous window and of this one; undefined without lines; see `believe.ts`. */
  readonly newestBefore: Instant | undefined;
  readonly newestNow: Instant | undefined;
  /** The service's clock at the answer before and at this one, if it gives one. */
  readonly serviceBefore: Instant | undefined;
  readonly serviceAt: Instant | undefined;
};

export type GapRangeInput = WindowChange & {
  readonly podCount: number;
  /** The branch's log is cut as one. */
  readonly isOne: boolean;
  readonly lateness: Lateness;
  readonly reason: GapReason;
};

/** The time range in which lines may be missing; `after` is always less than `before`. */
export type GapRange = {readonly after: Instant; readonly before: Instant; readonly wentBack: boolean};

const hour = 3600n * nanosPerSecond;
/** Without the service's clock, this long after the newest line a loss may have happened that no line has shown yet. */
const unseenMax = hour;
/** Lines that are later than a window is long come from something that collects them for at most so long. */
const collectedMax = hour;

/**
 * Computes the time range of a gap, so that it holds every line that may be missing. Those arrived after the previous
 * window and before this one. With one clock, they are no older than the newest line before, less the greatest lateness
 * ever seen, and no newer than the newest line now. With several clocks, which may be hours apart, any line of the
 * previous window may be the last of a slow one, which may be as far behind as a line of any earlier window; and the
 * newest may run ahead by as much as lines were late.
 */
export const gapRange = (input: GapRangeInput): GapRange => {
  const {before: last, now, added, lateness, newestNow, reason} = input;
  const oldestLast = last && oldestOfClock(last.lines, input.serviceAt);
  // Where nothing was held, lines may be missing since the answer that showed that.
  const newestBefore =
    input.newestBefore ?? input.serviceBefore ?? added.at(0)?.at ?? now.lines.timeAt(0) ?? input.serviceAt ?? 0n;
  const earliest = newestBefore - marginOf(lateness);
  const wentBack = newestNow !== undefined && newestNow < earliest;
  const isOneClock = input.podCount === 1 && !wentBack;
  const newestOfBoth = latestOf([newestBefore, newestNow]) ?? newestBefore;
  const newest = latestOf([newestOfBoth, ownNewest(last?.lines, newestBefore), ownNewest(now.lines, newestNow)]);
  const passed = elapsedIn(input);
  const isHidden = isNewestHidden(input, {earliest, newestBefore});
  const end = (isHidden && !wentBack ? unseenEnd : endOf)(input, newest ?? newestOfBoth);
  // Until a clock was set back, it went on from the newest line that it had given, and nothing shows how far.
  const before = wentBack && last !== undefined ? laterOf(end, newestBefore + (passed ?? unseenMax)) : end;
  const after =
    earliestOf([
      earliest,
      beforeLate(added, {
        ...{earliest, newestBefore},
        moved: laterOf((newest ?? newestOfBoth) - newestBefore + nanosPerSecond, wentBack ? 0n : (passed ?? 0n)),
      }),
      isOneClock ? undefined : earliestOf([oldestLast, newestBefore - slownessIn(input, newestBefore)]),
      // Before a clock was set back, lines came that nothing shows.
      wentBack && newestNow !== undefined ? newestNow - laterOf(spanOf(last), passed ?? 0n) : undefined,
      reason === 'short-window'
        ? (oldestLast ?? earliest) - laterOf(collectedMax, latenessBesideOf(lateness))
        : undefined,
    ]) ?? earliest;
  return {after: after < before ? after : before - tickIn(now), before, wentBack: wentBack && last !== undefined};
};

/**
 * Checks whether lines may be missing that are newer than all that are shown: where a clock was set back or a batch of
 * late lines pushed them out, of the log or of a part, or where the lines that came go on from one that is cut off.
 */
const isNewestHidden = (
  {added, now, newestNow, isOne, reason}: GapRangeInput,
  {earliest, newestBefore}: {earliest: Instant; newestBefore: Instant},
): boolean => {
  const isStamped = ({textIndex}: LineEntry): boolean => textIndex !== 0;
  const [oldest, newest] = [added.find(isStamped)?.at, added.findLast(isStamped)?.at];
  if (oldest === undefined || newest === undefined || reason === 'source-gone') {
    return true;
  }
  const isLate = oldest < earliest && oldest >= newestBefore - offMax;
  if (isOne ? newestNow !== undefined && newestNow < newestBefore : newest < newestBefore || isLate) {
    return true;
  }
  const times = now.received.areStamped() ? undefined : new Set(timesIn(added));
  return times !== undefined && added.some(line => !isStamped(line) && !times.has(line.at));
};

/** Returns how far behind a clock may be: any line that was shown with others may be the last one of it. */
const slownessIn = ({earlier, serviceAt}: GapRangeInput, newestBefore: Instant): Instant =>
  latestOf(
    earlier.map(({lines}) => {
      const [oldest, newest] = [oldestOfClock(lines, serviceAt), newestBelieved(lines, newestBefore)];
      return oldest === undefined || newest === undefined ? 0n : newest - oldest;
    }),
  ) ?? 0n;

/** Returns at most how much time passed between the answers, if the service's clock tells. */
const elapsedIn = ({serviceBefore, serviceAt}: WindowChange): Instant | undefined =>
  serviceBefore === undefined || serviceAt === undefined ? undefined : serviceAt - serviceBefore + nanosPerSecond;

/** Returns the end of the range: where the newest line is shown, of those behind the front some may be missing, too. */
const endOf = (input: GapRangeInput, newest: Instant): Instant => {
  const {added, lateness} = input;
  // If stamps have lost decimals, a line may have come at any time within the last step.
  const step = decimalsLost(input.before, added);
  if (lateness.ever === 0n) {
    return newest + step;
  }
  // A pod whose clock is ahead, of which this window shows nothing: its lines are ahead of the others' by as much as
  // those were late.
  const behind = added.findLast(({at, textIndex}) => textIndex !== 0 && at < newest - lateness.ever / 2n)?.at;
  return laterOf(newest, (behind ?? newest) + lateness.ever + nanosPerSecond) + step;
};

/**
 * Returns the end of the range if no new line shows how far the log has come: the clock went on from the newest line
 * that it had given, or the loss is one of a source that had been quiet.
 */
const unseenEnd = (input: GapRangeInput, newest: Instant): Instant =>
  // A clock in the `date` header has whole seconds.
  input.serviceAt === undefined
    ? newest + unseenMax
    : laterOf(newest + (elapsedIn(input) ?? 0n), input.serviceAt + nanosPerSecond) + input.lateness.ever;

/** Returns the newest time of a window that a clock may have given, however far off it is. */
const ownNewest = (lines: WindowLines | undefined, believed: Instant | undefined): Instant | undefined => {
  for (let index = (lines?.length ?? 0) - 1; lines !== undefined && believed !== undefined && index >= 0; index--) {
    const at = lines.timeAt(index);
    if (at !== undefined && at <= believed + offMax) {
      return at;
    }
  }
  return undefined;
};

/**
 * Returns the start of the range if new lines are later than any before: those that are missing of the same clock came
 * before them, at most the time earlier in which the log has moved on.
 */
const beforeLate = (
  added: Added<LineEntry>,
  {earliest, newestBefore, moved}: {earliest: Instant; newestBefore: Instant; moved: Instant},
): Instant | undefined => {
  const oldest = added.find(({at, textIndex}) => textIndex !== 0 && at >= newestBefore - offMax)?.at;
  return oldest === undefined || oldest >= earliest ? undefined : oldest - moved;
};

/** Returns the time span of a window, one hour at most, so that a bogus timestamp cannot stretch it. */
const spanOf = (window: ReadWindow | undefined): Instant => {
  const span = (window?.lines.timeAt(window.lines.length - 1) ?? 0n) - (window?.lines.timeAt(0) ?? 0n);
  return span < hour ? span : hour;
};
