import type {IncomingMessage} from 'node:http';
import type {Http2ServerRequest} from 'node:http2';
import {TLSSocket} from 'node:tls';
import {forbidden} from '../kube-status.ts';

export type Action = {
  readonly verb: string;
  /** Empty for the core group. */
  readonly group: string;
  /** `pods`, or with its subresource `pods/log`. */
  readonly resource: string;
  /** Empty for all namespaces. */
  readonly namespace: string;
};

/** Allows what all of its lists hold; `*` holds anything, and a rule without namespaces is for all of them. */
export type Rule = {
  readonly verbs: readonly string[];
  readonly resources: readonly string[];
  readonly namespaces?: readonly string[];
};

export type User = {readonly name: string; readonly groups: readonly string[]};

export type KubeRequest = IncomingMessage | Http2ServerRequest;

export type Access = {
  /** The user of a request's bearer token or client certificate; undefined for neither, or one that no longer counts. */
  identify(request: KubeRequest): User | undefined;
  isAllowed(user: User, action: Action): boolean;
  /** Lets a token in, until it is revoked or that time (ms since the epoch) has come. */
  addToken(token: string, userName: string, expiresAtMs?: number): void;
  /** Open streams outlive their token, as with the real server. */
  revokeToken(token: string): void;
  /** Makes a new token for the same user and revokes the old one, unless that stays for a while as well. */
  rotateToken(token: string, options?: {readonly keepsOld?: boolean}): string;
  /** Replaces what a user may do; `undefined` lets them do everything again. */
  setRules(userName: string, rules: readonly Rule[] | undefined): void;
};

/** Of the form of a ServiceAccount's token: three base64url parts. */
export const makeToken = (userName: string, serial: number): string =>
  [
    {alg: 'RS256', kid: 'double'},
    {iss: 'https://kubernetes.default.svc.cluster.local', sub: userName, jti: serial},
  ]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat(Buffer.from(`signature ${serial}`).toString('base64url'))
    .join('.');

const holds = (list: readonly string[], value: string): boolean => list.includes('*') || list.includes(value);

const certificateUser = (request: KubeRequest): User | undefined => {
  const {socket} = 'stream' in request ? {socket: request.stream.session?.socket} : request;
  if (!(socket instanceof TLSSocket) || !socket.authorized) {
    return undefined;
  }
  const {subject} = socket.getPeerCertificate();
  const name = [subject?.CN ?? []].flat()[0];
  return name === undefined ? undefined : {name, groups: [subject?.O ?? []].flat()};
};

export const createAccess = (): Access => {
  const tokens = new Map<string, {readonly userName: string; readonly expiresAtMs: number}>();
  const rules = new Map<string, readonly Rule[]>();
  let serial = 0;

  return {
    identify: request => {
      const header = request.headers.authorization;
      if (header === undefined) {
        return certificateUser(request);
      }
      const token = tokens.get(header.replace(/^Bearer /i, ''));
      return token === undefined || token.expiresAtMs <= Date.now()
        ? undefined
        : {name: token.userName, groups: ['system:authenticated']};
    },
    isAllowed: (user, {verb, resource, namespace}) => {
      const mine = rules.get(user.name);
      return (
        mine === undefined ||
        mine.some(
          rule =>
            holds(rule.verbs, verb) &&
            holds(rule.resources, resource) &&
            (rule.namespaces === undefined || rule.namespaces.includes(namespace)),
        )
      );
    },
    addToken: (token, userName, expiresAtMs = Number.POSITIVE_INFINITY) => {
      tokens.set(token, {userName, expiresAtMs});
    },
    revokeToken: token => {
      tokens.delete(token);
    },
    rotateToken: (token, {keepsOld = false} = {}) => {
      const held = tokens.get(token);
      if (held === undefined) {
        throw new Error('That token is not known, so it cannot be rotated.');
      }
      serial += 1;
      const next = makeToken(held.userName, serial);
      tokens.set(next, held);
      if (!keepsOld) {
        tokens.delete(token);
      }
      return next;
    },
    setRules: (userName, next) => {
      if (next === undefined) {
        rules.delete(userName);
      } else {
        rules.set(userName, next);
      }
    },
  };
};

/** Each line of a header; Node joins those of the same name. */
const linesOf = (request: KubeRequest, name: string): readonly string[] => {
  const raw = request.rawHeaders;
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);
};

/**
 * Returns the user that a request acts as: by Impersonate-User and its like, if that is allowed. Throws the refusal.
 * Source: `staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation.go`.
 */
export const impersonate = (access: Access, request: KubeRequest, user: User): User => {
  const [name] = linesOf(request, 'impersonate-user');
  const groups = linesOf(request, 'impersonate-group');
  if (name === undefined) {
    return user;
  }
  const wanted = [['users', name] as const, ...groups.map(group => ['groups', group] as const)];
  for (const [resource, each] of wanted) {
    if (!access.isAllowed(user, {verb: 'impersonate', group: '', resource, namespace: ''})) {
      throw forbidden({
        user: user.name,
        verb: 'impersonate',
        resource,
        subresource: '',
        group: '',
        namespace: '',
        name: each,
      });
    }
  }
  return {name, groups: [...groups, 'system:authenticated']};
};

/** What a SelfSubjectAccessReview asks about. */
type ReviewedAccess = {
  readonly apiVersion: string;
  readonly attributes: Readonly<Record<string, string>>;
};

type Field = {readonly number: number; readonly bytes: Buffer};

/** The fields of a protobuf message that have a length: strings and messages. Numbers are passed over. */
const readFields = (message: Buffer): readonly Field[] => {
  const fields: Field[] = [];
  let index = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[index] ?? 0;
      index += 1;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) {
        return value;
      }
    }
  };
  while (index < message.length) {
    const tag = readVarint();
    const value = readVarint();
    if (tag % 8 === 2) {
      fields.push({number: Math.floor(tag / 8), bytes: message.subarray(index, index + value)});
      index += value;
    }
  }
  return fields;
};

const fieldOf = (message: Buffer, number: number): Buffer =>
  readFields(message).find(field => field.number === number)?.bytes ?? Buffer.alloc(0);

/** Kubernetes puts these bytes before its protobuf messages. */
const protobufMagic = Buffer.from('k8s\0');

/** Field numbers of `ResourceAttributes` in authorization/v1/generated.proto. */
const attributeNumbers = {namespace: 1, verb: 2, group: 3, version: 4, resource: 5, subresource: 6, name: 7};

/** Reads a review as kubectl sends it: JSON, or since 1.32 protobuf. */
export const readAccessReview = (body: Buffer): ReviewedAccess => {
  if (!body.subarray(0, 4).equals(protobufMagic)) {
    const review = JSON.parse(body.toString()) as {
      readonly apiVersion?: string;
      readonly spec?: {readonly resourceAttributes?: Readonly<Record<string, string>>};
    };
    return {
      apiVersion: review.apiVersion ?? 'authorization.k8s.io/v1',
      attributes: review.spec?.resourceAttributes ?? {},
    };
  }
  const envelope = body.subarray(4);
  const attributes = fieldOf(fieldOf(fieldOf(envelope, 2), 2), 1);
  return {
    apiVersion: fieldOf(fieldOf(envelope, 1), 1).toString(),
    attributes: Object.fromEntries(
      Object.entries(attributeNumbers).map(([name, number]) => [name, fieldOf(attributes, number).toString()]),
    ),
  };
};
