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

/** Why lines may be missing. */
export type GapReason =
  /** No line of the window before proves that this one continues it: the service's window moved on. */
  | 'moved-on'
  /** More lines came at once than one source may hold, and the service does not say how it cuts its windows. */
  | 'unproven'
  /** The service cuts each pod or source on its own, and as many lines came as one of them may hold. */
  | 'share'
  /** The clock that stamps the lines went back. */
  | 'clock-back'
  /** Windows were empty in between. */
  | 'empty'
  /** The window spans less time than lines have been seen to be late. */
  | 'short-window';

/** Lines may be missing from `after` to `before`; at these very times too, where several lines share one. */
export type GapMarker = {
  readonly kind: 'gap';
  readonly id: number;
  readonly at: Instant;
  readonly after: Instant;
  readonly before: Instant;
  readonly reason?: GapReason | undefined;
  /** How many lines the window brought at once. */
  readonly newLines?: number | undefined;
  /**
   * A standing gap: polls that follow each other without proof extend one marker. Where entries are handed out one by one this one
   * takes the place of the last gap handed out; in the buffer it has taken it already.
   */
  readonly grows?: boolean | undefined;
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

/** What happened to the branch itself, by its record (interface specification, sections 2.1 and 2.3). Every word is foreign text. */
export type Change =
  /** Its status; null: not built out. */
  | {readonly kind: 'status'; readonly before: string | null; readonly now: string | null}
  /** Its last activity: what was done, how it stands and who did it, each where the record says so. */
  | {
      readonly kind: 'activity';
      readonly action: string | undefined;
      readonly status: string | undefined;
      readonly createdBy: string | undefined;
    };

/** The branch itself changed. `happenedAt` is when, where the record tells it; `at` is where it stands in the log. */
export type ChangeMarker = {
  readonly kind: 'change';
  readonly id: number;
  readonly at: Instant;
  readonly happenedAt: Instant | undefined;
  readonly change: Change;
};

/** The service held nothing older than this when it was first asked. */
export type HorizonMarker = {readonly kind: 'horizon'; readonly id: number; readonly at: Instant};

/** An entry between lines that is no line. */
export type Marker = GapMarker | PodMarker | QuietMarker | ChangeMarker | HorizonMarker;

export type Entry = LineEntry | Marker;

/** All of a line after its timestamp, as received. */
export const textOf = (line: LineEntry): string => line.raw.slice(line.textIndex);
