import {ApiError} from '#api/client/api-error.ts';
import type {Poll} from '#app/tail/poll-tail.ts';
import type {Io} from '#cli/io/io.ts';
import {intervalMsMin} from '#log/ingest/pace.ts';
import {type PrintedBranch, pollBranch} from './follow/poll-branch.ts';
import type {PrintVerdict} from './print/branch-printer.ts';
import {createRequestTurns} from './request-turns.ts';

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
    while (branch && verdict === 'goOn' && !(poll.result instanceof ApiError) && poll.result.value.hasMore) {
      poll = await pollBranch(branch, poll.tail, {nowMs: clock.monotonicMs, random, signal});
      verdict = await polled(index, poll);
    }
  }
};
