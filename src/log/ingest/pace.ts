/** The shortest time between an answer and the next request, in milliseconds. */
export const intervalMsMin = 250;
/** The longest time, when nothing is new, in milliseconds. */
export const intervalMsMax = 5000;
/** Half-life of the highest rate, so that one burst does not keep a quiet branch busy forever. */
const rateHalfLifeMs = 5 * 60_000;

/**
 * Until a line is new, a window, or a pod's share of it, that holds fewer lines is taken for that of a short log, which
 * must not be polled as if its next lines pushed the others out.
 */
const shareLinesMin = 20;

/** How often to poll, learned from what the answers brought. */
export type Pace = {
  /** The requested freshness, in milliseconds. */
  readonly wantedMs: number;
  /** The interval adapted to the log, in milliseconds, before the bounds apply. */
  readonly intervalMs: number;
  /** The highest recent rate, in lines per second. */
  readonly highestRate: number;
  /**
   * The most lines that a window, or a pod's share of it, has held recently. A window that is cut by time shrinks when
   * the log goes quiet and ends up empty: what it holds then says nothing about how soon it fills.
   */
  readonly capacityLines: number;
  readonly pollCount: number;
};

/** Creates the pace of a log that was not polled yet. */
export const createPace = (wantedMs: number): Pace => ({
  wantedMs,
  intervalMs: wantedMs,
  highestRate: 0,
  capacityLines: 0,
  pollCount: 0,
});

/**
 * Returns the time in which the highest recent rate fills a window, or a pod's share of it, in milliseconds; infinite
 * if no line was new yet.
 */
export const fillMsOf = ({capacityLines, highestRate}: Pick<Pace, 'capacityLines' | 'highestRate'>): number =>
  highestRate === 0 ? Number.POSITIVE_INFINITY : (capacityLines / highestRate) * 1000;

export type PaceInput = {
  /** New lines, late ones included. */
  readonly newLines: number;
  /** Lines of the previous window that left. */
  readonly leftLines: number;
  /** Lines of the previous window. */
  readonly windowLinesBefore: number;
  /**
   * This many lines may come without doubt: the whole window, or one source's share if sources are cut on their own.
   */
  readonly shareLines: number;
  readonly isGap: boolean;
  /** Time from the previous answer to this one, in milliseconds of a monotonic clock; undefined at the first. */
  readonly elapsedMs: number | undefined;
  /** 0 to 1, for jitter. */
  readonly random: number;
};

export type PaceStep = {readonly pace: Pace; readonly nextPollInMs: number; readonly reason: string};

/**
 * Decides when to poll next. Nothing is lost as long as windows overlap, so the interval is halved when less than half
 * of a window is still there. It grows when nothing is new, but never beyond half the time in which the highest recent
 * rate would fill the window.
 */
export const stepPace = (pace: Pace, input: PaceInput): PaceStep => {
  const pollCount = pace.pollCount + 1;
  if (input.elapsedMs === undefined) {
    const capacityLines = input.shareLines;
    return {pace: {...pace, pollCount, capacityLines}, nextPollInMs: intervalMsMin, reason: 'learning the rate'};
  }
  const elapsedMs = Math.max(1, input.elapsedMs);
  const rate = (input.newLines / elapsedMs) * 1000;
  const fading = 0.5 ** (elapsedMs / rateHalfLifeMs);
  const highestRate = Math.max(rate, pace.highestRate * fading);
  // Where a share decides, as many lines were pushed out as came.
  const isMovingOn =
    input.isGap ||
    input.leftLines > Math.min(input.windowLinesBefore, input.shareLines) / 2 ||
    (input.leftLines > 0 && input.newLines > input.shareLines / 2);
  if (isMovingOn) {
    const intervalMs = Math.max(intervalMsMin, pace.intervalMs / 2);
    const reason = input.isGap ? 'the window moved on' : 'less than half of the window is left';
    // Lines were pushed out, so the window is as full as it gets.
    const capacityLines = input.newLines > 0 ? input.shareLines : pace.capacityLines * fading;
    return {pace: {...pace, pollCount, intervalMs, highestRate, capacityLines}, nextPollInMs: intervalMsMin, reason};
  }
  // Rate and capacity fade alike, so the time in which the window fills stays the same: a window that is cut by time
  // shrinks when the log goes quiet, yet would still take the next burst.
  const capacityLines = Math.max(input.shareLines, pace.capacityLines * fading);
  // Until the first line, all that is known is that fewer than one came in the time since the last answer.
  const fillMs =
    highestRate === 0 ? elapsedMs * Math.max(capacityLines, shareLinesMin) : fillMsOf({capacityLines, highestRate});
  const isQuiet = input.newLines === 0;
  const intervalMs = isQuiet
    ? Math.min(Math.max(pace.wantedMs, pace.intervalMs) * 1.5, Math.max(intervalMsMax, pace.wantedMs))
    : Math.min(pace.wantedMs, pace.intervalMs * 1.5);
  const boundMs = Math.min(fillMs / 2, intervalMs);
  const reason = boundMs < intervalMs ? 'the window fills soon' : isQuiet ? 'nothing new' : 'as wanted';
  // Jitter only shortens: many clients of one service drift apart, and none waits longer than allowed.
  const jitter = 1 - 0.1 * input.random;
  return {
    pace: {...pace, pollCount, intervalMs, highestRate, capacityLines},
    nextPollInMs: Math.round(Math.max(intervalMsMin, boundMs * jitter)),
    reason,
  };
};
