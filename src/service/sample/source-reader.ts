import {secondMs} from './seed/durations.ts';
import {type EmittedLine, latestArrivalMs} from './seed/emitted-line.ts';
import {type SliceAddress, writeSlice} from './write-slice.ts';

export type NewestLines = {
  /** Oldest first. */
  readonly lines: readonly EmittedLine[];
  /** When the last of the lines that are left out arrived, milliseconds since 1970; negative infinity if none is. */
  readonly leftOutAtMs: number;
};

/** Reads one source's log backwards from any moment, and keeps only what its last window consisted of. */
export type SourceReader = {
  /** Returns the newest `linesMax` lines that have arrived at `nowMs`. */
  readonly readNewest: (nowMs: number, linesMax: number) => NewestLines;
  /**
   * Returns the number of lines kept in memory: at most a window's, the rest of the slices at its two ends, and the
   * slices before it whose lines may have arrived later.
   */
  readonly countHeld: () => number;
};

export const createSourceReader = (address: Omit<SliceAddress, 'index'>): SourceReader => {
  const held = new Map<number, readonly EmittedLine[]>();
  const {historyMs, lateMsMax = 0} = address.source;
  const firstIndex = Math.ceil(-historyMs / secondMs);
  const lateSlicesMax = Math.ceil(lateMsMax / secondMs);
  const sliceAt = (index: number): readonly EmittedLine[] => {
    const known = held.get(index);
    if (known) {
      return known;
    }
    const written = writeSlice({...address, index});
    held.set(index, written);
    return written;
  };
  return {
    readNewest: (nowMs, linesMax) => {
      const lastIndex = Math.floor((nowMs - address.startMs) / secondMs);
      const slices: (readonly EmittedLine[])[] = [];
      let room = linesMax;
      let leftOutAtMs = Number.NEGATIVE_INFINITY;
      let endIndex = firstIndex;
      let index = lastIndex;
      // Slices do not overlap in time, so whole slices can be taken from the newest back until there are enough lines.
      for (; index >= endIndex; index--) {
        const arrived = sliceAt(index).filter(line => line.arrivesAtMs <= nowMs);
        const taken = arrived.slice(Math.max(0, arrived.length - room));
        const leftOut = arrived.slice(0, arrived.length - taken.length);
        slices.push(taken);
        room -= taken.length;
        if (leftOut.length > 0) {
          // A line of an older slice can only have arrived later if it was late.
          endIndex = Math.max(endIndex, index - lateSlicesMax);
          leftOutAtMs = Math.max(leftOutAtMs, latestArrivalMs(leftOut));
        }
      }
      for (const heldIndex of held.keys()) {
        if (heldIndex <= index || heldIndex > lastIndex) {
          held.delete(heldIndex);
        }
      }
      return {lines: slices.reverse().flat(), leftOutAtMs};
    },
    countHeld: () => held.values().reduce((sum, lines) => sum + lines.length, 0),
  };
};
