import {findingOf, type IncidentFinding} from '../incident-finding.ts';
import {countBetween, findRuns, wholeRun} from '../statistics/find-runs.ts';
import {placed, readAgain} from './placed-lines.ts';
import {findWave, instantOf, isSure, pickWave, rateFinding, type Wave} from './rate-finding.ts';
import {anchorAt, type LogEvents, type Series} from './read-events.ts';

/** A message in masses: this share of all lines, and so many times what it was. */
const stormShare = 0.2;
const stormTimes = 8;
const stormLines = 50;

/** For statuses: this much more of the requests. */
const statusShareMin = 0.02;

export const isOfErrors = ({kind}: Series): boolean => kind === 'kind' || kind === 'failed' || kind === 'pod';

/** Tells how much of an error there is where nothing is held that it could be compared with. */
export const findNow = (series: Series, events: LogEvents): IncidentFinding | undefined => {
  const {kind: of, key: subject, seconds, weight} = series;
  const run = wholeRun(seconds, events.held);
  if (!isOfErrors(series) || (of === 'pod' && events.sourceCount < 2) || run.to < events.asked.from) {
    return undefined;
  }
  const wave = {run, waves: {count: 1, since: run.from}};
  return placed(rateFinding(events, {of, subject, weight}, wave), events, series, [0, seconds.length]);
};

/**
 * Finds errors and warnings that come more often, and other lines that come in masses; with `isFirst`, errors also
 * that came more often from the first second on than later.
 */
export const findRise = (series: Series, events: LogEvents, isFirst = false): IncidentFinding | undefined => {
  const {kind: of, key: subject, seconds, weight} = series;
  const wave = findWave(events, seconds, {
    weight,
    isBad: isOfErrors(series),
    isFirst: isFirst && isOfErrors(series),
  });
  if (wave === undefined) {
    return undefined;
  }
  const {start, end, before, from, to, during} = wave.run;
  const finding = rateFinding(events, {of, subject, weight}, wave);
  const lineCount = (end - start) * weight;
  if (of === 'pod' && (events.sourceCount < 2 || lineCount < countBetween(events.errors, from, to) / 2)) {
    return undefined;
  }
  if (of === 'pod' && isUsualOfOthers(series, events)) {
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
  return begun(placed({...finding, what}, events, series, [start, end]), series, wave, events);
};

/**
 * Whoever began to write later, as each pod of a deployment, had no errors before: such a pod is compared with all who
 * wrote until then, and is told only where that is no chance.
 */
const isUsualOfOthers = ({key, seconds, weight}: Series, events: LogEvents): boolean => {
  const began = events.series.find(other => other.kind === 'source' && other.key === key)?.seconds[0] ?? 0;
  const others = events.errors.filter(at => at < began);
  if (weight !== 1 || began < events.held.to / 100 || others.length === 0) {
    return false;
  }
  const wave = findWave(events, [...others, ...seconds.filter(at => at >= began)], {weight, isBad: true});
  return wave === undefined || wave.run.to < began || !isSure(wave.run);
};

/** Finds the first line of a series of which not all lines were read. */
const begun = (
  finding: IncidentFinding,
  series: Series,
  {run: {start, from}}: Wave,
  events: LogEvents,
): IncidentFinding => {
  if (series.weight === 1) {
    return finding;
  }
  const earliest = Math.max(series.seconds[start - 1] ?? 0, from - unreadSeconds) + 1e-6;
  const [line] = readAgain(events, series, [earliest, from]);
  return line === undefined
    ? finding
    : {...finding, since: instantOf(events, line.at), first: anchorAt(events, line.place)};
};

/** In a series that is too frequent to read whole, lines that were read came at most this long after one another. */
const unreadSeconds = 60;

/** Finds when more, and a larger share, of the requests were answered so. */
export const findStatus = (series: Series, events: LogEvents): IncidentFinding | undefined => {
  const {seconds, key: subject} = series;
  const {requests, held, asked} = events;
  const countRequests = (from: number, to: number): number => countBetween(requests, from, to + 1e-6);
  const isBad = subject.startsWith('5');
  const {run} = pickWave(findRuns(seconds, held, countRequests, {isBad}), asked, isBad) ?? {};
  if (run === undefined) {
    return undefined;
  }
  const {start, end, from, to, isOver} = run;
  const [requestCount, earlier] = [Math.max(1, countRequests(from, to)), countBetween(requests, 0, from)];
  const [now, before] = [(end - start) / requestCount, start / Math.max(1, earlier)];
  return now - before < statusShareMin || earlier < requests.length / 100
    ? undefined
    : placed(
        findingOf({
          ...{what: 'rise', of: 'status', subject, before, now, unit: 'share', total: requestCount},
          since: instantOf(events, from),
          until: isOver ? instantOf(events, to) : undefined,
          confidence: isSure(run) ? 'sure' : 'weak',
          evidence: run.evidence,
        }),
        events,
        series,
        [start, end],
      );
};
