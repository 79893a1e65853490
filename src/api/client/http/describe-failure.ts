import {maxHeaderSize, STATUS_CODES} from 'node:http';
import {TimeoutError} from 'got';
import {type TlsFault, tlsFaultOf} from '#base/error-code.ts';
import {parseRetryAfter} from '#base/retry-after.ts';
import {type Secret, secretMask} from '#base/secret.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {ApiError, type ApiErrorKind} from '../api-error.ts';
import type {Limits} from '../limits.ts';
import type {TokenProvider} from '../token.ts';

/** The facts that the error for an answer other than 2xx is made from. */
export type RefusedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Where the request went, for the message: `host` as in a URL, and the whole URL to resolve redirects against. */
  readonly host: string;
  readonly url: string;
  readonly tenant: string;
  /** The kind of thing that the address names, for a 404: "site" or "branch". */
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
  const said = readReason(headerOf(headers, reasonHeaderName), token);
  if (status >= 500) {
    const what = said === undefined ? `${host} answered ${named}` : `${said} (${status} by ${host})`;
    return refusal('server', `${what}${wait}`);
  }
  switch (status) {
    case 403:
      return refusal(
        'forbidden',
        said === undefined
          ? `not permitted for tenant ${tenant} (403 by ${host}): check the tenant, the auth mode and your rights`
          : `${said} (403 by ${host}): check the tenant and the auth mode`,
      );
    case 404:
      return refusal('notFound', `${host} knows no such ${subject} (404): is it gone?`);
    case 407:
      return refusal(
        'network',
        `the proxy ${answer.proxy ?? 'in between'} asks for a name and password (407): put them into its address`,
      );
    case 429:
      return refusal('tooManyRequests', `${host} received too many requests (429)${wait}`);
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

/** The facts that the message about a failure is made from. */
type FailureSurroundings = {
  /** Host and port of the service, as in a URL. */
  readonly host: string;
  readonly hostname: string;
  /** `host:port` of the proxy in use. */
  readonly proxy: string | undefined;
  readonly limits: Limits;
  /** Headers had arrived before it failed. */
  readonly hasAnswered: boolean;
};

/**
 * Returns the error for a request that got no complete answer. Messages of Node and got are not passed on and not kept
 * as `cause`: got's errors carry the request's headers, and so the token.
 */
export const describeFailure = (error: unknown, surroundings: FailureSurroundings): ApiError => {
  if (error instanceof ApiError) {
    return error;
  }
  if (error instanceof TimeoutError) {
    return new ApiError('timeout', describeTimeout(error.event, surroundings));
  }
  const facts = collectFacts(error);
  const tls = describeTls(facts, surroundings.hostname);
  return tls ? new ApiError('tls', tls) : new ApiError('network', describeNetwork(facts, surroundings));
};

type Facts = {
  readonly code: string;
  readonly address: string | undefined;
  readonly port: number | undefined;
  readonly status: number | undefined;
  /**
   * The server answered TLS with plain text. OpenSSL has no code for this case, so its message is inspected, but not
   * passed on.
   */
  readonly isPlainText: boolean;
};

/**
 * Returns the facts of the first error along the causes that has a useful code: got wraps Node's error, and Node wraps
 * one error for each address it tried.
 */
const collectFacts = (error: unknown): Facts => {
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    const inner: unknown = current instanceof AggregateError ? current.errors[0] : current.cause;
    const [code, address, port, statusCode] = ['code', 'address', 'port', 'statusCode'].map(readFrom(current));
    if (typeof code === 'string' && (!(inner instanceof Error) || address !== undefined)) {
      return {
        code,
        address: typeof address === 'string' ? address : undefined,
        port: typeof port === 'number' ? port : undefined,
        status: typeof statusCode === 'number' ? statusCode : undefined,
        isPlainText: /wrong version number|packet length too long|http request/.test(current.message),
      };
    }
    current = inner;
  }
  return {code: 'unknown error', address: undefined, port: undefined, status: undefined, isPlainText: false};
};

const readFrom =
  (error: Error) =>
  (field: string): unknown =>
    Reflect.get(error, field);

const seconds = (ms: number): string => `${ms / 1000} s`;

