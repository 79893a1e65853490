import {createServer as createHttpServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {createSecureServer, type ServerHttp2Session} from 'node:http2';
import {createServer as createHttpsServer} from 'node:https';
import {type AddressInfo, connect, createServer, type Server, type Socket} from 'node:net';
import {onTestFinished} from 'vitest';
import {createAccess, type KubeCredentials} from '#service/kubernetes/cluster/create-access.ts';
import {createKubeClient, type KubeLimits} from '#service/kubernetes/create-kube-client.ts';
import type {KubeClient} from '#service/kubernetes/kube-client.ts';
import type {KubeConnection} from '#service/kubernetes/kube-connection.ts';
import {createTestAuthority} from '../../support/kubernetes/server/test-authority.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Keys and certificates take some milliseconds: one authority does for all tests of a file. */
export const authority = createTestAuthority(['localhost', 'api.cluster.example']);

export type Api = {
  readonly url: string;
  readonly port: number;
  /** HTTP/2 connections so far, oldest first. */
  readonly sessions: readonly ServerHttp2Session[];
  /** Connections so far, of either kind. */
  readonly sockets: readonly Socket[];
  close(): Promise<void>;
};

/** How a server can be reached: HTTP/2 over TLS, HTTP/1.1 over TLS, or HTTP/1.1 alone. */
export const apiKinds = ['h2', 'h1', 'plain'] as const;

/** Starts a small server of the test's own on a free loopback port; it is closed when the test ends. */
export const startApi = async (
  kind: (typeof apiKinds)[number],
  handle: Handler,
  options: {readonly maxConcurrentStreams?: number; readonly asksForCertificate?: boolean} = {},
): Promise<Api> => {
  const {cert, key} = authority.server;
  const tls = {cert, key, ca: authority.ca, requestCert: options.asksForCertificate === true};
  const sessions: ServerHttp2Session[] = [];
  const sockets: Socket[] = [];
  const settings = 'maxConcurrentStreams' in options ? {maxConcurrentStreams: options.maxConcurrentStreams} : {};
  const server: Server =
    kind === 'h2'
      ? // Node's HTTP/2 has the same requests and responses, by other types.
        createSecureServer({...tls, settings}, handle as never).on('session', session => sessions.push(session))
      : kind === 'h1'
        ? createHttpsServer(tls, handle)
        : createHttpServer(handle);
  server.on('connection', (socket: Socket) => sockets.push(socket));
  // Cut connections are what the tests are about.
  server.on('sessionError', () => undefined);
  const port = await listen(server);
  const close = () => shut(server, sockets);
  onTestFinished(close);
  return {
    url: `${kind === 'plain' ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    sessions,
    sockets,
    close,
  };
};

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
};

const shut = async (server: Server, sockets: readonly Socket[]): Promise<void> => {
  for (const socket of sockets) {
    socket.destroy();
  }
  await new Promise(resolve => {
    server.close(resolve);
  });
};

/** A connection that can fall silent without being closed, as behind a broken router. */
export const startForwarder = async (port: number): Promise<{readonly port: number; freeze(): void}> => {
  const sockets: Socket[] = [];
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1');
    sockets.push(near, far);
    near.on('error', () => far.destroy()).pipe(far);
    far.on('error', () => near.destroy()).pipe(near);
  });
  const ownPort = await listen(server);
  onTestFinished(() => shut(server, sockets));
  return {
    port: ownPort,
    freeze: () => {
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
  };
};

export const testLimits: KubeLimits = {
  connectMs: 10_000,
  answerMs: 10_000,
  pingMs: 10_000,
  jsonBytesMax: 16 * 1024 * 1024,
  textBytesMax: 1024 * 1024,
};

/** Credentials that never change. */
export const fixedAccess = (credentials: KubeCredentials = {token: 'good-token'}, ca: string = authority.ca) =>
  createAccess('user "dev" of /config', {
    titles: {
      ca: '"certificate-authority-data"',
      token: '"token"',
      certificate: '"client-certificate-data"',
      key: '"client-key-data"',
    },
    read: async () => ({...credentials, ca}),
  });

/** Creates a client for a small server; it is closed when the test ends. */
export const connectTo = (
  url: string,
  connection: Partial<KubeConnection> = {},
  limits: Partial<KubeLimits> = {},
): KubeClient => {
  const client = createKubeClient(
    {
      server: new URL(url),
      access: fixedAccess(),
      serverName: undefined,
      isUnverified: false,
      impersonation: undefined,
      proxy: undefined,
      ...connection,
    },
    {...testLimits, ...limits},
  );
  onTestFinished(() => client.close());
  return client;
};
