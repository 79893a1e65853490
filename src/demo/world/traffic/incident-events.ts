import {
  drawPoolLine,
  formatErrorTime,
  frameLines,
  type RecordInput,
  writeCrash,
  writeRecord,
} from '../lines/php-lines.ts';
import {drawAccessLine, drawVisitor} from '../lines/sample-access.ts';
import type {BranchSetting, CodeBase, SitePaths} from '../plan/plans.ts';
import {type Draft, momentOf, offsetNsMax, type Slice} from '../seed/log-source.ts';
import {createRandom, minuteMs, type Random, secondMs} from '../seed/random.ts';

/** Reserved at the end of a second, so that events delayed past a trace (under a millisecond) still fit in it. */
const reserveNs = 30_000_000;

/** Draws the start of an event within its slice, in nanoseconds. */
export const drawOffset = (random: Random): number => random.integer(0, offsetNsMax - reserveNs);

/** Time to write one of many lines, in nanoseconds; some fall within one tick of the clock and share a timestamp. */
const lineNs = {min: 900, max: 38_000, tieShare: 0.15};

/**
 * Places lines written in one go, the first at `offsetNs`: each a moment after the previous one, all within their
 * slice.
 */
export const spreadLines = (random: Random, offsetNs: number, texts: readonly string[]): readonly Draft[] => {
  let at = Math.max(0, Math.min(offsetNs, offsetNsMax - texts.length * lineNs.max));
  return texts.map((text, index) => {
    at += index === 0 || random.chance(lineNs.tieShare) ? 0 : random.integer(lineNs.min, lineNs.max);
    return {offsetNs: at, text};
  });
};

/** Lines written in one go, in order, at least one. */
export type LogEvent = readonly Draft[];

/**
 * Returns the lines of a slice's events. An event that begins during a trace, or a trace that begins during another
 * event, is delayed until just after it, so that a trace's lines stay together; single lines may share a timestamp.
 */
export const keepTogether = (events: readonly LogEvent[]): readonly Draft[] => {
  const startOf = (event: LogEvent): number => event[0]?.offsetNs ?? 0;
  let [endNs, traceEndNs] = [-1, -1];
  return events
    .toSorted((left, right) => startOf(left) - startOf(right))
    .flatMap(event => {
      const isTrace = event.length > 1;
      const shiftNs = Math.max(0, (isTrace ? endNs : traceEndNs) + 1 - startOf(event));
      const placed = event.map(draft => ({...draft, offsetNs: draft.offsetNs + shiftNs}));
      endNs = Math.max(endNs, placed.at(-1)?.offsetNs ?? 0);
      traceEndNs = isTrace ? endNs : traceEndNs;
      return placed;
    });
};

/** The phase of an incident: first slow, then failing; `second` counts the failing seconds from 0. */
type Incident = {readonly kind: 'slow'} | {readonly kind: 'failing'; readonly second: number};

const slowSeconds = 30;
const failingSeconds = 10;
/** How long before the demo's start the first one happens: in the first window, and well before the first release. */
const leadMs = 3 * minuteMs;
/** Incidents do not keep to the clock. */
const delaySecondsMax = 40;

/**
 * Returns the incident of a branch at a moment, in milliseconds since the demo's start; undefined if there is none. One
 * happens every `everyMs`, which is longer than an incident and its delay, 80 s; 0 for never.
 */
export const incidentAt = (
  {seed, branchId}: Pick<BranchSetting, 'seed' | 'branchId'>,
  everyMs: number,
  demoMs: number,
): Incident | undefined => {
  if (everyMs === 0) {
    return undefined;
  }
  const number = Math.floor((demoMs + leadMs) / everyMs);
  const delayMs = createRandom(seed, branchId, 'incident', number).integer(0, delaySecondsMax) * secondMs;
  const second = Math.floor((demoMs + leadMs - number * everyMs - delayMs) / secondMs);
  if (second < 0 || second >= slowSeconds + failingSeconds) {
    return undefined;
  }
  return second < slowSeconds ? {kind: 'slow'} : {kind: 'failing', second: second - slowSeconds};
};

