import {type RecordInput, writeRecord} from '../../lines/application-record.ts';
import {formatErrorTime} from '../../lines/clock-text.ts';
import {drawVisitor} from '../../lines/visitor.ts';
import type {CodeBase} from '../../plan/code-base.ts';
import type {Incident} from '../../traffic/incidents.ts';
import {drawOffset, type LogEvent, spreadLines} from '../../traffic/place-lines.ts';
import {drawPoolLine, frameLines, writeCrash} from '../lines/php-lines.ts';
import {drawAccessLine} from '../lines/sample-access.ts';
import type {SitePaths} from '../plan/plans.ts';
import {momentOf, type Slice} from '../seed/log-source.ts';

export type IncidentPlace = {readonly code: CodeBase; readonly paths: SitePaths; readonly hostname: string};

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
