import type {Branch} from '#api/client/answer.ts';
import type {AnswerTimes} from '#api/recording/recording-format.ts';
import {openReplayClient, type RecordedLog, type ReplayClient} from '#api/recording/replay-client.ts';
import type {CommandInput} from '#cli/arguments/args.ts';
import type {LogsOptions} from '#cli/arguments/logs-options.ts';
import type {LogWanted, OpenedService} from '#cli/connection/asked-service.ts';
import {chooseBranches, resolveSiteId} from '#cli/connection/choose-branches.ts';
import {labelPrinted, type PrintedLabel} from '#cli/connection/label-branches.ts';
import {NotFoundError, UsageError} from '#cli/io/exit-codes.ts';
import type {Say} from '#cli/io/io.ts';
import type {UiSettings} from '#config/settings/sections.ts';
import type {Theme} from '#ui/theme.ts';
import {type BranchPrinter, type BranchPrinterOptions, createBranchPrinter} from '../print/branch-printer.ts';
import type {LogPrinter} from '../print/log-printer.ts';
import {createSourceFilter} from '../source-filter.ts';
import {type PrintedBranch, pollBranch, printedBranch} from './poll-branch.ts';

/** The input of both forms of `logs`: from a service and from a recording. */
export type LogsRun = {
  readonly input: CommandInput;
  readonly options: LogsOptions;
  readonly part: BranchPrinterOptions['part'];
  /** Opens what is read. */
  openService(wanted: LogWanted): Promise<OpenedService>;
  /** Returns the theme with this configured name; undefined without colours. */
  themeOf(name?: UiSettings['theme']): Theme | undefined;
  /** Creates the printer, once the branches are known. `own` uses branchlog's colours, `keep` those in the line. */
  createPrinter(labels: readonly PrintedLabel[], lineColour: 'own' | 'keep', theme: Theme | undefined): LogPrinter;
};

/** Creates the printer of the logs of these branches, each with its label if there may be several. */
export const openPrinter = (
  {input: {say, atEnd}, options, part, themeOf, createPrinter}: LogsRun,
  {
    labelled,
    theme: themeName,
    lineColour,
    ...how
  }: Pick<BranchPrinterOptions, 'holdMs' | 'showsWindows' | 'cutSaidBy' | 'clock'> & {
    /** Empty if there is only one. */
    readonly labelled: readonly Branch[];
    readonly theme?: UiSettings['theme'];
    readonly lineColour: 'own' | 'keep';
  },
): {readonly printer: BranchPrinter; readonly labels: readonly PrintedLabel[]} => {
  const theme = themeOf(themeName);
  const labels = labelled.length === 0 ? [] : labelPrinted(labelled, theme);
  const printer = createBranchPrinter({
    ...how,
    labels,
    part,
    printer: createPrinter(labels, lineColour, theme),
    printsFirstAtOnce: options.tail !== undefined,
    foldsGrowth: options.format !== 'json',
    untilGone: options.untilGone,
    sourceFilter: createSourceFilter(options, say),
    showsSources: options.prefix && options.format === 'text',
    say,
  });
  atEnd(async () => printer.tellGrowth());
  return {printer, labels};
};

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
    ...printedBranch(client, [log.siteId, log.branchId], client, labels[index]?.name),
  }));
  if (options.follow) {
    await followReplay(client, branches, printer, signal, options.durationMs);
  } else {
    const nowMs = (): number => client.positionMs;
    const timesOf = (): AnswerTimes => ({beganMs: client.positionMs, cameMs: client.positionMs});
    for (const [index, branch] of branches.entries()) {
      const poll = await pollBranch(branch, branch.tail, {nowMs, random: () => 0, timesOf, signal});
      await printer.polled(index, poll);
    }
  }
  await printer.finish();
  await printer.conclude();
  return printer;
};

/**
 * How long after the deadline the last poll of a branch may begin: a recording need not have a poll exactly at the
 * deadline.
 */
const lastPollMsMax = 1000;

type ReplayedBranch = PrintedBranch & {readonly log: RecordedLog};

/**
 * Follows recorded logs. Takes the answers in the order in which they arrived, so that the output equals that of the
 * live run at every speed. The recording sets the pace, and `deadlineMs` is in its time. Ends with it, at the deadline,
 * or when the printer says stop. As in a live run, throws if the first answer is an error.
 */
const followReplay = async (
  client: ReplayClient,
  branches: readonly ReplayedBranch[],
  printer: BranchPrinter,
  signal: AbortSignal,
  deadlineMs = Number.POSITIVE_INFINITY,
): Promise<void> => {
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

/** A log to play, with its branch if the branch was given. */
type ReplayedLog = {readonly log: RecordedLog; readonly branch: Branch | undefined};

/**
 * Returns the logs of a recording that SITE and BRANCH… select; without BRANCH, the only one. Throws `UsageError` if
 * there are several, `NotFoundError` if there is none, and the error of the recorded listing.
 */
export const chooseReplayed = async (
  client: ReplayClient,
  operands: readonly string[],
  say: Say,
  signal: AbortSignal,
): Promise<readonly ReplayedLog[]> => {
  const [siteWord, ...branchWords] = operands;
  const siteId = siteWord === undefined ? undefined : resolveSiteId(client.sites, siteWord);
  if (siteWord !== undefined && !client.sites.some(({id}) => id === siteId)) {
    const known = client.sites.map(({id, name}) => name ?? id).join(', ');
    throw new NotFoundError(`the recording has no site "${siteWord}": it has ${known || 'none'}`);
  }
  if (siteWord === undefined || siteId === undefined || branchWords.length === 0) {
    return [
      {log: onlyLog(client.logs.filter(log => siteId === undefined || log.siteId === siteId)), branch: undefined},
    ];
  }
  const {sites} = client;
  const branches = await chooseBranches({client, sites, siteId, siteWord, branchWords, say, signal});
  return branches.map(branch => {
    const log = client.logs.find(recorded => recorded.siteId === siteId && recorded.branchId === branch._id);
    if (!log) {
      throw new NotFoundError(`the recording has no log of branch ${branch.name} of site ${siteWord}`);
    }
    return {log, branch};
  });
};

/** Maximum number of logs listed: enough to find one's own. */
const listedLogsMax = 8;

const onlyLog = (logs: readonly RecordedLog[]): RecordedLog => {
  const [log, ...others] = logs;
  if (!log) {
    throw new NotFoundError('the recording has no log');
  }
  if (others.length > 0) {
    const listed = logs.slice(0, listedLogsMax).map(({siteId, branchId}) => `${siteId} ${branchId}`);
    const more = logs.length > listedLogsMax ? ` and ${logs.length - listedLogsMax} more` : '';
    throw new UsageError(`the recording has ${logs.length} logs: give SITE and BRANCH, ${listed.join(' or ')}${more}`);
  }
  return log;
};
