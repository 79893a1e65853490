import type {LineBuffer} from '../buffer/buffer.ts';
import {markersOf} from '../buffer/markers-of.ts';
import type {Marker} from '../line/entry.ts';
import {columnAt, type Strip} from './strip.ts';

/** What stands in a column of the strip beside lines: a gap, or else another marker. */
export type StripMark = 'gap' | 'marker';

/** Of each column the mark in it, a gap before all others. The horizon is none: it stands at the beginning of every log. Costs chunks. */
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
