import {request as requestHttp} from 'node:http';
import {request as requestHttps} from 'node:https';
import type {Socket} from 'node:net';

/** The proxy gave no way to the server. */
export class TunnelError extends Error {
  override readonly name = 'TunnelError';
  /** `host:port` of the proxy, without its credentials. */
  readonly proxy: string;
  /** What the proxy answered; undefined if it could not be asked. */
  readonly status: number | undefined;

  constructor(proxy: string, status: number | undefined, cause?: unknown) {
    super(`no tunnel through ${proxy}`, {cause});
    this.proxy = proxy;
    this.status = status;
  }
}

/**
 * Connects to `target`, `host:port`, through an HTTP or HTTPS proxy with CONNECT (RFC 9110, section 9.3.6).
 * Throws a `TunnelError`.
 */
export const openTunnel = (proxy: URL, target: string, signal: AbortSignal): Promise<Socket> => {
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
  request.on('error', error => reject(new TunnelError(proxy.host, undefined, error)));
  request.on('connect', ({statusCode}, socket: Socket, head) => {
    // Whoever uses it finds out; without a listener the process would end.
    socket.on('error', () => undefined);
    if (statusCode !== 200) {
      socket.destroy();
      reject(new TunnelError(proxy.host, statusCode));
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
