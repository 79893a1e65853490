import type {Work} from '#log/work.ts';
import {findingOf, type IncidentFinding} from '../incident-finding.ts';
import {countBetween, ratioOf} from '../statistics/find-runs.ts';
import type {Sides} from './changed-tokens.ts';
import {placed} from './placed-lines.ts';
import {instantOf, linesIn, linesPerMinute} from './rate-finding.ts';
import {anchorAt, type LogEvents, type Series} from './read-events.ts';

/** In seconds. */
const binMin = 10;
const binMax = 60;
const binsWanted = 12;

/** Returns by how much counts vary more than chance has them vary, within spans of time: 1 or more. */
const dispersionOf = (
  seconds: readonly number[],
  ...spans: readonly (readonly [from: number, to: number])[]
): number => {
  const shortest = Math.min(...spans.map(([from, to]) => to - from));
  const width = Math.min(binMax, Math.max(binMin, shortest / binsWanted));
  let [squares, freedom, total, bins] = [0, 0, 0, 0];
  for (const [from, to] of spans) {
    const count = Math.floor((to - from) / width);
    const inside = Array.from({length: count}, (_, index) =>
      countBetween(seconds, from + index * width, from + (index + 1) * width),
    );
    const sum = inside.reduce((a, b) => a + b, 0);
    squares += inside.reduce((a, b) => a + (b - sum / Math.max(1, count)) ** 2, 0);
    freedom += Math.max(0, count - 1);
    total += sum;
    bins += count;
  }
  const mean = total / Math.max(1, bins);
  return mean === 0 || freedom === 0 ? 1 : Math.max(1, squares / freedom / mean);
};

/** Returns the mean of logarithms, and the sum of the squares by which they differ from it. */
const logMoments = (durationsMs: readonly number[]): {readonly mean: number; readonly squares: number} => {
  const logs = durationsMs.map(ms => Math.log(Math.max(ms, 0.1)));
  const mean = logs.reduce((a, b) => a + b, 0) / logs.length;
  return {mean, squares: logs.reduce((sum, each) => sum + (each - mean) ** 2, 0)};
};

/** Returns the 95th percentile. */
const percentileOf = (durationsMs: readonly number[]): number => {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(0.95 * sorted.length))] ?? 0;
};

/** Chance seldom reaches the first, the second in none of hundreds of series, the third in none of a few kinds. */
const likelyEvidence = 14;
const sureEvidence = 18;
const newErrorEvidence = 7;
const timesMin = 2;
const sureTimes = 3;
/** So often something came steadily, and would have come since. */
const stoppedBefore = 10;
const stoppedExpected = 8;
/** A silence has to be so many times the longest before. */
const longestTimes = 2.5;

/** After so many events there is a pause. */
const eventsPerPause = 2000;

type Counts = {readonly before: number; readonly after: number};

/** How much of something came before and after, by the time and by all lines. */
type Compared = {
  readonly counts: Counts;
  readonly perMinute: Counts;
  /** How many times more or less often it came; 0 or infinite where none did on one side. */
  readonly factor: number;
  /** How badly chance explains it, bursts allowed for. */
  readonly evidence: number;
};

/** Finds what comes more or less often after a deployment than before it, and requests that take longer. */
export function* compareSeries(events: LogEvents, sides: Sides): Work<readonly IncidentFinding[]> {
  const errors = rateFinding(events, {kind: 'errors', key: 'errors', seconds: events.errors, weight: 1}, sides);
  const found = errors === undefined ? [] : [errors];
  let count = 0;
  for (const series of events.series) {
    const finding = compareOne(series, events, sides);
    if (finding !== undefined) {
      found.push(finding);
    }
    // Each costs something, however few its events are.
    count += series.seconds.length + eventsPerPause / 50;
    if (count > eventsPerPause) {
      count = 0;
      yield;
    }
  }
  yield;
  return found;
}

const compareOne = (series: Series, events: LogEvents, sides: Sides): IncidentFinding | undefined => {
  const {kind} = series;
  switch (kind) {
    case 'kind':
    case 'failed':
    case 'message':
      return placedFinding(rateFinding(events, {...series, kind}, sides), series, events, sides);
    case 'request':
      return placedFinding(
        slowerFinding(series, events, sides) ?? rateFinding(events, {...series, kind}, sides),
        series,
        events,
        sides,
      );
    case 'status':
      return placedFinding(statusFinding(series, events, sides), series, events, sides);
    case 'pod':
    case 'source':
      return undefined;
    default:
      return kind satisfies never;
  }
};

