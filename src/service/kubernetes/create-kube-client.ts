import {
  BodyTooLargeError,
  drainAnswer,
  formatTarget,
  type LinkAnswer,
  type LinkQuery,
  readBody,
  SilentLinkError,
} from '#service/link/link.ts';
import {readJsonText} from '#service/link/object-fields.ts';
import {createStartCheck, readyPath} from './cluster/start-check.ts';
import {describeConnectionFailure, readRefusal} from './describe-kube-failure.ts';
import {type KubeClient, KubeError} from './kube-client.ts';
import {type Access, abortable, impersonationHeaders, type KubeConnection} from './kube-connection.ts';
import {createTransport, type TransportLimits} from './transport/transport.ts';

export type KubeLimits = TransportLimits & {
  /** Until a whole answer is here, or the headers of one without an end; milliseconds. */
  readonly answerMs: number;
  /** A page of 500 pods has up to 5 MB. */
  readonly jsonBytesMax: number;
  /** The kubelet begins a new file after 10 MB. */
  readonly textBytesMax: number;
};

const usualLimits: KubeLimits = {
  connectMs: 10_000,
  answerMs: 30_000,
  pingMs: 7_000,
  jsonBytesMax: 64 * 1024 * 1024,
  textBytesMax: 16 * 1024 * 1024,
};

/** A server that starts has loaded its Roles within a second or so. */
const startingRetryMs = 1_000;

type CallOptions = {
  readonly signal: AbortSignal | undefined;
  /** Undefined: as long as it takes. */
  readonly timeoutMs: number | undefined;
  readonly path: string;
};

type Question = {
  readonly path: string;
  readonly query: LinkQuery | undefined;
  readonly accept: Readonly<Record<string, string>>;
  readonly isEndless: boolean;
};

/** A client that also knows the server's clock. */
export type ClockedKubeClient = KubeClient & {
  /** The server's time in its newest answer, milliseconds since 1970, to the second; undefined before the first. */
  serverTimeMs(): number | undefined;
};

