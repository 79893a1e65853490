import type {Random} from './random.ts';

/** One second of a source's log. All of a log is made of them, each of its own seed, so any one can be written at any time. */
export type Slice = {
  /** Counts from 0 at the demo's start; history has negative numbers. */
  readonly index: number;
  /** The slice's beginning, milliseconds since 1970. */
  readonly startMs: number;
  /** The slice's beginning, milliseconds since the demo's start; negative in history. */
  readonly demoMs: number;
  readonly random: Random;
};

/** A line of a slice, before it has its timestamp. */
export type Draft = {
  /** Nanoseconds after the slice's beginning, 0 to 999,999,999. */
  readonly offsetNs: number;
  readonly text: string;
  /** How long after its timestamp the line can first be read, milliseconds. Absent: at once. */
  readonly lateMs?: number;
};

/** What writes lines: all of a branch, or one of its pods where windows are cut a pod. */
export type SampleSource = {
  readonly name: string;
  /** How far the log reaches back behind the demo's start. It bounds what a first window may cost. */
  readonly historyMs: number;
  /** The slice's lines in any order; equal timestamps keep theirs. */
  readonly writeSlice: (slice: Slice) => readonly Draft[];
};

/** How a branch's log is written and how windows are cut from it. */
export type LogShape = {
  /** The most lines a window holds; where it is cut by source, the most of each. */
  readonly windowLinesMax: number;
  readonly cutBySource: boolean;
  readonly sources: readonly SampleSource[];
};

/** A moment within a slice, milliseconds since 1970: what a line's own text takes for the time. */
export const momentOf = (slice: Slice, offsetNs: number): number => slice.startMs + Math.floor(offsetNs / 1_000_000);

/** The last nanosecond of a slice. */
export const offsetNsMax = 999_999_999;
