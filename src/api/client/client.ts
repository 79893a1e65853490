import type {IncomingHttpHeaders} from 'node:http';
import {serviceAddress} from '#base/service-address.ts';
import type {UnreadLog} from '#log/line/unread.ts';
import type {ReadUpTo, WindowCut} from '#log/window/window-claims.ts';
import type {Work} from '#log/work.ts';
import {type Agents, checkSocket, createAgents} from './agents.ts';
import type {Answer, Branch, LogAnswer} from './answer.ts';
import {ApiError, type ApiErrorKind} from './api-error.ts';
import {createLogBodyReaders} from './body/log-body-reader.ts';
import {type ParseJson, parseBody} from './body/parse-body.ts';
import {decodeBranches} from './decode-branches.ts';
import {decodeLogInSteps} from './decode-log.ts';
import {decodePulses, type SitePulses} from './decode-pulses.ts';
import {doWork} from './do-work.ts';
import {describeRefusal, describeUnauthorised} from './http/describe-failure.ts';
import {createBodyPool, type FetchedBytes, fetchBytes} from './http/fetch-bytes.ts';
import {defaultLimits, type Limits} from './limits.ts';
import {
  createKnownPods,
  headersAfter,
  type KnownPods,
  parseWindowHeader,
  windowHeaderName,
} from './log-headers-read.ts';
import type {TokenProvider, TokenReading} from './token.ts';

/**
 * The three operations of the interface (section 4), and one of our own. Every failure is an `ApiError`. Nothing is
 * retried, except a 401 once, if the token has changed in the meantime.
 */
export type Client = {
  listBranches(siteId: string, signal?: AbortSignal): Promise<Answer<readonly Branch[]>>;
  /** Only branches whose status is `DEPLOY_APPLICATION_SUCCESS` (section 3). */
  listDeployedBranches(siteId: string, signal?: AbortSignal): Promise<Answer<readonly Branch[]>>;
  /**
   * One window of a branch's log. With `after`, a service that numbers its lines answers with what came after it; any
   * other with the whole window.
   */
  fetchLog(siteId: string, branchId: string, signal?: AbortSignal, after?: ReadUpTo): Promise<Answer<LogAnswer>>;
  /** The parts of a log that were left out, and can be read; only with a backend in this program. */
  readonly unread?: UnreadLog | undefined;
  /**
   * One window of a log, to be counted: nothing is kept for the next request, so that many branches can be looked at.
   */
  probeLog(siteId: string, branchId: string, signal?: AbortSignal): Promise<Answer<LogAnswer>>;
  /**
   * The errors of all branches whose lines the service has in memory; undefined if it has not offered that with a list
   * of branches, and then it is not asked.
   */
  countErrors(siteId: string, signal?: AbortSignal): Promise<Answer<SitePulses> | undefined>;
  readonly token: TokenProvider;
  /** Cancels pending requests and closes the connections. */
  close(): void;
};