type IncidentPlace = {readonly code: CodeBase; readonly paths: SitePaths; readonly hostname: string};

/**
 * Warnings a second during the slow phase; requests and timeouts a second, on top of the branch's own, during the
 * failing phase.
 */
const perSecond = {warnings: 0.4, requests: 6, timeouts: 1.5};
/** People try again, and most of their requests fail. */
const failingShare = 0.8;

/** Writes the lines of an incident in one second, on top of the branch's traffic. */
export const writeIncident = (slice: Slice, incident: Incident, place: IncidentPlace): readonly LogEvent[] => {
  const {random} = slice;
  const draw = (write: (atMs: number) => string): LogEvent => {
    const offsetNs = drawOffset(random);
    return [{offsetNs, text: write(momentOf(slice, offsetNs))}];
  };
  const several = (mean: number, write: (atMs: number) => string): readonly LogEvent[] =>
    Array.from({length: random.count(mean)}, () => draw(write));
  if (incident.kind === 'slow') {
    return several(perSecond.warnings, atMs =>
      random.chance(0.7) ? drawSlowRequest({random, atMs, ...place}) : drawPoolLine({random, atMs, ...place}),
    );
  }
  const trace = traceOf(place.code, incident.second);
  return [
    ...several(perSecond.requests, atMs => drawAccessLine({random, atMs, ...place, trouble: failingShare})),
    ...several(perSecond.timeouts, atMs => drawTimeout({random, atMs, ...place})),
    draw(atMs => drawFailureRecord({random, atMs, ...place})),
    ...(trace ? [spreadLines(random, drawOffset(random), trace)] : []),
  ];
};

/** Returns, in turn, a crash of the application, an exception of a service beside it, and nothing, one per second. */
const traceOf = (code: CodeBase, second: number): readonly string[] | undefined => {
  const turn = Math.floor(second / 3);
  const crash = code.crashes[turn % code.crashes.length];
  const exception = code.exceptions[turn % code.exceptions.length];
  return [crash && writeCrash(code, crash), exception, undefined][second % 3];
};

/** Writes the application's warning about a slow upstream. */
const drawSlowRequest = (input: RecordInput): string => {
  const {random, code} = input;
  const {name, timeoutMs, requests} = code.upstream;
  return writeRecord(input, {
    message: 'Slow request',
    context: {
      request: random.pick(requests),
      duration_ms: random.integer(Math.floor(timeoutMs * 0.6), timeoutMs - 1),
      upstream: {name, timeout_ms: timeoutMs},
    },
    levelName: 'WARNING',
  });
};

/** Writes a line of the web server's error log: it gives up on an answer. */
const drawTimeout = ({random, atMs, code, hostname}: RecordInput & {readonly hostname: string}): string => {
  const {host, path, requests} = code.upstream;
  const connection = random.integer(40_000, 89_999);
  const client = drawVisitor(random).address;
  const request = `${random.pick(requests)} HTTP/1.1`;
  return `${formatErrorTime(atMs)} [error] 31#31: *${connection} upstream timed out (110: Operation timed out) while reading response header from upstream, client: ${client}, server: ${hostname}, request: "${request}", upstream: "http://${host}${path}", host: "${hostname}"`;
};

/** Writes the application's record of a timeout, with the exception and its stack in fields of their own. */
const drawFailureRecord = (input: RecordInput): string => {
  const {random, code} = input;
  const {name, host, timeoutMs, failure, thrown} = code.upstream;
  return writeRecord(input, {
    message: failure.message,
    context: {
      [failure.subject]: random.integer(4000, 98_000),
      upstream: {name, host, timeout_ms: timeoutMs, attempt: random.integer(1, 3)},
      exception: {
        class: thrown.error,
        message: `Operation timed out after ${timeoutMs + random.integer(0, 4)} milliseconds`,
        code: 28,
        file: `${code.appRoot}/${thrown.file}:${thrown.lineNumber}`,
        stack: frameLines(code, thrown).join('\n'),
      },
    },
    levelName: random.chance(0.8) ? 'ERROR' : 'CRITICAL',
  });
};
