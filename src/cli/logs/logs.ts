import {ApiError} from '#api/client/api-error.ts';
import type {BranchTone} from '#app/rows/view-row.ts';
import {branchTone} from '#app/words/branch-labels.ts';
import type {CommandInput} from '#cli/arguments/args.ts';
import {type LogsOptions, readLogsOptions} from '#cli/arguments/logs-options.ts';
import {chooseBranches, resolveSiteId} from '#cli/connection/choose-branches.ts';
import {openRecording} from '#cli/connection/open-recording.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import {openService} from '#cli/open/open-service.ts';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {doubtWords} from '#log/incident/doubt-words.ts';
import {judgeGoneAtEnd} from '#log/incident/recovery-watch.ts';
import type {SourceName} from '#log/line/entry.ts';
import {formatInstant} from '#log/line/instant.ts';
import {stringifySafe} from '#log/text/escape-json.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {paintTone} from '#ui/paint-screen.ts';
import type {Theme} from '#ui/theme.ts';
import {followBranches} from './follow/follow-branches.ts';
import {printedBranch, takeWindows} from './follow/poll-branch.ts';
import {type LogsRun, openPrinter, runReplayedLogs} from './follow/replayed.ts';
import {createLineFormatter, type FormatTextLine, printTheme} from './line-text.ts';
import type {BranchPrinter} from './print/branch-printer.ts';
import {createLogPrinter, type LogPrinter} from './print/log-printer.ts';

/** How the reading of logs ended. */
type LogsEnd = Pick<BranchPrinter, 'goneWatches' | 'hasNotLines' | 'blind'>;

/** Runs `logs` against a service. Returns what printed the logs; undefined if no branch has one. */
const runLiveLogs = async (run: LogsRun): Promise<BranchPrinter | undefined> => {
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
      // Only a service has tenants.
      showsWindows: service.tenant !== undefined,
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
    await printer.conclude();
    await tellBlind(input, options, printer);
    return printer;
  } catch (error) {
    if (signal.aborted) {
      await printer?.conclude();
    }
    signal.throwIfAborted();
    if (!timeIsUp.signal.aborted || !isCancelled(error, timeIsUp.signal)) {
      throw error;
    }
    if (!printer?.hasAnswer()) {
      // Nothing was ever received: a script must not mistake this for a quiet log.
      throw new ApiError('timeout', `no response within the --duration of ${(options.durationMs ?? 0) / 1000} s`);
    }
    await printer.finish();
    await printer.conclude();
    await tellBlind(input, options, printer);
    return printer;
  } finally {
    timeIsUp.abort();
    client.close();
  }
};

/** Names the branches whose log could not be read at the end, so that they are not taken for quiet ones. */
const tellBlind = async ({output, say}: CommandInput, {format}: LogsOptions, printer: BranchPrinter): Promise<void> => {
  for (const {branch, why} of printer.blind()) {
    say(`${branch === undefined ? '' : `${branch}: `}ended while the log could not be read: ${why}`);
    if (format === 'json') {
      await output.write(`${stringifySafe({kind: 'blind', branch, why})}\n`);
    }
  }
};

/** Time limit for the last poll of a `--duration`. */
const lastPollMsMax = 1000;

const isCancelled = (error: unknown, signal: AbortSignal): boolean =>
  error === signal.reason || (error instanceof ApiError && error.kind === 'cancelled');

/** The same pod has the same colour in every run. */
const toneOf = (pod: string): BranchTone => {
  let hash = 0;
  for (let index = 0; index < pod.length; index += 1) {
    hash = (hash * 31 + pod.charCodeAt(index)) % 0x1000000;
  }
  return branchTone(hash);
};

/**
 * Returns what `--prefix` puts before a line, safe for a terminal, such as `[web-1/php] `; nothing if neither pod nor
 * container is known. In brackets, so that no part of the line is taken for a name that is missing.
 */
export const createSourcePrefix = (theme: Theme | undefined): ((source: SourceName | undefined) => string) => {
  const prefixOf = once(createWeakCache<SourceName, string>(), ({pod, container}) => {
    if (pod === undefined && container === undefined) {
      return '';
    }
    const name = sanitise(`${pod ?? ''}${container === undefined ? '' : `/${container}`}`);
    return `${theme ? paintTone(`[${name}]`, toneOf(pod ?? ''), theme) : `[${name}]`} `;
  });
  return source => (source === undefined ? '' : prefixOf(source));
};

type HowToRun = {
  readonly alwaysFollow?: boolean;
  /** Opens what is read, in place of a service or a cluster. */
  readonly openService?: LogsRun['openService'];
  /** Text and raw lines are printed as they were written: their timestamps are not of the log. */
  readonly isAsWritten?: boolean;
  /** The parts of the log, if not pods; `file`: whoever opens them reports what cannot be read. */
  readonly part?: 'container' | 'file';
  /** Reads and prints lines that are all there, in place of a service. */
  readonly readLines?: (run: LogsRun) => Promise<void>;
};