const placedFinding = (
  finding: IncidentFinding | undefined,
  series: Series,
  events: LogEvents,
  {at}: Sides,
): IncidentFinding | undefined => {
  const count = countBetween(series.seconds, Number.NEGATIVE_INFINITY, at);
  if (finding === undefined || count === series.seconds.length) {
    const last = anchorAt(events, series.places.at(-1) ?? 0);
    return finding && {...finding, first: last, last, since: last?.at ?? finding.since};
  }
  const told = placed(finding, events, series, [count, series.seconds.length]);
  return {...told, since: told.first?.at ?? finding.since};
};

type Counted = Pick<Series, 'key' | 'weight'> &
  Partial<Pick<Series, 'isWarning'>> & {
    readonly kind: 'errors' | 'kind' | 'failed' | 'message' | 'request';
    readonly seconds: readonly number[];
  };

/** Finds whether something comes more or less often. */
const rateFinding = (
  events: LogEvents,
  {kind: of, key: subject, seconds, weight, isWarning = false}: Counted,
  sides: Sides,
): IncidentFinding | undefined => {
  const compared = compare(seconds, events, weight, sides);
  const {counts, evidence, factor, perMinute} = compared;
  const isBad = of === 'errors' || of === 'kind' || of === 'failed' || isWarning;
  const isMore = factor > 1;
  const isNew = counts.before === 0 && (of === 'kind' || of === 'failed' || of === 'message');
  const isStopped = counts.after === 0 && !isBad;
  if (isStopped) {
    return stoppedFinding(events, {of, subject, seconds}, compared, sides);
  }
  const enough = isNew && isBad ? newErrorEvidence : likelyEvidence;
  if (evidence < enough / 2 || (isMore ? factor : 1 / factor) < timesMin) {
    return undefined;
  }
  const isSure =
    evidence >= (isNew && isBad ? likelyEvidence : sureEvidence) && (isMore ? factor : 1 / factor) >= sureTimes;
  return findingOf({
    ...{what: isNew ? 'new' : isMore ? 'rise' : 'fewer', of, subject, unit: 'per minute', evidence},
    since: instantOf(events, sides.at),
    ...{before: perMinute.before, now: perMinute.after},
    total: linesPerMinute(events, sides.settledAt, sides.to),
    confidence: isSure ? 'sure' : evidence >= enough ? 'likely' : 'weak',
  });
};

const stoppedFinding = (
  events: LogEvents,
  {of, subject, seconds}: Pick<IncidentFinding, 'of' | 'subject'> & Pick<Counted, 'seconds'>,
  {counts, perMinute, evidence}: Compared,
  {from, settledAt, to}: Sides,
): IncidentFinding | undefined => {
  const inBefore = seconds.filter(each => each >= from);
  const longest = inBefore.reduce((most, each, index) => Math.max(most, each - (inBefore[index - 1] ?? from)), 0);
  const isLong = to - (seconds.at(-1) ?? settledAt) >= longestTimes * longest;
  return counts.before < stoppedBefore || evidence < stoppedExpected || !isLong
    ? undefined
    : findingOf({
        ...{what: 'stopped', of, subject, unit: 'per minute', evidence},
        since: instantOf(events, seconds.at(-1) ?? settledAt),
        ...{before: perMinute.before, now: 0, total: linesPerMinute(events, settledAt, to)},
        confidence: evidence >= likelyEvidence ? 'sure' : 'likely',
      });
};

