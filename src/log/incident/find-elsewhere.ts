import {timeAtIndex} from '#log/buffer/buffer.ts';
import {markersOf} from '#log/buffer/entry-list.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Work} from '#log/work.ts';
import type {IncidentReport} from './find-incident.ts';
import {linesPerMinute} from './findings/rate-finding.ts';
import {allBounds, type LogEvents, readEvents, type Series} from './findings/read-events.ts';
import {findWho} from './findings/who.ts';
import {type Hole, type IncidentFinding, isChange, isOfMissing} from './incident-finding.ts';
import {beforeSeconds, countBetween} from './statistics/find-runs.ts';
import type {IncidentSource} from './verdict.ts';

/** It is as wrong there if it is so far from what it was here before to what it is here now. */
const wrongPart = 0.25;
/** Where fewer lines than these would have come, none tells nothing. */
const expectedMin = 3;
/** Fewer requests tell nothing of how long they take. */
const requestsMin = 6;
/** More would not be read. */
const holesMax = 5;

type OtherBranch = {
  readonly branch: string;
  readonly source: IncidentSource;
  /** All that the service has was read. */
  readonly isReadable: boolean;
};

/** Adds to each symptom how the same does in another branch. Changes, and names of pods, are a branch's own. */
export function* findElsewhere<Report extends IncidentReport>(
  report: Report,
  {branch, source, isReadable}: OtherBranch,
): Work<Report> {
  const events = yield* readEvents([source.buffer], source.podNames, allBounds);
  const table = new Map(events.series.map(series => [`${series.kind} ${series.key}`, series]));
  const findings: IncidentFinding[] = [];
  for (const finding of report.findings) {
    const {of, subject, since, until} = finding;
    const isOwn = isChange(finding) || of === 'pod' || of === 'source';
    if (isOwn) {
      findings.push(finding);
      continue;
    }
    const span = {from: since, to: until ?? report.to};
    const holes = isReadable ? holesIn(source, span) : [{kind: 'gap' as const, ...span}];
    const {now, isWrong, isEnough} = measure(finding, table.get(`${of} ${subject}`), events, span);
    // That lines came is certain, whatever is missing; that none came is not.
    const isCertain = isEnough && (holes.length === 0 || isWrong !== isOfLess(finding));
    // Where it is nobody's here, it is not asked whose it is there.
    const who = isWrong && finding.who.length > 0 ? yield* findWho(finding, events) : [];
    findings.push({
      ...finding,
      elsewhere: {branch, now, holds: isCertain ? isWrong : 'unknown', holes, ...(who.length > 0 && {who})},
    });
  }
  return {...report, findings};
}

const isOfLess = (finding: IncidentFinding): boolean => isOfMissing(finding) || finding.what === 'fewer';

type Span = {readonly from: Instant; readonly to: Instant};

const holesIn = ({buffer}: IncidentSource, {from, to}: Span): readonly Hole[] => {
  const oldest = timeAtIndex(buffer, 0);
  const gaps = buffer.chunks
    .flatMap(markersOf)
    .flatMap(({marker}): readonly Hole[] =>
      marker.kind === 'gap' && marker.after < to && marker.before > from
        ? [{kind: 'gap', from: marker.after, to: marker.before}]
        : [],
    );
  const older: Hole = {kind: 'older', from, to: oldest === undefined || oldest > to ? to : oldest};
  return [...(oldest === undefined || oldest > from ? [older] : []), ...gaps].slice(0, holesMax);
};

/** `isEnough`: so much was read that it would have shown. */
type Measured = {readonly now: number | undefined; readonly isWrong: boolean; readonly isEnough: boolean};

const numberOf = (value: IncidentFinding['now']): number => (typeof value === 'number' ? value : 0);

const measure = (finding: IncidentFinding, series: Series | undefined, events: LogEvents, span: Span): Measured => {
  const secondsOf = (at: Instant): number => Number(at - events.origin) / 1e9;
  const [from, to] = [secondsOf(span.from), secondsOf(span.to) + 1e-6];
  const [before, here] = [numberOf(finding.before), numberOf(finding.now)];
  const limit = before + wrongPart * (here - before);
  const {seconds, weight} =
    finding.of === 'errors' ? {seconds: events.errors, weight: 1} : (series ?? {seconds: [], weight: 1});
  const count = weight * countBetween(seconds, from, to);
  const minutes = Math.max(1, (to - from) / 60);
  if (finding.unit === 'ms') {
    const known = (series?.durationsMs ?? [])
      .filter((ms, index) => !Number.isNaN(ms) && (seconds[index] ?? 0) >= from && (seconds[index] ?? 0) < to)
      .toSorted((a, b) => a - b);
    const now = known[Math.floor(0.95 * known.length)];
    return {now, isWrong: now !== undefined && now >= limit, isEnough: known.length >= requestsMin};
  }
  if (finding.unit === 'share') {
    const requestCount = events.weight * countBetween(events.requests, from, to);
    const now = requestCount === 0 ? undefined : count / requestCount;
    return {now, isWrong: (now ?? 0) >= limit, isEnough: requestCount * here >= expectedMin};
  }
  const now = count / minutes;
  if (isOfLess(finding)) {
    const usualMinutes = Math.min(beforeSeconds, Math.max(60, from)) / 60;
    const usual = (weight * countBetween(seconds, from - beforeSeconds, from)) / usualMinutes;
    // For a decrease, halfway by the ratio.
    const part = finding.what === 'fewer' && before > 0 ? Math.sqrt(here / before) : wrongPart;
    const isWrong = now <= part * usual;
    return {now, isWrong, isEnough: !isWrong || usual * minutes >= expectedMin};
  }
  // As many of as many lines: another branch may have less traffic.
  const scale = finding.total ? linesPerMinute(events, from, to) / finding.total : 1;
  const isWrong = count > 0 && now >= scale * limit;
  return {now, isWrong, isEnough: isWrong || scale * here * minutes >= expectedMin};
};
