import type {Instant} from '#log/line/instant.ts';
import {levelOfRank, levelRank} from '#log/tokens/level-words.ts';
import {shapeMarks} from '#log/traits/fold-text.ts';
import type {Work} from '#log/work.ts';
import {findingOf, type IncidentFinding, isTrouble, type SubjectKind} from '../incident-finding.ts';
import {evidenceMin, silenceMin, wholeRun} from '../statistics/find-runs.ts';
import {findSlowings, findStop, type Slowing} from '../statistics/statistics.ts';
import {placed, readAgain} from './placed-lines.ts';
import {findWave, hasBaseline, instantOf, isSure, linesPerMinute, rateFinding, type Wave} from './rate-finding.ts';
import {seriesKeyOf} from './read-chunk.ts';
import {readEvent} from './read-event.ts';
import {anchorAt, type LogEvents, linesBetween, type Series, type SeriesKind} from './read-events.ts';
import {type Fleet, successorOf} from './roll-out.ts';
import {findNow, findRise, findStatus} from './series-rises.ts';
import {hasNoCalm} from './usual-errors.ts';

/** Requests that take longer by chance alone reach less. */
const highSlowing = 8;
const highSlowRequests = 12;
const highStop = 14;

/** If there are more requests, every nth is enough. */
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

const errorRank = levelRank('error');

const togetherNanos = 60_000_000_000n;

/** As many of a kind as somebody reads. */
const mostOf: Readonly<Record<SubjectKind, number>> = {
  ...{errors: 1, kind: 5, failed: 4, pod: 2, status: 3, request: 4, message: 4, source: 3, field: 0},
};

/** The more important first; findings that only group others, last. */
const order: readonly string[] = ['fatal', 'rise', 'new', 'slower', 'stopped', 'storm', 'gone', 'status', 'pod'];

/** A series of more events is looked at by itself. */
const eventsPerPause = 1000;

