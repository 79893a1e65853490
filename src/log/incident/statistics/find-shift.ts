import {firstIndexWhere} from '../../buffer/buffer.ts';

/** A time in which something came clearly more often than around it. Times are seconds. */
export type Shift = {
  /** Index of its first time, and of the one after its last. */
  readonly start: number;
  readonly end: number;
  readonly from: number;
  /** Its last time, or now if it goes on. */
  readonly to: number;
  readonly isOver: boolean;
  /** A second, in it and in at most fifteen minutes before it; undefined if nothing older is held. */
  readonly during: number;
  readonly before: number | undefined;
  /** How badly chance explains it: a log-likelihood ratio. */
  readonly evidence: number;
  /** It happens now and then: as much came at once at another time. */
  readonly isUsual: boolean;
};

/** The time in which something is looked for, in seconds. */
export type HeldSpan = {readonly from: number; readonly to: number};

/** What led to a change is looked for in this time before it. */
export const beforeSeconds = 900;

/** The rates that are tried, as multiples of the usual one. */
const factors = [2, 4, 16, 64, 256] as const;
/** Each round takes out of the usual rate what the round before found. */
const rounds = 3;
/** Chance brings fewer together. */
export const eventsMin = 4;
/** A smaller rise is what any day brings. */
const timesMin = 2;
/** A log-likelihood ratio that chance alone hardly reaches in one series, of which a log has hundreds. */
export const evidenceMin = 10;
/** A later shift matters more than a larger one, unless it has less than this share of its events. */
const laterShareMin = 0.25;
/** It goes on for so long without an event, or for three times what passed between two of them on average. */
const silenceMin = 30;

type Run = {readonly start: number; readonly end: number};

/**
 * Finds the last shift that matters among ascending times. Its edges are events: the likeliest interval at one of
 * several rates is a maximal sum, in which each event counts for and each second counts against. O(times).
 */
export const findShift = (times: readonly number[], held: HeldSpan): Shift | undefined => {
  const strongest = strongestRun(times, held);
  let found = strongest;
  while (found !== undefined && strongest !== undefined) {
    const {end} = found;
    const later = strongestRun(times.slice(end), {from: times[end - 1] ?? held.from, to: held.to});
    if (later === undefined || later.end - later.start < laterShareMin * (strongest.end - strongest.start)) {
      break;
    }
    found = {start: later.start + end, end: later.end + end};
  }
  return found && describe(times, found, held);
};

/** Returns the length of a run in seconds: up to its last event, and as far as another would have been expected. */
const lengthOf = (times: readonly number[], {start, end}: Run, {to}: HeldSpan): number => {
  const count = end - start;
  const [first = 0, last = 0] = [times[start], times[end - 1]];
  const length = ((last - first) * count) / Math.max(1, count - 1);
  return Math.max(1e-3, end === times.length ? Math.min(Math.max(length, 1), Math.max(to - first, 1e-3)) : length);
};

const strongestRun = (times: readonly number[], held: HeldSpan): Run | undefined => {
  const span = held.to - held.from;
  if (times.length < eventsMin || span <= 0) {
    return undefined;
  }
  let best: Run | undefined;
  let bestEvidence = evidenceMin;
  let usual = times.length / span;
  for (let round = 0; round < rounds; round++) {
    for (const factor of factors) {
      const run = likeliestRun(times, factor, usual);
      const count = run.end - run.start;
      const length = lengthOf(times, run, held);
      const outside = (times.length - count) / Math.max(span - length, span / 1000);
      const ratio = evidenceOf(count, times.length, length / span);
      if (count >= eventsMin && count >= timesMin * outside * length && ratio > bestEvidence) {
        best = run;
        bestEvidence = ratio;
      }
    }
    if (best === undefined) {
      return undefined;
    }
    const rest = span - lengthOf(times, best, held);
    usual = Math.max(0.5, times.length - (best.end - best.start)) / Math.max(rest, span / 1000);
  }
  return best;
};

const likeliestRun = (times: readonly number[], factor: number, usual: number): Run => {
  const gain = Math.log(factor);
  const cost = (factor - 1) * usual;
  let sum = 0;
  let best = 0;
  let start = 0;
  let [bestStart, bestEnd] = [0, 0];
  let previous = times[0] ?? 0;
  for (let index = 0; index < times.length; index++) {
    const at = times[index] ?? 0;
    sum -= cost * (at - previous);
    if (sum <= 0) {
      sum = 0;
      start = index;
    }
    sum += gain;
    previous = at;
    if (sum > best) {
      best = sum;
      bestStart = start;
      bestEnd = index + 1;
    }
  }
  return {start: bestStart, end: bestEnd};
};

/** Returns the log-likelihood ratio of so many of all events in this share of the time, from 0 to 1. */
export const evidenceOf = (count: number, all: number, share: number): number => {
  const inside = Math.min(1, Math.max(share, 1e-9));
  const term = (events: number, expected: number): number =>
    events <= 0 || expected <= 0 ? 0 : events * Math.log(events / expected);
  return count <= all * inside ? 0 : term(count, all * inside) + term(all - count, all * (1 - inside));
};

const describe = (times: readonly number[], run: Run, held: HeldSpan): Shift => {
  const {start, end} = run;
  const [first = 0, last = 0] = [times[start], times[end - 1]];
  const count = end - start;
  const span = held.to - held.from;
  const isOver = held.to - last > Math.max(silenceMin, (3 * (last - first)) / count);
  const to = isOver ? last : held.to;
  const heldFrom = Math.max(held.from, first - beforeSeconds);
  const isFromFirst = first - held.from < Math.min(1, span / 100) || (start === 0 && first - held.from < span / 100);
  return {
    start,
    end,
    from: first,
    to,
    isOver,
    // A shorter one counts as a minute.
    during: count / Math.max(60, to - first),
    before: isFromFirst ? undefined : countBetween(times, heldFrom, first) / Math.max(60, first - heldFrom),
    evidence: evidenceOf(count, times.length, lengthOf(times, run, held) / span),
    isUsual: isUsual(times, run, held),
  };
};

/** Counts ascending times from one up to before another. */
export const countBetween = (times: readonly number[], from: number, to: number): number =>
  firstIndexWhere(times.length, index => (times[index] ?? 0) >= to) -
  firstIndexWhere(times.length, index => (times[index] ?? 0) >= from);

/** Of another time, this part of what came is enough for it to be usual. */
const usualPart = 0.5;

/** Checks whether outside a run nearly as much came in as short a time. Too few events tell nothing. */
const isUsual = (times: readonly number[], {start, end}: Run, {from}: HeldSpan): boolean => {
  const first = times[start] ?? 0;
  const length = Math.max((times[end - 1] ?? 0) - first, 1);
  const width = Math.min(length, Math.max((first - from) / 3, 1));
  const typical = ((end - start) * width) / length;
  let most = 0;
  for (const [low, high] of [
    [0, start],
    [end, times.length],
  ] as const) {
    for (let left = low, right = low; right < high; right++) {
      while ((times[right] ?? 0) - (times[left] ?? 0) > width) {
        left++;
      }
      most = Math.max(most, right - left + 1);
    }
  }
  return most >= eventsMin && most >= usualPart * typical;
};
