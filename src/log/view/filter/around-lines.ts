import {type Chunk, sourceAt} from '#log/buffer/chunk.ts';
import {createWeakCache} from '#log/buffer/weak-cache.ts';
import {isContinuedAt, type LineWriter, lastHeadRankOf} from '#log/traits/line-traits.ts';
import {type ChunkSelection, fate, unknownSelection} from './chunk-selection.ts';

/** The last line of a source before a chunk that is not a continuation: the source's first lines may continue it. */
type HeadBefore = {
  /** The rank of its level, see `levelRank`; 0 if there is no such line. */
  readonly rank: number;
  readonly isHeld: boolean;
};

const none: HeadBefore = {rank: 0, isHeld: false};

/**
 * Returns a function that finds the head of a source before each chunk, by the chunk's index; undefined if unknown
 * because `read`, which scans a chunk, refuses one on the way there. All calls for a source together are O(chunks).
 */
export const headsBefore = (
  chunks: readonly Chunk[],
  read: (chunk: Chunk) => boolean,
): ((index: number, source: LineWriter) => HeadBefore | undefined) => {
  const bySource = new Map<LineWriter, (HeadBefore | 'refused' | undefined)[]>();
  return (index, source) => {
    const heads = bySource.get(source) ?? new Array<HeadBefore | 'refused' | undefined>(chunks.length);
    bySource.set(source, heads);
    heads[0] = none;
    let from = index;
    while (heads[from] === undefined) {
      const before = chunks[from - 1];
      if (before === undefined || !read(before)) {
        heads[from] = 'refused';
        break;
      }
      const rank = lastHeadRankOf(before, source);
      if (rank !== undefined) {
        heads[from] = {rank, isHeld: true};
        break;
      }
      from -= 1;
    }
    const found = heads[from];
    heads.fill(found, from, index + 1);
    return found === 'refused' ? undefined : found;
  };
};

/** A chunk's folds with the first lines of some sources unfolded. */
type Unfolded = {readonly headless: readonly LineWriter[]; readonly folds: Uint8Array};

const kept = createWeakCache<Uint8Array, Unfolded>();

/**
 * Returns the folds of a chunk with those lines unfolded that continue an evicted line: nothing would represent them.
 * They are the first of the sources that have no head before the chunk any more. Returns the same array for the same
 * folds and sources.
 */
export const keepHeadless = (chunk: Chunk, folds: Uint8Array, headless: readonly LineWriter[]): Uint8Array => {
  const before = kept.get(folds);
  if (headless.length === 0) {
    return folds;
  }
  if (before?.headless.length === headless.length && headless.every(source => before.headless.includes(source))) {
    return before.folds;
  }
  const unfolded = folds.map((isFolded, offset) =>
    isFolded === 1 && isContinuedAt(chunk, offset) && headless.includes(sourceAt(chunk, offset)) ? 0 : isFolded,
  );
  kept.set(folds, {headless, folds: unfolded});
  return unfolded;
};

/** Infinite if a line is out of reach, so that all such distances compare equal. */
const reach = (distance: number, contextLines: number): number =>
  distance >= contextLines ? Number.POSITIVE_INFINITY : distance;

/**
 * Returns, for each chunk, how many showable lines are between it and the nearest wanted one before it, or backwards
 * after it.
 */
export const distancesToWanted = (
  selections: readonly ChunkSelection[],
  contextLines: number,
  isBackwards: boolean,
): Float64Array => {
  const distances = new Float64Array(selections.length);
  let distance = Number.POSITIVE_INFINITY;
  for (const step of selections.keys()) {
    const index = isBackwards ? selections.length - 1 - step : step;
    distances[index] = reach(distance, contextLines);
    const {lineCount, linesBeforeFirst, linesAfterLast} = selections[index] ?? unknownSelection;
    distance = (isBackwards ? linesBeforeFirst : linesAfterLast) ?? distance + lineCount;
  }
  return distances;
};

/**
 * Returns the offsets of a chunk's shown entries: markers, wanted lines, and `contextLines` lines before and after each
 * of these. `before` and `after` are the distances to the nearest wanted lines in other chunks.
 */
export const showEntries = (
  {fates}: ChunkSelection,
  before: number,
  after: number,
  contextLines: number,
): Uint16Array => {
  const isShown = new Uint8Array(fates.length);
  // One pass from each end, counting the lines since the last wanted one.
  sweep(fates, isShown, before, contextLines, false);
  sweep(fates, isShown, after, contextLines, true);
  const offsets = new Uint16Array(fates.length);
  let count = 0;
  for (let offset = 0; offset < isShown.length; offset++) {
    if (isShown[offset] === 1) {
      offsets[count] = offset;
      count += 1;
    }
  }
  return offsets.slice(0, count);
};

const sweep = (
  fates: Uint8Array,
  isShown: Uint8Array,
  linesSinceWanted: number,
  contextLines: number,
  isBackwards: boolean,
): void => {
  let lines = linesSinceWanted;
  for (let step = 0; step < fates.length; step++) {
    const offset = isBackwards ? fates.length - 1 - step : step;
    switch (fates[offset]) {
      case fate.wanted:
        lines = 0;
        isShown[offset] = 1;
        break;
      case fate.marker:
        isShown[offset] = 1;
        break;
      case fate.nearby:
        lines += 1;
        if (lines <= contextLines) {
          isShown[offset] = 1;
        }
        break;
      default:
        break;
    }
  }
};
