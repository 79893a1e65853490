import type {Instant} from '../../log/line/instant.ts';

/** A mark as it is kept: the line's id means nothing in another run, so it is known by its time and a hash of its text. */
export type RememberedMark = {
  readonly at: Instant;
  /** See `hashLine`; where there is none, the first line of that time is meant. */
  readonly lineHash: string | undefined;
  readonly note: string;
};

/** How a branch's log is looked at, as it is kept for the next time. Words and numbers of a memory that was read are checked where they are used. */
export type LogMemory = {
  /** As they were typed, after `+` where lines with them are shown, and `-` where they are left out. */
  readonly filters: readonly string[];
  readonly contextLines: number;
  readonly minimumLevel: string | undefined;
  readonly wraps: boolean;
  readonly timeMode: string | undefined;
  /** As they were typed. */
  readonly highlights: readonly string[];
  readonly marks: readonly RememberedMark[];
};

/** What a memory is of. */
export type LogKey = {readonly contextName: string; readonly siteId: string; readonly branchId: string};
