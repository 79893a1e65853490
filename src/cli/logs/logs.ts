import type {CommandInput} from '../arguments/command-input.ts';
import {readLogsOptions} from '../arguments/logs-options.ts';
import {exitCodes} from '../io/exit-codes.ts';
import {createLineFormatter} from '../print/line-text.ts';
import {createLogPrinter, type LogPrinter} from '../print/log-printer.ts';
import {printTheme} from '../print/print-theme.ts';
import {runLiveLogs} from './live.ts';
import type {LogsRun} from './logs-run.ts';
import {runReplayedLogs} from './replayed.ts';

/** Runs `branchlog logs SITE BRANCH…`, and `branchlog SITE BRANCH` without a terminal, which always follows. */
export const runLogs = async (input: CommandInput, {alwaysFollow = false} = {}): Promise<number> => {
  const {parsed, io, output, say, signal} = input;
  const options = readLogsOptions(parsed, say, alwaysFollow);
  let printer: LogPrinter | undefined;
  const run: LogsRun = {
    input,
    options,
    themeOf: name => (options.format === 'text' ? printTheme(io, name) : undefined),
    createPrinter: (labels, lineColour, theme) => {
      const formatText = createLineFormatter(lineColour, theme);
      printer = createLogPrinter({options, output, say, formatText, labels, signal});
      return printer;
    },
  };
  await (options.replayPath === undefined ? runLiveLogs(run) : runReplayedLogs(run, options.replayPath));
  // Without a printer, no branch has a log.
  if (options.until && printer && !printer.hasMatched) {
    say('no line matched --until');
  }
  return options.failOnGap && printer?.hasGap ? exitCodes.gap : exitCodes.done;
};
