import type {LineBuffer} from '#log/buffer/buffer.ts';
import {markersOf} from '#log/buffer/entry-list.ts';
import type {Instant} from '#log/line/instant.ts';
import {columnAt, findOnsets, type Strip} from './strip.ts';

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
    // The first of several columns of equal height is the peak.
    const next = counts.slice(column + 1).find(each => each !== count) ?? 0;
    const standsOut = count >= least && count > timesMedian * median && highestTimes * count >= most;
    return standsOut && count > (counts[column - 1] ?? 0) && count > next ? [column] : [];
  });
};

/**
 * The mark of a column of the strip: a gap, or else where errors begin to exceed what is usual, the first line of a new
 * shape, or a marker.
 */
export type StripMark = 'gap' | 'onset' | 'new' | 'marker';

/**
 * Returns the mark of each column: the first in the order of `StripMark`. The horizon does not count: every log begins
 * with one. `newTimes` are those of the first lines of new shapes. O(chunks).
 */
export const markStrip = (
  buffers: readonly LineBuffer[],
  strip: Strip,
  newTimes: readonly Instant[],
): readonly (StripMark | undefined)[] => {
  const marks = new Array<StripMark | undefined>(strip.buckets.length).fill(undefined);
  const set = (at: Instant, mark: StripMark): void => {
    const column = columnAt(strip, at);
    if (column >= 0 && column < marks.length) {
      marks[column] = mark;
    }
  };
  const markers = buffers.flatMap(buffer => buffer.chunks.flatMap(markersOf)).map(({marker}) => marker);
  for (const {at} of markers.filter(({kind}) => kind !== 'horizon')) {
    set(at, 'marker');
  }
  for (const at of newTimes) {
    set(at, 'new');
  }
  for (const column of findOnsets(strip)) {
    marks[column] = 'onset';
  }
  for (const {at} of markers.filter(({kind}) => kind === 'gap')) {
    set(at, 'gap');
  }
  return marks;
};
