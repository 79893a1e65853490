import {type AddressInfo, connect, createServer, type Socket} from 'node:net';

export type Relay = {
  readonly port: number;
  /** Connections open now no longer pass anything on and stay open, as after a firewall forgot them. New ones work. */
  freeze(): void;
  /** Connections that are frozen and still open. */
  readonly frozenCount: number;
  close(): Promise<void>;
};

type Pair = {readonly client: Socket; readonly upstream: Socket; isFrozen: boolean};

const freezePair = (pair: Pair): void => {
  const {client, upstream} = pair;
  pair.isFrozen = true;
  client.unpipe(upstream);
  upstream.unpipe(client);
  client.pause();
  upstream.pause();
};

/**
 * Passes TCP connections on to a port of this machine, so that one can break without either end being told.
 * @param idleMs a connection on which nothing passes for so long freezes, as at a load balancer; 0 for never
 */
export const openRelay = async (targetPort: number, idleMs: number): Promise<Relay> => {
  const pairs = new Set<Pair>();
  const server = createServer(client => {
    const upstream = connect(targetPort, '127.0.0.1');
    const pair: Pair = {client, upstream, isFrozen: false};
    pairs.add(pair);
    client.pipe(upstream).pipe(client);
    client.setTimeout(idleMs, () => freezePair(pair));
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        pairs.delete(pair);
        client.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => {
      for (const pair of pairs) {
        freezePair(pair);
      }
    },
    get frozenCount() {
      return [...pairs].filter(({isFrozen}) => isFrozen).length;
    },
    close: async () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      for (const {client} of pairs) {
        client.destroy();
      }
      await closed;
    },
  };
};
