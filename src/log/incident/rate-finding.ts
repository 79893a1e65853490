import type {Instant} from '../line/instant.ts';
import {findingOf, type IncidentFinding} from './incident-finding.ts';
import type {LogEvents} from './read-events.ts';
import {beforeSeconds, countBetween, evidenceOf, type Shift} from './statistics/find-shift.ts';

/** Chance and a busy day reach less, in none of hundreds of series. */
export const highEvidence = 18;
export const highTimes = 3;

/** A job's burst is shorter, in seconds. */
const burstMax = 30;

/** In less time nothing can be compared. */
const comparedMin = 60;

/** Without a baseline, errors are reported from this share of the lines on, and believed from that. */
export const manyShare = 0.05;
const surelyShare = 0.2;
const surelyErrors = 5;

export const hasBaseline = ({held}: LogEvents): boolean => held.to - held.from >= comparedMin;

export const instantOf = ({origin}: LogEvents, seconds: number): Instant => origin + BigInt(Math.round(seconds * 1e9));

/** Returns all lines a minute in a time. */
export const linesPerMinute = ({clock, weight}: LogEvents, from: number, to: number): number =>
  (60 * weight * countBetween(clock, from, to)) / Math.max(60, to - from);

/** Returns how badly chance explains a shift, by the time that it takes and by the lines of all kinds in it. */
export const evidenceFor = ({clock}: LogEvents, times: readonly number[], shift: Shift): number => {
  const share = countBetween(clock, shift.from, shift.to + 1e-6) / Math.max(1, clock.length);
  return Math.min(shift.evidence, evidenceOf(shift.end - shift.start, times.length, share));
};

type Subject = Pick<IncidentFinding, 'of' | 'subject'> & {readonly weight: number; readonly share?: number};

export const rateFinding = (
  events: LogEvents,
  {of, subject, weight}: Subject,
  shift: Shift,
  evidence: number,
): IncidentFinding => {
  const {before, during, from, to} = shift;
  // Jobs write in bursts: of anything but errors, a short one that is over is no trouble.
  const isBurst = shift.isOver && to - from < burstMax && (of === 'message' || of === 'request');
  const isClear = !shift.isUsual && !isBurst && evidence >= highEvidence && during >= highTimes * (before ?? 0);
  return findingOf({
    ...{what: 'rise', of, subject, unit: 'per minute', evidence},
    since: instantOf(events, from),
    mayBeOlder: before === undefined,
    until: shift.isOver ? instantOf(events, to) : undefined,
    before: before === undefined ? undefined : 60 * weight * before,
    now: 60 * weight * during,
    total: linesPerMinute(events, from, to),
    confidence: isClear ? 'sure' : 'weak',
  });
};

/** Tells what there is where nothing can be compared. */
export const nowFinding = (
  events: LogEvents,
  {of, subject, weight, share = 0}: Subject,
  times: readonly number[],
): IncidentFinding => {
  const {held} = events;
  const from = Math.max(held.from, held.to - beforeSeconds);
  const recent = countBetween(times, from, held.to + 1);
  return findingOf({
    ...{what: 'rise', of, subject, mayBeOlder: true, unit: 'per minute'},
    since: instantOf(events, times[0] ?? 0),
    now: (60 * weight * recent) / Math.max(60, held.to - from),
    total: linesPerMinute(events, from, held.to + 1),
    confidence: share >= surelyShare && times.length >= surelyErrors ? 'sure' : 'weak',
    evidence: times.length,
  });
};
