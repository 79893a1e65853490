import {type LineBuffer, timeAtIndex} from '#log/buffer/buffer.ts';
import {markersOf} from '#log/buffer/entry-list.ts';
import type {ChangeMarker, GapMarker, Marker, PodMarker} from '#log/line/entry.ts';
import {earliestOf, type Instant, latestOf} from '#log/line/instant.ts';
import {type Proof, weakestProof} from '#log/line/proof.ts';
import type {Anchor} from '#log/view/log-view.ts';
import type {Work} from '#log/work.ts';
import {findCover} from './findings/cover.ts';
import {findChanges, type KnownChange} from './findings/find-changes.ts';
import {findFindings} from './findings/find-findings.ts';
import {comparedMin, instantOf} from './findings/rate-finding.ts';
import {allBounds, anchorAt, type LogEvents, quickBounds, readEvents, secondsOf} from './findings/read-events.ts';
import {isUsualUnknown} from './findings/usual-errors.ts';
import {withWho} from './findings/who.ts';
import {findingOf, type IncidentFinding, isTrouble} from './incident-finding.ts';
import {findLevels, type HeldSpan} from './statistics/find-levels.ts';
import {countBetween} from './statistics/find-runs.ts';
import type {Asked, Basis, IncidentSource, TimeSpan, Verdict} from './verdict.ts';

/** Half of what can be compared. */
const baselineMin = comparedMin / 2;

/**
 * Returns the quietest contiguous part of what is held without a hole before what is judged: before what was found,
 * before the time asked or, if nothing is held before that, its last part. Undefined if none is long enough.
 * `judgedFrom`: when what was found began.
 */
const findBaseline = (
  events: LogEvents,
  covered: readonly TimeSpan[],
  judgedFrom: Instant | undefined,
): TimeSpan | undefined => {
  const {held, asked, origin, errors} = events;
  const levels = findLevels(errors, held);
  const isHeldBefore = asked.from - held.from >= baselineMin;
  const found = judgedFrom === undefined ? undefined : Number(judgedFrom - origin) / 1e9;
  const before = found ?? (isHeldBefore ? asked.from : Math.max(levels.at(-1)?.from ?? 0, held.to / 2));
  const parts = levels.flatMap(({start, end, from, to}) =>
    spansWithin({from, to: Math.min(to, before)}, covered, origin).map(span => ({
      span,
      rate: (end - start) / Math.max(1, to - from),
    })),
  );
  const isUnknown = found === undefined && isUsualUnknown(events);
  const long = isUnknown ? [] : parts.filter(({span}) => span.to - span.from >= baselineMin);
  const [quietest] = long.toSorted((a, b) => a.rate - b.rate || b.span.to - b.span.from - (a.span.to - a.span.from));
  return quietest && {from: instantOf(events, quietest.span.from), to: instantOf(events, quietest.span.to)};
};

const spansWithin = ({from, to}: HeldSpan, covered: readonly TimeSpan[], origin: Instant): readonly HeldSpan[] =>
  covered
    .map(span => ({
      from: Math.max(from, Number(span.from - origin) / 1e9),
      to: Math.min(to, Number(span.to - origin) / 1e9),
    }))
    .filter(span => span.to > span.from);

type IncidentGap = {readonly source: number; readonly marker: GapMarker};

/** A kind of errors, as a finding's subject, and its newest line; the count is estimated where not all were read. */
export type ErrorKind = {
  readonly of: 'kind' | 'failed';
  readonly subject: string;
  readonly count: number;
  readonly last: Anchor | undefined;
};

/** The differences from before, side by side; no cause is claimed. */
export type IncidentReport = {
  /** The times of the oldest and the newest line held. */
  readonly from: Instant;
  readonly to: Instant;
  /** When what matters most began; undefined if all is calm. */
  readonly onset: Instant | undefined;
  /** The most important first; changes last, the nearest to the onset first. */
  readonly findings: readonly IncidentFinding[];
  readonly verdict: Verdict;
  /** On what the verdict rests. */
  readonly basis: Basis;
  /** The gaps in what is held. */
  readonly gaps: readonly IncidentGap[];
  /** The later of when the log held begins and since when nothing is known to be missing. */
  readonly wholeSince: Instant | undefined;
  /** On what that rests; of several branches the weakest. */
  readonly proof: Proof;
  /** The errors within the time asked, and what most of them say or, of requests, which failed. */
  readonly errorCount: number;
  readonly errorKinds: readonly ErrorKind[];
  /** False after a first look, which reads only a part. */
  readonly isComplete: boolean;
};

