import {type AddressInfo, connect, createServer, type Socket} from 'node:net';
import {onTestFinished} from 'vitest';

export type SocksManners = {
  /** Name and password; without them, nobody is asked. */
  readonly login?: readonly [string, string];
  /** The code of the answer to a request, instead of a connection (RFC 1928, section 6). */
  readonly code?: number;
  /** The answer ends after the code. */
  readonly isBrief?: boolean;
  /** Instead of the protocol, this is said to whoever connects, and the connection is closed. */
  readonly says?: string;
  /** Requests are not answered. */
  readonly isSilent?: boolean;
};

/** Reads exactly so many bytes. */
const createReader = (socket: Socket) => {
  let bytes = Buffer.alloc(0);
  let wake = (): void => undefined;
  const take = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    wake();
  };
  socket.on('data', take);
  return {
    read: async (length: number): Promise<Buffer> => {
      while (bytes.length < length) {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
      const read = bytes.subarray(0, length);
      bytes = bytes.subarray(length);
      return read;
    },
    /** What came and was not read. */
    end: (): Buffer => {
      socket.off('data', take);
      return bytes;
    },
  };
};

const formatAddress = (type: number, address: Buffer): string =>
  type === 1
    ? address.join('.')
    : type === 3
      ? address.toString()
      : (address.toString('hex').match(/.{4}/g) ?? []).join(':');

/**
 * Starts a SOCKS5 proxy on a free loopback port, by RFC 1928 and RFC 1929. It connects to `targetPort`, whatever is
 * asked for, and answers byte by byte. Closed when the test ends.
 */
export const startSocksProxy = async (targetPort: number, manners: SocksManners = {}) => {
  const targets: string[] = [];
  const sockets = new Set<Socket>();

  const answer = async (socket: Socket, ...bytes: readonly number[]): Promise<void> => {
    for (const byte of bytes) {
      await new Promise(resolve => {
        socket.write(Buffer.from([byte]), resolve);
      });
      await new Promise(setImmediate);
    }
  };

  const serve = async (near: Socket): Promise<void> => {
    const reader = createReader(near);
    const [, count = 0] = await reader.read(2);
    const offered = [...(await reader.read(count))];
    const method = manners.login ? 2 : 0;
    if (!offered.includes(method)) {
      await answer(near, 5, 0xff);
      near.end();
      return;
    }
    await answer(near, 5, method);
    if (manners.login) {
      const [, nameLength = 0] = await reader.read(2);
      const name = (await reader.read(nameLength)).toString();
      const [wordLength = 0] = await reader.read(1);
      const word = (await reader.read(wordLength)).toString();
      const isRight = name === manners.login[0] && word === manners.login[1];
      await answer(near, 1, isRight ? 0 : 1);
      if (!isRight) {
        near.end();
        return;
      }
    }
    const [, , , type = 0] = await reader.read(4);
    const [length = 0] = type === 3 ? await reader.read(1) : [type === 1 ? 4 : 16];
    const address = formatAddress(type, await reader.read(length));
    targets.push(`${type} ${address} ${(await reader.read(2)).readUInt16BE()}`);
    if (manners.isSilent) {
      return;
    }
    if (manners.code !== undefined) {
      await answer(near, 5, manners.code, ...(manners.isBrief ? [] : [0, 1, 0, 0, 0, 0, 0, 0]));
      near.end();
      return;
    }
    const far = connect(targetPort, '127.0.0.1');
    sockets.add(far);
    far.on('error', () => near.destroy());
    // The bound address may have any form.
    const bound =
      type === 3 ? [3, 4, ...Buffer.from('here')] : type === 4 ? [4, ...Buffer.alloc(16)] : [1, 127, 0, 0, 1];
    await answer(near, 5, 0, 0, ...bound, 0, 80);
    far.write(reader.end());
    near.pipe(far).pipe(near);
  };

  const server = createServer(near => {
    sockets.add(near);
    near.on('error', () => undefined);
    if (manners.says === undefined) {
      void serve(near);
    } else {
      near.end(manners.says);
    }
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
  });
  const {port} = server.address() as AddressInfo;
  return {host: `127.0.0.1:${port}`, targets};
};
