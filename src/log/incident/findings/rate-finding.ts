import type {Instant} from '#log/line/instant.ts';
import {type Confidence, findingOf, type IncidentFinding} from '../incident-finding.ts';
import type {HeldSpan} from '../statistics/find-levels.ts';
import {countBetween, findRuns, type Run, type RunsWanted} from '../statistics/find-runs.ts';
import type {LogEvents} from './read-events.ts';

/** Chance and a busy day reach less, in none of hundreds of series. */
const sureEvidence = 18;
const sureFactor = 3;
/** They seldom reach this; of all errors together, what is looked at has been chosen from nothing. */
const likelyEvidence = 14;
const likelyErrors = 5;

/** A job's burst is shorter, in seconds; one of errors takes less, so that no wave of them is taken for one. */
const burstMax = 30;
const errorBurstMax = 12;
/** This share of the lines is enough for another burst to be the same. */
const usualPart = 0.5;
/** Errors that came in bursts so often before are usual; longer ones never are. */
const usualBursts = 2;

/** In less time nothing can be compared. */
export const comparedMin = 60;

/** Without anything before them, errors are sure from this share of the lines on. */
const surelyShare = 0.2;
const surelyErrors = 5;

export const hasBaseline = ({held}: LogEvents): boolean => held.to - held.from >= comparedMin;

export const instantOf = ({origin}: LogEvents, seconds: number): Instant => origin + BigInt(Math.round(seconds * 1e9));

/** Returns how many lines there are from one second to another, both included; one at least. */
export const linesIn = ({clock, weight}: LogEvents, from: number, to: number): number =>
  Math.max(1, weight * countBetween(clock, from, to + 1e-6));

/** Returns all lines a minute in a time. */
export const linesPerMinute = ({clock, weight}: LogEvents, from: number, to: number): number =>
  (60 * weight * countBetween(clock, from, to)) / Math.max(60, to - from);

export const isSure = ({evidence, factor}: Pick<Run, 'evidence' | 'factor'>): boolean =>
  evidence >= sureEvidence && factor >= sureFactor;

/** A run, how often the like of it was, itself counted, and since when. */
export type Wave = {readonly run: Run; readonly waves: {readonly count: number; readonly since: number}};

type Wanted = RunsWanted & {readonly weight: number};

/** Finds the last run within the time asked that is sure, or the likeliest; bursts that come now and then are none. */
export const findWave = (
  events: LogEvents,
  times: readonly number[],
  {weight, ...wanted}: Wanted,
): Wave | undefined => {
  const {held, asked} = events;
  const countLines = (from: number, to: number): number => linesIn(events, from, to) / weight;
  return pickWave(findRuns(times, held, countLines, wanted), asked, wanted.isBad);
};

/** Picks the run that matters of several; `isBad`: they are of errors. */
export const pickWave = (runs: readonly Run[], asked: HeldSpan, isBad: boolean): Wave | undefined => {
  const within = runs.filter(({from, to}) => to >= asked.from && from <= asked.to);
  const run =
    within.findLast(isSure) ??
    within.reduce<Run | undefined>((a, b) => (a && a.evidence >= b.evidence ? a : b), undefined);
  if (run === undefined) {
    return undefined;
  }
  const earlier = runs.filter(({from}) => from < run.from);
  const alike = earlier.filter(
    other => other.end - other.start >= usualPart * (run.end - run.start) && (!isBad || isShort(other, errorBurstMax)),
  );
  const isUsual = isBad ? isShort(run, errorBurstMax) && alike.length >= usualBursts : alike.length > 0;
  const waves = [...earlier, run];
  return isUsual ? undefined : {run, waves: {count: waves.length, since: waves[0]?.from ?? run.from}};
};

const isShort = ({from, to}: Run, max: number): boolean => to - from < max;

type Subject = Pick<IncidentFinding, 'of' | 'subject'> & {readonly weight: number};

/** Tells of what came more often than before. */
export const rateFinding = (events: LogEvents, {of, subject, weight}: Subject, {run, waves}: Wave): IncidentFinding => {
  const {before, during, from, to, isOver, end, start} = run;
  const total = linesPerMinute(events, from, to);
  return findingOf({
    ...{what: 'rise', of, subject, unit: 'per minute', evidence: run.evidence, total},
    since: instantOf(events, from),
    mayBeOlder: before === undefined,
    until: isOver ? instantOf(events, to) : undefined,
    before: before === undefined ? undefined : 60 * weight * before,
    now: 60 * weight * during,
    confidence: confidenceOf(run, of, ((end - start) * weight) / linesIn(events, from, to)),
    ...(waves.count > 1 && {waves: {count: waves.count, since: instantOf(events, waves.since)}}),
  });
};

/** `share`: of all lines in its time. */
const confidenceOf = (run: Run, of: IncidentFinding['of'], share: number): Confidence => {
  if (run.before === undefined) {
    return share >= surelyShare && run.end - run.start >= surelyErrors ? 'sure' : 'likely';
  }
  // Jobs write in bursts: of anything but errors, a short one that is over is no trouble.
  const isBurst = run.isOver && isShort(run, burstMax) && (of === 'message' || of === 'request');
  const isLikely = run.evidence >= likelyEvidence || (of === 'errors' && run.end - run.start >= likelyErrors);
  return isBurst ? 'weak' : isSure(run) ? 'sure' : isLikely ? 'likely' : 'weak';
};
