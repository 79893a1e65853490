import {countBetween} from './find-runs.ts';

/** In seconds. */
const binMin = 10;
const binMax = 60;
const binsWanted = 12;

/** Returns by how much counts vary more than chance has them vary, within spans of time: 1 or more. */
export const dispersionOf = (
  seconds: readonly number[],
  ...spans: readonly (readonly [from: number, to: number])[]
): number => {
  const shortest = Math.min(...spans.map(([from, to]) => to - from));
  const width = Math.min(binMax, Math.max(binMin, shortest / binsWanted));
  let [squares, freedom, total, bins] = [0, 0, 0, 0];
  for (const [from, to] of spans) {
    const count = Math.floor((to - from) / width);
    const inside = Array.from({length: count}, (_, index) =>
      countBetween(seconds, from + index * width, from + (index + 1) * width),
    );
    const sum = inside.reduce((a, b) => a + b, 0);
    squares += inside.reduce((a, b) => a + (b - sum / Math.max(1, count)) ** 2, 0);
    freedom += Math.max(0, count - 1);
    total += sum;
    bins += count;
  }
  const mean = total / Math.max(1, bins);
  return mean === 0 || freedom === 0 ? 1 : Math.max(1, squares / freedom / mean);
};

/** Returns the mean of logarithms, and the sum of the squares by which they differ from it. */
export const logMoments = (durationsMs: readonly number[]): {readonly mean: number; readonly squares: number} => {
  const logs = durationsMs.map(ms => Math.log(Math.max(ms, 0.1)));
  const mean = logs.reduce((a, b) => a + b, 0) / logs.length;
  return {mean, squares: logs.reduce((sum, each) => sum + (each - mean) ** 2, 0)};
};

/** Returns the 95th percentile. */
export const percentileOf = (durationsMs: readonly number[]): number => {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(0.95 * sorted.length))] ?? 0;
};
