import type {Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';

/** The open connections of a server, and their running requests. */
export type Connections = {
  /** Records that a request began on a connection. */
  begin(socket: Socket, response: ServerResponse): void;
  /** Ends idle connections at once, the others after their answer, and the remaining ones after `limitMs`. */
  drain(limitMs: number): Promise<void>;
};

/** Tracks a server's connections. Node's own `closeIdleConnections` skips those that never had a request. */
export const trackConnections = (server: Server): Connections => {
  const running = new Map<Socket, Set<ServerResponse>>();
  let isDraining = false;

  server.on('connection', (socket: Socket) => {
    if (isDraining) {
      socket.destroy();
      return;
    }
    running.set(socket, new Set());
    socket.once('close', () => running.delete(socket));
  });

  const endIfIdle = (socket: Socket): void => {
    if (isDraining && running.get(socket)?.size === 0) {
      socket.end();
      socket.destroySoon();
    }
  };

  return {
    begin: (socket, response) => {
      running.get(socket)?.add(response);
      response.once('close', () => {
        running.get(socket)?.delete(response);
        endIfIdle(socket);
      });
    },
    drain: async limitMs => {
      isDraining = true;
      const sockets = [...running.keys()];
      const ended = Promise.all(
        sockets.map(socket => new Promise<void>(resolve => void socket.once('close', () => resolve()))),
      );
      for (const [socket, responses] of running) {
        endIfIdle(socket);
        for (const response of responses) {
          if (!response.headersSent) {
            response.shouldKeepAlive = false;
          }
        }
      }
      const timer = setTimeout(() => {
        for (const socket of running.keys()) {
          socket.destroy();
        }
      }, limitMs);
      await ended;
      clearTimeout(timer);
    },
  };
};
