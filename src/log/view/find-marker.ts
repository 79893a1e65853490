import {markersOf} from '#log/buffer/markers-of.ts';
import type {Marker} from '#log/line/entry.ts';
import {type FoundEntry, findInView, type LogView, type ViewSearch} from '#log/view/log-view.ts';

/**
 * Finds the marker nearest to an index in one direction. Returns undefined if there is none. O(chunks), not O(lines).
 */
export const findMarker = (
  view: LogView,
  {holds, ...search}: ViewSearch & {readonly holds: (marker: Marker) => boolean},
): FoundEntry | undefined =>
  findInView(view, search, ({buffer: {chunks, starts}}, place) => {
    const placed = chunks.flatMap((chunk, index) =>
      markersOf(chunk).map(({offset, marker}) => ({index: (starts[index] ?? 0) + offset, marker})),
    );
    return search.direction === 'next'
      ? placed.find(({index, marker}) => index >= place && holds(marker))?.marker
      : placed.findLast(({index, marker}) => index < place && holds(marker))?.marker;
  });
