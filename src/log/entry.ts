import type {Instant} from './instant.ts';

/** One log line as it is held. */
export type LineEntry = {
  readonly kind: 'line';
  /** Unlike every other entry's of the same buffer, and larger than that of every entry made before it. */
  readonly id: number;
  /** Its timestamp; for a line without a readable one, that of the line before it. */
  readonly at: Instant;
  /** The whole line as received: `<timestamp> <text>`. */
  readonly raw: string;
  /** Where the text begins in `raw`: behind the first space, or 0 where the timestamp can't be read. */
  readonly textIndex: number;
  /** It arrived behind newer ones. */
  readonly late: boolean;
};

/** Lines may be missing from `after` to `before`; at these very times too, where several lines share one. */
export type GapMarker = {
  readonly kind: 'gap';
  readonly id: number;
  readonly at: Instant;
  readonly after: Instant;
  readonly before: Instant;
};

/** A pod came or went. The last lines of one that went may be missing, from `since` on. */
export type PodMarker = {
  readonly kind: 'pod';
  readonly id: number;
  readonly at: Instant;
  readonly change: 'appeared' | 'gone';
  readonly name: string;
  readonly since: Instant | undefined;
};

/** The window was empty in between: nobody can know what came and went. `since` is the newest line before. */
export type QuietMarker = {readonly kind: 'quiet'; readonly id: number; readonly at: Instant; readonly since: Instant};

/** An entry between lines that is no line. */
export type Marker = GapMarker | PodMarker | QuietMarker;

export type Entry = LineEntry | Marker;

/** All of a line after its timestamp, as received. */
export const textOf = (line: LineEntry): string => line.raw.slice(line.textIndex);
