import type {LineBuffer} from '../buffer/buffer.ts';
import {markersOf} from '../buffer/markers-of.ts';
import type {Marker} from '../line/entry.ts';
import type {Anchor, LogView} from './log-view.ts';

export type MarkerSearch = {
  /** An index of the view, itself excluded from the search. −1 and `entryCount` search all of it. */
  readonly fromIndex: number;
  readonly direction: 'next' | 'previous';
  readonly holds: (marker: Marker) => boolean;
};

/** A marker that was found, and its index in the view. */
export type FoundMarker = {readonly index: number; readonly anchor: Anchor};

/**
 * Finds the marker nearest to an index in one direction. Returns undefined if there is none. O(chunks), not O(lines).
 */
export const findMarker = (view: LogView, {fromIndex, direction, holds}: MarkerSearch): FoundMarker | undefined => {
  const offsets = view.offsetsAt(direction === 'next' ? fromIndex + 1 : fromIndex);
  const found = view.buffers.flatMap((buffer, source): readonly FoundMarker[] => {
    const offset = offsets[source] ?? 0;
    const marker = direction === 'next' ? firstFrom(buffer, offset, holds) : lastBefore(buffer, offset, holds);
    if (marker === undefined) {
      return [];
    }
    const anchor = {source, id: marker.id, at: marker.at};
    return [{index: view.indexOf(anchor), anchor}];
  });
  return direction === 'next'
    ? found.toSorted((a, b) => a.index - b.index)[0]
    : found.toSorted((a, b) => b.index - a.index)[0];
};

type Holds = MarkerSearch['holds'];

const firstFrom = ({chunks, starts}: LineBuffer, from: number, holds: Holds): Marker | undefined => {
  for (const [index, chunk] of chunks.entries()) {
    const start = starts[index] ?? 0;
    const found = markersOf(chunk).find(({offset, marker}) => start + offset >= from && holds(marker));
    if (found !== undefined) {
      return found.marker;
    }
  }
  return undefined;
};

const lastBefore = ({chunks, starts}: LineBuffer, before: number, holds: Holds): Marker | undefined => {
  for (let index = chunks.length - 1; index >= 0; index--) {
    const chunk = chunks[index];
    const start = starts[index] ?? 0;
    const found = chunk && markersOf(chunk).findLast(({offset, marker}) => start + offset < before && holds(marker));
    if (found) {
      return found.marker;
    }
  }
  return undefined;
};
