import {doWork} from '#api/client/do-work.ts';
import {incidentSourceOf} from '#app/tail/incident-source.ts';
import {formatSecond, type TimelineLog, type TimelineRow, timelineOf} from '#app/timeline/timeline.ts';
import {timelineMarkdown} from '#app/timeline/timeline-markdown.ts';
import {basisWords} from '#app/words/verdict-words.ts';
import {type CommandInput, flagChoice} from '#cli/arguments/args.ts';
import {readGivenRange, resolveRange} from '#cli/arguments/time-range.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import type {Clock} from '#cli/io/io.ts';
import {createBranchMemory} from '#config/memory/branch-memory.ts';
import type {BranchState} from '#config/memory/branch-state.ts';
import {findStateFolder} from '#config/settings/folders.ts';
import {entryAt, indexAtOrAfter, type LineBuffer} from '#log/buffer/buffer.ts';
import {findIncident} from '#log/incident/find-incident.ts';
import type {Asked, TimeSpan} from '#log/incident/verdict.ts';
import {earliestOf, formatInstant, type Instant, instantFromMs, latestOf, parseInstant} from '#log/line/instant.ts';
import {stringifySafe} from '#log/text/escape-json.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {formatDeepLink} from '#log/words/deep-link.ts';
import {formatCount} from '#log/words/format-count.ts';
import {openGuardFiles} from './guard-files.ts';
import {type ReadLogs, readLogs} from './read-logs.ts';

const formats = ['markdown', 'json'] as const;

/** Runs `branchlog timeline`: reads logs once, as `incident` does, and writes down what happened in them. */
export const runTimeline = async (input: CommandInput): Promise<number> => {
  const {parsed, output, say, signal} = input;
  // A mistake in the time is told before anything is read.
  const range = readGivenRange(parsed);
  const format = flagChoice(parsed, 'format', formats) ?? 'markdown';
  const read = await readLogs(input);
  const isAtEnd = read.part === 'file' && range.since === undefined && range.to === undefined;
  const now = instantFromMs(read.nowMs);
  const asked = {...resolveRange(range, now), now: isAtEnd ? undefined : now};
  const {marksOf, ...kept} = await readKept(input, read);
  const {named, handed} = read;
  const known = {clockOffsetMs: read.clockOffsetMs, part: read.part, isAtEnd};
  const logs = await Promise.all(
    read.own.map(async ({branch, poll}) => ({
      branch: branch.name,
      source: incidentSourceOf(branch, poll.tail, noShapes, known),
      marks: await marksOf(branch._id),
      linkTo: (at: Instant) =>
        handed
          ? entryLink(handed.path, poll.tail.log.buffer, at)
          : named && `branchlog ${formatDeepLink({site: named.word, branch: branch.name, at})}`,
    })),
  );
  const {rows, leftOut, span, bases} = await makeTimeline({logs, asked, ...kept, now}, signal);
  if (format === 'markdown') {
    const clock =
      handed === undefined
        ? clockWords(read.part, read.aheadMs)
        : `Times are the service's. The log was handed over at ${formatSecond(instantFromMs(handed.savedAtMs))}.`;
    const title = [named?.word, logs.map(({branch}) => branch).join(', ')].filter(Boolean).join(': ');
    await output.write(timelineMarkdown({...span, title, clock, bases, leftOut}, rows), signal);
    return exitCodes.done;
  }
  const head = {
    kind: 'timeline',
    ...{from: formatInstant(span.from), to: formatInstant(span.to)},
    clock: read.part === 'file' ? 'lines' : read.aheadMs === undefined && !handed ? 'machine' : 'service',
    aheadMs: read.part === 'file' ? null : (read.aheadMs ?? null),
    branches: bases,
    leftOut,
  };
  const records = rows.map(({at, until, link = null, ...row}) => ({
    kind: 'row',
    ...row,
    at: formatInstant(at),
    until: until === undefined ? null : formatInstant(until),
    link,
  }));
  await output.write([head, ...records].map(record => `${stringifySafe(record)}\n`).join(''), signal);
  if (leftOut > 0) {
    say(`${leftOut} older rows left out: ask of less time`);
  }
  return exitCodes.done;
};