const compare = (
  seconds: readonly number[],
  events: LogEvents,
  weight: number,
  {from, at, settledAt, to}: Sides,
): Compared => {
  // Kinds that began with the deployment count from their first line; old pods go on writing the others for a while.
  const isNew = countBetween(seconds, from, at) === 0;
  const afterFrom = isNew ? at : settledAt;
  const counts = {before: countBetween(seconds, from, at), after: countBetween(seconds, afterFrom, to + 1e-6)};
  const [length, lengthAfter] = [Math.max(1, at - from), Math.max(1, to - afterFrom)];
  const [lines, linesAfter] = [linesIn(events, from, at), linesIn(events, afterFrom, to)];
  const [byTime, byLines] = [
    counts.after / lengthAfter / (counts.before / length),
    counts.after / linesAfter / (counts.before / lines),
  ];
  const isMore = byTime > 1;
  const ratio = (share: number): number =>
    isMore ? ratioOf(counts.after, counts.before, share) : ratioOf(counts.before, counts.after, 1 - share);
  const evidence = Math.min(ratio(lengthAfter / (length + lengthAfter)), ratio(linesAfter / (lines + linesAfter)));
  const minutes = (span: number): number => Math.max(60, span) / 60;
  return {
    counts,
    perMinute: {
      before: (weight * counts.before) / minutes(length),
      after: (weight * counts.after) / minutes(lengthAfter),
    },
    factor: isMore ? Math.min(byTime, byLines) : Math.max(byTime, byLines),
    evidence: evidence / dispersionOf(seconds, [from, at], [afterFrom, to]),
  };
};

/** For statuses: this much more of the requests. */
const statusShareMin = 0.02;

/** Compares how many of the requests are answered so, whatever their rate. */
const statusFinding = (
  {seconds, key: subject, weight}: Series,
  {requests, ...events}: LogEvents,
  {from, at, settledAt, to}: Sides,
): IncidentFinding | undefined => {
  const [before, after] = [countBetween(seconds, from, at), countBetween(seconds, settledAt, to + 1e-6)];
  const [all, allAfter] = [countBetween(requests, from, at), countBetween(requests, settledAt, to + 1e-6)];
  const [was, now] = [before / Math.max(1, all), after / Math.max(1, allAfter)];
  const evidence =
    ratioOf(after, before, allAfter / Math.max(1, all + allAfter)) / dispersionOf(seconds, [from, at], [settledAt, to]);
  return all === 0 || now - was < statusShareMin || now < timesMin * was || evidence < likelyEvidence / 2
    ? undefined
    : findingOf({
        ...{what: 'rise', of: 'status', subject, before: was, now, unit: 'share', total: allAfter * weight, evidence},
        since: instantOf({requests, ...events}, at),
        confidence:
          evidence >= sureEvidence && now >= sureTimes * was ? 'sure' : evidence >= likelyEvidence ? 'likely' : 'weak',
      });
};

/** Fewer requests on either side tell nothing; of slowings smaller than these nobody is woken. */
const slowBefore = 12;
const slowAfter = 6;
const slowTimes = 1.5;
const slowMs = 20;
/** How many standard errors the means of logarithms differ by. */
const slowErrors = 5;
const sureErrors = 8;
/** Requests that always take exactly as long differ by so much at least, as a logarithm. */
const deviationMin = 0.1;

const slowerFinding = (series: Series, events: LogEvents, sides: Sides): IncidentFinding | undefined => {
  const {seconds, durationsMs, weight, key: subject} = series;
  const {from, at, settledAt, to} = sides;
  const durations = (low: number, high: number): readonly number[] =>
    durationsMs.filter(
      (ms, index) => !Number.isNaN(ms) && (seconds[index] ?? 0) >= low && (seconds[index] ?? 0) <= high,
    );
  const [before, after] = [durations(from, at), durations(settledAt, to)];
  if (before.length < slowBefore || after.length < slowAfter) {
    return undefined;
  }
  const [was, now] = [logMoments(before), logMoments(after)];
  const deviation = Math.max(deviationMin, Math.sqrt((was.squares + now.squares) / (before.length + after.length)));
  const evidence = (now.mean - was.mean) / (deviation * Math.sqrt(1 / before.length + 1 / after.length));
  const [p95, p95Now] = [percentileOf(before), percentileOf(after)];
  return evidence < slowErrors || p95Now < slowTimes * p95 || p95Now - p95 < slowMs
    ? undefined
    : findingOf({
        ...{what: 'slower', of: 'request', subject, unit: 'ms', before: p95, now: p95Now, evidence},
        since: instantOf(events, at),
        total: after.length * weight,
        confidence: evidence >= sureErrors ? 'sure' : 'likely',
      });
};
