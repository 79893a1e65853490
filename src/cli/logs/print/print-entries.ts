import type {GapMarker, LineEntry} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {LogPrinter, ReachesBack} from './log-printer.ts';
import {mergeLines, type TimedLines} from './merge-lines.ts';

export type TimedEntries = TimedLines & {readonly entries: readonly (LineEntry | GapMarker)[]};

type PrintEntriesOptions = {
  readonly printer: LogPrinter;
  /** Returns how far back what is read reaches, once something of each source was; takes the time of the first line. */
  readonly heldFrom: (firstAt: Instant | undefined) => ReachesBack;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
};

/** Prints the entries of several sources in order of time, as one log whose lines are all there. */
export const printEntries = async (
  sources: readonly AsyncIterable<TimedEntries>[],
  {printer, heldFrom, nowMs, signal}: PrintEntriesOptions,
): Promise<void> => {
  let isBegun = false;
  const print = (entries: TimedEntries['entries'], hasMore: boolean): Promise<'goOn' | 'stop'> => {
    if (!isBegun) {
      printer.noteHeld(heldFrom(entries[0]?.at));
      isBegun = true;
    }
    const shown = entries.map(entry => ({entry, branchIndex: 0, isOfFirst: true}));
    return printer.print({entries: shown, serviceTimeMs: nowMs(), hasMore});
  };
  printer.noteProof(0, 'counted', '');
  for await (const runs of mergeLines(sources)) {
    signal.throwIfAborted();
    if (
      (await print(
        runs.flatMap(({lines, first, end}) => lines.entries.slice(first, end)),
        true,
      )) === 'stop'
    ) {
      return;
    }
  }
  await print([], false);
};
