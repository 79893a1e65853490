import {timeAtIndex} from '#log/buffer/buffer.ts';
import {earliestOf} from '#log/line/instant.ts';
import {weakestProof} from '#log/line/proof.ts';
import type {Work} from '#log/work.ts';
import {changesOf, errorKindsIn, gapsOf, type IncidentReport, wholeSinceOf} from './find-incident.ts';
import {findChangedTokens, type Sides} from './findings/changed-tokens.ts';
import {compareSeries} from './findings/compare-series.ts';
import {findCover} from './findings/cover.ts';
import {type KnownChange, markerFinding} from './findings/find-changes.ts';
import {comparedMin, instantOf} from './findings/rate-finding.ts';
import {allBounds, anchorAt, type LogEvents, readEvents, type Series, secondsOf} from './findings/read-events.ts';
import {workloadOf} from './findings/roll-out.ts';
import {versionName, withWho} from './findings/who.ts';
import {type Confidence, findingOf, type IncidentFinding} from './incident-finding.ts';
import {countBetween} from './statistics/find-runs.ts';
import type {Asked, IncidentSource, Uncovered, Verdict} from './verdict.ts';

/** A deployment: from when on the new is there, until when the old may be, and the one before it. */
type Deployment = {
  readonly change: IncidentFinding;
  /** Seconds since the log held begins. */
  readonly at: number;
  readonly settledAt: number;
  readonly previousAt: number | undefined;
};

/** Changes this close to each other, in seconds, are one deployment: pods are replaced one by one. */
const togetherSeconds = 180;
/** The last old pod ends so long after the last new one began. */
const settleSeconds = 60;
/** An old pod and the one that takes its place write so far from each other. */
const replacedWithin = 600;

type Sign = {readonly at: number; readonly change: IncidentFinding; readonly rank: number};

/**
 * Finds the last deployment: by the branch's record, by pods that were replaced, by a version that was replaced.
 * Undefined if none of them shows one.
 */
const findDeployment = (
  events: LogEvents,
  known: readonly KnownChange[],
  podNames: readonly string[],
): Deployment | undefined => {
  const signs = [
    ...known.flatMap((each): readonly Sign[] =>
      each.marker.kind === 'change' && each.marker.change.kind !== 'trouble'
        ? [{at: secondsOf(events, each.at), change: markerFinding(each), rank: 0}]
        : [],
    ),
    ...versionSigns(events),
    ...newPods(events, known, podNames),
  ].toSorted((a, b) => a.at - b.at);
  const ends = signs.flatMap(({at}, index) => {
    const next = signs[index + 1];
    return next === undefined || next.at - at > togetherSeconds ? [index] : [];
  });
  const previous = ends.at(-2);
  const last = signs.slice((previous ?? -1) + 1);
  const [first] = last;
  const settledAt = last.at(-1)?.at;
  const told = last.toSorted((a, b) => a.rank - b.rank)[0];
  return (
    first &&
    told && {
      change: {...told.change, since: instantOf(events, first.at)},
      at: first.at,
      settledAt: (settledAt ?? first.at) + settleSeconds,
      previousAt: previous === undefined ? undefined : signs[previous]?.at,
    }
  );
};

const versionSigns = (events: LogEvents): readonly Sign[] =>
  events.fields
    .flips()
    .filter(({name}) => versionName.test(name))
    .map(({name, before, now, at, place, count}) => {
      const first = anchorAt(events, place);
      const since = instantOf(events, at);
      return {
        at,
        rank: 1,
        change: findingOf({
          ...{what: 'changed', of: 'field', subject: name, since, first, last: first},
          ...{before, now, total: count, confidence: 'sure'},
        }),
      };
    });

