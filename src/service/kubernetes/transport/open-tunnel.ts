import {request as requestHttp} from 'node:http';
import {request as requestHttps} from 'node:https';
import type {Socket} from 'node:net';

export type TunnelTarget = {
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

/** The proxy gave no way to the server. */
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
