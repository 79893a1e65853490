import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {chmod} from 'node:fs/promises';
import {createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {createServer as createTlsServer, type Server as TlsServer} from 'node:https';
import {setTimeout as delay} from 'node:timers/promises';
import type {Backend} from '#service/backend/backend.ts';
import {ServiceError, UnavailableError} from '#service/backend/errors.ts';
import {listDeployed} from '#service/backend/join-backends.ts';
import {createRequestTally, nameOperation} from '#service/backend/metrics.ts';
import {pulseRecords, pulsesHeaderName} from '#service/backend/pulse-counter.ts';
import {answerBrokenRequest, endWithError} from './answers/broken-request.ts';
import {type Exchange, type ListName, type Route, refuse, routeOf, versionPath} from './answers/exchange.ts';
import {sendHalf, sendWrongAnswer} from './answers/inject-fault.ts';
import {formatWindowHeader, podsHeaderName, readAfterHeader, tagPods, windowHeaderName} from './answers/log-headers.ts';
import {answerMonitoring} from './answers/monitoring.ts';
import {makeLogEntry, type RequestLogEntry, readPath} from './answers/request-log.ts';
import {type Coding, chooseCoding, encodeBody} from './body/encode-body.ts';
import {createWindowBodies, type WindowBody} from './body/window-bodies.ts';
import {clientAddress, createFailedLogins, limitConnections} from './connections.ts';
import {describeListenError, formatOrigin, type ListenAddress, prepareSocket, socketMode} from './listen-address.ts';
import {
  type Credentials,
  findRepeatedHeader,
  type Judgement,
  judgeMetricsRequest,
  judgeRequest,
} from './request-auth.ts';
import type {TlsPair} from './served-tls.ts';

/** Why there is no answer, percent-encoded: bodies of refusals are ignored by clients. */
const reasonHeaderName = 'branchlog-reason';

const unknownPathMessage = `There is no such path: operations are below ${versionPath}/sites/.`;

/** Longer than the longest pause between two polls of a client, so that it keeps its connection. */
const keepAliveMs = 75_000;
/** Time for a client to send its headers, and time for the whole request. */
const [headersMs, requestMs] = [5_000, 10_000];
/**
 * Versions before 1.2 are broken: RFC 8996. With 1.2, only suites with forward secrecy and authenticated encryption
 * (RFC 9325, section 4.2), and no renegotiation, which a client could ask for again and again.
 */
const tlsRules = {
  minVersion: 'TLSv1.2',
  ciphers: 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:ECDHE+AESGCM:ECDHE+CHACHA20',
  // SSL_OP_NO_RENEGOTIATION of OpenSSL's ssl.h: reading it of node:crypto would load that at every start.
  secureOptions: 0x4000_0000,
} as const;
/** How often late requests are looked for. */
const checkIntervalMs = 1_000;
/** A reader that reads nothing for so long is gone, or holds memory on purpose. */
const stalledMs = 10_000;
/** Time for running answers when the service stops. */
const stopMs = 2_000;

export type ServerOptions = Credentials &
  ListenAddress & {
    readonly backend: Backend;
    readonly tls?: TlsPair | undefined;
    readonly log?: (entry: RequestLogEntry) => void;
    /** Gets sentences for the operator. */
    readonly warn?: (message: string) => void;
    /** How many warnings the operator got. */
    readonly warningCount?: () => number;
    /** Wall clock for the request log. */
    readonly now?: () => Date;
    /** Names this run of the service in log answers; a random id by default. */
    readonly sessionId?: string;
  };

/** Creates the HTTP server of the interface: three GET operations on any backend. */
export const createServer = (options: ServerOptions) => {
  const {backend, log} = options;
  const sessionId = options.sessionId ?? randomUUID();
  const now = options.now ?? (() => new Date());
  const bodies = createWindowBodies(sessionId);
  const failedLogins = createFailedLogins({
    warn: options.warn ?? (() => undefined),
    monotonicMs: () => performance.now(),
  });
  const stalled = new Set<ServerResponse>();
  const requests = createRequestTally();
  let {tls}: {tls?: TlsPair | undefined} = options;
  let credentials: Credentials = options;

  const noteWhenClosed = (exchange: Exchange): void => {
    const startedMs = performance.now();
    const client = clientAddress(exchange.request.socket);
    exchange.response.once('close', () => {
      const entry = makeLogEntry(exchange, {time: now(), ms: performance.now() - startedMs, client});
      requests.add(nameOperation(exchange.route), entry.status, entry.bytes);
      log?.(entry);
    });
  };

  const sendBody = ({request, response}: Exchange, body: WindowBody, coding: Coding, isCut: boolean): void => {
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('content-length', String(body.sizeBytes));
    if (coding !== 'identity') {
      response.setHeader('content-encoding', coding);
    }
    request.socket.setTimeout(stalledMs);
    if (isCut) {
      sendHalf(response, body);
    } else {
      bodies.send(body, response);
    }
  };

  /** Returns whether a request is answered; otherwise its refusal is sent, late if somebody seems to guess tokens. */
  const admit = async (exchange: Exchange, {tokenName, refusal}: Judgement): Promise<boolean> => {
    const {socket} = exchange.request;
    if (tokenName !== undefined) {
      exchange.token = tokenName;
    }
    if (!refusal) {
      connections.trust(socket);
      return true;
    }
    const {status, message, challenge, reason} = refusal;
    requests.addRefusal(reason);
    if (reason === 'wrong_token') {
      await delay(failedLogins.note(clientAddress(socket)), undefined, {ref: false});
    }
    refuse(exchange, status, message, {
      // Whoever has no right token learns no more than that.
      ...(status === 403 && {[reasonHeaderName]: encodeURIComponent(message)}),
      ...(challenge !== undefined && {'www-authenticate': challenge}),
    });
    return false;
  };

  /** Answers one operation: `makeBody` returns the body, or a sentence that says what does not exist. */
  const answer = async (
    exchange: Exchange,
    siteId: string,
    makeBody: (coding: Coding) => Promise<{readonly body: WindowBody; readonly coding: Coding} | string>,
  ): Promise<void> => {
    const {request, response} = exchange;
    if (!(await admit(exchange, judgeRequest(request.headers, credentials, siteId)))) {
      return;
    }
    const fault = backend.nextFault?.();
    if (fault?.kind === 'status' || fault?.kind === 'body') {
      sendWrongAnswer(exchange, fault);
      return;
    }
    if (fault?.kind === 'stall') {
      // Send nothing until the client gives up or the service stops.
      stalled.add(response);
      response.once('close', () => stalled.delete(response));
      return;
    }
    const made = await makeBody(chooseCoding(request.headers['accept-encoding']));
    if (typeof made === 'string') {
      refuse(exchange, 404, made);
      return;
    }
    exchange.isNamed = true;
    sendBody(exchange, made.body, made.coding, fault?.kind === 'cut');
  };

  const lists: Readonly<Record<ListName, ((siteId: string) => Promise<readonly unknown[] | undefined>) | undefined>> = {
    branches: backend.listBranches,
    'deployed-branches': siteId => listDeployed(backend, siteId),
    pulses:
      backend.countErrors &&
      (async siteId => {
        const pulses = await backend.countErrors?.(siteId);
        return pulses && pulseRecords(pulses);
      }),
  };

  /** Answers with a list that is of a site. */
  const answerList = (exchange: Exchange, siteId: string, list: NonNullable<(typeof lists)[ListName]>): Promise<void> =>
    answer(exchange, siteId, async wanted => {
      const listed = await list(siteId);
      if (!listed) {
        return 'There is no such site.';
      }
      if (backend.countErrors) {
        exchange.response.setHeader(pulsesHeaderName, 'site');
      }
      const {body, coding} = await encodeBody(Buffer.from(JSON.stringify(listed)), wanted);
      return {body: {pieces: [body], sizeBytes: body.length}, coding};
    });

  const answerLog = (exchange: Exchange, siteId: string, branchId: string): Promise<void> =>
    answer(exchange, siteId, async coding => {
      const {headers} = exchange.request;
      const after = readAfterHeader(headers);
      const window = await backend.readWindow(siteId, branchId, after);
      if (!window) {
        return 'There is no such site or branch.';
      }
      const value = formatWindowHeader(window);
      if (value !== undefined) {
        exchange.response.setHeader(windowHeaderName, value);
      }
      const hasPlace = after !== undefined && window.numbering?.series === after.series;
      const hasPods = hasPlace && headers[podsHeaderName] === tagPods(window.pods);
      const body = await bodies.get(JSON.stringify([siteId, branchId]), window, coding, {hasPlace, hasPods});
      return {body, coding: body.coding ?? coding};
    });

  const monitoring = {
    isAdmitted: (exchange: Exchange) => admit(exchange, judgeMetricsRequest(exchange.request.headers, credentials)),
    measureBranches: () => backend.measure?.() ?? [],
    measureServer: () => ({
      requests: requests.totals(),
      warnings: options.warningCount?.() ?? 0,
      connections: connections.count(),
      tlsValidUntilMs: tls?.validUntilMs,
    }),
  };

  const readRoute = (request: IncomingMessage): Route | undefined | 'invalid' => {
    try {
      return routeOf(readPath(request));
    } catch {
      return 'invalid';
    }
  };

  const answerRoute = async (exchange: Exchange): Promise<void> => {
    const {request} = exchange;
    if (request.httpVersion === '1.1' && request.headers.host === undefined) {
      return refuse(exchange, 400, 'The request has no header host.');
    }
    const repeated = findRepeatedHeader(request.rawHeaders);
    if (repeated !== undefined) {
      return refuse(exchange, 400, `The request has the header ${repeated} more than once: send it once.`);
    }
    const route = readRoute(request);
    if (route === 'invalid') {
      return refuse(exchange, 400, 'The path is not a valid URL path: encode ids with percent signs.');
    }
    if (!route) {
      return refuse(exchange, 404, unknownPathMessage);
    }
    if (request.method !== 'GET') {
      return refuse(exchange, 405, 'Only GET is supported on this path.', {allow: 'GET'});
    }
    exchange.route = route.name;
    switch (route.name) {
      case 'logs':
        return await answerLog(exchange, route.siteId, route.branchId);
      case 'branches':
      case 'deployed-branches':
      case 'pulses': {
        const list = lists[route.name];
        return list ? await answerList(exchange, route.siteId, list) : refuse(exchange, 404, unknownPathMessage);
      }
      default:
        return await answerMonitoring(route.name, exchange, monitoring);
    }
  };

  const answerFailure = (exchange: Exchange, error: unknown): void => {
    exchange.error = error instanceof Error ? error.message : String(error);
    if (exchange.response.headersSent) {
      exchange.response.destroy();
    } else if (error instanceof UnavailableError) {
      refuse(exchange, 503, error.message, {[reasonHeaderName]: encodeURIComponent(error.message)});
    } else {
      refuse(exchange, 500, 'The service could not produce this answer: its log says why.');
    }
  };

  /** No operation takes a body: Node drops what is sent, once it is answered. */
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange: Exchange = {request, response, isNamed: false};
    noteWhenClosed(exchange);
    response.setHeader('cache-control', 'no-store').setHeader('vary', 'accept-encoding');
    answerRoute(exchange).catch((error: unknown) => answerFailure(exchange, error));
  };

  const limits = {
    keepAliveTimeout: keepAliveMs,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkIntervalMs,
    // Answered above, as JSON.
    requireHostHeader: false,
  };
  const http: Server | TlsServer = tls
    ? createTlsServer({...limits, ...tls, ...tlsRules, handshakeTimeout: headersMs})
    : createHttpServer(limits);
  const connections = limitConnections(http);
  const take = (request: IncomingMessage, response: ServerResponse): void =>
    connections.take(request, response, () => handle(request, response));
  http.on('request', take);
  // An expectation may be ignored: RFC 9110, section 10.1.1.
  http.on('checkExpectation', take);
  http.on('connect', (_request, socket) =>
    endWithError(socket, {status: '405 Method Not Allowed', message: 'Only GET is supported.'}),
  );
  http.on('clientError', answerBrokenRequest);

  return {
    /** Starts the backend and listens. A Unix socket has the address `unix:PATH`. Throws a ServiceError on failure. */
    start: async (): Promise<{readonly baseUrl: string}> => {
      try {
        await backend.start();
      } catch (error) {
        await backend.close();
        throw error;
      }
      try {
        if ('socketPath' in options) {
          await prepareSocket(options.socketPath);
          await once(http.listen({path: options.socketPath}), 'listening');
          await chmod(options.socketPath, socketMode);
        } else {
          // As a name it can mean two addresses, and so two servers to stop.
          const host = options.host === 'localhost' ? '127.0.0.1' : options.host;
          await once(http.listen({host, port: options.port}), 'listening');
        }
      } catch (error) {
        await backend.close();
        throw error instanceof ServiceError
          ? error
          : new ServiceError(describeListenError(error, options), {cause: error});
      }
      const bound = http.address();
      if ('socketPath' in options || typeof bound !== 'object' || !bound) {
        return {baseUrl: formatOrigin(options)};
      }
      return {baseUrl: `${formatOrigin({host: options.host, port: bound.port}, options.tls)}${versionPath}`};
    },
    /** Requests need these credentials from now on. */
    setCredentials: (given: Credentials): void => {
      credentials = given;
    },
    /** New connections get this certificate, if the server has TLS. */
    setTls: (given: TlsPair): void => {
      const {cert, key} = given;
      if ('setSecureContext' in http) {
        tls = given;
        http.setSecureContext({cert, key, ...tlsRules});
      }
    },
    /** Stops listening, lets running answers finish for at most 2 s, closes the backend. */
    stop: async (): Promise<void> => {
      failedLogins.stop();
      const {promise: closed, resolve} = Promise.withResolvers<void>();
      http.close(() => resolve());
      for (const response of stalled) {
        response.destroy();
      }
      await connections.drain(stopMs);
      await closed;
      await backend.close();
    },
  };
};
