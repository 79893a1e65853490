import {gzipSync} from 'node:zlib';
import {type KubeObject, kubeResources, type ResourceName} from '../kube-object.ts';
import {
  forbidden,
  KubeFailure,
  makeStatus,
  methodNotAllowed,
  notFound,
  unauthorized,
  unknownResource,
} from '../kube-status.ts';
import type {KubeResponse} from '../listener/open-listener.ts';
import {writeHead} from '../listener/write-head.ts';
import type {ObjectStore} from '../world/object-store.ts';
import {type Access, impersonate, type KubeRequest, readAccessReview, type User} from './access.ts';
import {discover, makeTable} from './discovery.ts';
import {readTarget, type Target} from './read-target.ts';
import {apiVersionOf, type Lists} from './serve-list.ts';
import {type LogService, serveLog} from './serve-log.ts';
import {type EventShape, serveWatch, type WatchEvent, type WatchService} from './serve-watch.ts';

export type RecordedKubeRequest = {
  readonly method: string;
  /** With its query, not decoded. */
  readonly path: string;
  /** Who is acted as, if that is allowed; else who is logged in. */
  readonly user: string | undefined;
  /** `1.1` or `2.0`. */
  readonly httpVersion: string;
  readonly atMs: number;
  /** The bearer token, for tests of rotation. */
  readonly token: string | undefined;
};

export type Throttle = {
  /** Lists and watches that are still refused with 429. */
  refusals: number;
  retryAfterSeconds: number;
};

export type ApiServer = {
  readonly store: ObjectStore;
  readonly lists: Lists;
  readonly access: Access;
  readonly log: LogService;
  readonly watch: WatchService;
  readonly throttle: Throttle;
  readonly requests: RecordedKubeRequest[];
  /** Of the version that the double says it is: 1.MINOR. */
  readonly minor: number;
  /** Custom resources that are not installed. */
  readonly lacks: ReadonlySet<ResourceName>;
  /** Lists wait until this is resolved, so that a test sees how many come at once. */
  hold: {until: Promise<void> | undefined; readonly waiting: Set<string>};
  /** A status for every request while the API server is down; undefined while it is up. */
  outage: {status: number | undefined};
};

/** Requests kept for tests to look at; a soak makes more. */
const requestsMax = 20_000;

/** Larger answers are compressed for clients that take gzip, as by the feature APIResponseCompression. */
const gzipFromBytes = 128 * 1024;

