import {chmodSync, copyFileSync, readFileSync} from 'node:fs';
import {createServer, type IncomingMessage, type RequestListener, type Server} from 'node:http';
import {createServer as createTlsServer} from 'node:https';
import {createServer as createTcpServer, type Socket, type Server as TcpServer} from 'node:net';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {createTempFolder} from '../support/temp-folder.ts';

export type LoopbackServer = {
  readonly port: number;
  /** Every request that came, oldest first. */
  readonly requests: readonly IncomingMessage[];
  /** How many connections were made. */
  connections(): number;
  close(): Promise<void>;
};

const fixture = (name: string): string => join(import.meta.dirname, 'fixtures', name);

/**
 * Returns the path of a fixture's copy, which is removed when the test ends: the program refuses files of a checkout
 * that belongs to another user, or that its group may write to.
 */
export const copyFixture = (name: string): string => {
  const folder = createTempFolder('fixture');
  onTestFinished(() => folder.remove());
  const copy = join(folder.path, name);
  copyFileSync(fixture(name), copy);
  chmodSync(copy, 0o600);
  return copy;
};

const listen = async (server: Server | TcpServer, requests: IncomingMessage[]): Promise<LoopbackServer> => {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The server has no port.');
  }
  return {
    port: address.port,
    requests,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise(resolve => server.close(resolve));
    },
  };
};

export const startServer = (handle: RequestListener): Promise<LoopbackServer> => {
  const requests: IncomingMessage[] = [];
  return listen(
    createServer((request, response) => {
      requests.push(request);
      handle(request, response);
    }),
    requests,
  );
};

/** `certificate`: the name of a pair in `fixtures`, all but `self-signed` signed by `ca.pem`. */
export const startTlsServer = (certificate: string, handle: RequestListener): Promise<LoopbackServer> => {
  const requests: IncomingMessage[] = [];
  const pair = {cert: readFileSync(fixture(`${certificate}.pem`)), key: readFileSync(fixture(`${certificate}.key`))};
  return listen(
    createTlsServer(pair, (request, response) => {
      requests.push(request);
      handle(request, response);
    }),
    requests,
  );
};

/** A server that is handed its sockets raw. */
export const startTcpServer = (handle: (socket: Socket) => void): Promise<LoopbackServer> =>
  listen(createTcpServer(handle), []);