/** Finds what is other than before within the time asked, the newest first; changes are for `findChanges`. */
export function* findFindings(events: LogEvents, fleet: Fleet): Work<readonly IncidentFinding[]> {
  const errors = findErrors(events);
  const ofErrors =
    errors && withEnds(rateFinding(events, {of: 'errors', subject: 'errors', weight: 1}, errors), events);
  const found: IncidentFinding[] = ofErrors === undefined ? [] : [ofErrors];
  yield;
  const isFirst = errors?.run.before === undefined && errors !== undefined;
  const finds = findsOf(fleet);
  const renamed = renamedIn(events);
  for (const series of events.series.filter(({key}) => !renamed.has(key))) {
    for (const find of [...(hasBaseline(events) ? finds[series.kind] : []), ...(isFirst ? [findNow] : [])]) {
      const finding = find(series, events, isFirst);
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
  const told = new Set(
    found.filter(({of, confidence}) => of === 'kind' && confidence === 'sure').map(({subject}) => subject),
  );
  const fatals = (yield* findFatals(events)).filter(({subject}) => !told.has(subject));
  const ranked = newestFirst([...fatals, ...found].map(finding => corroborated(finding, ofErrors)));
  return ranked.filter(({of, what}, index) => {
    const better = ranked.slice(0, index).filter(other => other.of === of && other.what === what);
    return better.length < mostOf[of];
  });
}

/** Returns the messages that differ only by a field that changed: what they say came before and comes since. */
const renamedIn = ({fields, series}: LogEvents): ReadonlySet<string> => {
  const keys = new Set(series.filter(({kind}) => kind === 'message' || kind === 'kind').map(({key}) => key));
  const fold = (value: string): string => value.replace(/\d+/g, shapeMarks.number);
  const renamed = new Set<string>();
  for (const {before, now} of fields.flips()) {
    for (const key of keys) {
      const other = key.replaceAll(fold(now), fold(before));
      if (other !== key && keys.has(other)) {
        renamed.add(key).add(other);
      }
    }
  }
  return renamed;
};

/** A rise together with all errors is no chance. */
const corroborated = (finding: IncidentFinding, errors: IncidentFinding | undefined): IncidentFinding => {
  const apartNanos = finding.since - (errors?.since ?? 0n);
  const isTogether = errors?.confidence === 'sure' && apartNanos > -togetherNanos && apartNanos < togetherNanos;
  const isRise = (finding.what === 'rise' || finding.what === 'new') && finding.evidence >= evidenceMin;
  const isClear = typeof finding.now === 'number' && finding.now >= clearTimes * Number(finding.before ?? 0);
  // A pod's errors are over with all others: its usual ones go on.
  const until = finding.of === 'pod' && isTogether ? (errors.until ?? finding.until) : finding.until;
  return isTogether && isRise && isClear ? {...finding, until, confidence: 'sure'} : {...finding, until};
};

const clearTimes = 3;

/** A finding that ended within this time of a later one was over with it. */
const overTogetherNanos = 60_000_000_000n;

/** Returns what goes on before what ended last, each the weightiest first, and what may be chance last. */
const newestFirst = (findings: readonly IncidentFinding[]): readonly IncidentFinding[] => {
  const isWeak = (finding: IncidentFinding): boolean => !isTrouble(finding);
  const over = findings
    .filter(finding => finding.until !== undefined && !isWeak(finding))
    .toSorted((a, b) => ((a.until ?? 0n) > (b.until ?? 0n) ? -1 : 1));
  const waves: IncidentFinding[][] = [];
  for (const finding of over) {
    const wave = waves.at(-1);
    if (wave?.[0] !== undefined && (wave[0].until ?? 0n) - (finding.until ?? 0n) <= overTogetherNanos) {
      wave.push(finding);
    } else {
      waves.push([finding]);
    }
  }
  return [
    findings.filter(finding => finding.until === undefined && !isWeak(finding)),
    ...waves,
    findings.filter(isWeak),
  ].flatMap(each => each.toSorted(byWeight));
};

const byWeight = (a: IncidentFinding, b: IncidentFinding): number =>
  Number(b.confidence === 'sure') - Number(a.confidence === 'sure') ||
  Number(b.of === 'errors') - Number(a.of === 'errors') ||
  groupOf(a) - groupOf(b) ||
  b.evidence - a.evidence ||
  Number(b.of === 'failed') - Number(a.of === 'failed');

const groupOf = ({what, of}: IncidentFinding): number => {
  const group = order.indexOf(of === 'status' || of === 'pod' ? of : what);
  // New means a rise from nothing.
  return what === 'new' ? order.indexOf('rise') : group;
};

/** Finds when errors rose or, where they were many from the first line on or too little is held, all of them. */
const findErrors = (events: LogEvents): Wave | undefined => {
  const {errors, held, asked} = events;
  const wave = findWave(events, errors, {weight: 1, isBad: true, isFirst: true});
  if (wave !== undefined && (wave.run.before === undefined || isSure(wave.run))) {
    return wave;
  }
  const isTold = (errors.at(-1) ?? -1) >= asked.from && (!hasBaseline(events) || hasNoCalm(events));
  const run = wholeRun(errors, held);
  return isTold ? {run, waves: {count: 1, since: run.from}} : wave;
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

/** `isFirst`: errors were more from the first second held on than they were later. */
type Find = (series: Series, events: LogEvents, isFirst?: boolean) => IncidentFinding | undefined;

/** Finds what comes no more. Who was replaced by another is not gone. */
const findEnd =
  (fleet: Fleet): Find =>
  (series, events) => {
    const what = series.kind === 'source' ? 'gone' : 'stopped';
    const finding = findStopped(series, events, what);
    const isReplaced = what === 'gone' && successorOf(events, series, series.seconds.at(-1) ?? 0, fleet) !== undefined;
    return isReplaced ? undefined : finding;
  };

/** The searches in each kind of series; the first that finds something is reported. */
const findsOf = (fleet: Fleet): Readonly<Record<SeriesKind, readonly Find[]>> => ({
  kind: [findRise],
  failed: [findRise],
  pod: [findRise],
  status: [findStatus],
  source: [findEnd(fleet)],
  request: [findSlower, findEnd(fleet), findRise],
  message: [findEnd(fleet), findRise],
});

/** If there are more such lines, every nth is read. */
const readMax = 2000;
/** As many kinds as somebody reads. */
const kindsMax = 5;

/** Finds what tells, within the time asked, of the end of a process or a node: one line is enough. */
function* findFatals(events: LogEvents): Work<readonly IncidentFinding[]> {
  const {asked, held} = events;
  const found = events.fatals.filter(({at}) => at >= asked.from && at <= held.to);
  const step = Math.max(1, Math.ceil(found.length / readMax));
  const kinds = new Map<string, {readonly of: 'kind' | 'message'; readonly places: number[]; last: number}>();
  for (let nth = 0; nth < found.length; nth += step) {
    const {at, place, text, rank} = found[nth] ?? {at: 0, place: 0, text: '', rank: 0};
    const {message, request} = readEvent(text, levelOfRank(rank));
    // A request for a page about it does not report it.
    const subject = message ?? (rank >= errorRank ? request : undefined);
    if (subject !== undefined) {
      const key = seriesKeyOf(subject);
      const kind = kinds.get(key) ?? {of: rank >= errorRank ? 'kind' : 'message', places: [], last: at};
      kind.places.push(place);
      kind.last = at;
      kinds.set(key, kind);
    }
    yield;
  }
  return [...kinds]
    .toSorted(([, a], [, b]) => b.last - a.last)
    .slice(0, kindsMax)
    .map(([subject, {of, places, last}]): IncidentFinding => {
      const [first, newest] = [places[0] ?? 0, places.at(-1) ?? 0].map(place => anchorAt(events, place));
      const at = instantOf(events, last);
      return findingOf({
        ...{what: 'fatal', of, subject, since: first?.at ?? at, first, last: newest, confidence: 'sure'},
        until: held.to - last > silenceMin ? at : undefined,
        total: places.length * step,
        evidence: places.length,
      });
    });
}
