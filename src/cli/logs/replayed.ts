import {createTail, windowArrived} from '../../app/tail/tail.ts';
import {bytesPerMb} from '../io/bytes-per-mb.ts';
import {type BranchPrinter, createBranchPrinter} from '../print/branch-printer.ts';
import {labelPrinted, type PrintedLabel} from '../print/label-branches.ts';
import {chooseReplayed} from '../service/choose-replayed.ts';
import {createReplayClock, openReplay} from '../service/open-replay.ts';
import {createSourceFilter} from '../sources/source-filter.ts';
import {nameError} from './follow-branches.ts';
import {followReplay} from './follow-replay.ts';
import type {LogsRun} from './logs-run.ts';

/** Runs `logs` on a recording: no config, no token, no network. Returns what `runLiveLogs` returns. */
export const runReplayedLogs = async (
  {input, options, themeOf, createPrinter}: LogsRun,
  path: string,
): Promise<BranchPrinter | undefined> => {
  const {parsed, io, say, signal, atEnd} = input;
  const client = await openReplay(path, options.speed, io.clock);
  atEnd(async () => client.close());
  if (client.notice !== undefined) {
    say(client.notice);
  }
  const chosen = await chooseReplayed(client, parsed.operands, say, signal);
  if (chosen.length === 0) {
    return undefined;
  }
  const theme = themeOf();
  const isSeveral = parsed.operands.length > 2;
  const labels: readonly PrintedLabel[] = isSeveral
    ? labelPrinted(
        chosen.flatMap(({branch}) => branch ?? []),
        theme,
      )
    : [];
  const printer = createBranchPrinter({
    labels,
    printer: createPrinter(labels, 'own', theme),
    holdMs: client.intervalMs,
    printsFirstAtOnce: options.tail !== undefined,
    foldsGrowth: options.format !== 'json',
    sourceFilter: createSourceFilter(options, say),
    showsSources: options.prefix && options.format === 'text',
    cutSaidBy: 'recording',
    say,
    clock: createReplayClock(client, io.clock),
  });
  atEnd(async () => printer.tellGrowth());
  const branches = chosen.map(({log}, index) => ({
    log,
    name: labels[index]?.name,
    tail: createTail({
      intervalMs: client.intervalMs,
      bufferBytesMax: client.bufferMb * bytesPerMb,
      keepsLateLines: true,
    }),
  }));
  if (options.follow) {
    await followReplay({client, branches, printer, deadlineMs: options.durationMs, signal});
  } else {
    for (const [index, {log, name, tail}] of branches.entries()) {
      const answer = await client.fetchLog(log.siteId, log.branchId, signal).catch((error: unknown) => {
        throw nameError(error, name);
      });
      const times = {beganMs: client.positionMs, cameMs: client.positionMs};
      const step = windowArrived(tail, answer, {nowMs: times.cameMs, random: 0});
      await printer.windowCame(index, step, answer, times);
    }
  }
  await printer.finish();
  return printer;
};
