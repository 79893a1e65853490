import {uncoveredWords, verdictTitle} from '#app/words/verdict-words.ts';
import type {IncidentReport} from '#log/incident/find-incident.ts';
import {judgeRecovery} from '#log/incident/recovery-watch.ts';
import {formatInstant, instantToMs, parseInstant} from '#log/line/instant.ts';
import {currentFindings, isOfRates, keyOf, matchOf, pagedFindings} from './paged.ts';
import {type Blindness, type BranchState, lastingMs, type Moment, quietMs, recordOf, watching} from './state.ts';
import type {GuardRecord, ToldFinding} from './stored.ts';

/** So much must have passed since the last page before more of the same incident is told. */
const moreMs = 900_000;
/** What ended so long before the last check was there to be found then. */
const lateMs = 120_000;
/** As many incidents as a log holds. */
const closedMax = 20;

/**
 * Returns why the log cannot be seen now, by the answers, and how long that must last to be told; undefined if all
 * can be seen. Whoever asks hundreds of times a day meets each silence that chance brings once in a thousand: it must
 * last as long again.
 */
export const blindnessIn = ({
  basis: {asked, uncovered},
}: IncidentReport): Pick<Blindness, 'words' | 'lastsMs' | 'why'> | undefined => {
  const hole = uncovered.find(
    ({why, to}) => (why === 'silence' || why === 'unreadable' || why === 'notLines') && to >= asked.to,
  );
  if (hole === undefined) {
    return undefined;
  }
  const words = uncoveredWords(hole, formatInstant);
  return hole.why === 'silence'
    ? {words, why: 'silence', lastsMs: Math.max(lastingMs, instantToMs(asked.to - hole.from))}
    : {words, why: 'other', lastsMs: lastingMs};
};

const msOf = (time: string): number => instantToMs(parseInstant(time) ?? 0n);

const isCoveredLately = ({basis: {asked, uncovered}}: IncidentReport): boolean =>
  [asked.from, ...uncovered.map(({to}) => to)].every(at => instantToMs(asked.to - at) >= quietMs);

type Open = NonNullable<BranchState['open']>;

/** None of it came for so long, and none can be missing; and what has a usual rate is back to it. */
const isOver = ({watch, record: {findings}}: Open, report: IncidentReport): boolean => {
  const current = new Map(currentFindings(report).map(finding => [keyOf(finding), finding]));
  const toMs = instantToMs(report.basis.asked.to);
  const rates = findings.filter(isOfRates);
  const isBack = (finding: ToldFinding): boolean => {
    const known = current.get(keyOf(finding));
    return known === undefined || (known.until !== null && toMs - msOf(known.until) >= quietMs);
  };
  return (
    blindnessIn(report) === undefined &&
    (rates.length === findings.length || judgeRecovery(watch).verdict === 'gone') &&
    (rates.length === 0 || (isCoveredLately(report) && rates.every(isBack)))
  );
};

/** By the monotonic clock, where that is known: the other may have been set back since. */
const isBefore = (
  {since}: ToldFinding,
  {endedAt, endedMs}: BranchState['closed'][number],
  {atMs, monoMs}: Moment,
): boolean =>
  endedMs === undefined
    ? msOf(since) <= msOf(endedAt) && msOf(endedAt) <= atMs + lateMs
    : monoMs - (atMs - msOf(since)) <= endedMs;

/**
 * What stopped may be chance, which a guard that looks all the time meets: it must last for a third as long again.
 * Where much was written that is soon.
 */
const waitingFor = (
  findings: readonly ToldFinding[],
  before: BranchState['waiting'],
  {atMs, monoMs}: Moment,
): BranchState['waiting'] =>
  new Map(
    findings
      .filter(({what}) => what === 'stopped')
      .map(finding => [
        keyOf(finding),
        before.get(keyOf(finding)) ?? {sinceMs: monoMs, lastsMs: (atMs - msOf(finding.since)) / 3},
      ]),
  );

type Taken = {readonly branch: BranchState; readonly records: readonly GuardRecord[]};

/** Takes what is found in a log: begins an incident, adds to it, or ends it. */
export const takeReport = (last: BranchState, report: IncidentReport, site: string, moment: Moment): Taken => {
  const {atMs, monoMs} = moment;
  const sure = pagedFindings(report);
  const before = {...last, waiting: waitingFor(sure, last.waiting, moment)};
  const {open, name, closed, seenAtMs, waiting} = before;
  const paged = sure.filter(finding => {
    const {sinceMs = monoMs, lastsMs = 0} = waiting.get(keyOf(finding)) ?? {};
    return monoMs - sinceMs >= lastsMs;
  });
  const told = {site, branch: name, text: verdictTitle(report, formatInstant)};
  const earliest = (findings: readonly ToldFinding[]): string =>
    findings.map(({since}) => since).reduce((a, b) => (msOf(b) < msOf(a) ? b : a));
  if (open === undefined) {
    const lateFromMs = Math.min(seenAtMs ?? atMs, atMs) - lateMs;
    const fresh = paged.filter(
      finding =>
        (finding.until === null || msOf(finding.until) >= lateFromMs) &&
        !closed.some(incident => incident.keys.includes(keyOf(finding)) && isBefore(finding, incident, moment)),
    );
    if (fresh.length === 0) {
      return {branch: before, records: []};
    }
    const record = recordOf({...told, what: 'found', from: earliest(fresh), findings: fresh}, moment, report);
    const opened = {record, isSent: false, ...watching(fresh), toldMs: monoMs};
    return {branch: {...before, open: opened}, records: [record]};
  }
  const {record, watch, toldMs} = open;
  if (paged.every(({until}) => until !== null) && isOver(open, report)) {
    const endedAt = formatInstant(report.basis.asked.to);
    const ends = record.findings.flatMap(({until}) => until ?? []);
    const isProven = report.proof === 'counted';
    const ended = recordOf(
      {
        ...{
          site,
          branch: name,
          what: 'ended',
          from: record.from,
          to: ends.toSorted().at(-1) ?? endedAt,
          findings: record.findings,
        },
        text: `over: none of it in ${quietMs / 60_000} min, and ${isProven ? 'no line is missing' : 'no gap was seen'}`,
      },
      moment,
      report,
    );
    const all = [...record.findings, ...paged].map(keyOf);
    const incidents = [...closed, {keys: [...new Set(all)], endedAt, endedMs: monoMs}];
    return {branch: {...before, open: undefined, closed: incidents.slice(-closedMax)}, records: [ended]};
  }
  const known = new Map(record.findings.map(finding => [keyOf(finding), finding]));
  // One thing leads to the next, and is found a moment later.
  const together = msOf(record.from) + lateMs;
  const isMore = (finding: ToldFinding): boolean => {
    const before = known.get(keyOf(finding));
    return before === undefined
      ? msOf(finding.since) > together
      : before.until !== null && msOf(finding.since) > msOf(before.until);
  };
  const more = paged.filter(isMore);
  const isTold = more.length > 0 && monoMs - toldMs >= moreMs;
  // What is not told yet stays unknown, so that it can be told later.
  const renewed = paged.filter(finding => isTold || !isMore(finding));
  const findings = [...new Map([...record.findings, ...renewed].map(finding => [keyOf(finding), finding])).values()];
  const grown: Open = {
    ...open,
    record: {...record, findings},
    watch: {...watch, isMatch: matchOf(findings)},
    toldMs: isTold ? monoMs : toldMs,
  };
  return {
    branch: {...before, open: grown},
    records: isTold ? [recordOf({...told, what: 'more', from: earliest(more), findings: more}, moment, report)] : [],
  };
};
