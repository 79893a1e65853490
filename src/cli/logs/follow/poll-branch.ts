import {ApiError} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {type Poll, type PollOptions, pollTail} from '#app/tail/poll-tail.ts';
import {createTail, type Tail} from '#app/tail/tail.ts';
import {bytesPerMb} from '#cli/io/bytes-per-mb.ts';

/** A branch whose log is printed. */
export type PrintedBranch = Pick<PollOptions, 'fetchLog'> & {
  readonly tail: Tail;
  /** Prefix of an error that ends it; undefined if there is only one branch. */
  readonly name: string | undefined;
};

/** Returns a branch as it is before its first poll. */
export const printedBranch = (
  client: Pick<Client, 'fetchLog'>,
  [siteId, branchId]: readonly [siteId: string, branchId: string],
  {intervalMs, bufferMb}: {readonly intervalMs: number; readonly bufferMb: number},
  name: string | undefined,
): PrintedBranch => ({
  name,
  fetchLog: (signal, after) => client.fetchLog(siteId, branchId, signal, after),
  tail: createTail({intervalMs, bufferBytesMax: bufferMb * bytesPerMb, keepsLateLines: true}),
});

/** Polls a branch once, like `pollTail`. An error that ends the command names the branch, if there are several. */
export const pollBranch = (
  {fetchLog, name}: Omit<PrintedBranch, 'tail'>,
  tail: Tail,
  options: Omit<PollOptions, 'fetchLog'>,
): Promise<Poll> =>
  pollTail(tail, {...options, fetchLog}).catch((error: unknown) => {
    throw name !== undefined && error instanceof ApiError && error.kind !== 'cancelled'
      ? new ApiError(error.kind, `${name}: ${error.message}`, {
          status: error.status,
          retryAfterMs: error.retryAfterMs,
          cause: error,
        })
      : error;
  });