/** Finds pods that took the place of others: all of a workload are new, or one began where another ended. */
const newPods = (events: LogEvents, known: readonly KnownChange[], podNames: readonly string[]): readonly Sign[] => {
  const {held, series} = events;
  const sources = series.filter(({kind}) => kind === 'source');
  const isOld = (at: number): boolean => at < held.to / 100;
  // Its marker is where the log was at the answer before: the pod is there when it writes.
  const beginningOf = (pod: string, markedAt: number): number =>
    sources
      .filter(({key}) => key.split(' ')[0] === pod)
      .flatMap(({seconds}) => seconds.find(at => at >= markedAt) ?? [])
      .reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const appeared = known.flatMap(each => {
    if (each.marker.kind !== 'pod' || each.marker.change !== 'appeared') {
      return [];
    }
    const {name} = each.marker;
    const markedAt = secondsOf(events, each.at);
    const beganAt = beginningOf(name, markedAt);
    return [{name, at: Number.isFinite(beganAt) ? beganAt : markedAt, change: markerFinding(each)}];
  });
  const listed = appeared.filter(({name}) => podNames.includes(name));
  const isAllNew = (workload: string): boolean => {
    const names = podNames.filter(name => workloadOf(name) === workload);
    return names.every(name => listed.some(pod => pod.name === name && !isOld(pod.at)));
  };
  const lastOf = ({seconds}: Series): number => seconds.at(-1) ?? 0;
  const byWorkload = Map.groupBy(sources, ({key}) => workloadOf(key));
  const isReplacing = ({key, seconds: [at = 0]}: Series): boolean =>
    !isOld(at) &&
    (byWorkload.get(workloadOf(key)) ?? []).some(
      other =>
        other.key !== key &&
        (other.seconds[0] ?? 0) < at &&
        Math.abs(lastOf(other) - at) <= replacedWithin &&
        held.to - lastOf(other) > settleSeconds,
    );
  return [
    ...listed
      .filter(({name, at}) => !isOld(at) && isAllNew(workloadOf(name)))
      .map(({at, change}): Sign => ({at, change, rank: 2})),
    ...sources.filter(isReplacing).map(({key, seconds: [at = 0], places: [place = 0]}): Sign => {
      const first = anchorAt(events, place);
      const since = instantOf(events, at);
      return {
        at,
        rank: 3,
        change: findingOf({
          ...{what: 'changed', of: 'source', subject: `${key} began to write`, since, first, last: first},
          confidence: 'sure',
        }),
      };
    }),
  ];
};

/** The differences since a deployment. */
export type SinceReport = IncidentReport & {
  /** The change that separates before and after; `since` is its time. */
  readonly change: IncidentFinding;
};

/** An hour before is enough to compare with. */
const beforeMax = 3600;

/** More would not be read. */
const findingsMax = 20;
/**
 * Tells what is other since the last deployment than in at most an hour before it: kinds of errors and lines that are
 * new, more, fewer or gone, requests that are slower, tokens that changed in lines that are else the same. The verdict
 * is `found` if any of it is more than chance, but for fewer errors; `unknown` if lines may be missing on either side,
 * and what is found may come of that. Its basis: `asked` begins with the deployment, and `comparedWith` ends with it.
 *
 * Returns undefined if no deployment is known: neither from the branch's record and its pods, nor from a version in the
 * log.
 */
