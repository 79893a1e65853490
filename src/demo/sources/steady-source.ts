import type {Draft, SampleSource, Slice} from '../seed/log-source.ts';
import {offsetNsMax} from '../seed/log-source.ts';

export type SteadyOptions = {
  readonly name: string;
  /** Lines a second, on average; below 1 they come one by one at even intervals, as from a scheduler. */
  readonly perSecond: number;
  readonly historyMs: number;
  /**
   * Returns the line's text. `number` counts the source's lines if they come one by one, otherwise those of the slice.
   */
  readonly write: (slice: Slice, offsetNs: number, number: number) => string;
};

/** Creates a source with a constant rate. */
export const createSteadySource = ({name, perSecond, historyMs, write}: SteadyOptions): SampleSource => ({
  name,
  historyMs,
  writeSlice: slice => {
    const {random, index} = slice;
    const draft = (number: number): Draft => {
      const offsetNs = random.integer(0, offsetNsMax);
      return {offsetNs, text: write(slice, offsetNs, number)};
    };
    if (perSecond < 1) {
      const due = Math.floor((index + 1) * perSecond) - Math.floor(index * perSecond);
      return due > 0 ? [draft(Math.floor((index + 1) * perSecond))] : [];
    }
    return Array.from({length: random.count(perSecond)}, (_, number) => draft(number));
  },
});
