import {ApiError} from '#api/client/api-error.ts';
import {doWork} from '#api/client/do-work.ts';
import {incidentSourceOf} from '#app/tail/incident-source.ts';
import type {Poll} from '#app/tail/tail.ts';
import {formatSecond} from '#app/timeline/timeline.ts';
import {incidentText} from '#app/words/incident-words.ts';
import {basisWords, verdictTitle} from '#app/words/verdict-words.ts';
import {type CommandInput, flagChoice, flagValue, type ParsedArguments} from '#cli/arguments/args.ts';
import {readLimits, takeFirst} from '#cli/arguments/limits.ts';
import {incidentFormats} from '#cli/arguments/shared-flags.ts';
import {readGivenRange, resolveRange} from '#cli/arguments/time-range.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import {runNotifyCommand} from '#cli/io/run-notify-command.ts';
import {findElsewhere} from '#log/incident/find-elsewhere.ts';
import {findIncident, type IncidentReport} from '#log/incident/find-incident.ts';
import {type IncidentFinding, quietSinceOf, type Who} from '#log/incident/incident-finding.ts';
import {findSince, type SinceReport} from '#log/incident/since-change.ts';
import type {IncidentSource, TimeSpan, Uncovered, Verdict} from '#log/incident/verdict.ts';
import {textOf} from '#log/line/entry.ts';
import {formatInstant, instantFromMs} from '#log/line/instant.ts';
import {stringifySafe} from '#log/text/escape-json.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {type LogView, lineAt, mergeBuffers} from '#log/view/log-view.ts';
import {goodEnds} from '#service/files/opened-backend.ts';
import {leftOutWords} from './line-budget.ts';
import {type ReadLog, type ReadLogs, readLogs} from './read-logs.ts';

const rounded = (value: IncidentFinding['now']): number | string | null =>
  typeof value === 'number' ? Math.round(value * 1000) / 1000 : (value ?? null);

const spanOf = ({from, to}: TimeSpan) => ({from: formatInstant(from), to: formatInstant(to)});

/** Returns the verdict and its basis, as the first record. `branches`: the names of the sources. */
const verdictRecord = (
  report: IncidentReport & Partial<Pick<SinceReport, 'change'>>,
  branches: readonly string[],
  sayForeign: ((text: string) => string) | undefined,
) => {
  const {verdict, basis, from, to, onset, errorCount, change} = report;
  const {asked, covered, uncovered, comparedWith, proof, gapCount} = basis;
  const uncoveredRecord = (part: Uncovered) => ({
    reason: part.why,
    ...spanOf(part),
    branch: branches[part.source] ?? null,
    ...(part.who !== undefined && {source: part.who}),
    ...(part.said !== undefined && {said: part.said}),
  });
  const why: string | null = verdict.kind === 'unknown' ? verdict.why.why : null;
  return {
    kind: 'verdict',
    verdict: verdict.kind,
    why,
    text: verdictTitle(report, formatInstant, sayForeign),
    basis: basisWords(report, formatInstant, sayForeign),
    asked: spanOf(asked),
    covered: covered.map(spanOf),
    uncovered: uncovered.map(uncoveredRecord),
    comparedWith: comparedWith === undefined ? null : spanOf(comparedWith),
    proof,
    gaps: gapCount,
    errors: errorCount,
    onset: onset === undefined ? null : formatInstant(onset),
    ...spanOf({from, to}),
    ...(change !== undefined && {deployment: {subject: change.subject, since: formatInstant(change.since)}}),
  };
};

const whoRecords = (who: readonly Who[]) =>
  who.map(({field, value, share, others}) => ({field, value, share: rounded(share), others: rounded(others)}));

/** Returns a finding as a record, with the times of its first and last line and the text of the first. */
const incidentRecord = (finding: IncidentFinding, {to}: IncidentReport, view: LogView) => {
  const {since, until, before, now, unit, total, first, last, only, mayBeOlder, who, waves, elsewhere} = finding;
  const line = lineAt(view, first);
  const quietSince = quietSinceOf(finding, to);
  return {
    kind: 'finding',
    what: finding.what,
    by: finding.of,
    subject: finding.subject,
    since: formatInstant(since),
    until: until === undefined ? null : formatInstant(until),
    ...(quietSince !== undefined && {quietSince: formatInstant(quietSince)}),
    before: rounded(before),
    now: rounded(now),
    unit: unit ?? null,
    of: total === undefined ? null : rounded(total),
    confidence: finding.confidence,
    ...(mayBeOlder && {mayBeOlder}),
    ...(only !== undefined && {only}),
    who: whoRecords(who),
    ...(waves !== undefined && {waves: {count: waves.count, since: formatInstant(waves.since)}}),
    from: formatInstant(first?.at ?? since),
    to: formatInstant(last?.at ?? until ?? since),
    ...(elsewhere !== undefined && {
      elsewhere: {
        branch: elsewhere.branch,
        now: rounded(elsewhere.now),
        unit: unit ?? null,
        holds: elsewhere.holds,
        ...(elsewhere.who !== undefined && {who: whoRecords(elsewhere.who)}),
        gaps: elsewhere.holes.map(hole => ({from: formatInstant(hole.from), to: formatInstant(hole.to)})),
      },
    }),
    ...(line !== undefined && {line: textOf(line)}),
  };
};

/** Returns the verdict with its basis, and the findings, as `--format json` prints them. */
export const incidentRecords = (
  report: IncidentReport,
  view: LogView,
  branches: readonly string[],
): readonly object[] => [
  verdictRecord(report, branches, undefined),
  ...report.findings.map(finding => incidentRecord(finding, report, view)),
];