/** A client of a service itself, not of a recording or a cluster. */
export type ServiceClient = Client & {
  /** Requests a log with further headers. Resolves to the JSON as it came: nothing is checked or left out. */
  fetchRawLog(
    siteId: string,
    branchId: string,
    headers: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<Answer<unknown>>;
};

export type ClientOptions = {
  /** Ends in the version segment. */
  readonly baseUrl: string;
  readonly tenant: string;
  readonly authMode: string;
  readonly token: TokenProvider;
  /** Overrides the proxy of the environment. */
  readonly proxy?: string | undefined;
  /** A PEM file whose certificates are trusted in addition to Node's own. */
  readonly caFile?: string | undefined;
  /** Where proxies are looked up; without it, only `proxy` is used. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** How the service cuts its windows, as configured by the user; overrides what the service says. */
  readonly windowCut?: WindowCut | undefined;
  /** How many sources a pod has, as configured by the user; overrides what the service says. */
  readonly windowSources?: number | undefined;
  /** How many logs are watched at once: 8 if left out. */
  readonly watchedMax?: number | undefined;
  /** `branchlog/<version>`, if the version is known. */
  readonly userAgent?: string | undefined;
  /** Wall clock, milliseconds since 1970: for `Retry-After` and expiry if the service sends no date. */
  readonly nowMs?: (() => number) | undefined;
};

/** As many as the screens and `logs` watch at once. */
const watchedMax = 8;

/** Creates a client of one service, for one tenant. Sends nothing; a bad `caFile` fails with the first request. */
export const createClient = (options: ClientOptions): ServiceClient => {
  const {tenant, authMode, token, env = {}, userAgent = 'branchlog', nowMs = Date.now} = options;
  const limits: Limits = {...defaultLimits, ...options.limits};
  const {host, socketPath, url: baseUrl} = serviceAddress(options.baseUrl);
  const underWay = new Set<AbortController>();
  let isClosed = false;
  let opening: Promise<Agents> | undefined;
  /** The service says, with a list of branches, that it counts the errors of all. */
  let countsErrors = false;

  // Created with the first request, so that a bad ca_file is an ordinary error and does not throw at the start.
  const readers = createLogBodyReaders(options.watchedMax ?? watchedMax);
  const bodies = createBodyPool(limits.bodyBytesMax);
  const pods = createKnownPods();

  const openAgents = (): Promise<Agents> => {
    opening ??= createAgents({baseUrl: options.baseUrl, proxy: options.proxy, caFile: options.caFile, env}).catch(
      (error: unknown) => {
        opening = undefined;
        throw error;
      },
    );
    return opening;
  };

  const send = async (
    {url, extra}: Target,
    reading: TokenReading,
    agents: Agents,
    signal: AbortSignal,
  ): Promise<FetchedBytes> => {
    if (socketPath !== undefined) {
      await checkSocket(socketPath);
    }
    return fetchBytes({
      url,
      host,
      // The five headers of section 5, plus what HTTP itself needs.
      headers: {
        ...extra,
        authorization: `Bearer ${reading.secret.reveal()}`,
        tenant,
        'auth-mode': authMode,
        'content-type': 'application/json',
        'cache-control': 'no-cache',
        'accept-encoding': 'gzip',
        'user-agent': userAgent,
      },
      agents,
      limits,
      bodies,
      signal,
    });
  };

  /** Rereads the token after a 401 and repeats the request if the token has changed. */
  const retryUnauthorised = async (
    target: Target,
    refused: FetchedBytes,
    reading: TokenReading,
    agents: Agents,
    signal: AbortSignal,
  ): Promise<{fetched: FetchedBytes; reading: TokenReading}> => {
    const fail = (fetched: FetchedBytes, detail?: string) =>
      describeUnauthorised(token, host, readServiceTimeMs(fetched) ?? nowMs(), detail);
    let again: TokenReading;
    try {
      again = await token.read({fresh: true});
    } catch (error) {
      throw fail(refused, error instanceof ApiError ? error.message : undefined);
    }
    if (again.version === reading.version) {
      throw fail(refused, again.notice);
    }
    const fetched = await send(target, again, agents, signal);
    if (fetched.status === 401) {
      throw fail(fetched, again.notice);
    }
    return {fetched, reading: again};
  };

  const request = async <T>(
    parts: readonly string[],
    subject: string,
    {parse, decode, extra = {}}: BodyDecoder<T>,
    signal: AbortSignal,
  ): Promise<Answer<T>> => {
    const target = {url: buildUrl(baseUrl.href, parts), extra};
    const {url} = target;
    let reading = await token.read();
    const agents = await openAgents();
    throwIfCancelled(signal, host);
    const startedAtMs = performance.now();
    let fetched = await send(target, reading, agents, signal);
    if (fetched.status === 401) {
      ({fetched, reading} = await retryUnauthorised(target, fetched, reading, agents, signal));
    }
    const durationMs = performance.now() - startedAtMs;
    const serviceTimeMs = readServiceTimeMs(fetched);
    const {status, headers, body} = fetched;
    try {
      // 206: a part, without having been asked for one.
      if (status < 200 || status >= 300 || status === 206) {
        const {proxy} = agents;
        const [token, now] = [reading.secret, serviceTimeMs ?? nowMs()];
        throw describeRefusal({status, headers, host, url, tenant, subject, proxy, token, nowMs: now});
      }
      const {json, notes} = await doWork(parseBody(body, headers, host, parse), signal);
      const {value, skipped, withoutId} = await doWork(decode(json, headers), signal);
      return {
        value,
        status,
        durationMs,
        bodyBytes: body.length,
        serviceTimeMs,
        skipped: [...notes, ...skipped],
        ...(withoutId && {withoutId}),
        ...(reading.notice === undefined ? {} : {notice: reading.notice}),
      };
    } finally {
      fetched.release();
    }
  };

  const decodeWindow = function* (knownPods: KnownPods, json: unknown, headers: IncomingHttpHeaders) {
    const {value: decoded, skipped, podsTag, hasPods} = yield* decodeLogInSteps(json);
    const value = hasPods === false ? {...decoded, pods: knownPods.pods} : decoded;
    if (hasPods !== false) {
      knownPods.tag = podsTag;
      knownPods.pods = value.pods;
    }
    const said = parseWindowHeader(headers[windowHeaderName]);
    const {windowCut = said?.cut, windowSources = said?.sources} = options;
    return {value: {...value, cut: windowCut, sources: windowSources, arrivals: said?.arrivals}, skipped};
  };

  /**
   * Links a request to its caller's signal and to `close()`, and unlinks it afterwards: a caller's signal may live for
   * hours.
   */
  const run = async <T>(
    parts: readonly string[],
    subject: string,
    decoder: BodyDecoder<T>,
    signal: AbortSignal | undefined,
  ): Promise<Answer<T>> => {
    const controller = new AbortController();
    const abort = () => controller.abort();
    if (isClosed || signal?.aborted) {
      abort();
    }
    signal?.addEventListener('abort', abort, {once: true});
    underWay.add(controller);
    try {
      throwIfCancelled(controller.signal, host);
      return await request(parts, subject, decoder, controller.signal);
    } finally {
      underWay.delete(controller);
      signal?.removeEventListener('abort', abort);
    }
  };

  const runOnLog = <T>(siteId: string, branchId: string, decoder: BodyDecoder<T>, signal: AbortSignal | undefined) =>
    run(['sites', siteId, 'branches', branchId, 'logs'], 'branch', decoder, signal);

  const branchesDecoder: BodyDecoder<readonly Branch[]> = {
    *decode(json, headers) {
      yield;
      countsErrors = headers[pulsesHeaderName] !== undefined;
      return decodeBranches(json);
    },
  };

  return {
    listBranches: (siteId, signal) => run(['sites', siteId, 'branches'], 'site', branchesDecoder, signal),
    listDeployedBranches: (siteId, signal) =>
      run(['sites', siteId, 'deployed-branches'], 'site', branchesDecoder, signal),
    fetchLog: (siteId, branchId, signal, after) => {
      const knownPods = pods.of(`${siteId}/${branchId}`);
      const decoder: BodyDecoder<LogAnswer> = {
        parse: readers.of(`${siteId}/${branchId}`).read,
        decode: (json, headers) => decodeWindow(knownPods, json, headers),
        extra: after === undefined ? {} : headersAfter(after, knownPods),
      };
      return runOnLog(siteId, branchId, decoder, signal);
    },
    probeLog: (siteId, branchId, signal) => {
      const knownPods: KnownPods = {tag: undefined, pods: []};
      return runOnLog(siteId, branchId, {decode: (json, headers) => decodeWindow(knownPods, json, headers)}, signal);
    },
    countErrors: async (siteId, signal) => {
      if (!countsErrors) {
        return undefined;
      }
      try {
        return await run(['sites', siteId, 'pulses'], 'site', {decode: decodingAtOnce(decodePulses)}, signal);
      } catch (error) {
        if (!(error instanceof ApiError && isForGood.has(error.kind))) {
          throw error;
        }
        countsErrors = false;
        return undefined;
      }
    },
    fetchRawLog: (siteId, branchId, extra, signal) =>
      runOnLog(siteId, branchId, {decode: decodingAtOnce(value => ({value, skipped: []})), extra}, signal),
    token,
    close: () => {
      isClosed = true;
      for (const controller of underWay) {
        controller.abort();
      }
      void opening?.then(
        agents => agents.close(),
        () => {},
      );
    },
  };
};

/** In an answer with branches: the service counts the errors of all (docs/serve.md, "Errors of all branches"). */
const pulsesHeaderName = 'branchlog-pulses';
/** With these a service takes back what it has offered. */
const isForGood: ReadonlySet<ApiErrorKind> = new Set(['notFound', 'notInterface']);

/** Decodes a body in one go. */
const decodingAtOnce = <T>(decode: (json: unknown) => Decoded<T>) =>
  function* (json: unknown): Work<Decoded<T>> {
    yield;
    return decode(json);
  };

type Decoded<T> = {value: T; skipped: readonly string[]; withoutId?: number};

type Target = {readonly url: string; readonly extra: Readonly<Record<string, string>>};

type BodyDecoder<T> = {
  /** Headers beyond those of every request. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly parse?: ParseJson;
  readonly decode: (json: unknown, headers: IncomingHttpHeaders) => Work<Decoded<T>>;
};

const throwIfCancelled = (signal: AbortSignal, host: string): void => {
  if (signal.aborted) {
    throw new ApiError('cancelled', `the request to ${host} was cancelled`);
  }
};

/** Returns the time of the `date` header (RFC 9110, section 6.6.1), which has a resolution of one second. */
const readServiceTimeMs = ({headers}: FetchedBytes): number | undefined => {
  const timeMs = Date.parse(headers.date ?? '');
  return Number.isNaN(timeMs) ? undefined : timeMs;
};

/**
 * Returns the address of an operation (section 4): the base address and the given parts, each escaped.
 * Throws an `ApiError` of kind `badId` for a part that would change the path: an empty one, `.` and `..`, which URL
 * parsers resolve even when escaped, and lone surrogates, which have no UTF-8 encoding.
 */
const buildUrl = (baseUrl: string, parts: readonly string[]): string =>
  [baseUrl.replace(/\/+$/, ''), ...parts.map(escapePart)].join('/');

const escapePart = (part: string): string => {
  if (part === '') {
    throw new ApiError('badId', 'an id is empty: name a site and a branch');
  }
  if (part === '.' || part === '..') {
    throw new ApiError('badId', `"${part}" is not an id: name a site and a branch by their ids`);
  }
  if (!part.isWellFormed()) {
    throw new ApiError('badId', 'an id holds half a character (a lone surrogate): copy it again');
  }
  return encodeURIComponent(part);
};
