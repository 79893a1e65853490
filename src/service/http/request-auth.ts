import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingHttpHeaders} from 'node:http';

export type Credentials = {
  /** Opens every site that has no token of its own, and the metrics. */
  readonly token: string;
  /** By site id: the only token that opens the site. */
  readonly siteTokens?: ReadonlyMap<string, string>;
  /** Opens the metrics and nothing else. */
  readonly metricsToken?: string | undefined;
  readonly tenant: string;
  readonly authMode: string;
};

/** `challenge`: value of the header www-authenticate (RFC 6750, section 3). */
export type Refusal = {
  readonly status: 401 | 403;
  readonly reason: 'no_token' | 'wrong_token' | 'other_token' | 'tenant' | 'auth_mode';
  readonly message: string;
  readonly challenge?: string;
};

/** Whether a request is answered, and which token it has: `service`, `metrics` or `site ID`. */
export type Judgement = {readonly tokenName?: string; readonly refusal?: Refusal};

// Hashes have one length, so that comparing them does not reveal the length of the token either.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value?.trim();

const challenge = 'Bearer realm="branchlog"';

const siteTokenName = (siteId: string): string => `site ${siteId}`;

/** Requires the token of one of these names. */
const judgeToken = (
  {authorization}: IncomingHttpHeaders,
  {token, metricsToken, siteTokens = new Map()}: Credentials,
  openingNames: readonly string[],
): Judgement => {
  const bearer = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (bearer === undefined) {
    const message = 'The request has no bearer token: send it as "authorization: Bearer <token>".';
    return {refusal: {status: 401, reason: 'no_token', message, challenge}};
  }
  const given = digest(bearer);
  const known: readonly (readonly [string, string])[] = [
    ['service', token],
    ...(metricsToken === undefined ? [] : [['metrics', metricsToken] as const]),
    ...[...siteTokens].map(([siteId, siteToken]) => [siteTokenName(siteId), siteToken] as const),
  ];
  const names = known.filter(([, each]) => timingSafeEqual(given, digest(each))).map(([name]) => name);
  const [tokenName] = names;
  if (tokenName === undefined) {
    const message = "The bearer token is not this service's: use the one in the service's token file.";
    return {
      refusal: {status: 401, reason: 'wrong_token', message, challenge: `${challenge}, error="invalid_token"`},
    };
  }
  const opening = names.find(name => openingNames.includes(name));
  if (opening === undefined) {
    const message = 'The bearer token is not valid here: use the one in its token file.';
    return {tokenName, refusal: {status: 403, reason: 'other_token', message}};
  }
  return {tokenName: opening};
};

/** Checks the token of a request for the metrics: that of the service, or one for them alone. */
export const judgeMetricsRequest = (headers: IncomingHttpHeaders, expected: Credentials): Judgement =>
  judgeToken(headers, expected, ['service', 'metrics']);

/**
 * Checks the headers of interface specification section 5. The message of a refusal never repeats what was sent: it may
 * be a token in the wrong place.
 */
export const judgeRequest = (headers: IncomingHttpHeaders, expected: Credentials, siteId: string): Judgement => {
  const hasOwnToken = expected.siteTokens?.has(siteId) ?? false;
  const judgement = judgeToken(headers, expected, [hasOwnToken ? siteTokenName(siteId) : 'service']);
  if (judgement.refusal) {
    return judgement;
  }
  const tenant = single(headers.tenant);
  if (tenant !== expected.tenant) {
    const message = tenant
      ? "The header tenant does not name this service's tenant."
      : 'The header tenant is missing: it names the organization.';
    return {...judgement, refusal: {status: 403, reason: 'tenant', message}};
  }
  const authMode = single(headers['auth-mode']);
  if (authMode !== expected.authMode) {
    const message = authMode
      ? 'The header auth-mode does not have the value that this service expects.'
      : 'The header auth-mode is missing: it names the way of logging in.';
    return {...judgement, refusal: {status: 403, reason: 'auth_mode', message}};
  }
  return judgement;
};

/** Headers that must stand alone: which of two counts would be told differently by a proxy. */
const singleHeaders = ['authorization', 'host'];

/** Returns the name of a header that the request has twice though it must not. */
export const findRepeatedHeader = (rawHeaders: readonly string[]): string | undefined => {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map(name => name.toLowerCase());
  return singleHeaders.find(name => names.indexOf(name) !== names.lastIndexOf(name));
};
