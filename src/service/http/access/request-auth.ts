import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingHttpHeaders} from 'node:http';

export type Credentials = {
  /** Opens every site that has no token of its own. */
  readonly token: string;
  /** By site id: the only token that opens the site. */
  readonly siteTokens?: ReadonlyMap<string, string>;
  readonly tenant: string;
  readonly authMode: string;
};
/** `challenge`: value of the header www-authenticate (RFC 6750, section 3). */
export type Refusal = {readonly status: 401 | 403; readonly message: string; readonly challenge?: string};

// Hashes have one length, so that comparing them does not reveal the length of the token either.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value?.trim();

const challenge = 'Bearer realm="branchlog"';

const findTokenRefusal = (
  authorization: string | undefined,
  {token, siteTokens = new Map()}: Credentials,
  siteId: string,
): Refusal | undefined => {
  const bearer = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (bearer === undefined) {
    return {
      status: 401,
      message: 'The request has no bearer token: send it as "authorization: Bearer <token>".',
      challenge,
    };
  }
  const given = digest(bearer);
  const isGiven = (known: string): boolean => timingSafeEqual(given, digest(known));
  if (isGiven(siteTokens.get(siteId) ?? token)) {
    return undefined;
  }
  return [token, ...siteTokens.values()].some(isGiven)
    ? {status: 403, message: 'The bearer token does not open this site: use the one in its token file.'}
    : {
        status: 401,
        message: "The bearer token is not this service's: use the one in the service's token file.",
        challenge: `${challenge}, error="invalid_token"`,
      };
};

/**
 * Checks the headers of interface specification section 5. Returns undefined if they are correct. The message never
 * repeats what was sent: it may be a token in the wrong place.
 */
export const findRefusal = (
  headers: IncomingHttpHeaders,
  expected: Credentials,
  siteId: string,
): Refusal | undefined => {
  const refusal = findTokenRefusal(headers.authorization, expected, siteId);
  if (refusal) {
    return refusal;
  }
  const tenant = single(headers.tenant);
  if (tenant !== expected.tenant) {
    return {
      status: 403,
      message: tenant
        ? "The header tenant does not name this service's tenant."
        : 'The header tenant is missing: it names the organization.',
    };
  }
  const authMode = single(headers['auth-mode']);
  if (authMode !== expected.authMode) {
    return {
      status: 403,
      message: authMode
        ? 'The header auth-mode does not have the value that this service expects.'
        : 'The header auth-mode is missing: it names the way of logging in.',
    };
  }
  return undefined;
};
