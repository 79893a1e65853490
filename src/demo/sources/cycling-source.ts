import {minuteMs} from '../seed/durations.ts';
import {momentOf, offsetNsMax, type SampleSource} from '../world/seed/log-source.ts';
import type {Random} from '../world/seed/random.ts';

/** Returns the text of a line; `atMs` is its moment, milliseconds since 1970. */
export type SampleText = (random: Random, atMs: number) => string;

const linesPerSecond = 2;

/** Creates a source that repeats a list of samples, so that each appears once every `samples.length / 2` seconds. */
export const createCyclingSource = (name: string, samples: readonly SampleText[]): SampleSource => ({
  name,
  historyMs: 3 * minuteMs,
  writeSlice: slice =>
    Array.from({length: linesPerSecond}, (_, place) => {
      const number = slice.index * linesPerSecond + place;
      const share = Math.floor(offsetNsMax / linesPerSecond);
      const offsetNs = place * share + slice.random.integer(0, share - 1);
      const sample = samples[((number % samples.length) + samples.length) % samples.length];
      return {offsetNs, text: sample ? sample(slice.random, momentOf(slice, offsetNs)) : ''};
    }),
});
