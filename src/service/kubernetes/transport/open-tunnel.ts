import {request as requestHttp} from 'node:http';
import {request as requestHttps} from 'node:https';
import {connect, isIP, type Socket} from 'node:net';

type TunnelTarget = {
  /** An IPv6 address is in brackets. */
  readonly host: string;
  readonly port: number;
};

/** Which part of the way failed. */
export type TunnelFailure =
  /** That to the proxy. */
  | {readonly kind: 'unreachable' | 'broken'}
  /** Something else listens there. */
  | {readonly kind: 'foreign'}
  /** The proxy wants other credentials, or any. */
  | {readonly kind: 'login'; readonly isRefused: boolean}
  /** The proxy does not want to. `words`: what it answered. */
  | {readonly kind: 'refused'; readonly words: string}
  /** That from the proxy to the server. */
  | {readonly kind: 'far'; readonly words: string};

/** The proxy refused to connect to the server. */
export class TunnelError extends Error {
  override readonly name = 'TunnelError';
  /** `host:port` of the proxy, without its credentials. */
  readonly proxy: string;
  readonly failure: TunnelFailure;

  constructor(proxy: string, failure: TunnelFailure, cause?: unknown) {
    super(`no tunnel through ${proxy}`, {cause});
    this.proxy = proxy;
    this.failure = failure;
  }
}

/**
 * Connects to `target` through an HTTP or HTTPS proxy with CONNECT (RFC 9110, section 9.3.6).
 * Throws a `TunnelError`.
 */
export const openTunnel = (proxy: URL, {host, port}: TunnelTarget, signal: AbortSignal): Promise<Socket> => {
  const target = `${host}:${port}`;
  const {promise, resolve, reject} = Promise.withResolvers<Socket>();
  const request = (proxy.protocol === 'https:' ? requestHttps : requestHttp)({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    method: 'CONNECT',
    path: target,
    headers: {host: target, ...authorise(proxy)},
    agent: false,
    signal,
  });
  request.on('error', error => reject(new TunnelError(proxy.host, {kind: 'unreachable'}, error)));
  request.on('connect', ({statusCode}, socket: Socket, head) => {
    // Whoever uses it finds out; without a listener the process would end.
    socket.on('error', () => undefined);
    if (statusCode !== 200) {
      socket.destroy();
      const failure: TunnelFailure =
        statusCode === 407 ? {kind: 'login', isRefused: false} : {kind: 'refused', words: String(statusCode)};
      reject(new TunnelError(proxy.host, failure));
      return;
    }
    if (head.length > 0) {
      socket.unshift(head);
    }
    resolve(socket);
  });
  request.end();
  return promise;
};

