import {type RecordInput, writeRecord} from './application-record.ts';
import {formatErrorTime} from './clock-text.ts';
import {frameLines} from './php-lines.ts';
import {drawVisitor} from './visitor.ts';

/** Writes the application's warning about a slow upstream. */
export const drawSlowRequest = (input: RecordInput): string => {
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
export const drawTimeout = ({random, atMs, code, hostname}: RecordInput & {readonly hostname: string}): string => {
  const {host, path, requests} = code.upstream;
  const connection = random.integer(40_000, 89_999);
  const client = drawVisitor(random).address;
  const request = `${random.pick(requests)} HTTP/1.1`;
  return `${formatErrorTime(atMs)} [error] 31#31: *${connection} upstream timed out (110: Operation timed out) while reading response header from upstream, client: ${client}, server: ${hostname}, request: "${request}", upstream: "http://${host}${path}", host: "${hostname}"`;
};

/** Writes the application's record of a timeout, with the exception and its stack in fields of their own. */
export const drawFailureRecord = (input: RecordInput): string => {
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
