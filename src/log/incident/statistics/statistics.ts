import type {HeldSpan} from './find-levels.ts';
import {beforeSeconds, countBetween} from './find-runs.ts';

/** Requests that took longer than others before them, and how long both took, in milliseconds. */
export type Slowing = {
  /** Index of the first slow one, and of the one after the last. */
  readonly start: number;
  readonly end: number;
  readonly before: Percentiles;
  readonly now: Percentiles;
  /** How many standard errors the means differ by, of logarithms. */
  readonly evidence: number;
};

type Percentiles = {readonly p50: number; readonly p95: number};

/** Fewer requests on either side tell nothing. */
const beforeMin = 12;
const sinceMin = 6;
/** Smaller slowings wake nobody. */
const p95TimesMin = 1.5;
const msMin = 20;
const evidenceMin = 5;
/** Requests that always take exactly as long differ by so much at least, as a logarithm. */
const deviationMin = 0.1;

/** Sums of the logarithms and of their squares, of all before each index. */
type Sums = {readonly logs: readonly number[]; readonly squares: readonly number[]};
type Part = readonly [start: number, end: number];

/**
 * Finds, among requests in order of time, those that took longer than the fastest ones before them, ascending: where
 * the means of logarithms differ most, in each part again (binary segmentation).
 */
export const findSlowings = (durationsMs: readonly number[]): readonly Slowing[] => {
  const sums = sumsOf(durationsMs);
  const cuts = [0, ...cutsIn(sums, [0, durationsMs.length]), durationsMs.length];
  // A cut that was found among more requests is not yet where it is among its neighbours.
  for (let index = 1; index < cuts.length - 1; index++) {
    cuts[index] = bestCut(sums, [cuts[index - 1] ?? 0, cuts[index + 1] ?? 0])?.at ?? cuts[index] ?? 0;
  }
  const parts = cuts.slice(1).map((end, index): Part => [cuts[index] ?? 0, end]);
  const slow: Part[] = [];
  for (const [index, part] of parts.entries()) {
    const last = slow.at(-1);
    if (slowing(durationsMs, sums, parts.slice(0, index), part) !== undefined) {
      if (last?.[1] === part[0]) {
        slow[slow.length - 1] = [last[0], part[1]];
      } else {
        slow.push(part);
      }
    }
  }
  return slow.flatMap(part => {
    const earlier = parts.filter(([, end]) => end <= part[0]);
    return slowing(durationsMs, sums, earlier, part) ?? [];
  });
};

const sumsOf = (durationsMs: readonly number[]): Sums => {
  const sums = {logs: [0], squares: [0]};
  for (const [index, ms] of durationsMs.entries()) {
    const each = Math.log(Math.max(ms, 0.1));
    sums.logs.push((sums.logs[index] ?? 0) + each);
    sums.squares.push((sums.squares[index] ?? 0) + each * each);
  }
  return sums;
};

const meanOf = ({logs}: Sums, [start, end]: Part): number =>
  ((logs[end] ?? 0) - (logs[start] ?? 0)) / Math.max(1, end - start);

/** Returns the sum of the squared distances from the mean. */
const spreadOf = ({logs, squares}: Sums, [start, end]: Part): number =>
  (squares[end] ?? 0) - (squares[start] ?? 0) - ((logs[end] ?? 0) - (logs[start] ?? 0)) ** 2 / Math.max(1, end - start);

/** Returns by how many standard errors the second part is slower than the first. */
const scoreOf = (sums: Sums, a: Part, b: Part): number => {
  const [left, right] = [a[1] - a[0], b[1] - b[0]];
  const within = Math.max(0, spreadOf(sums, a) + spreadOf(sums, b)) / (left + right);
  const deviation = Math.max(deviationMin, Math.sqrt(within));
  return (meanOf(sums, b) - meanOf(sums, a)) / (deviation * Math.sqrt(1 / left + 1 / right));
};

