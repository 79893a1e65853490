import {secondMs} from './seed/durations.ts';
import type {EmittedLine} from './seed/emitted-line.ts';
import {type SliceAddress, writeSlice} from './write-slice.ts';

/** Reads one source's log backwards from any moment, and keeps only what its last window consisted of. */
export type SourceReader = {
  /** Returns the newest `linesMax` lines that have arrived at `nowMs`, oldest first. */
  readonly readNewest: (nowMs: number, linesMax: number) => readonly EmittedLine[];
  /** Returns the number of lines kept in memory: at most a window's, and the rest of the slices at its two ends. */
  readonly countHeld: () => number;
};

export const createSourceReader = (address: Omit<SliceAddress, 'index'>): SourceReader => {
  const held = new Map<number, readonly EmittedLine[]>();
  const firstIndex = Math.ceil(-address.source.historyMs / secondMs);
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
      let count = 0;
      let index = lastIndex;
      // Slices do not overlap in time, so whole slices can be taken from the newest back until there are enough lines.
      for (; index >= firstIndex && count < linesMax; index--) {
        const arrived = sliceAt(index).filter(line => line.arrivesAtMs <= nowMs);
        if (arrived.length > 0) {
          slices.push(arrived);
          count += arrived.length;
        }
      }
      for (const heldIndex of held.keys()) {
        if (heldIndex <= index || heldIndex > lastIndex) {
          held.delete(heldIndex);
        }
      }
      return slices.reverse().flat().slice(-linesMax);
    },
    countHeld: () => held.values().reduce((sum, lines) => sum + lines.length, 0),
  };
};
