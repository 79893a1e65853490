import {randomUUID} from 'node:crypto';
import type {Server, ServerResponse} from 'node:http';
import {createServer as createHttpServer} from 'node:http';
import fastify, {type FastifyReply, type FastifyRequest} from 'fastify';
import type {Backend} from '../backend.ts';
import {ServiceError} from '../errors/service-error.ts';
import {encodeBody, formatLogAnswer} from './answer-body.ts';
import {answerBrokenRequest} from './broken-request.ts';
import {type Connections, trackConnections} from './connections.ts';
import {formatWindowHeader, windowHeaderName} from './format-window-header.ts';
import {describeListenError, formatBaseUrl} from './listen-address.ts';
import {findRefusal} from './request-auth.ts';
import {makeLogEntry, type RequestLogEntry, readPath} from './request-log.ts';
import {sendHalf, sendWrongAnswer} from './spoil-answer.ts';

/** The version segment, interface specification section 9. */
const versionPath = '/dev-v1';
/** The paths of section 4; GET is their only operation. */
const knownPath = /^\/dev-v1\/sites\/[^/]+\/(?:branches|deployed-branches|branches\/[^/]+\/logs)$/;
const unknownPathMessage = `There is no such path: operations are below ${versionPath}/sites/.`;
const deployedStatus = 'DEPLOY_APPLICATION_SUCCESS';

/** Ids are opaque and may be long; past this length a path counts as unknown. */
const idCharactersMax = 1_024;
/** Longer than the longest pause between two polls of a client, so that it keeps its connection. */
const keepAliveMs = 75_000;
/** Time for a client to send its headers. */
const requestMs = 30_000;
/** Time for running answers when the service stops. */
const stopMs = 2_000;
/** Each connection holds a file descriptor, and log files need some too. */
const connectionsMax = 512;

export type ServerOptions = {
  readonly backend: Backend;
  readonly tenant: string;
  readonly authMode: string;
  readonly token: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly log?: (entry: RequestLogEntry) => void;
  /** Wall clock for the request log. */
  readonly now?: () => Date;
  /** Names this run of the service in log answers; a random id by default. */
  readonly sessionId?: string;
};

export type BranchServer = {
  /** Starts the backend and listens. Throws a ServiceError on failure. */
  start(): Promise<{readonly baseUrl: string}>;
  /** Stops listening, lets running answers finish for at most 2 s, closes the backend. */
  stop(): Promise<void>;
};

type Params = {readonly siteId: string; readonly branchId: string};

/** Creates the HTTP server of the interface: three GET operations on any backend. */
export const createServer = (options: ServerOptions): BranchServer => {
  const {backend, log} = options;
  const sessionId = options.sessionId ?? randomUUID();
  const now = options.now ?? (() => new Date());
  const errors = new WeakMap<FastifyRequest, string>();
  const stalled = new Set<ServerResponse>();
  let http: Server | undefined;
  let connections: Connections | undefined;

  const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
    reply.code(status).send({message});

  const logWhenClosed = (request: FastifyRequest, reply: FastifyReply): void => {
    if (!log) {
      return;
    }
    const startedMs = performance.now();
    reply.raw.once('close', () => {
      const ms = performance.now() - startedMs;
      log(makeLogEntry(request, reply, {now, ms, error: errors.get(request)}));
    });
  };

  const sendBody = async (request: FastifyRequest, reply: FastifyReply, body: Buffer, isCut: boolean) => {
    const encoded = await encodeBody(body, request.headers['accept-encoding']);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      ...(encoded.encoding ? {'content-encoding': encoded.encoding} : {}),
    };
    if (isCut) {
      sendHalf(reply, {body: encoded.body, headers});
      return reply;
    }
    return reply.headers(headers).send(encoded.body);
  };

  /** Answers one operation: `makeBody` returns the body, or a sentence that says what does not exist. */
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    makeBody: () => Promise<Buffer | string>,
  ): Promise<FastifyReply> => {
    const refusal = findRefusal(request.headers, options);
    if (refusal) {
      return refuse(reply, refusal.status, refusal.message);
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
    const body = await makeBody();
    return typeof body === 'string' ? refuse(reply, 404, body) : sendBody(request, reply, body, fault?.kind === 'cut');
  };

  const answerBranches = (request: FastifyRequest<{Params: Params}>, reply: FastifyReply, isDeployedOnly: boolean) =>
    answer(request, reply, async () => {
      const branches = await backend.listBranches(request.params.siteId);
      if (!branches) {
        return 'There is no such site.';
      }
      const listed = isDeployedOnly ? branches.filter(branch => branch.status === deployedStatus) : branches;
      return Buffer.from(JSON.stringify(listed));
    });

  const app = fastify({
    serverFactory: handler => {
      http = createHttpServer({keepAliveTimeout: keepAliveMs, requestTimeout: requestMs}, (request, response) => {
        connections?.begin(request.socket, response);
        handler(request, response);
      });
      http.maxConnections = connectionsMax;
      connections = trackConnections(http);
      http.on('clientError', answerBrokenRequest);
      return http;
    },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: {maxParamLength: idCharactersMax},
    // No hook runs for a path that cannot be decoded or has an id past the length limit.
    frameworkErrors: (error, request: FastifyRequest, reply: FastifyReply) => {
      logWhenClosed(request, reply);
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
    logWhenClosed(request, reply);
    if (!request.is404) {
      return;
    }
    // Answer here, before a body is looked at.
    if (request.method !== 'GET' && knownPath.test(readPath(request))) {
      return refuse(reply.header('allow', 'GET'), 405, 'Only GET is an operation on this path.');
    }
    return refuse(reply, 404, unknownPathMessage);
  });
  app.setErrorHandler((error, request, reply) => {
    errors.set(request, error instanceof Error ? error.message : String(error));
    return refuse(reply, 500, 'The service failed to make this answer: its log says why.');
  });

  app.get<{Params: Params}>(`${versionPath}/sites/:siteId/branches`, (request, reply) =>
    answerBranches(request, reply, false),
  );
  app.get<{Params: Params}>(`${versionPath}/sites/:siteId/deployed-branches`, (request, reply) =>
    answerBranches(request, reply, true),
  );
  app.get<{Params: Params}>(`${versionPath}/sites/:siteId/branches/:branchId/logs`, (request, reply) =>
    answer(request, reply, async () => {
      const window = await backend.readWindow(request.params.siteId, request.params.branchId);
      if (!window) {
        return 'There is no such site or branch.';
      }
      const value = formatWindowHeader(window);
      if (value !== undefined) {
        reply.header(windowHeaderName, value);
      }
      return formatLogAnswer(window, sessionId);
    }),
  );

  return {
    start: async () => {
      await backend.start();
      try {
        // As a name it can mean two addresses, and so two servers to stop.
        const host = options.host === 'localhost' ? '127.0.0.1' : options.host;
        await app.listen({host, port: options.port});
      } catch (error) {
        await backend.close();
        throw new ServiceError(describeListenError(error, options), {cause: error});
      }
      const address = http?.address();
      const port = address && typeof address === 'object' ? address.port : options.port;
      return {baseUrl: `${formatBaseUrl(options.host, port)}${versionPath}`};
    },
    stop: async () => {
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
