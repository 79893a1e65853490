import {type Chunk, type ChunkKey, entriesOf} from './chunk.ts';
import type {Marker} from './entry.ts';

/** A marker and its place in its chunk, from 0. */
export type PlacedMarker = {readonly offset: number; readonly marker: Marker};

const none: readonly PlacedMarker[] = [];

/** Chunks never change, so each is looked through once; the table lets go of chunks that are no longer held. */
const known = new WeakMap<ChunkKey, readonly PlacedMarker[]>();

/** The markers of a chunk, in order. Costs nothing where it has none, as nearly every chunk. */
export const markersOf = (chunk: Chunk): readonly PlacedMarker[] => {
  if (chunk.lineCount === chunk.entryCount) {
    return none;
  }
  const found =
    known.get(chunk.key) ??
    entriesOf(chunk).flatMap((entry, offset) => (entry.kind === 'line' ? [] : [{offset, marker: entry}]));
  known.set(chunk.key, found);
  return found;
};
