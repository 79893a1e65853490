import {ApiError} from '../../api/api-error.ts';
import {doWork} from '../../api/do-work.ts';
import {incidentSourceOf} from '../../app/log/incident/read-incident.ts';
import type {Poll} from '../../app/tail/poll-tail.ts';
import {incidentText} from '../../app/words/incident-words.ts';
import {findElsewhere} from '../../log/incident/find-elsewhere.ts';
import {findIncident, type IncidentReport} from '../../log/incident/find-incident.ts';
import {isTrouble} from '../../log/incident/incident-finding.ts';
import {formatInstant, type Instant, instantFromMs, latestOf} from '../../log/line/instant.ts';
import {noShapes} from '../../log/shapes/shape-table.ts';
import {stringifySafe} from '../../log/text/escape-json.ts';
import type {LogView} from '../../log/view/log-view.ts';
import {mergeBuffers} from '../../log/view/merged-view.ts';
import {unreadableWords} from '../../log/words/unreadable-words.ts';
import {flagChoice} from '../arguments/args.ts';
import type {CommandInput} from '../arguments/command-input.ts';
import {incidentFormats} from '../arguments/incident-command.ts';
import {type GivenRange, readGivenRange, resolveRange} from '../arguments/time-range.ts';
import {exitCodes} from '../io/exit-codes.ts';
import {UsageError} from '../io/usage-error.ts';
import {openService} from '../kube/open-service.ts';
import {printedBranch} from '../logs/poll-branch.ts';
import {takeWindows} from '../logs/take-windows.ts';
import {runNotifyCommand} from '../notify/run-notify-command.ts';
import {chooseBranches} from '../service/choose-branches.ts';
import {resolveSiteId} from '../service/resolve-site.ts';
import {heldRecord, incidentRecord} from './incident-record.ts';

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
    const found = await doWork(findIncident(sources), signal);
    const otherUnreadable = polls.slice(own.length).flatMap(unreadableIn);
    const compared = other &&
      otherSource && {branch: other.name, source: otherSource, isReadable: otherUnreadable.length === 0};
    const whole = compared ? await doWork(findElsewhere(found, compared), signal) : found;
    const clocks = polls.map(({result}) => (result instanceof ApiError ? undefined : result.serviceTimeMs));
    const report = beganIn(
      whole,
      range,
      latestOf(clocks.map(ms => (ms === undefined ? undefined : instantFromMs(ms)))),
    );
    const view = mergeBuffers(sources.map(({buffer}) => buffer));
    const rows =
      format === 'json'
        ? [heldRecord(report), ...report.findings.map(finding => incidentRecord(finding, view))].map(stringifySafe)
        : incidentText(report, at => `${formatInstant(at).slice(0, stampLength)}Z`);
    await output.write(`${rows.join('\n')}\n`, signal);
    const unknown = whyUnknown(polls.slice(0, own.length), view);
    [...unknown, ...otherUnreadable].forEach(say);
    if (report.findings.some(isTrouble)) {
      if (command !== undefined) {
        const records = report.findings.map(finding => incidentRecord(finding, view));
        const failure = await runNotifyCommand({command, records, env: io.env, signal});
        if (failure !== undefined) {
          say(failure);
        }
      }
      return exitCodes.done;
    }
    return unknown.length > 0 ? exitCodes.gap : exitCodes.calm;
  } finally {
    client.close();
  }
};

const unreadableIn = ({result}: Poll): readonly string[] => {
  const told = result instanceof ApiError ? undefined : result.value.unreadable;
  return told === undefined ? [] : [unreadableWords(told)];
};

/** Says why a log without findings need not be calm; nothing if all of it was read. */
const whyUnknown = (polls: readonly Poll[], view: LogView): readonly string[] => {
  const unreadable = polls.flatMap(unreadableIn);
  return unreadable.length > 0 || view.entryCount > 0
    ? unreadable
    : ['the log has no lines, so nobody can tell whether all is well'];
};

/** To the second. */
const stampLength = '2026-11-21T14:02:11'.length;

/** Leaves out what began outside. Ages count from the service's clock, or from the newest line if it sends none. */
const beganIn = (report: IncidentReport, range: GivenRange, now: Instant | undefined): IncidentReport => {
  const {from, to} = resolveRange(range, now ?? report.to);
  const isIn = (at: Instant) => (from === undefined || at >= from) && (to === undefined || at <= to);
  const findings = report.findings.filter(({since}) => isIn(since));
  return {...report, findings, onset: report.onset !== undefined && isIn(report.onset) ? report.onset : undefined};
};