const authorise = ({username, password}: URL): Record<string, string> => {
  if (username === '' && password === '') {
    return {};
  }
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}`};
};

const version = 5;
const loginVersion = 1;
const methods = {none: 0x00, password: 0x02, unacceptable: 0xff};
const addressTypes = {ipv4: 1, name: 3, ipv6: 4};
const portDefault = 1080;
/** A name and a password are preceded by their length in one byte, and so is the name of a host. */
const textBytesMax = 255;
/** The longest answer has a name of 255 bytes. */
const answerBytesMax = 7 + textBytesMax;

/** Answers that name the way beyond the proxy as the reason (RFC 1928, section 6). */
const farFailures: Readonly<Record<number, string>> = {
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'time to live expired',
};
const refusals: Readonly<Record<number, string>> = {
  1: 'general failure',
  2: 'not allowed by its rules',
  7: 'command not supported',
  8: 'address type not supported',
};

/**
 * Connects to `target` through a SOCKS5 proxy, with the name and the password of its address (RFC 1928, RFC 1929). The
 * proxy resolves the name, for `socks5` as for `socks5h`, as with kubectl. Throws a `TunnelError`.
 */
export const openSocksTunnel = async (proxy: URL, target: TunnelTarget, signal: AbortSignal): Promise<Socket> => {
  const socket = connect({host: proxy.hostname.replace(/^\[|\]$/g, ''), port: Number(proxy.port || portDefault)});
  let cause: Error | undefined;
  // Also for whoever uses it later; without a listener the process would end.
  socket.on('error', error => {
    cause = error;
  });
  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort, {once: true});
  if (signal.aborted) {
    abort();
  }
  let isConnected = false;
  socket.once('connect', () => {
    isConnected = true;
  });
  try {
    await negotiate(proxy, target, (message, lengthOf) => exchange(socket, message, lengthOf));
    return socket;
  } catch (error) {
    socket.destroy();
    throw error instanceof TunnelError
      ? error
      : new TunnelError(proxy.host, {kind: isConnected ? 'broken' : 'unreachable'}, cause ?? error);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

/** Sends a message and returns its answer. `lengthOf` tells from its beginning how long it is. */
type Exchange = (message: Buffer, lengthOf: (begun: Buffer) => number) => Promise<Buffer>;

const exchange = (socket: Socket, ...[message, lengthOf]: Parameters<Exchange>): Promise<Buffer> => {
  const {promise, resolve, reject} = Promise.withResolvers<Buffer>();
  let answer = Buffer.alloc(0);
  const take = (bytes: Buffer) => {
    answer = Buffer.concat([answer, bytes]);
    if (answer.length >= Math.min(lengthOf(answer), answerBytesMax)) {
      resolve(answer);
    }
  };
  const fail = () => reject(new Error('closed'));
  socket.on('data', take).once('close', fail);
  if (socket.destroyed) {
    fail();
  }
  socket.write(message);
  return promise.finally(() => socket.off('data', take).off('close', fail));
};

const negotiate = async (proxy: URL, target: TunnelTarget, ask: Exchange): Promise<void> => {
  const fail = (failure: TunnelError['failure']): never => {
    throw new TunnelError(proxy.host, failure);
  };
  const [user, password] = [proxy.username, proxy.password].map(part => Buffer.from(decodeURIComponent(part)));
  const login = user?.length && password ? {user, password} : undefined;
  if (login && Math.max(login.user.length, login.password.length) > textBytesMax) {
    fail({kind: 'login', isRefused: true});
  }
  const offered = [methods.none, ...(login ? [methods.password] : [])];
  const [spoken, method] = await ask(Buffer.from([version, offered.length, ...offered]), () => 2);
  if (spoken !== version) {
    fail({kind: 'foreign'});
  }
  if (method === methods.password && login) {
    const {user: name, password: word} = login;
    const [, status] = await ask(Buffer.from([loginVersion, name.length, ...name, word.length, ...word]), () => 2);
    if (status !== 0) {
      fail({kind: 'login', isRefused: true});
    }
  } else if (method !== methods.none) {
    fail(method === methods.unacceptable ? {kind: 'login', isRefused: login !== undefined} : {kind: 'foreign'});
  }
  const {host, port} = target;
  const request = [version, 1, 0, ...addressBytes(host), port >> 8, port & 0xff];
  const [answered, code = 1] = await ask(Buffer.from(request), begun =>
    // A refusal may end after its code.
    (begun[1] ?? 0) !== 0 ? 2 : lengthOfReply(begun),
  );
  if (answered !== version) {
    fail({kind: 'foreign'});
  }
  if (code !== 0) {
    const far = farFailures[code];
    fail(far === undefined ? {kind: 'refused', words: refusals[code] ?? `code ${code}`} : {kind: 'far', words: far});
  }
};

const lengthOfReply = ([, , , type, first = 0]: Buffer): number =>
  type === addressTypes.ipv4 ? 10 : type === addressTypes.ipv6 ? 22 : 7 + first;

const addressBytes = (host: string): readonly number[] => {
  const bare = host.replace(/^\[|\]$/g, '');
  switch (isIP(bare)) {
    case 4:
      return [addressTypes.ipv4, ...bare.split('.').map(Number)];
    case 6:
      return [addressTypes.ipv6, ...ipv6Bytes(bare)];
    default: {
      const name = Buffer.from(bare).subarray(0, textBytesMax);
      return [addressTypes.name, name.length, ...name];
    }
  }
};

/** `address`: as `URL` writes it, so without an IPv4 address at its end. */
const ipv6Bytes = (address: string): readonly number[] => {
  const [head = [], tail = []] = address.split('::').map(part => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail]
    .map(group => Number.parseInt(group, 16))
    .flatMap(group => [group >> 8, group & 0xff]);
};
