import type {Strip} from '../overview/strip.ts';
import {findOnsets} from './strip-usual.ts';

/** A column with fewer lines is no peak, however quiet its surroundings. */
const peakLinesMin = 3;

/** A peak has more than `timesMedian` times the median column, and at least a tenth of the highest. */
const timesMedian = 2;
const highestTimes = 10;

/**
 * Finds the columns of a strip that stand out, from left to right: by errors, or if none does by lines. Where errors
 * begin to exceed what is usual, and keep doing so, is one. Any other has more than its neighbours, more than twice the
 * median of the columns from the first to the last that hold lines, and at least a tenth of the highest.
 */
export const findPeaks = ({buckets, usualErrors}: Pick<Strip, 'buckets' | 'usualErrors'>): readonly number[] => {
  const onsets = findOnsets({buckets, usualErrors});
  const first = buckets.findIndex(({lines}) => lines > 0);
  const held = buckets.slice(first, buckets.findLastIndex(({lines}) => lines > 0) + 1);
  const byErrors = peaksAmong(
    held.map(({errors}) => errors),
    1,
  );
  const byLines = (): readonly number[] =>
    peaksAmong(
      held.map(({lines}) => lines),
      peakLinesMin,
    );
  const others = byErrors.length + onsets.length > 0 ? byErrors : byLines();
  return [...new Set([...onsets, ...others.map(column => first + column)])].toSorted((a, b) => a - b);
};

const peaksAmong = (counts: readonly number[], least: number): readonly number[] => {
  const median = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
  const most = Math.max(0, ...counts);
  return counts.flatMap((count, column) => {
    // Of several columns of equal height the first is the peak.
    const next = counts.slice(column + 1).find(each => each !== count) ?? 0;
    const standsOut = count >= least && count > timesMedian * median && highestTimes * count >= most;
    return standsOut && count > (counts[column - 1] ?? 0) && count > next ? [column] : [];
  });
};
