import type {IncomingMessage, OutgoingHttpHeaders, ServerResponse} from 'node:http';
import type {Route} from './route.ts';

/** A request, its answer, and what becomes known of it for the log of requests. */
export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What was asked for, once it is known to be served. */
  route?: Route['name'];
  /** Which token the request had: `service`, `metrics` or `site ID`. */
  token?: string;
  /** Why the service failed, if it did. */
  error?: string;
  /** The path names a site and a branch of the service. */
  isNamed: boolean;
};

/** Sends a whole body of a type. */
export const send = ({response}: Exchange, status: number, type: string, body: string | Buffer): void => {
  const bytes = Buffer.from(body);
  response.statusCode = status;
  response.setHeader('content-type', type).setHeader('content-length', bytes.length).end(bytes);
};

/** Sends a sentence that says why there is no answer. */
export const refuse = (
  exchange: Exchange,
  status: number,
  message: string,
  headers: OutgoingHttpHeaders = {},
): void => {
  for (const [name, value] of Object.entries(headers)) {
    exchange.response.setHeader(name, value ?? '');
  }
  send(exchange, status, 'application/json; charset=utf-8', JSON.stringify({message}));
};