/** A finding that ended so shortly before the most important one belongs to it. */
const togetherNanos = 120_000_000_000n;

/** Kinds that came too rarely for more than a word. */
const rareNewMax = 4;

/** A clock may be so far off. */
const slackNanos = 2_000_000_000n;

/** How much is read: `quick` takes at most a tenth of a second whatever is held, and reads only a part. */
type IncidentDepth = 'quick' | 'whole';

/** Returns from when on all sources are whole; undefined if nothing is held. */
export const wholeSinceOf = (sources: readonly IncidentSource[]): Instant | undefined =>
  latestOf(sources.flatMap(({buffer, wholeSince}) => [wholeSince, timeAtIndex(buffer, 0)]));

/**
 * Judges the time asked: what is held of it, what it is compared with, and what is other than before. The `whole` depth
 * takes up to a second.
 */
export function* findIncident(
  sources: readonly IncidentSource[],
  {depth = 'whole', asked = {}}: {readonly depth?: IncidentDepth; readonly asked?: Asked} = {},
): Work<IncidentReport> {
  const buffers = sources.map(({buffer}) => buffer);
  const podNames = [...new Set(sources.flatMap(source => source.podNames))];
  const isQuick = depth === 'quick';
  const events = yield* readEvents(buffers, podNames, isQuick ? quickBounds : allBounds, asked);
  const to = events.newest;
  const known = sources.flatMap((source, index) => changesOf(source, index, to));
  const activities = known.filter(isActivity).map(({at}) => secondsOf(events, at));
  const found = yield* findFindings(events, {podNames, activities});
  const symptoms = found.map(finding => withHistory(finding, sources));
  const onset = onsetOf(symptoms);
  const wholeSince = wholeSinceOf(sources);
  const changes = yield* findChanges(events, {onset, known, wholeSince, isQuick});
  const {held, ...cover} = yield* findCover(
    sources,
    asked,
    buffers.some(({lineCount}) => lineCount > 0) ? to : undefined,
  );
  const told = depth === 'whole' ? yield* withWho(symptoms, events, sources[0]?.part) : symptoms;
  const findings = [...told, ...rareNews(events, symptoms, onset, sources), ...changes];
  const proof = weakestProof(sources.map(source => source.proof));
  const gaps = gapsOf(sources);
  const comparedWith = findBaseline(events, held, onset);
  return {
    from: earliestOf(buffers.map(buffer => timeAtIndex(buffer, 0))) ?? to,
    to,
    onset,
    findings,
    verdict: verdictOf(findings, cover.uncovered, comparedWith, depth),
    basis: {...cover, comparedWith, proof, gapCount: gaps.length},
    gaps,
    wholeSince,
    proof,
    errorCount: countBetween(events.errors, events.asked.from, events.asked.to + 1e-6),
    errorKinds: errorKindsIn(events),
    isComplete: depth === 'whole',
  };
}

const verdictOf = (
  findings: readonly IncidentFinding[],
  [hole]: Basis['uncovered'],
  comparedWith: TimeSpan | undefined,
  depth: IncidentDepth,
): Verdict =>
  findings.some(isTrouble)
    ? {kind: 'found'}
    : depth === 'quick'
      ? {kind: 'unknown', why: {why: 'reading'}}
      : hole !== undefined
        ? {kind: 'unknown', why: hole}
        : comparedWith === undefined
          ? {kind: 'unknown', why: {why: 'noBaseline'}}
          : {kind: 'calm'};

export const gapsOf = (sources: readonly IncidentSource[]): readonly IncidentGap[] =>
  sources.flatMap(({buffer}, source) =>
    markersIn(buffer)
      .filter(marker => marker.kind === 'gap')
      .map(marker => ({source, marker})),
  );

/** Shapes shown before their lines left the buffer are not new. */
const withHistory = (finding: IncidentFinding, sources: readonly IncidentSource[]): IncidentFinding =>
  finding.what === 'new' && isOlder(finding.subject, finding.since, sources) ? {...finding, what: 'rise'} : finding;

const isOlder = (shape: string, since: Instant, sources: readonly IncidentSource[]): boolean =>
  sources.some(({shapes}) => (shapes.shapes.get(shape)?.firstAt ?? since) < since - slackNanos);

