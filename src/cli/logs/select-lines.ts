import {ApiError} from '#api/client/api-error.ts';
import type {CommandInput} from '#cli/arguments/command-input.ts';
import type {PrintLimits} from '#cli/arguments/limits.ts';
import {readLogsOptions} from '#cli/arguments/logs-options.ts';
import {resolveRange} from '#cli/arguments/time-range.ts';
import {labelPrinted} from '#cli/connection/label-branches.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {type Instant, instantFromMs} from '#log/line/instant.ts';
import {mergeBuffers} from '#log/view/log-view.ts';
import {createLineBudget, type LineBudget} from './line-budget.ts';
import {createLogPrinter, type LogPrinter} from './print/log-printer.ts';
import type {ReadLogs} from './read-logs.ts';

/** Taken from the log at once, so that a cancellation is seen in between. */
const pieceEntries = 10_000;
/** Read before a range, so that what continues a line goes with it. */
const headEntries = 200;

type LinesWanted = {
  /** Only so many entries before and after this time. */
  readonly around?: {readonly at: Instant; readonly entries: number} | undefined;
  readonly limits: PrintLimits;
  /** Is shown each line that is wanted, whether or not it fits the limits. */
  readonly see?: (line: LineEntry) => void;
};

/** Selects lines of logs that were read, by the flags of `logs`, in the records of its `--format json`. */
export const selectLines = async (
  {own, part, nowMs}: ReadLogs,
  {around, limits, see}: LinesWanted,
  {parsed, output, say, signal}: CommandInput,
): Promise<{readonly budget: LineBudget; readonly printed: Pick<LogPrinter, 'counts'>}> => {
  const options = readLogsOptions(parsed, say);
  const selecting = createLineBudget(limits);
  const budget: LineBudget = {
    ...selecting,
    offer: offered => {
      if (offered.line) {
        see?.(offered.line);
      }
      selecting.offer(offered);
    },
  };
  const printer = createLogPrinter({
    ...{options, budget, part, output, say, formatText: () => '', signal},
    labels:
      own.length > 1
        ? labelPrinted(
            own.map(({branch}) => branch),
            undefined,
          )
        : [],
  });
  for (const {poll} of own) {
    printer.noteHeld(poll.result instanceof ApiError ? undefined : poll.result.value.heldFrom);
  }
  const view = mergeBuffers(own.map(({poll}) => poll.tail.log.buffer));
  const {from, to} = resolveRange(options, instantFromMs(nowMs));
  const middle = around === undefined ? 0 : view.indexAtOrAfter(around.at);
  const first = around ? middle - around.entries : from === undefined ? 0 : view.indexAtOrAfter(from) - headEntries;
  const last = around ? middle + around.entries + 1 : to === undefined ? view.entryCount : view.indexAtOrAfter(to + 1n);
  for (let index = Math.max(0, first); index < last; index += pieceEntries) {
    const entries = view
      .slice(index, Math.min(pieceEntries, last - index))
      .map(({entry, source}) => ({entry, branchIndex: source, isOfFirst: true}));
    await printer.print({entries, serviceTimeMs: nowMs});
  }
  return {budget, printed: printer};
};