/** Creates a client. It connects when first asked. */
export const createKubeClient = (connection: KubeConnection, limits: KubeLimits = usualLimits): ClockedKubeClient => {
  const {server, access, impersonation} = connection;
  const identity = impersonation ? impersonationHeaders(impersonation) : {};
  const basePath = server.pathname.replace(/\/+$/, '');
  const address = `${server.origin}${basePath}`;
  const transport = createTransport(connection, limits);
  const calls = new Set<AbortController>();
  let closedBy: KubeError | undefined;
  const stops = new Set<() => void>();
  const startCheck = createStartCheck();
  let serverTimeMs: number | undefined;

  /** Runs a call that ends with the client, by the caller's signal, or in time once it has credentials. */
  const call = async <Value>(
    run: (signal: AbortSignal, startClock: () => void) => Promise<Value>,
    {signal: given, timeoutMs, path}: CallOptions,
  ): Promise<Value> => {
    // `AbortSignal.any` would take several times the memory, for as long as a stream goes on.
    const ending = new AbortController();
    const endAsGiven = (): void => ending.abort(given?.reason);
    if (given?.aborted) {
      endAsGiven();
    }
    given?.addEventListener('abort', endAsGiven);
    if (closedBy) {
      ending.abort(closedBy);
    }
    calls.add(ending);
    let timer: NodeJS.Timeout | undefined;
    const startClock = () => {
      if (timeoutMs !== undefined) {
        timer ??= setTimeout(() => {
          const words = `${address} did not answer GET ${path} within ${timeoutMs / 1000} s.`;
          ending.abort(new KubeError('timeout', words));
        }, timeoutMs);
      }
    };
    try {
      return await run(ending.signal, startClock);
    } finally {
      clearTimeout(timer);
      calls.delete(ending);
      given?.removeEventListener('abort', endAsGiven);
    }
  };

  /** Returns an answer of status 200. If the credentials are refused, reads them again and repeats the request once. */
  const request = async (
    {path, query, accept, isEndless}: Question,
    signal: AbortSignal,
    startClock: () => void,
  ): Promise<LinkAnswer> => {
    const sent = await abortable(access.read(), signal);
    startClock();
    const sentMs = performance.now();
    const send = (by: Access, target = formatTarget(path, query)): Promise<LinkAnswer> => {
      const authorization = by.authorization?.reveal();
      const headers = {'user-agent': 'branchlog', ...accept, ...identity, ...(authorization ? {authorization} : {})};
      return transport.send(by, {path: `${basePath}${target}`, headers, isEndless}, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        throw describeConnectionFailure(error, address);
      });
    };
    let answer = await send(sent);
    if (answer.status === 401) {
      const renewed = await abortable(access.read(sent), signal);
      if (renewed !== sent) {
        answer.cancel();
        answer = await send(renewed);
      }
    }
    serverTimeMs = Date.parse(String(answer.headers.date)) || undefined;
    const readRefused = (refused: LinkAnswer, at: string): Promise<KubeError> =>
      readRefusal(refused, {address, path: at, accessName: access.name}, signal);
    const askReady = async (): Promise<string | undefined> => {
      const ready = await send(sent, readyPath);
      return ready.status === 403 ? (await readRefused(ready, readyPath)).serverMessage : void ready.cancel();
    };
    if (answer.status === 200) {
      startCheck.noteAllowed();
    } else if (answer.status === 403 && (await startCheck.isStarting(sentMs, askReady))) {
      answer.cancel();
      const words = `${address} has just started and refuses everything (403) until it has loaded its Roles: it is asked again.`;
      throw new KubeError('status', words, {status: 503, retryAfterMs: startingRetryMs});
    }
    if (answer.status !== 200) {
      throw await readRefused(answer, path);
    }
    if (signal.aborted) {
      answer.cancel();
      throw signal.reason;
    }
    if (String(answer.headers['content-type']).startsWith('text/html')) {
      answer.cancel();
      throw new KubeError(
        'body',
        `${address} answered with a web page: something else listens there, such as a proxy or a login page.`,
        {status: 200},
      );
    }
    return answer;
  };

  const describeCut = (path: string, cause: unknown): KubeError =>
    cause instanceof SilentLinkError
      ? describeConnectionFailure(cause, address)
      : new KubeError('connection', `The response from ${address} to GET ${path} broke off.`, {cause});

  return {
    address,
    serverTimeMs: () => serverTimeMs,
    get: (path, {query, signal: given, timeoutMs = limits.answerMs, as = 'json'} = {}) =>
      call(
        async (signal, startClock) => {
          const isJson = as === 'json';
          const accept = isJson ? {accept: 'application/json', 'accept-encoding': 'gzip'} : {accept: '*/*'};
          const answer = await request({path, query, accept, isEndless: false}, signal, startClock);
          const bytesMax = isJson ? limits.jsonBytesMax : limits.textBytesMax;
          const body = await readBody(answer, bytesMax, signal).catch((error: unknown) => {
            signal.throwIfAborted();
            throw error instanceof BodyTooLargeError
              ? new KubeError('body', `The response from ${address} to GET ${path} has ${error.message}.`)
              : describeCut(path, error instanceof Error ? error.cause : undefined);
          });
          const text = body.toString('utf8');
          const value = isJson ? readJsonText(text) : text;
          if (value === undefined) {
            // The parser's message would quote the body.
            throw new KubeError('body', `The response from ${address} to GET ${path} is not JSON.`, {status: 200});
          }
          return value;
        },
        {signal: given, timeoutMs, path},
      ),
    open: (path, {query, signal: given, mayBeginLate, onData, onEnd}) =>
      call(
        async (signal, startClock) => {
          const question = {path, query, accept: {accept: '*/*'}, isEndless: true};
          const answer = await request(question, signal, startClock);
          const stop = drainAnswer(answer, onData, fault => {
            stops.delete(stop);
            onEnd(fault && describeCut(path, fault.cause));
          });
          stops.add(stop);
          return {
            close: () => {
              stops.delete(stop);
              stop();
            },
          };
        },
        {signal: given, timeoutMs: mayBeginLate ? undefined : limits.answerMs, path},
      ),
    close: async () => {
      closedBy = new KubeError('connection', `The connection to ${address} was closed.`);
      for (const ending of calls) {
        ending.abort(closedBy);
      }
      for (const stop of stops) {
        stop();
      }
      stops.clear();
      transport.close();
      await access.close();
    },
  };
};
