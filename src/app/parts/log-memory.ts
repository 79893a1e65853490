import type {Instant} from '#log/line/instant.ts';
import type {SourcePick} from '#log/view/sources.ts';

/** A saved mark. Entry ids mean nothing in another run, so it identifies a line by time and a hash of the text. */
export type RememberedMark = {
  readonly at: Instant;
  /** See `hashLine`; undefined for a mark on a marker, which only has its time. */
  readonly lineHash: string | undefined;
  readonly note: string;
};

/** The saved view settings of a branch's log. Words and numbers read from disk are checked where they are used. */
export type LogMemory = {
  /** As typed, after `+` for lines to show and `-` for lines to hide. */
  readonly filters: readonly string[];
  /** Those of them that are switched off. */
  readonly filtersOff?: readonly string[];
  readonly contextLines: number;
  readonly minimumLevel: string | undefined;
  readonly sourcePick?: SourcePick | undefined;
  readonly wraps: boolean;
  readonly timeMode: string | undefined;
  /** How lines are shown; undefined as the settings say. */
  readonly rows: string | undefined;
  /** The fields shown as columns; undefined as the settings say. */
  readonly columns?: readonly string[] | undefined;
  /** What is folded: `traces`, `repeats`; undefined for nothing. */
  readonly folds?: readonly string[] | undefined;
  /** As typed. */
  readonly highlights: readonly string[];
  readonly marks: readonly RememberedMark[];
};

/** Identifies the log that a memory belongs to. */
export type LogKey = {readonly contextName: string; readonly siteId: string; readonly branchId: string};
