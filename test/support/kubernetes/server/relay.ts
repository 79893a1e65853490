import {type AddressInfo, connect, createServer, type Socket} from 'node:net';

export type Relay = {
  readonly port: number;
  /** Connections open now no longer pass anything on and stay open, as after a firewall forgot them. New ones work. */
  freeze(): void;
  /** Resets the connections open now. */
  reset(): void;
  close(): Promise<void>;
};

/** Passes TCP connections on to a port of this machine, so that one can break without either end being told. */
export const openRelay = async (targetPort: number): Promise<Relay> => {
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer(client => {
    const upstream = connect(targetPort, '127.0.0.1');
    const pair = [client, upstream] as const;
    pairs.add(pair);
    client.pipe(upstream).pipe(client);
    for (const socket of pair) {
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

  const reset = (): void => {
    for (const [client, upstream] of pairs) {
      client.resetAndDestroy();
      upstream.destroy();
    }
  };

  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream);
        upstream.unpipe(client);
        client.pause();
        upstream.pause();
      }
    },
    reset,
    close: async () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      reset();
      await closed;
    },
  };
};
