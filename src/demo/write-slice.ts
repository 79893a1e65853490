import {formatInstant, instantFromMs} from '../log/line/instant.ts';
import {secondMs} from './seed/durations.ts';
import {compareEmitted, type EmittedLine} from './seed/emitted-line.ts';
import type {SampleSource} from './seed/log-source.ts';
import {createRandom} from './seed/random.ts';

export type SliceAddress = {
  readonly source: SampleSource;
  readonly seed: number;
  readonly branchId: string;
  /** The demo's start, milliseconds since 1970. */
  readonly startMs: number;
  readonly index: number;
};

/** Writes one second of a source's log, in order. The same address gives the same lines, whatever was read before. */
export const writeSlice = ({source, seed, branchId, startMs, index}: SliceAddress): readonly EmittedLine[] => {
  const demoMs = index * secondMs;
  if (demoMs < -source.historyMs) {
    return [];
  }
  const slice = {index, startMs: startMs + demoMs, demoMs, random: createRandom(seed, branchId, source.name, index)};
  const startsAt = instantFromMs(slice.startMs);
  return source
    .writeSlice(slice)
    .map(({offsetNs, text, lateMs = 0}) => ({
      line: `${formatInstant(startsAt + BigInt(offsetNs))} ${text}`,
      sinceStartNs: index * 1_000_000_000 + offsetNs,
      arrivesAtMs: slice.startMs + Math.ceil(offsetNs / 1_000_000) + lateMs,
      source: source.name,
    }))
    .sort(compareEmitted);
};
