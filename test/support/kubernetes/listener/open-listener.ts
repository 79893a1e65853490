import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import {createServer as createTlsServer} from 'node:https';
import type {AddressInfo, Socket} from 'node:net';

export type KubeResponse = ServerResponse | Http2ServerResponse;

/** `h2` takes HTTP/2 and HTTP/1.1, as the client's ALPN asks; `h1` knows HTTP/1.1 alone; `plain` has no TLS. */
export type ListenerKind = 'h2' | 'h1' | 'plain';

export type Listener = {
  readonly port: number;
  /** Open TCP connections. */
  readonly connectionCount: number;
  /** Connections accepted since the start. */
  readonly connectionTotal: number;
  /** Sends GOAWAY on all HTTP/2 connections: open streams go on to their end, new ones need a new connection. */
  goAway(): void;
  /** Resets all TCP connections. */
  resetConnections(): void;
  close(): Promise<void>;
};

type Handler = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => void;

/** Listens on a free loopback port. */
export const openListener = async (
  kind: ListenerKind,
  certificates: {readonly ca: string; readonly cert: string; readonly key: string},
  handler: Handler,
  maxConcurrentStreams = 100,
): Promise<Listener> => {
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  let connectionTotal = 0;

  const tls = {
    ...certificates,
    requestCert: true,
    // Who comes without a certificate may still have a token.
    rejectUnauthorized: false,
  };
  const secure = (): ReturnType<typeof createSecureServer> => {
    const server = createSecureServer({...tls, allowHTTP1: true, settings: {maxConcurrentStreams}}, handler);
    server.on('session', session => {
      sessions.add(session);
      session.on('close', () => sessions.delete(session));
      session.on('error', () => {});
    });
    return server;
  };
  const server = kind === 'plain' ? createServer(handler) : kind === 'h1' ? createTlsServer(tls, handler) : secure();
  server.on('connection', (socket: Socket) => {
    connectionTotal += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  if ('requestTimeout' in server) {
    server.requestTimeout = 0;
  }
  server.on('tlsClientError', () => {});
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;

  const resetConnections = (): void => {
    for (const socket of sockets) {
      socket.resetAndDestroy();
    }
    // A TLS socket took the handle of its TCP socket, so that one's reset alone does not reach it.
    for (const session of sessions) {
      session.destroy();
    }
  };

  return {
    port,
    get connectionCount() {
      return sockets.size;
    },
    get connectionTotal() {
      return connectionTotal;
    },
    goAway: () => {
      // One that was reset just now is among them until its event comes.
      for (const session of [...sessions].filter(({destroyed}) => !destroyed)) {
        session.goaway();
        session.close();
      }
    },
    resetConnections,
    close: async () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      resetConnections();
      if ('closeAllConnections' in server) {
        server.closeAllConnections();
      }
      await closed;
    },
  };
};
