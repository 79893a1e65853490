import type {ApiErrorKind} from '#api/client/api-error.ts';
import type {GapMarker} from '#log/line/entry.ts';

/** The outcome of a poll. Times are milliseconds by a monotonic clock. */
export type PollRecord = {
  /** When the answer came, or the poll failed. */
  readonly atMs: number;
  readonly nextPollInMs: number;
  /** Reason for this delay, in a few words. */
  readonly reason: string;
} & (
  | {
      readonly kind: 'good';
      /** HTTP status. */
      readonly status: number;
      /** From the request to the last byte, milliseconds. */
      readonly durationMs: number;
      /** Size of the decoded body. */
      readonly bytes: number;
      /** Lines in the window. */
      readonly lines: number;
      /** Lines that no earlier window had, including late ones. */
      readonly newLines: number;
      /** New lines that came after newer ones, including those for which the buffer has no room. */
      readonly lateLines: number;
      /** Share of the previous window that is still in this one, 0 to 1; undefined for the first window. */
      readonly overlapShare: number | undefined;
      readonly hasGap: boolean;
      /** Why there is a gap, if the log says so. */
      readonly gap?: Pick<GapMarker, 'reason' | 'newLines'> | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly errorKind: ApiErrorKind;
      /** HTTP status, if an answer came. */
      readonly status: number | undefined;
    }
);

/** Totals over all polls since the log was opened. */
export type PollSums = {
  readonly polls: number;
  readonly failed: number;
  readonly bytes: number;
  readonly lines: number;
  readonly newLines: number;
  readonly lateLines: number;
  readonly gaps: number;
};

export type Polls = {
  /** The last polls, oldest first. */
  readonly latest: readonly PollRecord[];
  readonly sums: PollSums;
};

/**
 * A quarter of a minute at the shortest interval, four minutes at the longest: enough to show what led to the current
 * state.
 */
export const pollRecordsMax = 50;

/**
 * A log that was left is polled for this long, milliseconds: who has not come back by then is busy elsewhere. Lines
 * that come later may be missing; the next window marks a gap then.
 */
export const heldPolledMsMax = 10 * 60_000;

export const noPolls: Polls = {
  latest: [],
  sums: {polls: 0, failed: 0, bytes: 0, lines: 0, newLines: 0, lateLines: 0, gaps: 0},
};

/** Adds a poll. Drops the oldest one if there are too many; the sums keep its share. */
export const addPoll = ({latest, sums}: Polls, poll: PollRecord): Polls => ({
  latest: [...latest.slice(1 - pollRecordsMax), poll],
  sums:
    poll.kind === 'failed'
      ? {...sums, polls: sums.polls + 1, failed: sums.failed + 1}
      : sumPolls([sums, {...poll, polls: 1, failed: 0, gaps: poll.hasGap ? 1 : 0}]),
});

/** Adds up the sums of several branches. */
export const sumPolls = (all: readonly PollSums[]): PollSums =>
  all.reduce(
    (a, b) => ({
      polls: a.polls + b.polls,
      failed: a.failed + b.failed,
      bytes: a.bytes + b.bytes,
      lines: a.lines + b.lines,
      newLines: a.newLines + b.newLines,
      lateLines: a.lateLines + b.lateLines,
      gaps: a.gaps + b.gaps,
    }),
    noPolls.sums,
  );