/** Reads what this machine keeps of the logs: marks, and what the guard told. */
const readKept = async ({io, say}: CommandInput, {named, handed, own}: ReadLogs) => {
  if (handed !== undefined) {
    const marks = marksIn(handed.state);
    // It does not say in which of several logs they are.
    return {marksOf: async () => (own.length === 1 ? marks : []), marks: own.length === 1 ? [] : marks, told: []};
  }
  const folder = findStateFolder(io.env, io.homeFolder);
  if (folder === undefined || named === undefined) {
    return {marksOf: async () => [], told: []};
  }
  const memory = createBranchMemory(folder);
  return {
    told: await readTold(folder, named, {clock: io.clock, tell: say}),
    marksOf: async (branchId: string) => {
      const {state, notice} = await memory.recall({...named, branchId});
      if (notice !== undefined) {
        say(notice);
      }
      return marksIn(state);
    },
  };
};

const marksIn = (state: Pick<BranchState, 'marks'> | undefined) =>
  (state?.marks ?? []).flatMap(({at, note}) => {
    const instant = parseInstant(at);
    return instant === undefined ? [] : [{at: instant, note}];
  });

/** Returns the command that opens a hand-over at its first entry at or after a time. */
const entryLink = (path: string, buffer: LineBuffer, at: Instant): string | undefined => {
  const entry = entryAt(buffer, Math.min(indexAtOrAfter(buffer, at), buffer.entryCount - 1));
  // Such a name needs quotes, which are those of a shell.
  return entry && /^[\w./-]+$/.test(path) ? `branchlog ${path}#${entry.id}` : undefined;
};

/** What the guard of a site told on this machine; null: of all branches. */
type Told = {
  readonly at: Instant;
  readonly branch: string | null;
  readonly text: string;
  readonly basis: string | null;
};

/** Reads what the guard of a site told. `tell` gets a sentence if that cannot be read. */
export const readTold = async (
  folder: string,
  key: {readonly contextName: string; readonly siteId: string},
  {clock, tell}: {readonly clock: Clock; readonly tell: (sentence: string) => void},
): Promise<readonly Told[]> => {
  const history = await openGuardFiles(folder, key, clock)
    .readHistory()
    .catch((error: unknown) => {
      tell(`cannot read what the guard told: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    });
  return history.flatMap(({at, branch, what, text, basis, silenced}) => {
    const instant = parseInstant(at);
    const words = `${what}${silenced ? ' (silenced: paged nobody)' : ''}: ${text}`;
    return instant === undefined ? [] : [{at: instant, branch, text: words, basis}];
  });
};

type TimelineInput = {
  readonly logs: readonly Omit<TimelineLog, 'report' | 'told'>[];
  readonly asked: Asked;
  readonly told: readonly Told[];
  /** Marks of which nobody knows whose log they are in. */
  readonly marks?: TimelineLog['marks'];
  /** Where nothing is held. */
  readonly now: Instant;
};

type Timeline = {
  readonly rows: readonly TimelineRow[];
  readonly leftOut: number;
  readonly span: TimeSpan;
  readonly bases: readonly {readonly branch: string; readonly basis: string}[];
};

/** Judges each log for itself, and returns what happened in all of them. */
export const makeTimeline = async (
  {logs, asked, told, marks = [], now}: TimelineInput,
  signal: AbortSignal,
): Promise<Timeline> => {
  const judged: TimelineLog[] = [];
  for (const log of logs) {
    const report = await doWork(findIncident([log.source], {asked}), signal);
    judged.push({...log, report, told: told.filter(({branch}) => branch === log.branch)});
  }
  const spans = judged.map(({report}) => report.basis.asked);
  const span = {
    from: earliestOf(spans.map(({from}) => from)) ?? now,
    to: latestOf(spans.map(({to}) => to)) ?? now,
  };
  const ofAll = {told: told.filter(({branch}) => branch === null), marks};
  const bases = judged.map(({branch, report}) => ({branch, basis: basisWords(report, formatSecond)}));
  return {...timelineOf(judged, ofAll, span), span, bases};
};

/** Clocks that differ by less are told to agree: a service tells its time in seconds, and an answer takes time. */
const agreeMs = 2000;

/** Says by whose clock the times are. `aheadMs`: of that of this machine; undefined if the service tells no time. */
export const clockWords = (part: string | undefined, aheadMs: number | undefined): string => {
  if (part === 'file') {
    return 'Times are those in the lines.';
  }
  if (aheadMs === undefined) {
    return 'Times are those of the lines; the service tells no time of its own.';
  }
  const skew = `${formatCount(Math.round(Math.abs(aheadMs) / 1000))} s ${aheadMs < 0 ? 'behind' : 'ahead of'} that of the machine`;
  const agrees = 'agrees with that of the machine';
  return `Times are the service's, whose clock ${Math.abs(aheadMs) < agreeMs ? agrees : `is ${skew}`} where this was written.`;
};
