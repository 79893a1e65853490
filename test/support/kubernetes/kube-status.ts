import {qualifiedName} from './kube-object.ts';

/** The API's own word for a failure; most clients show `message`. */
export type KubeStatus = {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Readonly<Record<string, string>>;
  readonly status: 'Failure';
  readonly message: string;
  readonly reason: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly code: number;
};

/** A request is answered with this status. */
export class KubeFailure extends Error {
  readonly body: KubeStatus;

  constructor(body: KubeStatus) {
    super(body.message);
    this.body = body;
  }
}

type FailureExtra = {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, string>>;
};

export const makeStatus = (
  code: number,
  reason: string,
  message: string,
  {details, metadata = {}}: FailureExtra = {},
): KubeStatus => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata,
  status: 'Failure',
  message,
  reason,
  ...(details === undefined ? {} : {details}),
  code,
});

type Named = {readonly resource: string; readonly group: string; readonly name: string};

const detailsOf = ({resource, group, name}: Named): Readonly<Record<string, string>> => ({
  ...(name === '' ? {} : {name}),
  ...(group === '' ? {} : {group}),
  kind: resource,
});

export const notFound = (named: Named): KubeFailure =>
  new KubeFailure(
    makeStatus(404, 'NotFound', `${qualifiedName(named.resource, named.group)} "${named.name}" not found`, {
      details: detailsOf(named),
    }),
  );

export const badRequest = (message: string): KubeFailure => new KubeFailure(makeStatus(400, 'BadRequest', message));

export const unauthorized = (): KubeFailure => new KubeFailure(makeStatus(401, 'Unauthorized', 'Unauthorized'));

export const unknownResource = (): KubeFailure =>
  new KubeFailure(makeStatus(404, 'NotFound', 'the server could not find the requested resource', {details: {}}));

export const methodNotAllowed = (): KubeFailure =>
  new KubeFailure(
    makeStatus(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {
      details: {},
    }),
  );

type Attempt = Named & {
  readonly user: string;
  readonly verb: string;
  /** Empty, or `log`. */
  readonly subresource: string;
  /** Empty for a request over all namespaces. */
  readonly namespace: string;
};

/** What the RBAC authorizer's refusal says, word for word. */
export const forbidden = (attempt: Attempt): KubeFailure => {
  const {user, verb, resource, subresource, group, namespace, name} = attempt;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const named = name === '' ? '' : ` "${name}"`;
  return new KubeFailure(
    makeStatus(
      403,
      'Forbidden',
      `${qualifiedName(resource, group)}${named} is forbidden: User "${user}" cannot ${verb} resource "${what}" in API group "${group}" ${where}`,
      {details: detailsOf(attempt)},
    ),
  );
};

/** `etcd` no longer has that version: the client must list anew. */
export const tooOld = (asked: string, oldest: number): KubeStatus =>
  makeStatus(410, 'Expired', `too old resource version: ${asked} (${oldest})`);

/** A list's next page came too late. `token` goes on from the same place, at today's version. */
export const continueExpired = (token: string): KubeFailure =>
  new KubeFailure(
    makeStatus(
      410,
      'Expired',
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
      {metadata: {continue: token}},
    ),
  );
