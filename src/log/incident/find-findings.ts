import type {Instant} from '../line/instant.ts';
import {levelRank} from '../reading/tokens/level-words.ts';
import type {Work} from '../work/work.ts';
import type {IncidentFinding, SubjectKind} from './incident-finding.ts';
import {evidenceFor, hasBaseline, highTimes, manyShare, nowFinding, rateFinding} from './rate-finding.ts';
import {anchorAt, type LogEvents, linesBetween, type Series, type SeriesKind} from './read-events.ts';
import {findNow, findRise, findStatus} from './series-rises.ts';
import {findSlower, findStopped} from './series-stops.ts';
import {evidenceMin, findShift} from './statistics/find-shift.ts';

const errorRank = levelRank('error');

const togetherNanos = 60_000_000_000n;

/** As many of a kind as somebody reads. */
const mostOf: Readonly<Record<SubjectKind, number>> = {
  ...{errors: 1, kind: 5, failed: 4, pod: 2, status: 3, request: 4, message: 4, source: 3, field: 0},
};

/** What matters more comes first; what only groups others, last. */
const order: readonly string[] = ['rise', 'new', 'slower', 'stopped', 'storm', 'gone', 'status', 'pod'];

/** A series of more events is looked at by itself. */
const eventsPerPause = 1000;

/** Finds what is other than before, what matters most first; changes are for `findChanges`. */
export function* findFindings(events: LogEvents): Work<readonly IncidentFinding[]> {
  const errors = findErrors(events);
  const found: IncidentFinding[] = errors === undefined ? [] : [withEnds(errors, events)];
  yield;
  const isCompared = hasBaseline(events) && (errors === undefined || errors.before !== undefined);
  for (const series of events.series) {
    const finds = hasBaseline(events) ? findsOf[series.kind] : [];
    for (const find of isCompared ? finds : [findNow, ...finds]) {
      const finding = find(series, events);
      if (series.seconds.length > eventsPerPause) {
        yield;
      }
      if (finding !== undefined) {
        found.push(finding);
        yield;
        break;
      }
    }
  }
  const ranked = found.map(finding => corroborated(finding, errors)).toSorted(byWeight);
  return ranked.filter(({of, what}, index) => {
    const better = ranked.slice(0, index).filter(other => other.of === of && other.what === what);
    return better.length < mostOf[of];
  });
}

/** What rises together with all errors is no chance. */
const corroborated = (finding: IncidentFinding, errors: IncidentFinding | undefined): IncidentFinding => {
  const apartNanos = finding.since - (errors?.since ?? 0n);
  const isTogether = errors?.confidence === 'sure' && apartNanos > -togetherNanos && apartNanos < togetherNanos;
  const isRise = (finding.what === 'rise' || finding.what === 'new') && finding.evidence >= evidenceMin;
  const isClear = typeof finding.now === 'number' && finding.now >= highTimes * Number(finding.before ?? 0);
  return isTogether && isRise && isClear ? {...finding, confidence: 'sure'} : finding;
};

const byWeight = (a: IncidentFinding, b: IncidentFinding): number =>
  Number(b.confidence === 'sure') - Number(a.confidence === 'sure') ||
  Number(b.of === 'errors') - Number(a.of === 'errors') ||
  groupOf(a) - groupOf(b) ||
  b.evidence - a.evidence ||
  Number(b.of === 'failed') - Number(a.of === 'failed');

const groupOf = ({what, of}: IncidentFinding): number => {
  const index = order.indexOf(of === 'status' || of === 'pod' ? of : what);
  // What is new is a rise from nothing.
  return Math.max(1, index);
};

const findErrors = (events: LogEvents): IncidentFinding | undefined => {
  const {errors, held, clock, weight} = events;
  const shift = hasBaseline(events) ? findShift(errors, held) : undefined;
  const evidence = shift && evidenceFor(events, errors, shift);
  if (shift !== undefined && evidence !== undefined && evidence >= evidenceMin && !shift.isUsual) {
    return rateFinding(events, {of: 'errors', subject: 'errors', weight: 1}, shift, evidence);
  }
  const share = errors.length / Math.max(1, clock.length * weight);
  const isTold = errors.length > 0 && (!hasBaseline(events) || share >= manyShare);
  return isTold ? nowFinding(events, {of: 'errors', subject: 'errors', weight: 1, share}, errors) : undefined;
};

/** Adds the first and the last error of a finding of all errors. */
const withEnds = (finding: IncidentFinding, events: LogEvents): IncidentFinding => {
  const {origin, errors} = events;
  const placeAt = (at: Instant | undefined) => {
    const seconds = at === undefined ? (errors.at(-1) ?? 0) : Number(at - origin) / 1e9;
    const line = [...linesBetween(events, [seconds, seconds])].find(
      each => each !== undefined && each.rank >= errorRank,
    );
    return line && anchorAt(events, line.place);
  };
  return {...finding, first: placeAt(finding.since), last: placeAt(finding.until)};
};

type Find = (series: Series, events: LogEvents) => IncidentFinding | undefined;

const findEnd: Find = (series, events) => findStopped(series, events, series.kind === 'source' ? 'gone' : 'stopped');

/** What is looked for in each kind of series; what is found first is reported. */
const findsOf: Readonly<Record<SeriesKind, readonly Find[]>> = {
  kind: [findRise],
  failed: [findRise],
  pod: [findRise],
  status: [findStatus],
  source: [findEnd],
  request: [findSlower, findEnd, findRise],
  message: [findEnd, findRise],
};
