import {type ChunkSelection, fate, unknownSelection} from './chunk-selection.ts';

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
