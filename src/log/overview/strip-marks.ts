import type {LineBuffer} from '#log/buffer/buffer.ts';
import {markersOf} from '#log/buffer/markers-of.ts';
import type {Instant} from '#log/line/instant.ts';
import {findOnsets} from '../strip/strip-usual.ts';
import {columnAt, type Strip} from './strip.ts';

/**
 * What a column of the strip contains besides lines: a gap, or else where errors begin to exceed what is usual, the
 * first line of a new shape, or a marker.
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
