import {ApiError} from '../../api/api-error.ts';
import type {AnswerTimes} from '../../api/recording/recording-format.ts';
import type {RecordedLog, ReplayClient} from '../../api/recording/replay-client.ts';
import {type Tail, windowArrived} from '../../app/tail/tail.ts';
import {readUpTo} from '../../log/numbered/numbered.ts';
import type {BranchPrinter} from '../print/branch-printer.ts';
import {nameError} from './follow-branches.ts';

/**
 * How long after the deadline the last poll of a branch may begin: a recording need not have a poll exactly at the
 * deadline.
 */
const lastPollMsMax = 1000;

export type ReplayedBranch = {
  readonly log: RecordedLog;
  readonly tail: Tail;
  /** Prefix of an error that ends it; undefined if there is only one branch. */
  readonly name: string | undefined;
};

export type FollowReplayOptions = {
  readonly client: ReplayClient;
  readonly branches: readonly ReplayedBranch[];
  readonly printer: BranchPrinter;
  /** In the time of the recording. */
  readonly deadlineMs: number | undefined;
  readonly signal: AbortSignal;
};

/**
 * Follows recorded logs. Takes the answers in the order in which they arrived, so that the output equals that of the
 * live run at every speed. The recording sets the pace. Ends with the recording, at the deadline, or when the printer
 * says stop. As in a live run, throws if the first answer is an error.
 */
export const followReplay = async ({
  client,
  branches,
  printer,
  deadlineMs = Number.POSITIVE_INFINITY,
  signal,
}: FollowReplayOptions): Promise<void> => {
  const tails = branches.map(({tail}) => tail);
  const hasAnswer = branches.map(() => false);
  const hasEnded = branches.map(() => false);

  const nextBranch = (): {readonly index: number; readonly times: AnswerTimes} | undefined => {
    const nexts = branches.flatMap(({log}, index) => {
      const place = client.next(log);
      return place && !hasEnded[index] && place.beganMs <= deadlineMs + lastPollMsMax ? [{index, place}] : [];
    });
    nexts.sort((a, b) => a.place.index - b.place.index);
    const [first] = nexts;
    return first && {index: first.index, times: {beganMs: first.place.beganMs, cameMs: first.place.cameMs}};
  };

  for (let next = nextBranch(); next; next = nextBranch()) {
    const {index, times} = next;
    const branch = branches[index];
    const tail = tails[index];
    if (!branch || !tail) {
      return;
    }
    const {siteId, branchId} = branch.log;
    const after = readUpTo(tail.log.numbered);
    const answer = await client.fetchLog(siteId, branchId, signal, after).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!hasAnswer[index] || !(error instanceof ApiError)) {
        throw nameError(error, branch.name);
      }
      return error;
    });
    let verdict: 'goOn' | 'stop';
    if (answer instanceof ApiError) {
      printer.pollFailed(index, answer);
      verdict = await printer.afterFailure(index, times);
    } else {
      hasAnswer[index] = true;
      const step = windowArrived(tail, answer, {nowMs: times.cameMs, random: 0});
      tails[index] = step.tail;
      verdict = await printer.windowCame(index, step, answer, times);
    }
    if (verdict === 'stop') {
      return;
    }
    if (times.beganMs >= deadlineMs) {
      hasEnded[index] = true;
      printer.branchEnded(index);
    }
    signal.throwIfAborted();
  }
};
