import {fieldOfKey} from '../fields/field-keys.ts';
import type {LaidPart} from './laid-row.ts';
import {bytesPart, type RequestParts, secondsPart} from './lay-out-request.ts';
import type {LaidField} from './read-fields.ts';

type Role = 'status' | 'method' | 'path' | 'request' | 'bytes' | 'seconds' | 'client';

/**
 * How nginx, Caddy, Traefik, Heroku, pino-http and Google Cloud name them, besides the names that `fieldOfKey` knows;
 * lower case.
 */
const keysOfRoles: Readonly<Record<Role, string>> = {
  status: 'downstreamstatus res.statuscode response.status httprequest.status',
  method: 'request.method requestmethod req.method httprequest.requestmethod',
  path: 'request.uri requestpath req.url httprequest.requesturl',
  request: 'request',
  bytes: 'body_bytes_sent bytes_sent bytes downstreamcontentsize',
  seconds: 'request_time',
  client: 'request.remote_ip clienthost req.remoteaddress httprequest.remoteip',
};

const roleOfKnownKey: ReadonlyMap<string, Role> = new Map(
  Object.entries(keysOfRoles).flatMap(([role, keys]) => keys.split(' ').map(key => [key, role as Role] as const)),
);

const roles: ReadonlySet<string> = new Set(Object.keys(keysOfRoles));
const isRole = (name: string | undefined): name is Role => name !== undefined && roles.has(name);

const roleOf = ({key}: LaidField): Role | undefined => {
  const name = roleOfKnownKey.get(key.text.toLowerCase()) ?? fieldOfKey(key.text);
  return isRole(name) ? name : undefined;
};

const statusForm = /^[1-5]\d\d$/;
const methodForm = /^[A-Z]{3,16}$/;
const pathForm = /^(?:[/*]|https?:)/;
const requestForm = /^([A-Z]{3,16}) (\S+)(?: \S{1,16})?$/d;

/** Splits `GET /cart HTTP/1.1`. Undefined if it is none, or if it is written with escapes. */
const splitRequest = (
  received: string,
  {value}: LaidField,
): {readonly method: LaidPart; readonly path: LaidPart} | undefined => {
  const indices = requestForm.exec(received.slice(value.start, value.end))?.indices;
  const [method, path] = [indices?.[1], indices?.[2]];
  return method === undefined || path === undefined || received.slice(value.start, value.end) !== value.text
    ? undefined
    : {
        method: {start: value.start + method[0], end: value.start + method[1]},
        path: {start: value.start + path[0], end: value.start + path[1]},
      };
};

/**
 * Finds the fields of a record that say what a web server was asked and answered: a status, a method and a path at
 * least. Returns undefined for a record of anything else.
 */
export const findRequestFields = (
  received: string,
  fields: readonly LaidField[],
): {readonly parts: RequestParts; readonly used: readonly LaidField[]} | undefined => {
  const found: Partial<Record<Role, LaidField>> = {};
  for (const field of fields) {
    const role = roleOf(field);
    if (role !== undefined) {
      found[role] ??= field;
    }
  }
  const {status, request, bytes, seconds, client} = found;
  if (status === undefined || !statusForm.test(status.value.text)) {
    return undefined;
  }
  const split = request && splitRequest(received, request);
  const method = split?.method ?? found.method?.value;
  const path = split?.path ?? found.path?.value;
  const isRequest =
    split !== undefined ||
    (methodForm.test(found.method?.value.text ?? '') && pathForm.test(found.path?.value.text ?? ''));
  if (!isRequest || method === undefined || path === undefined) {
    return undefined;
  }
  const sent = bytes && bytesPart(received, bytes.value);
  const taken = seconds && secondsPart(received, seconds.value);
  const used = [
    status,
    ...(split === undefined ? [found.method, found.path] : [request]),
    sent && bytes,
    taken && seconds,
    client,
  ];
  return {
    parts: {status: status.value, method, path, bytes: sent, seconds: taken, client: client?.value},
    used: used.filter(field => field !== undefined),
  };
};
