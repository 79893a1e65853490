import type {IncomingMessage} from 'node:http';
import type {Exchange} from './exchange.ts';

/** One answered request. No headers and no query: both may contain private data. */
export type RequestLogEntry = {
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string;
  /** The address of the other end of the connection; `unix` for a Unix socket. */
  readonly client: string;
  /** Which token the request had: `service`, `metrics` or `site ID`. */
  readonly token?: string;
  readonly method: string;
  /** Without the query; `*` for what is not an id of the service. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** Bytes of the body as sent, compressed or not. */
  readonly bytes: number;
  /** The answer ended early: the client left, or a fault was requested. */
  readonly cut?: true;
  /** Why the service failed, if it did. */
  readonly error?: string;
};

/** No path that the service knows is longer. */
const pathCharactersMax = 512;
/** The parts of the interface's paths that are not ids. */
const fixedParts = [
  '',
  'dev-v1',
  'sites',
  'branches',
  'deployed-branches',
  'pulses',
  'logs',
  'healthz',
  'livez',
  'readyz',
  'metrics',
];

/** Returns the path of a request's URL, without the query. */
export const readPath = ({url = ''}: Pick<IncomingMessage, 'url'>): string => url.replace(/[?#].*$/s, '');

/** Returns the path with `*` for every part that a client made up: it may be a token in the wrong place. */
const hideParts = (path: string): string =>
  path
    .split('/')
    .map(part => (fixedParts.includes(part) ? part : '*'))
    .join('/');

/** Makes the entry of an exchange that ended. `client`: the address, as long as the connection had one. */
export const makeLogEntry = (
  {request, response, token, error, isNamed}: Exchange,
  {time, ms, client}: {readonly time: Date; readonly ms: number; readonly client: string},
): RequestLogEntry => {
  const length = Number(response.getHeader('content-length') ?? 0);
  const path = readPath(request).slice(0, pathCharactersMax);
  return {
    time: time.toISOString(),
    client,
    ...(token === undefined ? {} : {token}),
    method: request.method ?? '',
    path: isNamed ? path : hideParts(path),
    status: response.statusCode,
    ms: Math.round(ms * 10) / 10,
    bytes: request.method === 'HEAD' || !response.writableFinished ? 0 : length,
    ...(response.writableFinished ? {} : {cut: true}),
    ...(error === undefined ? {} : {error}),
  };
};
