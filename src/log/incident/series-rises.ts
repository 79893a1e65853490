import {findingOf, type IncidentFinding} from './incident-finding.ts';
import {placed, readAgain} from './placed-lines.ts';
import {evidenceFor, highEvidence, highTimes, instantOf, nowFinding, rateFinding} from './rate-finding.ts';
import {anchorAt, type LogEvents, type Series} from './read-events.ts';
import {countBetween, evidenceMin, findShift, type Shift} from './statistics/find-shift.ts';

/** A message in masses: this share of all lines, and so many times what it was. */
const stormShare = 0.2;
const stormTimes = 8;
const stormLines = 50;

/** Of statuses: so much more of the requests. */
const statusShareMin = 0.02;

export const isOfErrors = ({kind}: Series): boolean => kind === 'kind' || kind === 'failed' || kind === 'pod';

/** Tells how much of an error there is where nothing can be compared. */
export const findNow = (series: Series, events: LogEvents): IncidentFinding | undefined => {
  const {kind: of, key: subject, seconds, weight} = series;
  if (!isOfErrors(series) || (of === 'pod' && events.sourceCount < 2)) {
    return undefined;
  }
  const share = (seconds.length * weight) / Math.max(1, events.clock.length * events.weight);
  return placed(nowFinding(events, {of, subject, weight, share}, seconds), events, series, [0, seconds.length]);
};

/** Finds errors and warnings that come more often, and other lines that come in masses. */
export const findRise = (series: Series, events: LogEvents): IncidentFinding | undefined => {
  const {kind: of, key: subject, seconds, weight} = series;
  const shift = findShift(seconds, events.held);
  const evidence = shift && evidenceFor(events, seconds, shift);
  if (shift === undefined || evidence === undefined || evidence < evidenceMin || shift.isUsual) {
    return undefined;
  }
  const {start, end, before, from, to, during} = shift;
  const finding = rateFinding(events, {of, subject, weight}, shift, evidence);
  const lineCount = (end - start) * weight;
  if (of === 'pod' && (events.sourceCount < 2 || lineCount < countBetween(events.errors, from, to) / 2)) {
    return undefined;
  }
  const share = Number(finding.now) / Math.max(1, finding.total ?? 0);
  const isMass = lineCount >= stormLines && share >= stormShare && during >= stormTimes * (before ?? during);
  const isTrouble = isOfErrors(series) || series.isWarning;
  if (!isTrouble && !isMass) {
    return undefined;
  }
  const isNew = start === 0 && before !== undefined && (of === 'kind' || of === 'message');
  const what = !isTrouble ? 'storm' : isNew ? 'new' : 'rise';
  return begun(placed({...finding, what}, events, series, [start, end]), series, shift, events);
};

/** Of a series of which not all lines were read, finds the first line. */
const begun = (finding: IncidentFinding, series: Series, {start, from}: Shift, events: LogEvents): IncidentFinding => {
  if (series.weight === 1) {
    return finding;
  }
  const earliest = Math.max(series.seconds[start - 1] ?? 0, from - unreadSeconds) + 1e-6;
  const [line] = readAgain(events, series, [earliest, from]);
  return line === undefined
    ? finding
    : {...finding, since: instantOf(events, line.at), first: anchorAt(events, line.place)};
};

/** Of what comes so often that not all is read, one line read came at most so long before another. */
const unreadSeconds = 60;

/** Compares how many of the requests are answered so, whatever their rate. */
export const findStatus = (series: Series, events: LogEvents): IncidentFinding | undefined => {
  const {ranks, seconds, key: subject} = series;
  const requestCount = events.requests.length;
  const shift = findShift(ranks, {from: 0, to: requestCount});
  if (shift === undefined || shift.isUsual) {
    return undefined;
  }
  const {start, end} = shift;
  const lastRank = shift.isOver ? (ranks[end - 1] ?? 0) + 1 : requestCount;
  const firstRank = ranks[start] ?? 0;
  const [now, before] = [(end - start) / Math.max(1, lastRank - firstRank), start / Math.max(1, firstRank)];
  const since = seconds[start] ?? 0;
  return now - before < statusShareMin || firstRank < requestCount / 100
    ? undefined
    : placed(
        findingOf({
          ...{what: 'rise', of: 'status', subject, before, now, unit: 'share', total: lastRank - firstRank},
          since: instantOf(events, since),
          until: shift.isOver ? instantOf(events, seconds[end - 1] ?? since) : undefined,
          confidence: shift.evidence >= highEvidence && now >= highTimes * before ? 'sure' : 'weak',
          evidence: shift.evidence,
        }),
        events,
        series,
        [start, end],
      );
};
