import type {LineBuffer} from '#log/buffer/buffer.ts';
import {type Chunk, sourceAt, sourcesIn} from '#log/buffer/chunk.ts';
import {markersOf} from '#log/buffer/entry-list.ts';
import {createChunkCache, once} from '#log/buffer/weak-cache.ts';
import type {SourceName} from '#log/line/entry.ts';
import {sourceKey, unsaidSource} from '#log/words/source-words.ts';

/** The lines of each source in a chunk; lines of which the service says nothing are of `unsaidSource`. */
type LineCounts = ReadonlyMap<SourceName, number>;

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

/** The sources whose lines are hidden, or the only ones whose lines are shown. Compared by their fields. */
export type SourcePick = {readonly kind: 'hide' | 'only'; readonly names: readonly SourceName[]};

/** Returns a function that checks whether the lines of a source are hidden. */
export const hiddenBy = (pick: SourcePick | undefined): ((name: SourceName) => boolean) => {
  if (pick === undefined) {
    return () => false;
  }
  const keys = new Set(pick.names.map(sourceKey));
  return name => keys.has(sourceKey(name)) === (pick.kind === 'hide');
};

/** Shows only some sources, or hides them besides those that are hidden already. */
export const pickOf = (pick: SourcePick | undefined, {kind, names}: SourcePick): SourcePick => {
  const keys = new Set(names.map(sourceKey));
  const others = (pick?.names ?? []).filter(name => !keys.has(sourceKey(name)));
  if (kind === 'only' || pick === undefined) {
    return {kind, names};
  }
  return pick.kind === 'only' ? {kind: 'only', names: others} : {kind: 'hide', names: [...others, ...names]};
};

/** Hides a source, or shows it again; undefined if all of `known` are shown now. */
export const toggleSource = (
  pick: SourcePick | undefined,
  name: SourceName,
  known: readonly SourceName[],
): SourcePick | undefined => {
  const {kind, names} = pick ?? {kind: 'hide', names: []};
  const key = sourceKey(name);
  const others = names.filter(each => sourceKey(each) !== key);
  const changed: SourcePick = {kind, names: others.length < names.length ? others : [...names, name]};
  return settlePick(changed, known);
};

/** Returns a pick, or undefined if it hides none of the known sources. */
export const settlePick = (pick: SourcePick, known: readonly SourceName[]): SourcePick | undefined =>
  known.some(hiddenBy(pick)) ? pick : undefined;

/** The held lines of one source. `unsaidSource` stands for lines whose source the service does not report. */
export type HeldSource = {readonly name: SourceName; readonly lineCount: number; readonly gapCount: number};

/** Days of rollouts; more than a reader can tell apart. */
export const sourcesMax = 1000;

const namesIn = (chunk: Chunk): readonly SourceName[] => [
  ...(countLinesOfSources(chunk)?.keys() ?? []),
  ...markersOf(chunk).flatMap(({marker}) => (marker.kind === 'gap' ? (marker.source ?? []) : [])),
];

/**
 * Adds the sources of new lines and gaps to those that are known, in order of appearance; returns the same list if none
 * is new. Of too many, the last ones are left out, so that the list does not change with every line. O(chunks + sources
 * of new ones).
 */
export const learnSources = (
  known: readonly SourceName[],
  before: LineBuffer,
  now: LineBuffer,
): readonly SourceName[] => {
  if (known.length >= sourcesMax) {
    return known;
  }
  const chunksBefore = new Set(before.chunks);
  const keys = new Set([sourceKey(unsaidSource), ...known.map(sourceKey)]);
  const found: SourceName[] = [];
  for (const name of now.chunks.filter(chunk => !chunksBefore.has(chunk)).flatMap(namesIn)) {
    const key = sourceKey(name);
    if (!keys.has(key)) {
      keys.add(key);
      found.push(name);
    }
  }
  return found.length === 0 ? known : [...known, ...found].slice(0, sourcesMax);
};

/** Counts the lines and gaps of each source, by `sourceKey`. O(chunks × sources of one). */
export const countSources = (buffers: readonly LineBuffer[]): ReadonlyMap<string, HeldSource> => {
  const held = new Map<string, HeldSource>();
  const add = (name: SourceName, lineCount: number, gapCount: number): void => {
    const key = sourceKey(name);
    const before = held.get(key) ?? {name, lineCount: 0, gapCount: 0};
    held.set(key, {name, lineCount: before.lineCount + lineCount, gapCount: before.gapCount + gapCount});
  };
  for (const chunk of buffers.flatMap(({chunks}) => chunks)) {
    const counts = countLinesOfSources(chunk) ?? [[unsaidSource, chunk.lineCount] as const];
    for (const [name, lineCount] of counts) {
      add(name, lineCount, 0);
    }
    for (const {marker} of markersOf(chunk)) {
      if (marker.kind === 'gap' && marker.source !== undefined) {
        add(marker.source, 0, 1);
      }
    }
  }
  return held;
};
