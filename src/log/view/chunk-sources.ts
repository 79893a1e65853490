import {type Chunk, sourceAt, sourcesIn} from '#log/buffer/chunk.ts';
import {markersOf} from '#log/buffer/entry-list.ts';
import {createChunkCache, once} from '#log/buffer/weak-cache.ts';
import type {SourceName} from '#log/line/entry.ts';
import {unsaidSource} from '#log/words/source-words.ts';

/** The lines of each source in a chunk; lines of which the service says nothing are of `unsaidSource`. */
export type LineCounts = ReadonlyMap<SourceName, number>;

const countLines = once(createChunkCache<LineCounts | 'unsaid'>(), (chunk: Chunk) => {
  if (![...sourcesIn(chunk)].some(name => name !== undefined)) {
    return 'unsaid';
  }
  const counts = new Map<SourceName, number>();
  for (let offset = 0; offset < chunk.entryCount; offset++) {
    const name = sourceAt(chunk, offset) ?? unsaidSource;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  // A marker is nobody's line.
  const unsaidCount = (counts.get(unsaidSource) ?? 0) - markersOf(chunk).length;
  counts.delete(unsaidSource);
  return unsaidCount > 0 ? counts.set(unsaidSource, unsaidCount) : counts;
});

/** Counts the lines of each source in a chunk; undefined if the service does not say of any who wrote it. */
export const countLinesOfSources = (chunk: Chunk): LineCounts | undefined => {
  const counts = countLines(chunk);
  return counts === 'unsaid' ? undefined : counts;
};

/** Returns who wrote the line at an offset; undefined if the service does not say so of any line of the chunk. */
export const declaredSourceAt = (chunk: Chunk, offset: number): SourceName | undefined =>
  countLinesOfSources(chunk) === undefined ? undefined : (sourceAt(chunk, offset) ?? unsaidSource);