/** What is wrong with logs that were read: the verdict, and what is printed. */
export type Judgement = {
  readonly verdict: Verdict['kind'];
  /** The verdict with its basis, then the findings. */
  readonly records: readonly [ReturnType<typeof verdictRecord>, ...ReturnType<typeof incidentRecord>[]];
  readonly rows: readonly string[];
  /** Why the other branch cannot be compared with. */
  readonly otherUnreadable: string | undefined;
};

/** Says what is other than before in logs that were read, in the time that the flags ask of. */
export const judgeLogs = async (
  {own, other, part, clockOffsetMs, nowMs}: ReadLogs,
  {
    parsed,
    say,
    signal,
    sayForeign,
  }: Pick<CommandInput, 'parsed' | 'say' | 'signal'> & {readonly sayForeign?: (text: string) => string},
): Promise<Judgement> => {
  const isSinceDeploy = asksSinceDeploy(parsed);
  const range = readGivenRange(isSinceDeploy ? withoutSince(parsed) : parsed, {say});
  // A question about a file that is not followed is asked up to its end.
  const isAtEnd = part === 'file' && range.since === undefined && range.to === undefined;
  const sourceOf = ({branch, poll}: ReadLog): IncidentSource => {
    const source = incidentSourceOf(branch, poll.tail, noShapes, {clockOffsetMs, part, isAtEnd});
    const failure = part === 'file' ? failedEnding(poll) : undefined;
    return failure === undefined ? source : {...source, unreadable: {why: failure}};
  };
  const sources = own.map(sourceOf);
  const now = instantFromMs(nowMs);
  const asked = {...resolveRange(range, now), now: isAtEnd ? undefined : now};
  const since = isSinceDeploy ? await doWork(findSince(sources, asked), signal) : undefined;
  const found = since ?? (await doWork(findIncident(sources, {asked}), signal));
  const otherSource = other && sourceOf(other);
  const isReadable = otherSource?.unreadable === undefined;
  const report =
    other && otherSource
      ? await doWork(findElsewhere(found, {branch: other.branch.name, source: otherSource, isReadable}), signal)
      : found;
  const otherUnreadable = otherSource?.unreadable?.why;
  const verdict = verdictRecord(
    report,
    own.map(({branch}) => branch.name),
    sayForeign,
  );
  if (isSinceDeploy && since === undefined) {
    const record = {...verdict, ...noDeployment};
    return {verdict: 'unknown', records: [record], rows: [record.text], otherUnreadable};
  }
  const view = mergeBuffers(sources.map(({buffer}) => buffer));
  return {
    verdict: report.verdict.kind,
    records: [verdict, ...report.findings.map(finding => incidentRecord(finding, report, view))],
    rows: incidentText(report, formatSecond),
    otherUnreadable,
  };
};

/** Runs `branchlog incident`: reads a log once, as `logs` does, and says what is other than before. */
export const runIncident = async (input: CommandInput): Promise<number> => {
  const {parsed, io, output, say, signal} = input;
  // A mistake in the time is told before anything is read.
  readGivenRange(asksSinceDeploy(parsed) ? withoutSince(parsed) : parsed);
  const format = flagChoice(parsed, 'format', incidentFormats) ?? 'text';
  const command = parsed.values.get('notify-command');
  const {verdict, records, rows, otherUnreadable} = await judgeLogs(await readLogs(input), input);
  const limits = readLimits(parsed);
  const isJson = format === 'json';
  const all = isJson ? records.map(stringifySafe) : rows;
  const shown = limits ? takeFirst(all, limits, isJson ? 1 : 0) : all;
  const left = all.length - shown.length;
  await output.write(`${shown.join('\n')}\n`, signal);
  if (!isJson && left > 0) {
    say(leftOutWords(left, all.length, 'row'));
  }
  if (otherUnreadable !== undefined) {
    say(otherUnreadable);
  }
  const failure =
    command !== undefined && verdict === 'found'
      ? await runNotifyCommand({command, records, env: io.env, signal})
      : undefined;
  if (failure !== undefined) {
    say(failure);
  }
  if (isJson && (limits || command)) {
    const end = {kind: 'end', findings: records.length - 1, leftOut: left, notifyFailure: failure};
    await output.write(`${stringifySafe(end)}\n`, signal);
  }
  return codes[verdict];
};

/** Says of a command or a stream how it failed: it may not have told all. */
const failedEnding = ({result}: Poll): string | undefined => {
  const endings = result instanceof ApiError ? [] : [...(result.value.endings ?? [])];
  const failed = endings.find(([, ending]) => !goodEnds.includes(ending));
  return failed?.join(' ');
};

/** Words for the deployment in place of a time. */
const deployPattern = /^deploy(?:ment)?$/i;

const asksSinceDeploy = (parsed: ParsedArguments): boolean => deployPattern.test(flagValue(parsed, 'since') ?? '');

const withoutSince = (parsed: ParsedArguments): ParsedArguments => ({
  ...parsed,
  values: new Map([...parsed.values].filter(([name]) => name !== 'since')),
});

/** The verdict where before and after cannot be told apart. */
const noDeployment = {
  verdict: 'unknown',
  why: 'noDeployment',
  comparedWith: null,
  text: 'cannot tell: no deployment is known, neither from the branch and its pods nor from a version in the log',
} as const;

const codes: Readonly<Record<Verdict['kind'], number>> = {
  found: exitCodes.done,
  calm: exitCodes.calm,
  unknown: exitCodes.gap,
};