export function* findSince(
  sources: readonly IncidentSource[],
  {now, to}: Pick<Asked, 'now' | 'to'> = {},
): Work<SinceReport | undefined> {
  const buffers = sources.map(({buffer}) => buffer);
  const podNames = [...new Set(sources.flatMap(source => source.podNames))];
  const held = yield* readEvents(buffers, podNames, allBounds, {to});
  const known = sources.flatMap((source, index) => changesOf(source, index, held.newest));
  const deployment = findDeployment(held, known, podNames);
  if (deployment === undefined) {
    return undefined;
  }
  const {change, at, previousAt = Number.NEGATIVE_INFINITY} = deployment;
  const from = Math.min(Math.max(held.held.from, at - beforeMax, previousAt), Math.max(at, held.held.from));
  const end = held.held.to;
  const events: LogEvents = {...held, asked: {from: Math.max(at, held.held.from), to: end}};
  const isLong = end - deployment.settledAt >= comparedMin;
  const sides: Sides = {from, at, settledAt: isLong ? deployment.settledAt : at, to: end};
  const hasLines = buffers.some(({lineCount}) => lineCount > 0);
  const [since, before] = [instantOf(events, at), instantOf(events, from)];
  const cover = yield* findCover(sources, {from: before, now, to}, hasLines ? held.newest : undefined);
  const isCompared = at - from >= comparedMin;
  const found = isCompared
    ? [...(yield* compareSeries(events, sides)), ...(yield* findChangedTokens(events, sides))]
    : [];
  const ranked = found
    .map(finding => doubted(finding, cover.uncovered, since))
    .toSorted(byWeight)
    .slice(0, findingsMax);
  const findings = yield* withWho(ranked, events, sources[0]?.part);
  const proof = weakestProof(sources.map(source => source.proof));
  const gaps = gapsOf(sources);
  return {
    change,
    from: earliestOf(buffers.map(buffer => timeAtIndex(buffer, 0))) ?? held.newest,
    to: held.newest,
    onset: since,
    findings,
    verdict: verdictOf(findings, cover.uncovered, {isCompared, isLong: end - at >= comparedMin}),
    basis: {
      asked: {from: since, to: cover.asked.to},
      covered: cover.covered.flatMap(span =>
        span.to < since ? [] : [{...span, from: span.from < since ? since : span.from}],
      ),
      uncovered: cover.uncovered,
      comparedWith: isCompared ? {from: before, to: since} : undefined,
      proof,
      gapCount: gaps.length,
    },
    gaps,
    wholeSince: wholeSinceOf(sources),
    proof,
    errorCount: countBetween(events.errors, events.asked.from, end + 1e-6),
    errorKinds: errorKindsIn(events),
    isComplete: true,
  };
}

const verdictOf = (
  findings: readonly IncidentFinding[],
  [hole]: readonly Uncovered[],
  {isCompared, isLong}: {readonly isCompared: boolean; readonly isLong: boolean},
): Verdict =>
  findings.some(isWorse)
    ? {kind: 'found'}
    : hole !== undefined
      ? {kind: 'unknown', why: hole}
      : !isCompared || !isLong
        ? {kind: 'unknown', why: {why: isCompared ? 'tooShort' : 'noBaseline'}}
        : {kind: 'calm'};

const isWorse = ({what, of, confidence}: IncidentFinding): boolean =>
  confidence !== 'weak' && !(what === 'fewer' && (of === 'errors' || of === 'kind' || of === 'failed'));

/** That lines came is certain, whatever is missing; that none came is not. */
const doubted = (
  finding: IncidentFinding,
  uncovered: readonly Uncovered[],
  since: IncidentFinding['since'],
): IncidentFinding => {
  const {what} = finding;
  const isOfBefore = what === 'new' || what === 'rise';
  const isOfAfter = what === 'stopped' || what === 'fewer';
  const isDoubtful = uncovered.some(({from, to}) => (isOfBefore && from < since) || (isOfAfter && to > since));
  return isDoubtful ? {...finding, confidence: 'weak'} : finding;
};

const order: readonly IncidentFinding['what'][] = ['new', 'rise', 'slower', 'stopped', 'changed', 'fewer'];
const ranks: readonly Confidence[] = ['sure', 'likely', 'weak'];

const byWeight = (a: IncidentFinding, b: IncidentFinding): number =>
  ranks.indexOf(a.confidence) - ranks.indexOf(b.confidence) ||
  Number(b.of === 'errors' && b.what === 'rise') - Number(a.of === 'errors' && a.what === 'rise') ||
  order.indexOf(a.what) - order.indexOf(b.what) ||
  b.evidence - a.evidence;
