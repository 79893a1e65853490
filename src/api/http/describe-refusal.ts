import {STATUS_CODES} from 'node:http';
import {type Secret, secretMask} from '../../base/secret.ts';
import {sanitise} from '../../log/text/sanitise.ts';
import {ApiError} from '../api-error.ts';
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
  const retryAfterMs = parseRetryAfter(headerOf(headers, 'retry-after'), nowMs);
  const wait = retryAfterMs === undefined ? '' : `, and asks to wait ${Math.round(retryAfterMs / 1000)} s`;
  const reason = STATUS_CODES[status];
  const named = reason ? `${status} (${reason})` : String(status);
  if (status >= 300 && status < 400 && status !== 304) {
    return new ApiError('redirect', describeRedirect(answer, named), {status});
  }
  if (status === 403) {
    return new ApiError(
      'forbidden',
      `not permitted for tenant ${tenant} (403 by ${host}): check the tenant and your rights`,
      {
        status,
      },
    );
  }
  if (status === 404) {
    return new ApiError('notFound', `${host} knows no such ${subject} (404): is it gone?`, {status});
  }
  if (status === 407) {
    const proxy = answer.proxy ?? 'in between';
    return new ApiError('network', `the proxy ${proxy} asks for a name and password (407): put them into its address`, {
      status,
    });
  }
  if (status === 429) {
    return new ApiError('tooManyRequests', `${host} got too many requests (429)${wait}`, {status, retryAfterMs});
  }
  if (status >= 500) {
    const said = readReason(headerOf(headers, reasonHeaderName), token);
    if (said !== undefined) {
      return new ApiError('server', `${said} (${status} by ${host})${wait}`, {status, retryAfterMs});
    }
    return new ApiError('server', `${host} answered ${named}${wait}`, {status, retryAfterMs});
  }
  return new ApiError('notInterface', `${host} answered ${named}, which the interface does not have`, {status});
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
