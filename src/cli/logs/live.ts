import {ApiError} from '#api/client/api-error.ts';
import {chooseBranches} from '#cli/connection/choose-branches.ts';
import {openRecording} from '#cli/connection/open-recording.ts';
import {resolveSiteId} from '#cli/service/resolve-site.ts';
import {followBranches} from './follow/follow-branches.ts';
import {printedBranch} from './follow/poll-branch.ts';
import {type LogsRun, openPrinter} from './logs-run.ts';
import type {BranchPrinter} from './print/branch-printer.ts';
import {takeWindows} from './take-windows.ts';

/** Runs `logs` against a service. Returns what printed the logs; undefined if no branch has one. */
export const runLiveLogs = async (run: LogsRun): Promise<BranchPrinter | undefined> => {
  const {input, options} = run;
  const {parsed, io, say, signal, atEnd} = input;
  const {service, log, ui, client: direct} = await run.openService(options);
  const {sites} = service;
  const [siteWord = '', ...branchWords] = parsed.operands;
  const siteId = resolveSiteId(sites, siteWord);
  const intervalMs = options.intervalMs ?? log.intervalMs;
  const {bufferMb} = log;
  const deadlineMs = options.durationMs === undefined ? undefined : io.clock.monotonicMs() + options.durationMs;
  // The last poll at the deadline must not hold up the program, but lines already received are still printed. So this
  // is separate from `signal`.
  const timeIsUp = new AbortController();
  const pollSignal = AbortSignal.any([signal, timeIsUp.signal]);
  if (options.follow && options.durationMs !== undefined) {
    io.clock.sleep(options.durationMs + lastPollMsMax, pollSignal).then(
      () => timeIsUp.abort(),
      // Ended by a signal before the time was up.
      () => {},
    );
  }
  let client = direct;
  let printer: BranchPrinter | undefined;
  try {
    const {recordPath: path} = options;
    const recording =
      path === undefined
        ? undefined
        : await openRecording(direct, {path, context: service, log: {intervalMs, bufferMb}, clock: io.clock, say});
    if (recording) {
      atEnd(recording.finish);
      client = recording.client;
    }
    const mustHaveLog = options.follow && options.until !== undefined;
    const signalled = {say, signal: pollSignal};
    const chosen = await chooseBranches({client, sites, siteId, siteWord, branchWords, mustHaveLog, ...signalled});
    if (chosen.length === 0) {
      return undefined;
    }
    const opened = openPrinter(run, {
      labelled: branchWords.length > 1 || chosen.length > 1 ? chosen : [],
      theme: ui.theme,
      lineColour: log.colour,
      holdMs: intervalMs,
      cutSaidBy: service.window === undefined ? undefined : 'context',
      clock: io.clock,
    });
    const {labels} = opened;
    ({printer} = opened);
    const branches = chosen.map(({_id}, index) =>
      printedBranch(client, [siteId, _id], {intervalMs, bufferMb}, labels[index]?.name),
    );
    if (options.follow) {
      await followBranches({
        branches,
        printer,
        timesOf: recording?.client.timesOf,
        watchToken: client.token.watch,
        clock: io.clock,
        deadlineMs,
        random: io.random,
        signal: pollSignal,
      });
    } else {
      const {polled} = printer;
      await takeWindows(branches, polled, io, pollSignal);
    }
    await printer.finish();
    return printer;
  } catch (error) {
    signal.throwIfAborted();
    if (!timeIsUp.signal.aborted || !isCancelled(error, timeIsUp.signal)) {
      throw error;
    }
    if (!printer?.hasAnswer()) {
      // Nothing was ever received: a script must not mistake this for a quiet log.
      throw new ApiError('timeout', `no response within the --duration of ${(options.durationMs ?? 0) / 1000} s`);
    }
    await printer.finish();
    return printer;
  } finally {
    timeIsUp.abort();
    client.close();
  }
};

/** Time limit for the last poll of a `--duration`. */
const lastPollMsMax = 1000;

const isCancelled = (error: unknown, signal: AbortSignal): boolean =>
  error === signal.reason || (error instanceof ApiError && error.kind === 'cancelled');