/** Runs `branchlog logs SITE BRANCH…`, and `branchlog SITE BRANCH` without a terminal, which always follows. */
export const runLogs = async (input: CommandInput, how: HowToRun = {}): Promise<number> => {
  const {parsed, io, output, say, signal, atEnd} = input;
  const {isAsWritten = false} = how;
  const given = readLogsOptions(parsed, say, how.alwaysFollow);
  const options: LogsOptions = isAsWritten ? {...given, timestamps: given.timestamps ?? 'none'} : given;
  let printer: LogPrinter | undefined;
  const run: LogsRun = {
    input,
    options,
    part: how.part === 'file' ? undefined : (how.part ?? 'pod'),
    openService: how.openService ?? (wanted => openService(input, wanted)),
    themeOf: name => (options.format === 'text' ? printTheme(io, name) : undefined),
    createPrinter: (labels, lineColour, theme) => {
      const {timestamps, highlights, prefix} = options;
      const formatLine = createLineFormatter({colour: lineColour, theme, timestamps, highlights});
      const prefixOf = prefix ? createSourcePrefix(theme) : () => '';
      const formatText: FormatTextLine = line => `${prefixOf(line.source)}${formatLine(line)}`;
      // Lines of containers come whole from their engine or node, up to a megabyte.
      const cutsLines = how.part !== 'container' && !parsed.switches.has('kube');
      printer = createLogPrinter({
        ...{options, isAsWritten, cutsLines, part: how.part, output, say, formatText, labels, signal},
      });
      return printer;
    },
  };
  const hasEndRecord = (options.summary || options.limits !== undefined) && options.format === 'json';
  const read = async (): Promise<LogsEnd | undefined> => {
    if (how.readLines) {
      await how.readLines(run);
      return {goneWatches: () => [], hasNotLines: () => false, blind: () => []};
    }
    return options.replayPath === undefined ? runLiveLogs(run) : runReplayedLogs(run, options.replayPath);
  };
  const runToItsEnd = async (): Promise<LogsEnd | undefined> => {
    let error: unknown;
    try {
      const opened = await read();
      await printer?.finish();
      return opened;
    } catch (thrown) {
      error = thrown;
      throw thrown;
    } finally {
      if (hasEndRecord && printer) {
        // Without the signal, which must not keep the last record from being written.
        await output.write(`${stringifySafe(endRecord(options, printer, error))}\n`);
      }
    }
  };
  const running = runToItsEnd();
  if (hasEndRecord) {
    // After a signal, the program waits only for such tasks.
    atEnd(async () => {
      await running;
    });
  }
  const end = await running;
  if (end === undefined) {
    // No branch has a log, which was said.
    return exitCodes.notFound;
  }
  const isUnmet = options.until !== undefined && !printer?.hasMatched;
  if (isUnmet) {
    say('no line matched --until');
  }
  const judged = end.goneWatches().map(judgeGoneAtEnd);
  const doubtful = judged.find(({verdict}) => verdict === 'unknown');
  const isThere = judged.some(({verdict}) => verdict === 'there');
  if (isThere || doubtful !== undefined) {
    // Its times are those of a clock that nobody sees.
    const why = doubtful && doubtWords(doubtful.doubt, () => undefined);
    say(isThere ? 'lines still match --until-gone' : `cannot tell whether it stopped: ${why}`);
    return isThere ? exitCodes.notMet : exitCodes.gap;
  }
  if (!options.follow && end.hasNotLines()) {
    return exitCodes.notInterface;
  }
  if (options.follow && !printer?.hasMatched && end.blind().length > 0) {
    return exitCodes.gap;
  }
  if (printer?.lacksProof !== undefined) {
    say(printer.lacksProof);
    return exitCodes.gap;
  }
  if (options.failOnGap && printer?.hasGap) {
    return exitCodes.gap;
  }
  if ((options.failOnGap || options.requireProof) && printer?.lacksHeld) {
    return exitCodes.gap;
  }
  return isUnmet && (!options.follow || options.durationMs !== undefined) ? exitCodes.notMet : exitCodes.done;
};

/** The record that `--summary` ends with. `reason`: why it ended. */
const endRecord = (
  options: LogsOptions,
  {counts, hasMatched, hasGap, proof, lacksProof, lacksHeld, lastPollAtMs, shortFrom, leftOut}: LogPrinter,
  error: unknown,
) => ({
  kind: 'end',
  reason:
    error !== undefined
      ? 'stopped'
      : hasMatched
        ? 'until'
        : options.failOnGap && (hasGap || lacksHeld)
          ? 'gap'
          : lacksProof !== undefined || (options.requireProof && lacksHeld)
            ? 'proof'
            : options.follow && options.durationMs !== undefined
              ? 'duration'
              : 'done',
  ...counts,
  leftOut,
  proof: proof ?? null,
  ...(shortFrom !== undefined && {reachesBackTo: formatInstant(shortFrom)}),
  lastPollAt: lastPollAtMs === undefined ? null : new Date(lastPollAtMs).toISOString(),
});
