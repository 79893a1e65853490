import {ApiError} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {createTail, type Poll, type PollOptions, pollTail, type Tail} from '#app/tail/tail.ts';
import {bytesPerMb, type Clock, type Io} from '#cli/io/io.ts';
import {intervalMsMin} from '#log/ingest/pace.ts';
import type {PrintVerdict} from '../print/branch-printer.ts';

/**
 * Spreads the requests of several branches: resolves when it is the caller's turn. Turns are at least `spacingMs`
 * apart.
 */
export const createRequestTurns = (clock: Clock, spacingMs: number): ((signal: AbortSignal) => Promise<void>) => {
  let freeAtMs = Number.NEGATIVE_INFINITY;
  return async signal => {
    const nowMs = clock.monotonicMs();
    const turnMs = Math.max(nowMs, freeAtMs);
    freeAtMs = turnMs + spacingMs;
    if (turnMs > nowMs) {
      await clock.sleep(turnMs - nowMs, signal);
    }
  };
};

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

/**
 * Takes one window of each branch, and passes each poll on once all have answered. The first failure ends it; closing
 * the client cancels the other requests.
 */
export const takeWindows = async (
  branches: readonly PrintedBranch[],
  polled: (branchIndex: number, poll: Poll) => Promise<PrintVerdict>,
  {clock, random}: Pick<Io, 'clock' | 'random'>,
  signal: AbortSignal,
): Promise<void> => {
  const waitForTurn = createRequestTurns(clock, intervalMsMin / branches.length);
  const polls = await Promise.all(
    branches.map(async branch => {
      await waitForTurn(signal);
      return pollBranch(branch, branch.tail, {nowMs: clock.monotonicMs, random, signal});
    }),
  );
  for (const [index, first] of polls.entries()) {
    let poll = first;
    let verdict = await polled(index, poll);
    const branch = branches[index];
    // A backend in this program may give what there is in several answers.
    while (branch && verdict === 'goOn' && !(poll.result instanceof ApiError) && poll.result.value.next) {
      poll = await pollBranch(branch, poll.tail, {nowMs: clock.monotonicMs, random, signal});
      verdict = await polled(index, poll);
    }
  }
};
