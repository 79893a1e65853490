import {doWork} from '#api/client/do-work.ts';
import {incidentSourceOf} from '#app/log/find-in-slices.ts';
import {formatSecond, type TimelineLog, timelineOf} from '#app/timeline/timeline.ts';
import {timelineMarkdown} from '#app/timeline/timeline-markdown.ts';
import {basisWords} from '#app/words/verdict-words.ts';
import {flagChoice} from '#cli/arguments/args.ts';
import type {CommandInput} from '#cli/arguments/command-input.ts';
import {readGivenRange, resolveRange} from '#cli/arguments/time-range.ts';
import {openGuardFiles} from '#cli/guard/guard-files.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import {type ReadLogs, readLogs} from '#cli/logs/read-logs.ts';
import {createBranchMemory} from '#config/memory/branch-memory.ts';
import {findStateFolder} from '#config/settings/folders.ts';
import {findIncident} from '#log/incident/find-incident.ts';
import type {TimeSpan} from '#log/incident/verdict.ts';
import {earliestOf, formatInstant, instantFromMs, latestOf, parseInstant} from '#log/line/instant.ts';
import {stringifySafe} from '#log/text/escape-json.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {formatDeepLink} from '#log/words/deep-link.ts';
import {formatCount} from '#log/words/format-count.ts';

const formats = ['markdown', 'json'] as const;

/** Clocks that differ by less are told to agree: a service tells its time in seconds, and an answer takes time. */
const agreeMs = 2000;

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
  const {marksOf, told} = await readKept(input, read);
  const logs: TimelineLog[] = [];
  for (const {branch, poll} of read.own) {
    const known = {clockOffsetMs: read.clockOffsetMs, part: read.part, isAtEnd};
    const source = incidentSourceOf(branch, poll.tail, noShapes, known);
    const {named} = read;
    logs.push({
      branch: branch.name,
      source,
      report: await doWork(findIncident([source], {asked}), signal),
      marks: await marksOf(branch._id),
      told: told.filter(each => each.branch === branch.name),
      linkTo: at => named && `branchlog ${formatDeepLink({site: named.word, branch: branch.name, at})}`,
    });
  }
  const spans = logs.map(({report}) => report.basis.asked);
  const span: TimeSpan = {
    from: earliestOf(spans.map(({from}) => from)) ?? now,
    to: latestOf(spans.map(({to}) => to)) ?? now,
  };
  const ofAll = told.filter(({branch}) => branch === null);
  const {rows, leftOut} = timelineOf(logs, ofAll, span);
  const bases = logs.map(({branch, report}) => ({branch, basis: basisWords(report, formatSecond)}));
  if (format === 'markdown') {
    const title = [read.named?.word, logs.map(({branch}) => branch).join(', ')].filter(Boolean).join(': ');
    await output.write(timelineMarkdown({...span, title, clock: clockWords(read), bases, leftOut}, rows), signal);
    return exitCodes.done;
  }
  const head = {
    kind: 'timeline',
    ...{from: formatInstant(span.from), to: formatInstant(span.to)},
    clock: read.part === 'file' ? 'lines' : read.aheadMs === undefined ? 'machine' : 'service',
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

const clockWords = ({part, aheadMs}: ReadLogs): string => {
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

/** Reads what this machine keeps of the logs: marks, and what the guard told. */
const readKept = async ({io, say}: CommandInput, {named}: ReadLogs) => {
  const folder = findStateFolder(io.env, io.homeFolder);
  if (folder === undefined || named === undefined) {
    return {marksOf: async () => [], told: []};
  }
  const memory = createBranchMemory(folder);
  const history = await openGuardFiles(folder, named, io.clock)
    .readHistory()
    .catch((error: unknown) => {
      say(`cannot read what the guard told: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    });
  return {
    told: history.flatMap(({at, branch, what, text, basis, silenced}) => {
      const instant = parseInstant(at);
      const words = `${what}${silenced ? ' (silenced: paged nobody)' : ''}: ${text}`;
      return instant === undefined ? [] : [{at: instant, branch, text: words, basis}];
    }),
    marksOf: async (branchId: string) => {
      const {state, notice} = await memory.recall({...named, branchId});
      if (notice !== undefined) {
        say(notice);
      }
      return (state?.marks ?? []).flatMap(({at, note}) => {
        const instant = parseInstant(at);
        return instant === undefined ? [] : [{at: instant, note}];
      });
    },
  };
};
