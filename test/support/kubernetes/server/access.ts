import type {IncomingMessage} from 'node:http';
import type {Http2ServerRequest} from 'node:http2';
import {TLSSocket} from 'node:tls';

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
