/** Some of a row of counts: those from `start` to before `end`, and their sum. */
export type Run = {readonly start: number; readonly end: number; readonly count: number};

/** Chance brings fewer together. */
const countMin = 4;
/** Log-likelihood ratio; chance alone hardly ever reaches it. */
const ratioMin = 10;
/** A smaller rise is what any day brings. */
const timesMin = 2;

/**
 * Returns the run of counts that chance explains worst: Kulldorff's scan statistic, the most likely place of a burst
 * among events that are otherwise spread evenly. Undefined if chance may explain all of them. O(n²).
 */
export const strongestRun = (counts: readonly number[]): Run | undefined => {
  const sums = [0];
  for (const [index, count] of counts.entries()) {
    sums.push((sums[index] ?? 0) + count);
  }
  const total = sums.at(-1) ?? 0;
  let best: Run | undefined;
  let bestRatio = ratioMin;
  for (let start = 0; start < counts.length; start++) {
    for (let end = start + 1; end <= counts.length; end++) {
      const count = (sums[end] ?? 0) - (sums[start] ?? 0);
      const expected = (total * (end - start)) / counts.length;
      const outside = (total - count) / Math.max(1, counts.length - (end - start));
      if (count >= countMin && count >= timesMin * outside * (end - start)) {
        const ratio = term(count, expected) + term(total - count, total - expected);
        if (ratio > bestRatio) {
          bestRatio = ratio;
          best = {start, end, count};
        }
      }
    }
  }
  return best;
};

const term = (count: number, expected: number): number =>
  count === 0 || expected <= 0 ? 0 : count * Math.log(count / expected);
