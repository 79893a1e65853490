import {STATUS_CODES} from 'node:http';
import {type Secret, secretMask} from '#base/secret.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {ApiError, type ApiErrorKind} from '../client/api-error.ts';
import type {TokenProvider} from '../client/token.ts';
import {parseRetryAfter} from './retry-after.ts';

/** What the error for an answer other than 2xx is made from. */
export type RefusedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Where the request went, for the message: `host` as in a URL, and the whole URL to resolve redirects against. */
  readonly host: string;
  readonly url: string;
  readonly tenant: string;
  /** What the address names, for a 404: "site" or "branch". */
  readonly subject: string;
  readonly proxy: string | undefined;
  /** The token that was sent, to be masked where the answer repeats it. */
  readonly token: Secret;
  /** The service's clock, or ours if it sent none; milliseconds since 1970. */
  readonly nowMs: number;
};

/** The header in which `branchlog serve` says why it has no answer, percent-encoded. */
const reasonHeaderName = 'branchlog-reason';
/** A longer one would be no sentence. */
const reasonCharsMax = 600;

const headerOf = (headers: RefusedAnswer['headers'], name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/**
 * Returns the error for every status except 2xx and 401, which also needs the state of the token. Never looks at
 * bodies.
 */
export const describeRefusal = (answer: RefusedAnswer): ApiError => {
  const {status, headers, host, tenant, subject, token, nowMs} = answer;
  const maySayWhen = status === 429 || status >= 500;
  const retryAfterMs = maySayWhen ? parseRetryAfter(headerOf(headers, 'retry-after'), nowMs) : undefined;
  const wait = retryAfterMs === undefined ? '' : `, and asks to wait ${Math.round(retryAfterMs / 1000)} s`;
  const reason = STATUS_CODES[status];
  const named = reason ? `${status} (${reason})` : String(status);
  const refusal = (kind: ApiErrorKind, message: string) => new ApiError(kind, message, {status, retryAfterMs});
  if (status >= 300 && status < 400 && status !== 304) {
    return refusal('redirect', describeRedirect(answer, named));
  }
  if (status >= 500) {
    const said = readReason(headerOf(headers, reasonHeaderName), token);
    const what = said === undefined ? `${host} answered ${named}` : `${said} (${status} by ${host})`;
    return refusal('server', `${what}${wait}`);
  }
  switch (status) {
    case 403:
      return refusal(
        'forbidden',
        `not permitted for tenant ${tenant} (403 by ${host}): check the tenant and your rights`,
      );
    case 404:
      return refusal('notFound', `${host} knows no such ${subject} (404): is it gone?`);
    case 407:
      return refusal(
        'network',
        `the proxy ${answer.proxy ?? 'in between'} asks for a name and password (407): put them into its address`,
      );
    case 429:
      return refusal('tooManyRequests', `${host} got too many requests (429)${wait}`);
    default:
      return refusal('notInterface', `${host} answered ${named}, which the interface does not have`);
  }
};

/** Returns the sentence without its full stop, safe to show; undefined if there is none or it cannot be read. */
const readReason = (header: string | undefined, token: Secret): string | undefined => {
  try {
    const text = maskToken(decodeURIComponent(header ?? ''), token).slice(0, reasonCharsMax);
    return sanitise(text).replace(/\.$/, '') || undefined;
  } catch {
    return undefined;
  }
};

/** Ignores case, because a host's name is in lower case. Of a token's characters, only `.` and `+` need escaping. */
const maskToken = (text: string, token: Secret): string =>
  text.replace(new RegExp(token.reveal().replace(/[.+]/g, '\\$&'), 'gi'), secretMask);

/** `javascript:` */
const schemeCharsMax = 11;

/** Names only the target's host: a login page's address may carry a ticket. */
const describeRedirect = ({headers, host, url, token}: RefusedAnswer, named: string): string => {
  const location = headerOf(headers, 'location');
  const target = location === undefined ? null : URL.parse(location, url);
  const to = target === null ? undefined : target.host || `an address of ${target.protocol.slice(0, schemeCharsMax)}`;
  const where = to === undefined ? 'without a target' : `to ${maskToken(to, token)}`;
  return `${host} answered ${named} ${where}, which is not followed: check base_url`;
};

/**
 * Returns the error for a 401 that rereading the token did not fix: "expired" if its `exp` is before the service's
 * clock, otherwise "rejected". `nowMs` is that clock, if the service sent it; `detail` is a notice from the token's
 * provider about its source.
 */
export const describeUnauthorised = (
  token: TokenProvider,
  host: string,
  nowMs: number,
  detail: string | undefined,
): ApiError => {
  const expiresAtMs = token.expiresAtMs();
  const what =
    expiresAtMs !== undefined && expiresAtMs <= nowMs
      ? `token expired at ${new Date(expiresAtMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`
      : 'token rejected';
  const more = detail === undefined ? '' : ` (${detail})`;
  return new ApiError('unauthorised', `${what} (401 by ${host}): replace the one in ${token.describe()}${more}`, {
    status: 401,
  });
};
