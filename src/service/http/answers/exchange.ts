import type {IncomingMessage, OutgoingHttpHeaders, ServerResponse} from 'node:http';

/** The version segment, interface specification section 9. */
export const versionPath = '/dev-v1';

/** Ids are opaque and may be long; past this length a path counts as unknown. */
const idCharactersMax = 1_024;

const monitoring = ['healthz', 'livez', 'readyz', 'metrics'] as const;
const lists = ['branches', 'deployed-branches', 'pulses'] as const;

/** What programs ask that watch the service. */
export type MonitoringName = (typeof monitoring)[number];

export type ListName = (typeof lists)[number];

/** What a path asks for: see section 4 of the interface specification. GET is the only operation on each. */
export type Route =
  | {readonly name: MonitoringName}
  | {readonly name: ListName; readonly siteId: string}
  | {readonly name: 'logs'; readonly siteId: string; readonly branchId: string};

const isId = (text: string): boolean => text !== '' && text.length <= idCharactersMax;

/** Returns what a path without its query asks for; undefined for an unknown one. Throws a `URIError` if it is none. */
export const routeOf = (path: string): Route | undefined => {
  const parts = path.split('/').map(part => decodeURIComponent(part));
  if (parts[0] !== '') {
    return undefined;
  }
  if (parts.length === 2) {
    const name = monitoring.find(each => each === parts[1]);
    return name && {name};
  }
  const [, version, sites, siteId = '', third, branchId = '', fourth] = parts;
  if (`/${version}` !== versionPath || sites !== 'sites' || !isId(siteId)) {
    return undefined;
  }
  if (parts.length === 5) {
    const name = lists.find(each => each === third);
    return name && {name, siteId};
  }
  const isLog = parts.length === 7 && third === 'branches' && isId(branchId) && fourth === 'logs';
  return isLog ? {name: 'logs', siteId, branchId} : undefined;
};

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