const describeTimeout = (event: string, {host, proxy, limits, hasAnswered}: FailureSurroundings): string => {
  const via = proxy ? ` (proxy ${proxy})` : '';
  switch (event) {
    case 'lookup':
      return `the name of ${host} was not resolved within ${seconds(limits.connectMs)}`;
    case 'connect':
    case 'secureConnect':
      return `no connection to ${host}${via} within ${seconds(limits.connectMs)}`;
    case 'response':
      return `no answer from ${host} within ${seconds(limits.headersMs)}`;
    case 'socket':
      return hasAnswered
        ? `the response from ${host} stalled for ${seconds(limits.idleMs)}`
        : `no answer from ${host} within ${seconds(limits.idleMs)}`;
    default:
      return `the response from ${host} was not complete within ${seconds(limits.requestMs)}`;
  }
};

const ownCa = 'if its authority is your own, name its certificate in the setting ca_file';

const certificateWords: Readonly<Partial<Record<TlsFault, string>>> = {
  expired: 'has expired: it must be renewed there;',
  notYetValid: "is not valid yet: check this machine's clock;",
  selfSigned: 'is self-signed:',
  unknownAuthority: 'is from an unknown authority:',
  otherHost: 'is for another host: check base_url;',
};

const describeTls = ({code, isPlainText}: Facts, hostname: string): string | undefined => {
  if (isPlainText && /^(?:EPROTO$|ERR_SSL_)/.test(code)) {
    return `${hostname} does not speak TLS there: is base_url an http address?`;
  }
  const fault = tlsFaultOf(code);
  const what = fault && certificateWords[fault];
  return what === undefined
    ? fault && `no secure connection to ${hostname} (${code}): ${ownCa}`
    : `the certificate of ${hostname} ${what} ${ownCa}`;
};

const describeNetwork = ({code, address, port, status}: Facts, surroundings: FailureSurroundings): string => {
  const {host, hostname, proxy, hasAnswered} = surroundings;
  const tried = address && port ? `${address}:${port}` : undefined;
  const [target, targetName] = proxy ? [`the proxy ${proxy}`, proxy] : [host, hostname];
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
    case 'EAI_NODATA':
      return `cannot resolve ${proxy ? target : targetName}`;
    case 'ECONNREFUSED':
      return `${target} refused the connection${tried === undefined || target.endsWith(tried) ? '' : ` (${tried})`}`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
    case 'EHOSTDOWN':
    case 'ENETDOWN':
      return `${target} is unreachable (${code})`;
    case 'ETIMEDOUT':
      return `no connection to ${target} (ETIMEDOUT)`;
    case 'ENOENT':
      return `there is no socket ${target}: is the service running?`;
    case 'EACCES':
    case 'EPERM':
      if (target.startsWith('/')) {
        return `this user may not use the socket ${target} (${code}): its owner and its group may`;
      }
      return `this machine blocks connections to ${target} (${code}): a firewall?`;
    case 'ERR_PROXY_TUNNEL':
      return status === 407
        ? `${target} asks for a name and password (407): put them into its address`
        : `${target} refused to connect to ${host} (${status ?? 'no status'})`;
    case 'ERR_PROXY_INVALID_CONFIG':
    case 'ERR_INVALID_URL':
      return 'the address of the proxy cannot be read: it must be like http://proxy.example:3128';
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
    case 'ERR_STREAM_PREMATURE_CLOSE':
    case 'ERR_HTTP_CONTENT_LENGTH_MISMATCH':
    case 'ERR_READING_RESPONSE_STREAM':
      return hasAnswered
        ? `the response from ${host} was cut short (${code})`
        : `${target} closed the connection (${code})`;
    case 'HPE_HEADER_OVERFLOW':
      return `the response from ${host} has more than ${maxHeaderSize / 1024} kB of headers: a proxy that sets cookies?`;
    default:
      if (code.startsWith('HPE_')) {
        return `${target} answered with something that is not HTTP (${code})`;
      }
      return /^(?:Z_|ERR_BROTLI|ERR__ERROR_|ERR_ZSTD|ZSTD_)/.test(code)
        ? `the response from ${host} is compressed and damaged (${code})`
        : `the request to ${host} failed (${code})`;
  }
};
