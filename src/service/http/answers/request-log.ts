import type {FastifyReply, FastifyRequest} from 'fastify';

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
export const readPath = (request: FastifyRequest): string =>
  (request.raw.url ?? '').replace(/[?#].*$/s, '').slice(0, pathCharactersMax);

/** Returns the path with `*` for every part that a client made up: it may be a token in the wrong place. */
const hideParts = (path: string): string =>
  path
    .split('/')
    .map(part => (fixedParts.includes(part) ? part : '*'))
    .join('/');

type RequestCircumstances = {
  readonly now: () => Date;
  readonly ms: number;
  readonly client: string;
  readonly token: string | undefined;
  readonly error: string | undefined;
  /** The path names a site and a branch of the service. */
  readonly isNamed: boolean;
};

export const makeLogEntry = (
  request: FastifyRequest,
  reply: FastifyReply,
  {now, ms, client, token, error, isNamed}: RequestCircumstances,
): RequestLogEntry => {
  const {raw} = reply;
  const length = Number(reply.getHeader('content-length') ?? 0);
  return {
    time: now().toISOString(),
    client,
    ...(token === undefined ? {} : {token}),
    method: request.method,
    path: isNamed ? readPath(request) : hideParts(readPath(request)),
    status: raw.statusCode,
    ms: Math.round(ms * 10) / 10,
    bytes: request.method === 'HEAD' || !raw.writableFinished ? 0 : length,
    ...(raw.writableFinished ? {} : {cut: true}),
    ...(error === undefined ? {} : {error}),
  };
};
