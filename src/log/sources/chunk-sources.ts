import {type Chunk, entriesOf} from '../buffer/chunk.ts';
import {createChunkTable} from '../buffer/side-table.ts';
import type {SourceName} from '../line/source-name.ts';
import {sourceKey, unsaidSource} from './source-words.ts';

/** Who wrote the lines of a chunk. */
export type ChunkSources = {
  /** In order of their first lines here. */
  readonly names: readonly SourceName[];
  /** For each entry the index of its source in `names`; `noSource` for a marker. */
  readonly indexes: Uint16Array;
  /** For each source, its lines here. */
  readonly lineCounts: readonly number[];
};

/** The index of a marker, which is nobody's line. */
export const noSource = 0xffff;

const known = createChunkTable<ChunkSources | 'unsaid'>();

/**
 * Returns who wrote the lines of a chunk; undefined if the service does not say it of any. Lines without a source are of
 * `unsaidSource`.
 */
export const sourcesOf = (chunk: Chunk): ChunkSources | undefined => {
  const found = known.get(chunk) ?? readSources(chunk) ?? 'unsaid';
  known.set(chunk, found);
  return found === 'unsaid' ? undefined : found;
};

const readSources = (chunk: Chunk): ChunkSources | undefined => {
  const entries = entriesOf(chunk);
  if (!entries.some(entry => entry.kind === 'line' && entry.source !== undefined)) {
    return undefined;
  }
  const names: SourceName[] = [];
  const lineCounts: number[] = [];
  const places = new Map<string, number>();
  const indexes = new Uint16Array(entries.length).fill(noSource);
  let [last, lastIndex]: [SourceName | undefined, number] = [undefined, noSource];
  for (const [offset, entry] of entries.entries()) {
    if (entry.kind !== 'line') {
      continue;
    }
    const name = entry.source ?? unsaidSource;
    if (name !== last) {
      const key = sourceKey(name);
      last = name;
      lastIndex = places.get(key) ?? names.length;
      if (lastIndex === names.length) {
        places.set(key, lastIndex);
        names.push(name);
        lineCounts.push(0);
      }
    }
    indexes[offset] = lastIndex;
    lineCounts[lastIndex] = (lineCounts[lastIndex] ?? 0) + 1;
  }
  return {names, indexes, lineCounts};
};
