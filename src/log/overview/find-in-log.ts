import {entryAt, type LineBuffer, pieceOf} from '#log/buffer/buffer.ts';
import {type EntryList, markersOf} from '#log/buffer/entry-list.ts';
import {countBelow, noOffsets} from '#log/buffer/offset-search.ts';
import {selectEntries} from '#log/buffer/select-entries.ts';
import {createWeakCache} from '#log/buffer/weak-cache.ts';
import type {Entry, Marker} from '#log/line/entry.ts';
import type {Matches} from '#log/pattern/matches.ts';
import {errorOffsetsOf, warningOffsetsOf} from '#log/traits/line-traits.ts';
import {type Anchor, anchorOf, type FoundEntry, findInView, type LogView, type ViewSearch} from '#log/view/log-view.ts';

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

/**
 * Lists the lines of a buffer that a search matches; only those that a filter shows, if their offsets are given.
 * `mergeLists` makes one view of the hits of several buffers, whose `entryCount` is the number of hits.
 */
export const listHits = (
  buffer: LineBuffer,
  matches: Matches,
  shownOfChunks?: readonly Uint16Array[] | undefined,
): EntryList =>
  selectEntries(
    buffer,
    buffer.chunks.map((chunk, index) => {
      const hits = matches.of(chunk)?.offsets ?? noOffsets;
      return shownOfChunks === undefined ? hits : intersect(hits, shownOfChunks[index] ?? noOffsets);
    }),
  );

/** The last intersection computed for a list of offsets; offsets never change. */
const known = createWeakCache<Uint16Array, {readonly shown: Uint16Array; readonly both: Uint16Array}>();

const intersect = (hits: Uint16Array, shown: Uint16Array): Uint16Array => {
  if (hits.length === 0 || shown.length === 0) {
    return noOffsets;
  }
  const found = known.get(hits);
  if (found?.shown === shown) {
    return found.both;
  }
  const places = new Set(shown);
  const both = hits.filter(offset => places.has(offset));
  known.set(hits, {shown, both});
  return both;
};

/** A hit and its number among all hits, from 1. */
type FoundHit = {readonly number: number; readonly anchor: Anchor};

/**
 * Finds the hit nearest to an entry in one direction, or with `here` the entry itself if it is a hit. Returns undefined
 * if there is none. Without an entry it searches from the end: the first for `next`, the last for `previous`.
 */
export const findHit = (
  hits: LogView,
  from: Anchor | undefined,
  direction: 'next' | 'previous' | 'here',
): FoundHit | undefined => {
  const index = from === undefined ? (direction === 'previous' ? hits.entryCount : 0) : hits.indexOf(from);
  const isHit = from !== undefined && isSame(hits, index, from);
  if (direction === 'here') {
    return isHit ? {number: index + 1, anchor: from} : undefined;
  }
  const wanted = direction === 'previous' ? index - 1 : isHit ? index + 1 : index;
  const [hit] = wanted < 0 ? [] : hits.slice(wanted, 1);
  return hit === undefined ? undefined : {number: wanted + 1, anchor: anchorOf(hit)};
};

const isSame = (hits: LogView, index: number, {source, id}: Anchor): boolean => {
  const [hit] = hits.slice(index, 1);
  return hit?.source === source && hit.entry.id === id;
};

const offsetsOf = {warn: warningOffsetsOf, error: errorOffsetsOf} as const;

/** `levelMin`: the lowest level to find; error if absent. */
type ErrorSearch = ViewSearch & {readonly levelMin?: keyof typeof offsetsOf};

/**
 * Returns the index of the nearest line of the level or above in one direction, or undefined if there is none.
 * O(chunks).
 */
export const findError = (view: LogView, search: ErrorSearch): number | undefined =>
  findInView(view, search, (list, place) => nearest(list, place, search))?.index;

/** Counts the errors from an index of a buffer on. O(chunks). */
export const countErrorsFrom = ({chunks, starts}: LineBuffer, fromIndex: number): number => {
  let count = 0;
  for (let index = chunks.length - 1; index >= 0; index--) {
    const chunk = chunks[index];
    const start = starts[index] ?? 0;
    if (chunk === undefined || start + chunk.entryCount <= fromIndex) {
      break;
    }
    const offsets = offsetsOf.error(chunk);
    count += offsets.length - countBelow(offsets, fromIndex - start);
  }
  return count;
};

const nearest = (list: EntryList, place: number, {direction, levelMin = 'error'}: ErrorSearch): Entry | undefined => {
  const {chunks, starts, entryCount} = list.buffer;
  const isNext = direction === 'next';
  const from = Math.min(place, entryCount);
  const first = isNext ? Math.max(0, from) : from - 1;
  if (first < 0 || first >= entryCount) {
    return undefined;
  }
  for (
    let index = pieceOf(list.buffer, first).chunkIndex;
    index >= 0 && index < chunks.length;
    index += isNext ? 1 : -1
  ) {
    const start = starts[index] ?? 0;
    const offsets = listedLines(list, index, levelMin);
    const below = countBelow(offsets, from - start);
    const offset = offsets[isNext ? below : below - 1];
    if (offset !== undefined) {
      return entryAt(list.buffer, start + offset);
    }
  }
  return undefined;
};

/** Returns the lines of the level of a chunk that are in the list. Free if the chunk has none, as most have. */
export const listedLines = (list: EntryList, chunkIndex: number, level: keyof typeof offsetsOf): Uint16Array => {
  const chunk = list.buffer.chunks[chunkIndex];
  const found = chunk === undefined ? noOffsets : offsetsOf[level](chunk);
  const listed = found.length === 0 ? undefined : list.offsetsIn(chunkIndex);
  return listed === undefined ? found : found.filter(offset => listed[countBelow(listed, offset)] === offset);
};
