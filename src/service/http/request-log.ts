import type {FastifyReply, FastifyRequest} from 'fastify';

/** One answered request. No header, no query: both may hold what is nobody's business. */
export type RequestLogEntry = {
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** Bytes of the body as they went out, packed or not. */
  readonly bytes: number;
  /** The answer ended before it was complete: the client left, or a fault was ordered. */
  readonly cut?: true;
  /** Why the service failed, where it did. */
  readonly error?: string;
};

/** A longer path is nothing that the service knows. */
const pathCharactersMax = 512;

/** The path of a request's URL, without the query. */
export const readPath = (request: FastifyRequest): string =>
  (request.raw.url ?? '').replace(/[?#].*$/s, '').slice(0, pathCharactersMax);

export const makeLogEntry = (
  request: FastifyRequest,
  reply: FastifyReply,
  {now, ms, error}: {readonly now: () => Date; readonly ms: number; readonly error: string | undefined},
): RequestLogEntry => {
  const {raw} = reply;
  const length = Number(reply.getHeader('content-length') ?? 0);
  return {
    time: now().toISOString(),
    method: request.method,
    path: readPath(request),
    status: raw.statusCode,
    ms: Math.round(ms * 10) / 10,
    bytes: request.method === 'HEAD' || !raw.writableFinished ? 0 : length,
    ...(raw.writableFinished ? {} : {cut: true}),
    ...(error === undefined ? {} : {error}),
  };
};
