import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingHttpHeaders} from 'node:http';

export type Credentials = {readonly token: string; readonly tenant: string; readonly authMode: string};
export type Refusal = {readonly status: 401 | 403; readonly message: string};

// Hashes have one length, so that comparing them does not reveal the length of the token either.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const equalInConstantTime = (left: string, right: string): boolean => timingSafeEqual(digest(left), digest(right));

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value?.trim();

/**
 * Checks the headers of interface specification section 5. Returns undefined if they are correct. The message never
 * repeats what was sent: it may be a token in the wrong place.
 */
export const findRefusal = (headers: IncomingHttpHeaders, expected: Credentials): Refusal | undefined => {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer === undefined) {
    return {status: 401, message: 'The request has no bearer token: send it as "authorization: Bearer <token>".'};
  }
  if (!equalInConstantTime(bearer, expected.token)) {
    return {status: 401, message: "The bearer token is not this service's: use the one in the service's token file."};
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
