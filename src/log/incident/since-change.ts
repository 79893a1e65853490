import {timeAtIndex} from '#log/buffer/buffer.ts';
import {earliestOf, latestOf} from '#log/line/instant.ts';
import {weakestProof} from '#log/line/proof.ts';
import type {Work} from '#log/work.ts';
import {findDeployment} from './find-deployment.ts';
import {changesOf, errorKindsIn, gapsOf, type IncidentReport} from './find-incident.ts';
import {findChangedTokens, type Sides} from './findings/changed-tokens.ts';
import {compareSeries} from './findings/compare-series.ts';
import {findCover} from './findings/cover.ts';
import {comparedMin, instantOf} from './findings/rate-finding.ts';
import {allBounds, type LogEvents, readEvents} from './findings/read-events.ts';
import {withWho} from './findings/who.ts';
import type {Confidence, IncidentFinding} from './incident-finding.ts';
import type {IncidentSource} from './incident-source.ts';
import {countBetween} from './statistics/find-runs.ts';
import type {Asked, Uncovered, Verdict} from './verdict.ts';

/** What is other since a deployment than before it. */
export type SinceReport = IncidentReport & {
  /** What tells before and after apart; `since` is when. */
  readonly change: IncidentFinding;
};

/** An hour before is enough to compare with. */
const beforeMax = 3600;

/** As many as somebody reads. */
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
  const findings = yield* withWho(ranked, events);
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
    wholeSince: latestOf(sources.flatMap(({buffer, wholeSince}) => [wholeSince, timeAtIndex(buffer, 0)])),
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

/** What came is certain, whatever is missing; that nothing came is not. */
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
