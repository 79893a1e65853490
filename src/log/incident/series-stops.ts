import {placed, readAgain} from './findings/placed-lines.ts';
import {instantOf, linesPerMinute} from './findings/rate-finding.ts';
import {anchorAt, type LogEvents, type Series} from './findings/read-events.ts';
import {findingOf, type IncidentFinding} from './incident-finding.ts';
import {findSlowings, type Slowing} from './statistics/find-slower.ts';
import {findStop} from './statistics/statistics.ts';

/** Requests that take longer by chance alone reach less. */
const highSlowing = 8;
const highSlowRequests = 12;
const highStop = 14;

/** Of more requests every nth is enough. */
const durationsMax = 6000;

/** Finds requests that take longer, or took longer within the time asked: the last that are surely slower. */
export const findSlower = (series: Series, events: LogEvents): IncidentFinding | undefined => {
  const {key: subject, seconds, durationsMs, weight} = series;
  const {asked} = events;
  const step = Math.ceil(durationsMs.length / durationsMax);
  const known: number[] = [];
  for (let index = 0; index < durationsMs.length; index += step) {
    if (!Number.isNaN(durationsMs[index])) {
      known.push(index);
    }
  }
  const secondAt = (index: number): number => seconds[known[index] ?? 0] ?? 0;
  const slowings = findSlowings(known.map(index => durationsMs[index] ?? 0)).filter(
    ({start, end}) => (end === known.length || secondAt(end - 1) >= asked.from) && secondAt(start) <= asked.to,
  );
  const isClear = ({start, end, evidence}: Slowing): boolean =>
    evidence >= highSlowing && end - start >= highSlowRequests;
  const slowing = slowings.findLast(isClear) ?? slowings.at(-1);
  if (slowing === undefined) {
    return undefined;
  }
  const at = secondAt(slowing.start);
  const finding = findingOf({
    ...{what: 'slower', of: 'request', subject, unit: 'ms'},
    since: instantOf(events, at),
    until: slowing.end < known.length ? instantOf(events, secondAt(slowing.end - 1)) : undefined,
    before: slowing.before.p95,
    now: slowing.now.p95,
    total: (slowing.end - slowing.start) * step * weight,
    confidence: isClear(slowing) ? 'sure' : 'weak',
    evidence: slowing.evidence,
  });
  const start = known[slowing.start] ?? 0;
  const told = placed(finding, events, series, [start, (known[slowing.end - 1] ?? start) + 1]);
  if (weight === 1) {
    return told;
  }
  const slowMs = Math.sqrt(slowing.before.p95 * slowing.now.p50);
  const unread = readAgain(events, series, [(seconds[start - 1] ?? 0) + 1e-6, at]);
  const line = [...unread].find(({event}) => (event.durationMs ?? 0) > slowMs);
  return line === undefined ? told : {...told, since: instantOf(events, line.at), first: anchorAt(events, line.place)};
};

/** Finds what came steadily and came to an end. */
export const findStopped = (
  series: Series,
  events: LogEvents,
  what: 'stopped' | 'gone',
): IncidentFinding | undefined => {
  const {kind: of, key: subject, seconds, places, weight} = series;
  const {held, clock} = events;
  const stop = findStop(seconds, clock, held);
  if (stop === undefined) {
    return undefined;
  }
  const isSampled = weight > 1 && of !== 'source';
  const unread = isSampled ? [...readAgain(events, series, [stop.at, held.to])] : [];
  const last = unread.at(-1) ?? {at: stop.at, place: places.at(-1) ?? 0};
  const anchor = anchorAt(events, last.place);
  return findingOf({
    ...{what, of, subject, unit: 'per minute', now: 0, first: anchor, last: anchor},
    since: instantOf(events, last.at),
    before: 60 * weight * stop.before,
    total: linesPerMinute(events, stop.at, held.to),
    confidence: stop.evidence >= highStop && held.to - last.at >= (held.to - stop.at) / 2 ? 'sure' : 'weak',
    evidence: stop.evidence,
  });
};