const sendJson = (response: KubeResponse, code: number, body: unknown): void => {
  const headers = {'content-type': 'application/json', 'cache-control': 'no-cache, private'};
  const bytes = Buffer.from(`${JSON.stringify(body)}\n`);
  const {'accept-encoding': encodings = ''} = response.req.headers;
  if (bytes.length > gzipFromBytes && String(encodings).includes('gzip')) {
    writeHead(response, code, {...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding'});
    response.end(gzipSync(bytes, {level: 1}));
  } else {
    writeHead(response, code, headers);
    response.end(bytes);
  }
};

const sendText = (
  response: KubeResponse,
  code: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void => {
  writeHead(response, code, {'content-type': 'text/plain; charset=utf-8', ...headers});
  response.end(text);
};

/** The version of Table that the client would rather have, or undefined for plain JSON. */
const tableVersion = (accept: string): string | undefined => {
  const wanted = accept.split(',').find(part => /as=Table|application\/json|\*\/\*/.test(part)) ?? '';
  return /as=Table/.test(wanted) ? (/v=(v1beta1|v1)/.exec(wanted)?.[1] ?? 'v1') : undefined;
};

const authorize = (server: ApiServer, user: User, target: Target, verb: string): void => {
  const {resource, group, subresource, namespace, name} = target;
  const action = {verb, group, resource: subresource === '' ? resource : `${resource}/${subresource}`, namespace};
  if (!server.access.isAllowed(user, action)) {
    throw forbidden({user: user.name, verb, resource, subresource, group, namespace, name});
  }
};

const readBody = async (request: KubeRequest): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) {
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
};

/** POST of a SelfSubjectAccessReview, by which a client asks what it may do. */
const reviewAccess = async (
  server: ApiServer,
  user: User,
  request: KubeRequest,
  response: KubeResponse,
): Promise<void> => {
  const {apiVersion, attributes} = readAccessReview(await readBody(request));
  const {verb = '', group = '', resource = '', subresource = '', namespace = ''} = attributes;
  const allowed = server.access.isAllowed(user, {
    verb,
    group,
    resource: subresource === '' ? resource : `${resource}/${subresource}`,
    namespace,
  });
  sendJson(response, 201, {
    kind: 'SelfSubjectAccessReview',
    apiVersion,
    metadata: {creationTimestamp: null},
    spec: {resourceAttributes: attributes},
    status: allowed ? {allowed, reason: 'RBAC: allowed by RoleBinding "reader"'} : {allowed},
  });
};

const watchShape = (target: Target, version: string | undefined, include: string): EventShape => {
  let hasColumns = true;
  return (event: WatchEvent) => {
    if (version === undefined || event.type === 'ERROR') {
      return event;
    }
    const object = event.object as KubeObject;
    const isBookmark = event.type === 'BOOKMARK';
    const table = makeTable({
      resource: target.resource,
      objects: isBookmark ? [] : [object],
      metadata: {resourceVersion: object.metadata.resourceVersion},
      nowMs: Date.now(),
      include,
      version,
      hasColumns,
    });
    hasColumns = false;
    return {type: event.type, object: table};
  };
};

const serveObjects = (
  server: ApiServer,
  target: Target,
  params: URLSearchParams,
  accept: string,
  response: KubeResponse,
  user: User,
): void => {
  const isWatch = target.name === '' && ['true', '1'].includes(params.get('watch') ?? '');
  authorize(server, user, target, target.name !== '' ? 'get' : isWatch ? 'watch' : 'list');
  const version = tableVersion(accept);
  const include = params.get('includeObject') ?? 'Metadata';
  if (target.subresource === 'log') {
    const {namespace, name: podName} = target;
    serveLog(server.log, {namespace, podName, user: user.name, params}, response);
    return;
  }
  if (target.name === '' && server.throttle.refusals > 0) {
    server.throttle.refusals -= 1;
    sendText(response, 429, 'Too many requests, please try again later.\n', {
      'retry-after': String(server.throttle.retryAfterSeconds),
    });
    return;
  }
  if (isWatch) {
    serveWatch(server.watch, target, params, response, user.name, watchShape(target, version, include));
    return;
  }
  const asTable = (objects: readonly KubeObject[], metadata: Readonly<Record<string, unknown>>): unknown =>
    makeTable({
      resource: target.resource,
      objects: objects.map(object => ({
        ...object,
        apiVersion: apiVersionOf(target.resource),
        kind: kubeResources[target.resource].kind,
      })),
      metadata,
      nowMs: Date.now(),
      include,
      version: version ?? 'v1',
      hasColumns: true,
    });
  if (target.name !== '') {
    const object = server.store.get(target.resource, target.namespace, target.name);
    if (object === undefined) {
      throw notFound(target);
    }
    const {resourceVersion} = object.metadata;
    sendJson(response, 200, version === undefined ? object : asTable([object], {resourceVersion}));
    return;
  }
  const list = server.lists.serve(target, params);
  sendJson(response, 200, version === undefined ? list : asTable(list.items, list.metadata));
};

const serve = async (
  server: ApiServer,
  request: KubeRequest,
  response: KubeResponse,
  login: User | undefined,
  recorded: {user: string | undefined},
): Promise<void> => {
  const {pathname, searchParams} = new URL(request.url ?? '/', 'http://double');
  if (server.outage.status !== undefined) {
    sendText(response, server.outage.status, 'upstream connect error or disconnect/reset before headers\n');
    return;
  }
  if (['/healthz', '/livez', '/readyz'].includes(pathname)) {
    sendText(response, 200, 'ok');
    return;
  }
  if (login === undefined) {
    throw unauthorized();
  }
  const user = impersonate(server.access, request, login);
  recorded.user = user.name;
  if (
    request.method === 'POST' &&
    /^\/apis\/authorization\.k8s\.io\/v1(?:beta1)?\/selfsubjectaccessreviews$/.test(pathname)
  ) {
    await reviewAccess(server, user, request, response);
    return;
  }
  const found = discover(pathname, server.minor, server.lacks);
  if (found !== undefined) {
    sendJson(response, 200, found);
    return;
  }
  const target = readTarget(pathname, server.lacks);
  if (target === undefined) {
    if (/^\/apis?\//.test(pathname)) {
      throw unknownResource();
    }
    sendText(response, 404, '404 page not found\n');
    return;
  }
  if (request.method !== 'GET') {
    throw methodNotAllowed();
  }
  if (server.hold.until !== undefined && target.name === '' && !searchParams.has('watch')) {
    server.hold.waiting.add(pathname);
    await server.hold.until;
    server.hold.waiting.delete(pathname);
  }
  serveObjects(server, target, searchParams, request.headers.accept ?? '', response, user);
};

/** Answers one request to the API server. */
export const handleRequest = (server: ApiServer, request: KubeRequest, response: KubeResponse): void => {
  const user = server.access.identify(request);
  const recorded = {
    method: request.method ?? '',
    path: request.url ?? '',
    user: user?.name,
    httpVersion: request.httpVersion,
    atMs: Date.now(),
    token: request.headers.authorization?.replace(/^Bearer /i, ''),
  };
  server.requests.push(recorded);
  if (server.requests.length > requestsMax) {
    server.requests.splice(0, requestsMax / 2);
  }
  serve(server, request, response, user, recorded).catch((error: unknown) => {
    const body =
      error instanceof KubeFailure
        ? error.body
        : makeStatus(500, 'InternalError', `Internal error occurred: ${String(error)}`);
    if (response.headersSent) {
      response.end();
    } else {
      sendJson(response, body.code, body);
    }
  });
};
