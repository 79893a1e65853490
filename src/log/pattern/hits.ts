import type {LineBuffer} from '#log/buffer/buffer.ts';
import type {EntryList} from '#log/buffer/entry-list.ts';
import {noOffsets} from '#log/buffer/offset-search.ts';
import {selectEntries} from '#log/buffer/select-entries.ts';
import {createWeakCache} from '#log/buffer/weak-cache.ts';
import type {Matches} from '#log/pattern/matches.ts';
import {type Anchor, anchorOf, type LogView} from '#log/view/log-view.ts';

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
export type FoundHit = {readonly number: number; readonly anchor: Anchor};

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
