import {ApiError} from '#api/client/api-error.ts';
import {doWork} from '#api/client/do-work.ts';
import {incidentSourceOf} from '#app/log/find-in-slices.ts';
import type {Poll} from '#app/tail/poll-tail.ts';
import {incidentText} from '#app/words/incident-words.ts';
import {flagChoice, flagValue, type ParsedArguments} from '#cli/arguments/args.ts';
import type {CommandInput} from '#cli/arguments/command-input.ts';
import {incidentFormats} from '#cli/arguments/incident-command.ts';
import {readGivenRange, resolveRange} from '#cli/arguments/time-range.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import {runNotifyCommand} from '#cli/io/run-notify-command.ts';
import {findElsewhere} from '#log/incident/find-elsewhere.ts';
import {findIncident} from '#log/incident/find-incident.ts';
import {findSince} from '#log/incident/since-change.ts';
import type {IncidentSource, Verdict} from '#log/incident/verdict.ts';
import {formatInstant, instantFromMs} from '#log/line/instant.ts';
import {stringifySafe} from '#log/text/escape-json.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {mergeBuffers} from '#log/view/log-view.ts';
import {goodEnds} from '#service/files/opened-backend.ts';
import {incidentRecord, verdictRecord} from '../incident/incident-record.ts';
import {type ReadLog, readLogs} from './read-logs.ts';

/** Runs `branchlog incident`: reads a log once, as `logs` does, and says what is other than before. */
export const runIncident = async (input: CommandInput): Promise<number> => {
  const {parsed, io, output, say, signal} = input;
  const isSinceDeploy = asksSinceDeploy(parsed);
  const range = readGivenRange(isSinceDeploy ? withoutSince(parsed) : parsed, {say});
  const format = flagChoice(parsed, 'format', incidentFormats) ?? 'text';
  const command = parsed.values.get('notify-command');
  const {own, other, part, clockOffsetMs, nowMs} = await readLogs(input);
  // What is asked about a file as it is, is asked up to its end.
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
  if (isSinceDeploy && since === undefined) {
    const words =
      'cannot tell: no deployment is known, neither from the branch and its pods nor from a version in the log';
    const record = {
      ...verdictRecord(
        report,
        own.map(({branch}) => branch.name),
      ),
      ...noDeployment,
      text: words,
    };
    await output.write(`${format === 'json' ? stringifySafe(record) : words}\n`, signal);
    return exitCodes.gap;
  }
  const view = mergeBuffers(sources.map(({buffer}) => buffer));
  const records = [
    verdictRecord(
      report,
      own.map(({branch}) => branch.name),
    ),
    ...report.findings.map(finding => incidentRecord(finding, view)),
  ];
  const rows =
    format === 'json'
      ? records.map(stringifySafe)
      : incidentText(report, at => `${formatInstant(at).slice(0, stampLength)}Z`);
  await output.write(`${rows.join('\n')}\n`, signal);
  if (otherSource?.unreadable !== undefined) {
    say(otherSource.unreadable.why);
  }
  if (command !== undefined && report.verdict.kind === 'found') {
    const failure = await runNotifyCommand({command, records, env: io.env, signal});
    if (failure !== undefined) {
      say(failure);
    }
  }
  return codes[report.verdict.kind];
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

/** What the verdict is where before and after cannot be told apart. */
const noDeployment = {verdict: 'unknown', why: 'noDeployment', comparedWith: null} as const;

const codes: Readonly<Record<Verdict['kind'], number>> = {
  found: exitCodes.done,
  calm: exitCodes.calm,
  unknown: exitCodes.gap,
};

/** To the second. */
const stampLength = '2026-11-21T14:02:11'.length;
