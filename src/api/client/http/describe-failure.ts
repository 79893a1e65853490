import {maxHeaderSize} from 'node:http';
import {TimeoutError} from 'got';
import {type TlsFault, tlsFaultOf} from '#base/error-code.ts';
import {ApiError} from '../api-error.ts';
import type {Limits} from '../limits.ts';

/** What the message about a failure is made from. */
export type FailureSurroundings = {
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
        ? `the answer of ${host} stalled for ${seconds(limits.idleMs)}`
        : `no answer from ${host} within ${seconds(limits.idleMs)}`;
    default:
      return `the answer of ${host} was not complete within ${seconds(limits.requestMs)}`;
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
        : `${target} gave no way to ${host} (${status ?? 'no status'})`;
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
        ? `the answer of ${host} was cut short (${code})`
        : `${target} closed the connection (${code})`;
    case 'HPE_HEADER_OVERFLOW':
      return `the answer of ${host} has more than ${maxHeaderSize / 1024} kB of headers: a proxy that sets cookies?`;
    default:
      if (code.startsWith('HPE_')) {
        return `${target} answered something that is not HTTP (${code})`;
      }
      return /^(?:Z_|ERR_BROTLI|ERR__ERROR_|ERR_ZSTD|ZSTD_)/.test(code)
        ? `the answer of ${host} is compressed and damaged (${code})`
        : `the request to ${host} failed (${code})`;
  }
};
