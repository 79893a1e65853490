import type {Marker} from '#log/line/entry.ts';
import {type Chunk, entriesOf} from './chunk.ts';
import {createChunkCache, once} from './weak-cache.ts';

/** A marker and its place in its chunk, from 0. */
export type PlacedMarker = {readonly offset: number; readonly marker: Marker};

const none: readonly PlacedMarker[] = [];

const findMarkers = once(createChunkCache<readonly PlacedMarker[]>(), (chunk: Chunk) =>
  entriesOf(chunk).flatMap((entry, offset) => (entry.kind === 'line' ? [] : [{offset, marker: entry}])),
);

/** Returns the markers of a chunk, in order. Free if it has none, as nearly every chunk. */
export const markersOf = (chunk: Chunk): readonly PlacedMarker[] =>
  chunk.lineCount === chunk.entryCount ? none : findMarkers(chunk);
