import {ApiError} from '../api/api-error.ts';
import type {Client} from '../api/client.ts';
import {createTail, windowArrived} from '../app/tail.ts';
import type {CommandInput} from './command-input.ts';
import {connect} from './connect.ts';
import {exitCodes} from './exit-codes.ts';
import {createFaultReporter} from './fault-reporter.ts';
import {followLog} from './follow.ts';
import {hasColour} from './has-colour.ts';
import {createLineFormatter} from './line-text.ts';
import {createLogPrinter, type LogPrinter} from './log-printer.ts';
import {type LogsOptions, readLogsOptions} from './logs-options.ts';
import {readSettings} from './read-settings.ts';
import {resolveBranch} from './resolve-branch.ts';
import {explainSiteError, resolveSiteId} from './resolve-site.ts';
import {saySkipped} from './skipped-note.ts';

/** `branchlog logs SITE BRANCH`, and `branchlog SITE BRANCH` without a terminal, which always follows. */
export const runLogs = async (input: CommandInput, {alwaysFollow = false} = {}): Promise<number> => {
  const {parsed, io, output, say, signal} = input;
  const options = readLogsOptions(parsed, say, alwaysFollow);
  const settings = await readSettings(parsed, io);
  settings.warnings.forEach(say);
  const [siteWord = '', branchWord = ''] = parsed.operands;
  const siteId = resolveSiteId(settings.context.sites, siteWord);
  const client = connect(settings, io, say);
  const startedAtMs = io.clock.monotonicMs();
  const deadlineMs = options.durationMs === undefined ? undefined : startedAtMs + options.durationMs;
  // The last poll at the deadline must not hold the program; what was already received is still printed, so this is apart from `signal`.
  const timeIsUp = new AbortController();
  const pollSignal = AbortSignal.any([signal, timeIsUp.signal]);
  if (options.follow && options.durationMs !== undefined) {
    io.clock.sleep(options.durationMs + lastPollMsMax, pollSignal).then(
      () => timeIsUp.abort(),
      // Told to end before the time was up.
      () => {},
    );
  }
  const colour = options.format === 'text' && hasColour(io.stdout, io.env) ? settings.log.colour : 'none';
  const printer = createLogPrinter({options, output, say, formatText: createLineFormatter(colour), signal});
  let hasAnswer = false;
  try {
    const listing = await client.listBranches(siteId, pollSignal).catch((error: unknown) => {
      throw explainSiteError(error, settings.context.sites, siteWord);
    });
    const branch = resolveBranch(listing.value, branchWord, siteWord);
    if (branch.status === null) {
      say(`branch ${branch.name} of site ${siteWord} is not built out: it has no log`);
      return exitCodes.done;
    }
    const tail = createTail({
      intervalMs: options.intervalMs ?? settings.log.intervalMs,
      bufferBytesMax: settings.log.bufferMb * bytesPerMb,
      keepsLateLines: true,
    });
    const fetchLog: FetchLog = fetchSignal => client.fetchLog(siteId, branch._id, fetchSignal);
    if (!options.follow) {
      const answer = await fetchLog(pollSignal);
      saySkipped(answer.skipped, say);
      const {added} = windowArrived(tail, answer, {nowMs: io.clock.monotonicMs(), random: io.random()});
      await printer.print({entries: added, serviceTimeMs: answer.serviceTimeMs});
    } else {
      const faults = createFaultReporter(say, io.clock);
      await followLog({
        tail,
        fetchLog,
        windowCame: (entries, answer) => {
          if (!hasAnswer) {
            saySkipped(answer.skipped, say);
          }
          hasAnswer = true;
          faults.recovered();
          return printer.print({entries, serviceTimeMs: answer.serviceTimeMs});
        },
        pollFailed: faults.failed,
        clock: io.clock,
        deadlineMs,
        random: io.random,
        signal: pollSignal,
      });
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!timeIsUp.signal.aborted || !isCancelled(error, timeIsUp.signal)) {
      throw error;
    }
    if (!hasAnswer) {
      // Nothing was ever received: a script must not take that for a quiet log.
      throw new ApiError('timeout', `no answer within the --duration of ${(options.durationMs ?? 0) / 1000} s`);
    }
  } finally {
    timeIsUp.abort();
    client.close();
  }
  if (options.until && !printer.hasMatched) {
    say('no line matched --until');
  }
  return exitCodeOf(options, printer);
};

/** How long the last poll of a `--duration` may take. */
const lastPollMsMax = 1000;

const bytesPerMb = 1024 * 1024;

type FetchLog = (signal: AbortSignal) => ReturnType<Client['fetchLog']>;

const isCancelled = (error: unknown, signal: AbortSignal): boolean =>
  error === signal.reason || (error instanceof ApiError && error.kind === 'cancelled');

const exitCodeOf = (options: LogsOptions, printer: LogPrinter): number =>
  options.failOnGap && printer.hasGap ? exitCodes.gap : exitCodes.done;
