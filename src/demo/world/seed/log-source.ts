import type {Random} from './random.ts';

/** A pod of the demo. Times in milliseconds since the demo's start. */
export type SamplePod = {readonly name: string; readonly bornMs: number};

/** Returns the pods that run at a moment, `demoMs` milliseconds after the demo's start, oldest first. */
export type Roster = (demoMs: number) => readonly SamplePod[];

/** A line as the log stores it, with what windows do not show. */
export type EmittedLine = {
  /** `<timestamp> <text>`, as in windows. */
  readonly line: string;
  /** Its timestamp as nanoseconds since the demo's start: exact as a number for 104 days of demo. */
  readonly sinceStartNs: number;
  /** When it can first be read, milliseconds since 1970. */
  readonly arrivesAtMs: number;
  /** The name of the source that wrote it. */
  readonly source: string;
};

/**
 * Compares lines in the order of a log: by timestamp, equal ones by arrival. So a late line never comes between two
 * equal timestamps that a reader already has.
 */
export const compareEmitted = (left: EmittedLine, right: EmittedLine): number =>
  left.sinceStartNs - right.sinceStartNs || left.arrivesAtMs - right.arrivesAtMs;

/** Returns when the last of these lines arrived, milliseconds since 1970; negative infinity if there is none. */
export const latestArrivalMs = (lines: readonly EmittedLine[]): number =>
  lines.reduce((latestMs, {arrivesAtMs}) => Math.max(latestMs, arrivesAtMs), Number.NEGATIVE_INFINITY);

/**
 * One second of a source's log. A log consists of slices, each with its own seed, so any one can be written at any
 * time.
 */
export type Slice = {
  /** Counts from 0 at the demo's start; history has negative numbers. */
  readonly index: number;
  /** The start of the slice, milliseconds since 1970. */
  readonly startMs: number;
  /** The start of the slice, milliseconds since the demo's start; negative in history. */
  readonly demoMs: number;
  readonly random: Random;
};

/** A line of a slice, before it gets its timestamp. */
export type Draft = {
  /** Nanoseconds after the start of the slice, 0 to 999,999,999. */
  readonly offsetNs: number;
  readonly text: string;
  /**
   * How long after its timestamp the line can first be read, milliseconds; at most the source's `lateMsMax`. Absent: at
   * once.
   */
  readonly lateMs?: number;
};

/** A writer of lines: for a whole branch, or for one of its pods if windows are cut per pod. */
export type SampleSource = {
  readonly name: string;
  /** How far the log goes back before the demo's start. It bounds the cost of a first window. */
  readonly historyMs: number;
  /** How late a line may be. A window looks so much further back for the last line to arrive that it leaves out. */
  readonly lateMsMax?: number;
  /** Returns the slice's lines in any order; lines with equal timestamps stay in that order. */
  readonly writeSlice: (slice: Slice) => readonly Draft[];
};

/** How a branch's log is written and how windows are cut from it. */
export type LogShape = {
  /** The maximum number of lines in a window, or of each source if it is cut by source. */
  readonly windowLinesMax: number;
  readonly cutBySource: boolean;
  readonly sources: readonly SampleSource[];
};

/** Returns a moment within a slice, milliseconds since 1970: the time used in a line's own text. */
export const momentOf = (slice: Slice, offsetNs: number): number => slice.startMs + Math.floor(offsetNs / 1_000_000);

/** The last nanosecond of a slice. */
export const offsetNsMax = 999_999_999;
