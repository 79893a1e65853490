import {randomUUID} from 'node:crypto';
import {chmod} from 'node:fs/promises';
import {createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {createServer as createTlsServer, type Server as TlsServer} from 'node:https';
import {setTimeout as delay} from 'node:timers/promises';
import fastify, {type FastifyReply, type FastifyRequest} from 'fastify';
import type {Backend} from '#service/backend/backend.ts';
import {ServiceError, UnavailableError} from '#service/backend/errors.ts';
import {listDeployed} from '#service/backend/join-backends.ts';
import {createRequestTally, nameOperation} from '#service/backend/metrics.ts';
import {pulseRecords, pulsesHeaderName} from '#service/backend/pulse-counter.ts';
import {answerBrokenRequest, endWithError} from './answers/broken-request.ts';
import {sendHalf, sendWrongAnswer} from './answers/inject-fault.ts';
import {formatWindowHeader, podsHeaderName, readAfterHeader, tagPods, windowHeaderName} from './answers/log-headers.ts';
import {addMonitoring} from './answers/monitoring.ts';
import {makeLogEntry, type RequestLogEntry, readPath} from './answers/request-log.ts';
import {type Coding, chooseCoding, encodeBody} from './body/encode-body.ts';
import {createWindowBodies, type WindowBody} from './body/window-bodies.ts';
import {type Connections, clientAddress, createFailedLogins, limitConnections} from './connections.ts';
import {describeListenError, formatOrigin, type ListenAddress, prepareSocket, socketMode} from './listen-address.ts';
import {
  type Credentials,
  findRepeatedHeader,
  type Judgement,
  judgeMetricsRequest,
  judgeRequest,
} from './request-auth.ts';
import type {TlsPair} from './served-tls.ts';

/** The version segment, interface specification section 9. */
const versionPath = '/dev-v1';
/** The paths of section 4; GET is their only operation. */
const knownPath =
  /^\/(?:healthz|livez|readyz|metrics|dev-v1\/sites\/[^/]+\/(?:branches|deployed-branches|pulses|branches\/[^/]+\/logs))$/;
/** Why there is no answer, percent-encoded: bodies of refusals are ignored by clients. */
const reasonHeaderName = 'branchlog-reason';

const unknownPathMessage = `There is no such path: operations are below ${versionPath}/sites/.`;

/** Ids are opaque and may be long; past this length a path counts as unknown. */
const idCharactersMax = 1_024;
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

type Params = {readonly siteId: string; readonly branchId: string};

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
  const errors = new WeakMap<FastifyRequest, string>();
  const tokenNames = new WeakMap<FastifyRequest, string>();
  /** Requests whose path names a site and a branch of the service. */
  const isNamed = new WeakSet<FastifyRequest>();
  const stalled = new Set<ServerResponse>();
  const requests = createRequestTally();
  let {tls}: {tls?: TlsPair | undefined} = options;
  let credentials: Credentials = options;
  let http: Server | TlsServer | undefined;
  let connections: Connections | undefined;

  const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
    reply.code(status).send({message});

  const noteWhenClosed = (request: FastifyRequest, reply: FastifyReply): void => {
    const startedMs = performance.now();
    const client = clientAddress(request.raw.socket);
    reply.raw.once('close', () => {
      const ms = performance.now() - startedMs;
      const token = tokenNames.get(request);
      const entry = makeLogEntry(request, reply, {
        now,
        ms,
        client,
        token,
        error: errors.get(request),
        isNamed: isNamed.has(request),
      });
      requests.add(nameOperation(request.routeOptions.url), entry.status, entry.bytes);
      log?.(entry);
    });
  };

  const sendBody = (request: FastifyRequest, reply: FastifyReply, body: WindowBody, coding: Coding, isCut: boolean) => {
    reply.headers({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.sizeBytes),
      ...(coding === 'identity' ? {} : {'content-encoding': coding}),
    });
    const {raw} = reply.hijack();
    request.raw.socket.setTimeout(stalledMs);
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      raw.setHeader(name, value ?? '');
    }
    if (isCut) {
      sendHalf(raw, body);
    } else {
      bodies.send(body, raw);
    }
    return reply;
  };

  /** Returns whether a request is answered; otherwise its refusal is sent, late if somebody seems to guess tokens. */
  const admit = async (
    request: FastifyRequest,
    reply: FastifyReply,
    {tokenName, refusal}: Judgement,
  ): Promise<boolean> => {
    if (tokenName !== undefined) {
      tokenNames.set(request, tokenName);
    }
    if (!refusal) {
      connections?.trust(request.raw.socket);
      return true;
    }
    const {status, message, challenge, reason} = refusal;
    requests.addRefusal(reason);
    if (reason === 'wrong_token') {
      await delay(failedLogins.note(clientAddress(request.raw.socket)), undefined, {ref: false});
    }
    // Whoever has no right token learns no more than that.
    const told = status === 403 ? reply.header(reasonHeaderName, encodeURIComponent(message)) : reply;
    refuse(challenge === undefined ? told : told.header('www-authenticate', challenge), status, message);
    return false;
  };

  /** Answers one operation: `makeBody` returns the body, or a sentence that says what does not exist. */
  const answer = async (
    request: FastifyRequest<{Params: Params}>,
    reply: FastifyReply,
    makeBody: (coding: Coding) => Promise<{readonly body: WindowBody; readonly coding: Coding} | string>,
  ): Promise<FastifyReply> => {
    if (!(await admit(request, reply, judgeRequest(request.headers, credentials, request.params.siteId)))) {
      return reply;
    }
    const fault = backend.nextFault?.();
    if (fault?.kind === 'status' || fault?.kind === 'body') {
      return sendWrongAnswer(reply, fault);
    }
    if (fault?.kind === 'stall') {
      // Send nothing until the client gives up or the service stops.
      const {raw} = reply.hijack();
      stalled.add(raw);
      raw.once('close', () => stalled.delete(raw));
      return reply;
    }
    const made = await makeBody(chooseCoding(request.headers['accept-encoding']));
    if (typeof made === 'string') {
      return refuse(reply, 404, made);
    }
    isNamed.add(request);
    return sendBody(request, reply, made.body, made.coding, fault?.kind === 'cut');
  };

  /** Answers with a list that is of a site. */
  const answerList = (
    request: FastifyRequest<{Params: Params}>,
    reply: FastifyReply,
    list: (siteId: string) => Promise<readonly unknown[] | undefined>,
  ) =>
    answer(request, reply, async wanted => {
      const listed = await list(request.params.siteId);
      if (!listed) {
        return 'There is no such site.';
      }
      reply.headers(backend.countErrors ? {[pulsesHeaderName]: 'site'} : {});
      const {body, coding} = await encodeBody(Buffer.from(JSON.stringify(listed)), wanted);
      return {body: {pieces: [body], sizeBytes: body.length}, coding};
    });

  const answerLog = (request: FastifyRequest<{Params: Params}>, reply: FastifyReply) =>
    answer(request, reply, async coding => {
      const {siteId, branchId} = request.params;
      const after = readAfterHeader(request.headers);
      const window = await backend.readWindow(siteId, branchId, after);
      if (!window) {
        return 'There is no such site or branch.';
      }
      const value = formatWindowHeader(window);
      if (value !== undefined) {
        reply.header(windowHeaderName, value);
      }
      const hasPlace = after !== undefined && window.numbering?.series === after.series;
      const hasPods = hasPlace && request.headers[podsHeaderName] === tagPods(window.pods);
      const body = await bodies.get(JSON.stringify([siteId, branchId]), window, coding, {hasPlace, hasPods});
      return {body, coding: body.coding ?? coding};
    });

  const createLimitedServer = (
    handler: (request: IncomingMessage, response: ServerResponse) => void,
  ): Server | TlsServer => {
    const limits = {
      keepAliveTimeout: keepAliveMs,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkIntervalMs,
      // Answered below, as JSON.
      requireHostHeader: false,
    };
    const server = options.tls
      ? createTlsServer({...limits, ...options.tls, ...tlsRules, handshakeTimeout: headersMs})
      : createHttpServer(limits);
    const limited = limitConnections(server);
    const take = (request: IncomingMessage, response: ServerResponse): void =>
      limited.take(request, response, () => handler(request, response));
    server.on('request', take);
    // An expectation may be ignored: RFC 9110, section 10.1.1.
    server.on('checkExpectation', take);
    server.on('connect', (_request, socket) =>
      endWithError(socket, {status: '405 Method Not Allowed', message: 'Only GET is supported.'}),
    );
    server.on('clientError', answerBrokenRequest);
    connections = limited;
    return server;
  };

  const app = fastify({
    serverFactory: handler => {
      http = createLimitedServer(handler);
      return http;
    },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: {maxParamLength: idCharactersMax},
    // No hook runs for a path that cannot be decoded or has an id past the length limit.
    frameworkErrors: (error, request: FastifyRequest, reply: FastifyReply) => {
      noteWhenClosed(request, reply);
      if (error.code === 'FST_ERR_BAD_URL') {
        refuse(reply, 400, 'The path is not a valid URL path: encode ids with percent signs.');
      } else {
        refuse(reply, 404, unknownPathMessage);
      }
    },
  });
  // No operation takes a body: ignore whatever is sent, whatever its content-type.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(null);
  });

  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store').header('vary', 'accept-encoding');
    noteWhenClosed(request, reply);
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      return refuse(reply, 400, 'The request has no header host.');
    }
    const repeated = findRepeatedHeader(request.raw.rawHeaders);
    if (repeated !== undefined) {
      return refuse(reply, 400, `The request has the header ${repeated} more than once: send it once.`);
    }
    if (!request.is404) {
      return;
    }
    // Answer here, before a body is looked at.
    if (request.method !== 'GET' && knownPath.test(readPath(request))) {
      return refuse(reply.header('allow', 'GET'), 405, 'Only GET is supported on this path.');
    }
    return refuse(reply, 404, unknownPathMessage);
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Error && 'statusCode' in error && Number(error.statusCode) < 500) {
      return refuse(reply, 400, 'The request is not valid HTTP.');
    }
    errors.set(request, error instanceof Error ? error.message : String(error));
    if (error instanceof UnavailableError) {
      return refuse(reply.header(reasonHeaderName, encodeURIComponent(error.message)), 503, error.message);
    }
    return refuse(reply, 500, 'The service could not produce this answer: its log says why.');
  });

  const lists: Readonly<Record<string, (siteId: string) => Promise<readonly unknown[] | undefined>>> = {
    branches: backend.listBranches,
    'deployed-branches': siteId => listDeployed(backend, siteId),
    ...(backend.countErrors && {
      pulses: async siteId => {
        const pulses = await backend.countErrors?.(siteId);
        return pulses && pulseRecords(pulses);
      },
    }),
  };
  for (const [name, list] of Object.entries(lists)) {
    app.get<{Params: Params}>(`${versionPath}/sites/:siteId/${name}`, (request, reply) =>
      answerList(request, reply, list),
    );
  }
  app.get<{Params: Params}>(`${versionPath}/sites/:siteId/branches/:branchId/logs`, answerLog);
  addMonitoring(app, {
    isAdmitted: (request, reply) => admit(request, reply, judgeMetricsRequest(request.headers, credentials)),
    measureBranches: () => backend.measure?.() ?? [],
    measureServer: () => ({
      requests: requests.totals(),
      warnings: options.warningCount?.() ?? 0,
      connections: connections?.count() ?? {readers: 0, strangers: 0},
      tlsValidUntilMs: tls?.validUntilMs,
    }),
  });

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
          await app.listen({path: options.socketPath});
          await chmod(options.socketPath, socketMode);
        } else {
          // As a name it can mean two addresses, and so two servers to stop.
          const host = options.host === 'localhost' ? '127.0.0.1' : options.host;
          await app.listen({host, port: options.port});
        }
      } catch (error) {
        await backend.close();
        throw error instanceof ServiceError
          ? error
          : new ServiceError(describeListenError(error, options), {cause: error});
      }
      const bound = http?.address();
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
      if (http && 'setSecureContext' in http) {
        tls = given;
        http.setSecureContext({cert, key, ...tlsRules});
      }
    },
    /** Stops listening, lets running answers finish for at most 2 s, closes the backend. */
    stop: async (): Promise<void> => {
      failedLogins.stop();
      const closed = app.close();
      for (const response of stalled) {
        response.destroy();
      }
      await connections?.drain(stopMs);
      await closed;
      await backend.close();
    },
  };
};
