import type {CommandInput} from '#cli/arguments/command-input.ts';
import {type LogsOptions, readLogsOptions} from '#cli/arguments/logs-options.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import {openService} from '#cli/open/open-service.ts';
import {doubtWords} from '#log/incident/doubt-words.ts';
import {judgeGoneAtEnd} from '#log/incident/recovery-watch.ts';
import {formatInstant} from '#log/line/instant.ts';
import {stringifySafe} from '#log/text/escape-json.ts';
import {printTheme} from '../print/print-theme.ts';
import {createSourcePrefix} from '../sources/source-prefix.ts';
import {runReplayedLogs} from './follow/replayed.ts';
import {createLineFormatter, type FormatTextLine} from './line-text.ts';
import {runLiveLogs} from './live.ts';
import type {LogsRun} from './logs-run.ts';
import type {BranchPrinter} from './print/branch-printer.ts';
import {createLogPrinter, type LogPrinter} from './print/log-printer.ts';

export type HowToRun = {
  readonly alwaysFollow?: boolean;
  /** Opens what is read, in place of a service or a cluster. */
  readonly openService?: LogsRun['openService'];
  /** Text and raw lines are printed as they were written: their timestamps are not of the log. */
  readonly isAsWritten?: boolean;
  /** What the log consists of, if not of pods; `file`: whoever opens them says what cannot be read. */
  readonly part?: 'container' | 'file';
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
      printer = createLogPrinter({options, isAsWritten, output, say, formatText, labels, signal});
      return printer;
    },
  };
  const hasEndRecord = options.summary && options.format === 'json';
  const runToItsEnd = async (): Promise<BranchPrinter | undefined> => {
    let error: unknown;
    try {
      return await (options.replayPath === undefined ? runLiveLogs(run) : runReplayedLogs(run, options.replayPath));
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
  const branchPrinter = await running;
  // Without a printer, no branch has a log.
  const isUnmet = options.until !== undefined && printer !== undefined && !printer.hasMatched;
  if (isUnmet) {
    say('no line matched --until');
  }
  const judged = branchPrinter?.goneWatches().map(judgeGoneAtEnd) ?? [];
  const doubtful = judged.find(({verdict}) => verdict === 'unknown');
  const isThere = judged.some(({verdict}) => verdict === 'there');
  if (isThere || doubtful !== undefined) {
    // Its times are those of a clock that nobody sees.
    const why = doubtful && doubtWords(doubtful.doubt, () => undefined);
    say(isThere ? 'lines still match --until-gone' : `nobody can tell whether it is gone: ${why}`);
    return isThere ? exitCodes.notMet : exitCodes.gap;
  }
  if (!options.follow && branchPrinter?.hasNotLines()) {
    return exitCodes.notInterface;
  }
  if (printer?.lacksProof !== undefined) {
    say(printer.lacksProof);
    return exitCodes.gap;
  }
  if (options.failOnGap && printer?.hasGap) {
    return exitCodes.gap;
  }
  return isUnmet && (!options.follow || options.durationMs !== undefined) ? exitCodes.notMet : exitCodes.done;
};

/** The record that `--summary` ends with. `reason`: why it ended. */
const endRecord = (
  options: LogsOptions,
  {counts, hasMatched, hasGap, proof, lacksProof, lastPollAtMs, shortFrom}: LogPrinter,
  error: unknown,
) => ({
  kind: 'end',
  reason:
    error !== undefined
      ? 'stopped'
      : hasMatched
        ? 'until'
        : options.failOnGap && hasGap
          ? 'gap'
          : lacksProof !== undefined
            ? 'proof'
            : options.follow && options.durationMs !== undefined
              ? 'duration'
              : 'done',
  ...counts,
  proof: proof ?? null,
  ...(shortFrom !== undefined && {reachesBackTo: formatInstant(shortFrom)}),
  lastPollAt: lastPollAtMs === undefined ? null : new Date(lastPollAtMs).toISOString(),
});
