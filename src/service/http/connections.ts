import type {IncomingMessage, Server, ServerResponse} from 'node:http';
import type {Server as TlsServer} from 'node:https';
import type {Socket} from 'node:net';
import {setNewest} from '#base/bounds.ts';
import type {Deps} from '#service/backend/backend.ts';

/** Returns the address at the other end, IPv4 as such; `unix` for a Unix socket. */
export const clientAddress = ({remoteAddress}: Pick<Socket, 'remoteAddress'>): string =>
  remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, '') ?? 'unix';

/** Returns the address, or for IPv6 its network: whoever has one address there has 2^64. */
export const networkOf = (address: string): string =>
  address.includes(':') ? (address.split('::')[0] ?? '').split(':').slice(0, 4).join(':') : address;

/** Each connection holds a file descriptor, and log files need some too. */
const connectionsMaxDefault = 512;
/**
 * Connections of one address that have not shown a token. A quarter of all: enough for a proxy in front, and a new
 * connection has time to send its request before others of its address push it out.
 */
const strangersMaxDefault = 128;
/** Requests that wait on one connection. Programs that send requests ahead send a few dozen; each takes some kB. */
const waitingMax = 256;

export type ConnectionLimits = {readonly connectionsMax?: number; readonly strangersMax?: number};

type Connection = {
  /** That of TLS, once its handshake is done. */
  socket: Socket;
  readonly network: string;
  isStranger: boolean;
  current: ServerResponse | undefined;
  readonly waiting: {readonly response: ServerResponse; readonly answer: () => void}[];
};

const isSameWay = (left: Socket, right: Socket): boolean =>
  left.remotePort === right.remotePort &&
  left.remoteAddress === right.remoteAddress &&
  left.localAddress === right.localAddress;

/**
 * Limits a server's connections, and answers one request of each at a time. When there are too many, strangers make
 * room, the oldest of the address with the most of them first; then the connection that has been idle longest. So
 * connections without a token never shut out a client that has one.
 */
export const limitConnections = (
  server: Server | TlsServer,
  {connectionsMax = connectionsMaxDefault, strangersMax = strangersMaxDefault}: ConnectionLimits = {},
) => {
  // In order of their last request, or of connecting.
  const open = new Set<Connection>();
  const bySocket = new WeakMap<Socket, Connection>();
  let isDraining = false;

  /** Returns the strangers of the address that has the most, oldest first. */
  const findMostStrangers = (): readonly Connection[] => {
    const byNetwork = Map.groupBy(
      [...open].filter(({isStranger}) => isStranger),
      ({network}) => network,
    );
    return [...byNetwork.values()].reduce((most, each) => (each.length > most.length ? each : most), []);
  };

  /** Makes room for one more connection. */
  const makeRoom = (network: string): void => {
    const own = [...open].filter(other => other.isStranger && other.network === network);
    const leaves =
      own.length >= strangersMax
        ? own[0]
        : open.size >= connectionsMax
          ? (findMostStrangers()[0] ?? [...open].find(({current}) => !current))
          : undefined;
    if (leaves) {
      open.delete(leaves);
      leaves.socket.destroy();
    }
  };

  server.on('connection', (socket: Socket) => {
    const network = networkOf(clientAddress(socket));
    makeRoom(network);
    if (isDraining || open.size >= connectionsMax) {
      socket.destroy();
      return;
    }
    const connection = {socket, network, isStranger: true, current: undefined, waiting: []};
    open.add(connection);
    bySocket.set(socket, connection);
    socket.once('close', () => open.delete(connection));
  });
  // With TLS, requests come on another socket, which wraps the one that connected.
  server.on('secureConnection', (socket: Socket) => {
    const connection = open.values().find(({socket: inner}) => isSameWay(inner, socket));
    if (!connection) {
      socket.destroy();
      return;
    }
    connection.socket = socket;
    bySocket.set(socket, connection);
    socket.once('close', () => open.delete(connection));
  });

  const endIfIdle = ({socket, current}: Connection): void => {
    if (isDraining && !current) {
      socket.end();
      socket.destroySoon();
    }
  };

  const begin = (connection: Connection, response: ServerResponse, answer: () => void): void => {
    connection.current = response;
    response.once('close', () => {
      connection.current = undefined;
      const next = isDraining ? undefined : connection.waiting.shift();
      if (next && open.has(connection)) {
        begin(connection, next.response, next.answer);
      } else {
        endIfIdle(connection);
      }
    });
    answer();
  };

  return {
    /** Runs `answer` when every earlier request of the connection is answered. */
    take: ({socket}: IncomingMessage, response: ServerResponse, answer: () => void): void => {
      const connection = bySocket.get(socket);
      if (!connection || !open.delete(connection)) {
        return;
      }
      open.add(connection);
      if (!connection.current) {
        begin(connection, response, answer);
      } else if (connection.waiting.length < waitingMax) {
        connection.waiting.push({response, answer});
      } else {
        socket.destroy();
      }
    },
    /** Records that a request of the connection had a valid token. */
    trust: (socket: Socket): void => {
      const connection = bySocket.get(socket);
      if (connection) {
        connection.isStranger = false;
      }
    },
    /** Returns how many have shown a token, and how many have not. */
    count: (): {readonly readers: number; readonly strangers: number} => {
      const strangers = open
        .values()
        .filter(({isStranger}) => isStranger)
        .toArray().length;
      return {readers: open.size - strangers, strangers};
    },
    /** Ends idle connections at once, the others after their answer, and the remaining ones after `limitMs`. */
    drain: async (limitMs: number): Promise<void> => {
      isDraining = true;
      const connections = [...open];
      const ended = Promise.all(
        connections.map(({socket}) => new Promise<void>(resolve => void socket.once('close', () => resolve()))),
      );
      for (const connection of connections) {
        endIfIdle(connection);
        if (connection.current && !connection.current.headersSent) {
          connection.current.shouldKeepAlive = false;
        }
      }
      const timer = setTimeout(() => {
        for (const {socket} of open) {
          socket.destroy();
        }
      }, limitMs);
      await ended;
      clearTimeout(timer);
    },
  };
};