/** Returns when what is sure began, as far as one thing led to the next up to what matters most. */
const onsetOf = (symptoms: readonly IncidentFinding[]): Instant | undefined => {
  const [first] = symptoms.filter(isTrouble);
  const isSure = first?.confidence === 'sure';
  const others = symptoms.filter(finding => isTrouble(finding) && (!isSure || finding.confidence === 'sure'));
  let onset = first?.since;
  for (const {since, until} of others.toSorted((a, b) => (a.since > b.since ? -1 : a.since < b.since ? 1 : 0))) {
    if (onset !== undefined && since < onset && (until === undefined || onset - until <= togetherNanos)) {
      onset = since;
    }
  }
  return onset;
};

/** As many kinds of errors as somebody reads. */
const errorKindsMax = 10;

export const errorKindsIn = (events: LogEvents): readonly ErrorKind[] => {
  const {series, asked} = events;
  const requests = new Set(series.filter(({kind}) => kind === 'failed').flatMap(({places}) => places));
  return series
    .flatMap(({kind, key, seconds, places, weight}): readonly ErrorKind[] => {
      if (kind !== 'kind' && kind !== 'failed') {
        return [];
      }
      // The request says what failed, whatever else its line says.
      const own = places.filter((place, index) => {
        const at = seconds[index] ?? asked.to;
        return at >= asked.from && at <= asked.to && (kind === 'failed' || !requests.has(place));
      });
      const last = own.at(-1);
      return last === undefined
        ? []
        : [{of: kind, subject: key, count: own.length * weight, last: anchorAt(events, last)}];
    })
    .toSorted((a, b) => b.count - a.count)
    .slice(0, errorKindsMax);
};

const isActivity = ({marker}: KnownChange): boolean => marker.kind === 'change' && marker.change.kind !== 'trouble';

/** Kinds of errors and warnings that were not there before the onset, each too rare to be told by its rate. */
const rareNews = (
  events: LogEvents,
  symptoms: readonly IncidentFinding[],
  onset: Instant | undefined,
  sources: readonly IncidentSource[],
): readonly IncidentFinding[] => {
  if (onset === undefined || onset - events.origin < 30n * slackNanos) {
    return [];
  }
  const told = new Set(symptoms.map(({subject}) => subject));
  return events.series
    .filter(({kind, key, isWarning}) => (kind === 'kind' || (kind === 'message' && isWarning)) && !told.has(key))
    .flatMap(({kind, key, seconds, places, weight}): readonly IncidentFinding[] => {
      const [first, last] = [anchorAt(events, places[0] ?? 0), anchorAt(events, places.at(-1) ?? 0)];
      const since = first?.at ?? 0n;
      return since < onset - slackNanos || isOlder(key, since, sources)
        ? []
        : [
            findingOf({
              ...{what: 'new', of: kind, subject: key, since, before: 0, unit: 'per minute', first, last},
              now: (60 * weight * seconds.length) / Math.max(60, events.held.to - (seconds[0] ?? 0)),
              evidence: seconds.length,
            }),
          ];
    })
    .toSorted((a, b) => b.evidence - a.evidence)
    .slice(0, rareNewMax);
};

const markersIn = ({chunks}: LineBuffer): readonly Marker[] => chunks.flatMap(markersOf).map(({marker}) => marker);

/** Returns what changed by then, in the log and as the record tells; what both tell is from the log. */
export const changesOf = (
  {buffer, knownChanges, part}: IncidentSource,
  source: number,
  to: Instant,
): readonly KnownChange[] => {
  const held = markersIn(buffer)
    .filter(marker => marker.kind === 'change' || marker.kind === 'pod')
    .map((marker): KnownChange => ({source, marker, at: timeOf(marker), isInLog: true, part}));
  const others = knownChanges
    .filter(marker => !held.some(each => isSame(each.marker, marker)))
    .map((marker): KnownChange => ({source, marker, at: timeOf(marker), isInLog: false, part}));
  return [...held, ...others].filter(({at}) => at <= to);
};

const timeOf = (marker: ChangeMarker | PodMarker): Instant =>
  (marker.kind === 'change' ? marker.happenedAt : undefined) ?? marker.at;

const isSame = (a: KnownChange['marker'], b: KnownChange['marker']): boolean =>
  a.kind === 'change' && b.kind === 'change'
    ? a.change.kind === b.change.kind && timeOf(a) === timeOf(b)
    : a.kind === 'pod' && b.kind === 'pod' && a.name === b.name && a.change === b.change;
