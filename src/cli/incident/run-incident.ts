import {ApiError} from '../../api/api-error.ts';
import {doWork} from '../../api/do-work.ts';
import {incidentSourceOf} from '../../app/log/incident/read-incident.ts';
import type {Poll} from '../../app/tail/poll-tail.ts';
import {incidentText} from '../../app/words/incident-words.ts';
import {findElsewhere} from '../../log/incident/find-elsewhere.ts';
import {findIncident} from '../../log/incident/find-incident.ts';
import type {Verdict} from '../../log/incident/verdict.ts';
import {formatInstant, instantFromMs} from '../../log/line/instant.ts';
import {noShapes} from '../../log/shapes/shape-table.ts';
import {stringifySafe} from '../../log/text/escape-json.ts';
import {mergeBuffers} from '../../log/view/merged-view.ts';
import {unreadableWords} from '../../log/words/unreadable-words.ts';
import {flagChoice} from '../arguments/args.ts';
import type {CommandInput} from '../arguments/command-input.ts';
import {incidentFormats} from '../arguments/incident-command.ts';
import {readGivenRange, resolveRange} from '../arguments/time-range.ts';
import {exitCodes} from '../io/exit-codes.ts';
import {UsageError} from '../io/usage-error.ts';
import {openService} from '../kube/open-service.ts';
import {printedBranch} from '../logs/poll-branch.ts';
import {takeWindows} from '../logs/take-windows.ts';
import {runNotifyCommand} from '../notify/run-notify-command.ts';
import {chooseBranches} from '../service/choose-branches.ts';
import {resolveSiteId} from '../service/resolve-site.ts';
import {incidentRecord, verdictRecord} from './incident-record.ts';

/** Runs `branchlog incident SITE BRANCH`: reads one window, as `logs` does, and says what is other than before. */
export const runIncident = async (input: CommandInput): Promise<number> => {
  const {parsed, io, output, say, signal} = input;
  const range = readGivenRange(parsed);
  const format = flagChoice(parsed, 'format', incidentFormats) ?? 'text';
  const [compare] = parsed.values.get('compare') ?? [];
  const command = parsed.values.get('notify-command');
  const {service, log, client} = await openService(input);
  const {sites} = service;
  const [siteWord = '', ...branchWords] = parsed.operands;
  const siteId = resolveSiteId(sites, siteWord);
  try {
    const choice = {client, sites, siteId, siteWord, mustHaveLog: true, say, signal};
    const own = await chooseBranches({...choice, branchWords});
    const others = compare === undefined ? [] : await chooseBranches({...choice, branchWords: [compare]});
    const [other] = others;
    if (others.length > 1 || own.some(({_id}) => _id === other?._id)) {
      throw new UsageError(`--compare: name one branch other than ${own.map(({name}) => name).join(', ')}`);
    }
    const branches = [...own, ...others];
    const polls: Poll[] = [];
    await takeWindows(
      branches.map(({_id, name}) => printedBranch(client, [siteId, _id], log, branches.length > 1 ? name : undefined)),
      async (index, poll) => {
        polls[index] = poll;
        return 'goOn';
      },
      io,
      signal,
    );
    const allSources = polls.flatMap(({tail}, index) => {
      const branch = branches[index];
      return branch === undefined ? [] : [incidentSourceOf(branch, tail, noShapes)];
    });
    const sources = allSources.slice(0, own.length);
    const otherSource = allSources[own.length];
    const clocks = polls.flatMap(({result}) => (result instanceof ApiError ? [] : (result.serviceTimeMs ?? [])));
    const now = instantFromMs(clocks.length === 0 ? io.clock.nowMs() : Math.max(...clocks));
    const asked = {...resolveRange(range, now), now};
    const found = await doWork(findIncident(sources, {asked}), signal);
    const otherUnreadable = polls.slice(own.length).flatMap(unreadableIn);
    const compared = other &&
      otherSource && {branch: other.name, source: otherSource, isReadable: otherUnreadable.length === 0};
    const report = compared ? await doWork(findElsewhere(found, compared), signal) : found;
    const view = mergeBuffers(sources.map(({buffer}) => buffer));
    const records = [
      verdictRecord(
        report,
        own.map(({name}) => name),
      ),
      ...report.findings.map(finding => incidentRecord(finding, view)),
    ];
    const rows =
      format === 'json'
        ? records.map(stringifySafe)
        : incidentText(report, at => `${formatInstant(at).slice(0, stampLength)}Z`);
    await output.write(`${rows.join('\n')}\n`, signal);
    otherUnreadable.forEach(say);
    if (command !== undefined && report.verdict.kind === 'found') {
      const failure = await runNotifyCommand({command, records, env: io.env, signal});
      if (failure !== undefined) {
        say(failure);
      }
    }
    return codes[report.verdict.kind];
  } finally {
    client.close();
  }
};

const unreadableIn = ({result}: Poll): readonly string[] => {
  const told = result instanceof ApiError ? undefined : result.value.unreadable;
  return told === undefined ? [] : [unreadableWords(told)];
};

const codes: Readonly<Record<Verdict['kind'], number>> = {
  found: exitCodes.done,
  calm: exitCodes.calm,
  unknown: exitCodes.gap,
};

/** To the second. */
const stampLength = '2026-11-21T14:02:11'.length;
