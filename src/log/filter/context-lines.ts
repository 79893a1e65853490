import {type ChunkSelection, fate} from './chunk-selection.ts';

/** Infinite where a line is out of reach: such distances are all alike. */
const reach = (distance: number, contextLines: number): number =>
  distance >= contextLines ? Number.POSITIVE_INFINITY : distance;

/** For each chunk, how many lines that may be shown stand between it and the nearest wanted one before it. */
export const distancesBefore = (selections: readonly ChunkSelection[], contextLines: number): Float64Array => {
  const distances = new Float64Array(selections.length);
  let distance = Number.POSITIVE_INFINITY;
  for (const [index, {lineCount, linesBehindLast}] of selections.entries()) {
    distances[index] = reach(distance, contextLines);
    distance = linesBehindLast ?? distance + lineCount;
  }
  return distances;
};

/** The same behind each chunk. */
export const distancesBehind = (selections: readonly ChunkSelection[], contextLines: number): Float64Array => {
  const distances = new Float64Array(selections.length);
  let distance = Number.POSITIVE_INFINITY;
  for (let index = selections.length - 1; index >= 0; index--) {
    distances[index] = reach(distance, contextLines);
    const selection = selections[index];
    distance = selection?.linesBeforeFirst ?? distance + (selection?.lineCount ?? 0);
  }
  return distances;
};

/**
 * The places of a chunk's entries that are shown: markers, wanted lines, and so many lines before and behind each of these. `before` and `behind` are
 * how far the next wanted lines in other chunks are.
 */
export const showEntries = (
  {fates}: ChunkSelection,
  before: number,
  behind: number,
  contextLines: number,
): Uint16Array => {
  const isShown = new Uint8Array(fates.length);
  // Once from each end: how many lines ago was the last wanted one?
  sweep(fates, isShown, before, contextLines, false);
  sweep(fates, isShown, behind, contextLines, true);
  const offsets: number[] = [];
  for (const [offset, shown] of isShown.entries()) {
    if (shown === 1) {
      offsets.push(offset);
    }
  }
  return Uint16Array.from(offsets);
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