const bestCut = (sums: Sums, [start, end]: Part): {readonly at: number; readonly score: number} | undefined => {
  let best: {readonly at: number; readonly score: number} | undefined;
  for (let at = start + sinceMin; at <= end - sinceMin; at++) {
    const score = Math.abs(scoreOf(sums, [start, at], [at, end]));
    if (score > (best?.score ?? evidenceMin)) {
      best = {at, score};
    }
  }
  return best;
};

const cutsIn = (sums: Sums, part: Part): readonly number[] => {
  const cut = bestCut(sums, part);
  return cut === undefined ? [] : [...cutsIn(sums, [part[0], cut.at]), cut.at, ...cutsIn(sums, [cut.at, part[1]])];
};

const slowing = (
  durationsMs: readonly number[],
  sums: Sums,
  earlier: readonly Part[],
  part: Part,
): Slowing | undefined => {
  const [fastest] = earlier
    .filter(([start, end]) => end - start >= beforeMin)
    .toSorted((a, b) => meanOf(sums, a) - meanOf(sums, b));
  const evidence = fastest === undefined ? 0 : scoreOf(sums, fastest, part);
  if (fastest === undefined || evidence <= evidenceMin) {
    return undefined;
  }
  const before = percentilesOf(durationsMs.slice(...fastest));
  const now = percentilesOf(durationsMs.slice(...part));
  const isSlower = now.p95 >= p95TimesMin * before.p95 && now.p95 - before.p95 >= msMin;
  return isSlower ? {start: part[0], end: part[1], before, now, evidence} : undefined;
};

const percentilesOf = (durationsMs: readonly number[]): Percentiles => {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return {p50: at(0.5), p95: at(0.95)};
};

/** Since when nothing comes of what came steadily. */
type Stop = {
  /** Its last time, in seconds. */
  readonly at: number;
  /** A second, in at most fifteen minutes before. */
  readonly before: number;
  /** How badly chance explains that none came since: the negative logarithm of how probable that is. */
  readonly evidence: number;
};

/** Fewer may be no more than a few of a kind. */
const eventsMin = 10;
/** A silence has to be so many times the longest before. */
const longestTimesMin = 2.5;
const expectedMin = 8;
/** Its rate is that of so many of it at least: by a few that came together, none after them proves nothing. */
const habitEvents = 40;

/** Finds whether what came steadily came to an end. `clock` is the times of all lines; all times ascend. */
export const findStop = (
  times: readonly number[],
  clock: readonly number[],
  {from, to}: HeldSpan,
): Stop | undefined => {
  const at = times.at(-1);
  // A series that came only for a while is no habit.
  const isSteady = (times[0] ?? 0) - from <= ((at ?? 0) - from) / 4;
  if (at === undefined || times.length < eventsMin || !isSteady) {
    return undefined;
  }
  const silence = to - at;
  const heldFrom = Math.max(from, Math.min(at - beforeSeconds, times.at(-habitEvents) ?? from));
  const habit = times.slice(-countBetween(times, heldFrom, at + 1e-6));
  const count = habit.length - 1;
  const before = count / Math.max(1, at - heldFrom);
  const byLines = (count * countBetween(clock, at, to)) / Math.max(1, countBetween(clock, heldFrom, at));
  const expected = Math.min(before * silence, byLines);
  const longest = gapsOf(times).reduce((most, gap) => Math.max(most, gap), 0);
  return expected < expectedMin || silence < longestTimesMin * longest
    ? undefined
    : // The rate is known only as well as so many events tell it.
      {at, before, evidence: (count * Math.log1p(expected / count)) / dispersionOf(gapsOf(habit))};
};

const gapsOf = (times: readonly number[]): readonly number[] =>
  times.slice(1).map((at, index) => at - (times[index] ?? at));

/** Returns by how much pauses vary more than chance has them vary: 1 or more. */
const dispersionOf = (pauses: readonly number[]): number => {
  const mean = pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length;
  const variance = pauses.reduce((sum, pause) => sum + (pause - mean) ** 2, 0) / pauses.length;
  return mean > 0 ? Math.max(1, variance / mean ** 2) : 1;
};
