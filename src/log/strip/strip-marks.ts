import type {LineBuffer} from '../buffer/buffer.ts';
import {markersOf} from '../buffer/markers-of.ts';
import type {Marker} from '../line/entry.ts';
import {columnAt, type Strip} from './strip.ts';

/** What a column of the strip contains besides lines: a gap, or else another marker. */
export type StripMark = 'gap' | 'marker';

/**
 * Returns the mark of each column; a gap takes priority. The horizon does not count: every log begins with one.
 * O(chunks).
 */
export const markStrip = (buffers: readonly LineBuffer[], strip: Strip): readonly (StripMark | undefined)[] => {
  const marks = new Array<StripMark | undefined>(strip.buckets.length).fill(undefined);
  for (const {marker} of buffers.flatMap(buffer => buffer.chunks.flatMap(markersOf))) {
    const column = columnAt(strip, marker.at);
    const mark = markOf(marker);
    if (mark !== undefined && column >= 0 && column < marks.length && marks[column] !== 'gap') {
      marks[column] = mark;
    }
  }
  return marks;
};

const markOf = ({kind}: Marker): StripMark | undefined =>
  kind === 'gap' ? 'gap' : kind === 'horizon' ? undefined : 'marker';
