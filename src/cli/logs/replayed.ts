import type {AnswerTimes} from '../../api/recording/recording-format.ts';
import {openReplayClient, type RecordedLog, type ReplayClient} from '../../api/recording/replay-client.ts';
import {createTail} from '../../app/tail/tail.ts';
import type {ReadUpTo} from '../../log/line/numbering.ts';
import {bytesPerMb} from '../io/bytes-per-mb.ts';
import type {BranchPrinter} from '../print/branch-printer.ts';
import {chooseReplayed} from '../service/choose-replayed.ts';
import {type LogsRun, openPrinter} from './logs-run.ts';
import {type PrintedBranch, pollBranch} from './poll-branch.ts';

/** Runs `logs` on a recording: no config, no token, no network. Returns what `runLiveLogs` returns. */
export const runReplayedLogs = async (run: LogsRun, path: string): Promise<BranchPrinter | undefined> => {
  const {input, options} = run;
  const {parsed, io, say, signal, atEnd} = input;
  const client = await openReplayClient({path, speed: options.speed, ...io.clock});
  atEnd(async () => client.close());
  if (client.notice !== undefined) {
    say(client.notice);
  }
  const chosen = await chooseReplayed(client, parsed.operands, say, signal);
  if (chosen.length === 0) {
    return undefined;
  }
  const isSeveral = parsed.operands.length > 2;
  const {printer, labels} = openPrinter(run, {
    labelled: isSeveral ? chosen.flatMap(({branch}) => branch ?? []) : [],
    lineColour: 'own',
    holdMs: client.intervalMs,
    cutSaidBy: 'recording',
    clock: {...io.clock, nowMs: () => client.recordedAtMs + client.positionMs, monotonicMs: () => client.positionMs},
  });
  const branches = chosen.map(({log}, index) => ({
    log,
    name: labels[index]?.name,
    fetchLog: (fetchSignal: AbortSignal, after?: ReadUpTo) =>
      client.fetchLog(log.siteId, log.branchId, fetchSignal, after),
    tail: createTail({
      intervalMs: client.intervalMs,
      bufferBytesMax: client.bufferMb * bytesPerMb,
      keepsLateLines: true,
    }),
  }));
  if (options.follow) {
    await followReplay({client, branches, printer, deadlineMs: options.durationMs, signal});
  } else {
    const nowMs = (): number => client.positionMs;
    const timesOf = (): AnswerTimes => ({beganMs: client.positionMs, cameMs: client.positionMs});
    for (const [index, branch] of branches.entries()) {
      const poll = await pollBranch(branch, branch.tail, {nowMs, random: () => 0, timesOf, signal});
      await printer.polled(index, poll);
    }
  }
  await printer.finish();
  return printer;
};

/**
 * How long after the deadline the last poll of a branch may begin: a recording need not have a poll exactly at the
 * deadline.
 */
const lastPollMsMax = 1000;

type ReplayedBranch = PrintedBranch & {readonly log: RecordedLog};

type FollowReplayOptions = {
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
const followReplay = async ({
  client,
  branches,
  printer,
  deadlineMs = Number.POSITIVE_INFINITY,
  signal,
}: FollowReplayOptions): Promise<void> => {
  const tails = branches.map(({tail}) => tail);
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
    const options = {nowMs: () => times.cameMs, random: () => 0, timesOf: () => times, signal};
    const poll = await pollBranch(branch, tail, options);
    tails[index] = poll.tail;
    if ((await printer.polled(index, poll)) === 'stop') {
      return;
    }
    if (times.beganMs >= deadlineMs) {
      hasEnded[index] = true;
      printer.branchEnded(index);
    }
    signal.throwIfAborted();
  }
};
