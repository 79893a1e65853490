import {isDuration} from '#log/tokens/find-tokens.ts';
import {type Level, levelOfNumber, levelOfSeverityNumber, levelOfWord} from '#log/tokens/level-words.ts';

/** The meanings of a field's value. */
export type PartName =
  | 'time'
  | 'level'
  | 'severityNumber'
  | 'logger'
  | 'message'
  | 'status'
  | 'method'
  | 'path'
  | 'request'
  | 'client'
  | 'exception'
  /** No meaning by itself: the surrounding object decides. */
  | 'nested'
  | 'exceptionMessage'
  /** A trace, whose first line, or last in Python, names the exception. */
  | 'stack'
  | 'bytes'
  /** How long an answer took: in the unit that the name tells, or in one that its value has. */
  | 'seconds'
  | 'millis'
  | 'micros'
  | 'nanos'
  | 'duration';

/**
 * The names of fields in JSON records and logfmt, each with its part, in lower case. A blank stands for nothing or one
 * of `.`, `_` and `-`: `http status code` is also `httpStatusCode` and `http.status_code`. After pino, bunyan, zap,
 * logrus, Monolog, ECS, GELF, Serilog, Google Cloud, Datadog, OpenTelemetry, nginx, Caddy, Traefik, Envoy and Heroku.
 */
const namesOfParts: Readonly<Record<PartName, string>> = {
  // The first of these that a record has is its own.
  time: 'time, timestamp, @timestamp, ts, @t, date time, time iso8601, time local, t, t $date, asctime, instant, time millis, time unix nano, edge start timestamp, stage timestamp, request received timestamp, __realtime timestamp, event time, start time, date, dt',
  level: 'level, lvl, severity, severity text, error severity, log level, level name, @l',
  severityNumber: 'severity number',
  logger: 'logger, logger name, log logger, component, module, caller',
  // The first of these that a record has is its message.
  message: 'message, msg, short message, text payload, @m, @mt, event, log, body, error, err',
  exception:
    'error type, error kind, error class, error name, err type, err name, exception type, exception class, exception name, exception exception class, exc type, context exception class',
  nested: 'type, kind, class',
  exceptionMessage:
    'error message, err message, exception message, exception exception message, context exception message',
  stack:
    'stack, stack trace, error stack, error stack trace, err stack, exception, exception stacktrace, exc info, @x, thrown',
  status:
    'status, status code, http status, http status code, response code, response status, response status code, http response status code, edge response status, res status, res status code, http request status, downstream status',
  method:
    'method, http method, request method, http request method, req method, http request request method, verb, client request method',
  path: 'path, uri, url, target, request uri, request path, request url, request target, http path, http target, http uri, http url, url path, url original, req url, http request request url, client request uri',
  request: 'request',
  client:
    'client, client ip, client addr, client host, remote addr, remote ip, remote address, ip, src ip, request remote ip, req remote address, http request remote ip',
  bytes:
    'bytes, bytes sent, body bytes sent, downstream content size, size, bytes out, response size, content length, res content length',
  seconds:
    'request time, duration s, duration sec, duration seconds, elapsed s, elapsed seconds, latency s, latency seconds',
  millis:
    'duration ms, duration millis, duration milliseconds, elapsed, elapsed ms, elapsed milliseconds, latency ms, latency human, latencies request, request time ms, response time, response time ms, time taken, time taken ms, took, took ms',
  micros: 'duration us, duration micros, elapsed us, latency us, request time us, response time us',
  nanos: 'duration ns, duration nanos, elapsed ns, latency ns, event duration',
  duration: 'duration, latency, rt, service, http request latency, request duration',
};

const joints = ['', '.', '_', '-'];

/** Returns the ways in which a name is written. */
const spellingsOf = (name: string): readonly string[] =>
  name
    .split(' ')
    .reduce<readonly string[]>(
      (heads, word) => (heads.length === 0 ? [word] : heads.flatMap(head => joints.map(joint => head + joint + word))),
      [],
    );

let known: ReadonlyMap<string, PartName> | undefined;
/** Found when a record asks: the first screen has none. */
const knownNames = (): ReadonlyMap<string, PartName> => {
  known ??= new Map([
    ...(Object.keys(namesOfParts) as PartName[]).flatMap(part =>
      namesOfParts[part].split(', ').flatMap(name => spellingsOf(name).map(spelling => [spelling, part] as const)),
    ),
    // journald, as `journalctl -o json` prints it; other records have priorities that are no levels.
    ['PRIORITY', 'level'],
  ]);
  return known;
};

const ranked = {
  message: namesOfParts.message.split(', ').flatMap(spellingsOf),
  time: namesOfParts.time.split(', ').flatMap(spellingsOf),
} as const;
const nameCharsMax = 32;

/** Returns what the field of a name is, in the case in which it is written or in any other; undefined if unknown. */
export const partOfName = (name: string): PartName | undefined => {
  const part = name.length > nameCharsMax ? undefined : knownNames().get(name);
  if (part !== undefined || name.length > nameCharsMax) {
    return part;
  }
  const lower = name.toLowerCase();
  return lower === name ? undefined : knownNames().get(lower);
};

/** Ranks the names of a part: of several in a record, the one with the lowest rank is its own. */
export const rankOf = (part: keyof typeof ranked, name: string): number => ranked[part].indexOf(name.toLowerCase());

/** The parts that tell a duration: those whose names tell its unit first. */
export const durationParts = [
  'seconds',
  'millis',
  'micros',
  'nanos',
  'duration',
] as const satisfies readonly PartName[];

const status = /^[1-5]\d\d$/;

/** Checks whether a value is the status of an answer. */
export const isStatus = (value: string): boolean => status.test(value);

const digits = /^\d{1,15}$/;
/** Names and addresses are shorter. */
const clientCharsMax = 64;
const validities: Readonly<Partial<Record<PartName, (value: string) => boolean>>> = {
  status: isStatus,
  bytes: value => digits.test(value),
  client: value => value.length <= clientCharsMax,
  ...Object.fromEntries(durationParts.map(part => [part, isDuration])),
};

/** Checks whether a value may be that of a part of a request; true for other parts. */
export const isValueOf = (part: PartName, value: string): boolean => validities[part]?.(value) ?? true;

const number = /^\d{1,3}$/;

/** Returns the level that the value of a field states: a word or a number. Undefined if it states none. */
export const levelOfField = (part: 'level' | 'severityNumber', value: string): Level | undefined =>
  part === 'severityNumber'
    ? levelOfSeverityNumber(Number(value))
    : number.test(value)
      ? levelOfNumber(Number(value))
      : levelOfWord(value);