/** Addresses that are remembered. Past this the one that failed longest ago is forgotten. */
const networksMax = 1_024;
/** An address that has failed no more for so long is forgotten. */
const rememberedMs = 10 * 60_000;
/** Refusals of an address that are not slowed: somebody copies a token wrong, or several programs have an old one. */
const freeCount = 5;
/** The first refusal that is slowed waits this long; each further one twice as long, up to the maximum. */
const [firstDelayMs, delayMsMax] = [250, 4_000];
/** A sentence at once, and then at most one in so long. */
const tellIntervalMs = 60_000;

type FailedLoginsOptions = Pick<Deps, 'monotonicMs' | 'warn'>;

/** Requests with a wrong token: counted, told to the operator, and slowed by address. */
export const createFailedLogins = ({warn, monotonicMs}: FailedLoginsOptions) => {
  /** By network; the one that failed last comes last. */
  const failures = new Map<string, {readonly count: number; readonly atMs: number}>();
  /** Not told yet, by address. */
  const untold = new Map<string, number>();
  let untoldCount = 0;
  let timer: NodeJS.Timeout | undefined;

  const tell = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const [address, count] = [...untold].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0]);
    if (untoldCount > 0) {
      warn(
        `${untoldCount} more requests with a wrong token were refused in the last minute, most from ${address} (${count}).`,
      );
      timer = setTimeout(tell, tellIntervalMs).unref();
    }
    untold.clear();
    untoldCount = 0;
  };

  const tellSoon = (address: string): void => {
    if (!timer) {
      warn(`A request from ${address} was refused: its token is not one of this service.`);
      timer = setTimeout(tell, tellIntervalMs).unref();
      return;
    }
    untoldCount += 1;
    if (untold.has(address) || untold.size < networksMax) {
      untold.set(address, (untold.get(address) ?? 0) + 1);
    }
  };

  return {
    /** Counts one, and returns how long its answer waits, in milliseconds. */
    note: (address: string): number => {
      tellSoon(address);
      const network = networkOf(address);
      const atMs = monotonicMs();
      const before = failures.get(network);
      const count = before && atMs - before.atMs < rememberedMs ? before.count + 1 : 1;
      setNewest(failures, network, {count, atMs}, networksMax);
      return count <= freeCount ? 0 : Math.min(firstDelayMs * 2 ** (count - freeCount - 1), delayMsMax);
    },
    /** Tells what was not told yet, and nothing from then on. */
    stop: (): void => {
      tell();
      clearTimeout(timer);
    },
  };
};
