import {once} from 'node:events';
import {type ClientHttp2Session, connect, constants} from 'node:http2';
import {connect as connectTcp, isIP, type Socket} from 'node:net';
import {checkServerIdentity, connect as connectTls, type SecureContext, TLSSocket} from 'node:tls';
import {createHttp1Link} from '#service/link/http1-link.ts';
import {type Link, type LinkAnswer, type LinkRequest, SilentLinkError, StaleLinkError} from '#service/link/link.ts';
import {type Access, abortable, type KubeConnection} from '../kube-connection.ts';
import {openSocksTunnel, openTunnel} from './open-tunnel.ts';

/** Streams of one connection if the server sets no limit: they share one window and end together. */
const streamsMax = 250;
/** Bytes of one stream that the server may send before it waits for us: 64 KB would be 1.3 MB/s at 50 ms of delay. */
const streamWindowBytes = 1024 * 1024;
/** The same for all streams of a connection. Nothing is kept of it: all data is read as it comes. */
const sessionWindowBytes = 16 * 1024 * 1024;

/**
 * Opens an HTTP/2 connection over `socket`. Resolves once the server's settings are known. Sends a PING every `pingMs`;
 * one that is not answered until the next is due ends all streams.
 */
const openHttp2Link = async (
  socket: Socket,
  origin: string,
  secureContext: SecureContext,
  {pingMs, signal}: {readonly pingMs: number; readonly signal: AbortSignal},
): Promise<Link> => {
  const session = connect(origin, {
    createConnection: () => socket,
    settings: {enablePush: false, initialWindowSize: streamWindowBytes},
  });
  await receiveSettings(session, signal);
  session.setLocalWindowSize(sessionWindowBytes);
  keepChecking(session, pingMs);
  let active = 0;
  let hasAnswered = false;

  return {
    secureContext,
    hasRoom: () =>
      !session.closed &&
      !session.destroyed &&
      active < Math.min(session.remoteSettings.maxConcurrentStreams ?? streamsMax, streamsMax),
    isIdle: () => active === 0,
    send: ({path, headers}, abort) => {
      const {promise, resolve, reject} = Promise.withResolvers<LinkAnswer>();
      const stream = session.request({...headers, ':path': path}, {endStream: true});
      const isStale = () => hasAnswered || stream.rstCode === constants.NGHTTP2_REFUSED_STREAM || session.closed;
      const fail = (error: unknown) => reject(isStale() ? new StaleLinkError('', {cause: error}) : error);
      const cancel = () => stream.close(constants.NGHTTP2_CANCEL);
      active += 1;
      abort.addEventListener('abort', cancel, {once: true});
      stream.on('error', fail);
      stream.on('close', () => {
        active -= 1;
        abort.removeEventListener('abort', cancel);
        // Has no effect if there was an answer or an error.
        fail(Object.assign(new Error('closed'), {code: 'ECONNRESET'}));
      });
      stream.on('response', answer => {
        hasAnswered = true;
        abort.removeEventListener('abort', cancel);
        resolve({
          status: answer[':status'] ?? 0,
          headers: answer,
          body: stream,
          isWhole: () => !stream.aborted && stream.rstCode === constants.NGHTTP2_NO_ERROR,
          cancel,
        });
      });
      return promise;
    },
    close: () => session.destroy(),
  };
};

const receiveSettings = (session: ClientHttp2Session, signal: AbortSignal): Promise<void> => {
  const {promise, resolve, reject} = Promise.withResolvers<void>();
  const abort = () => session.destroy(new Error('aborted'));
  signal.addEventListener('abort', abort, {once: true});
  // Stays for good: the streams report the error.
  session.on('error', reject);
  session.once('close', () => reject(Object.assign(new Error('closed'), {code: 'ECONNRESET'})));
  session.once('remoteSettings', () => resolve());
  return promise.finally(() => signal.removeEventListener('abort', abort));
};

const keepChecking = (session: ClientHttp2Session, pingMs: number): void => {
  let isAwaited = false;
  const timer = setInterval(() => {
    // A session can be destroyed some time before it closes.
    if (session.destroyed) {
      clearInterval(timer);
    } else if (isAwaited) {
      // After a long task of ours the answer may be there, unread.
      setImmediate(() => {
        if (isAwaited) {
          session.destroy(new SilentLinkError('a PING was not answered'));
        }
      });
    } else {
      isAwaited = true;
      session.ping(error => {
        isAwaited = error !== null;
      });
    }
  }, pingMs).unref();
  session.once('close', () => clearInterval(timer));
};

export type TransportLimits = {
  /** Until a connection is open and secured, milliseconds. */
  readonly connectMs: number;
  /**
   * Between two PINGs, milliseconds: less than the time after which load balancers drop quiet connections, and so short
   * that a cluster that has fallen silent is known within twice this time. Over HTTP/1.1, small requests stand for
   * them.
   */
  readonly pingMs: number;
};

/** Connections opened for one request: others may fill the first, but a server can also close each at once. */
const openedMax = 10;

/** No connection within `connectMs`. */
export class ConnectTimeoutError extends Error {
  override readonly name = 'ConnectTimeoutError';
}

/** Sends requests over as few connections as they need. */
export const createTransport = (connection: KubeConnection, {connectMs, pingMs}: TransportLimits) => {
  const {server} = connection;
  const closing = new AbortController();
  let links: readonly Link[] = [];
  let opening: {readonly secureContext: SecureContext; readonly done: Promise<void>} | undefined;

  const connect = async <Value>(run: (signal: AbortSignal) => Promise<Value>): Promise<Value> => {
    const expiry = AbortSignal.timeout(connectMs);
    try {
      return await run(AbortSignal.any([closing.signal, expiry]));
    } catch (error) {
      throw expiry.aborted ? new ConnectTimeoutError('', {cause: error}) : error;
    }
  };

  const createHttp1 = (secureContext: SecureContext, first?: Socket): Link => {
    let spare = first;
    const open = async (): Promise<Socket> => {
      const kept = spare;
      spare = undefined;
      return kept?.destroyed === false
        ? kept
        : await connect(signal => dial(connection, secureContext, ['http/1.1'], signal));
    };
    const link = createHttp1Link(server, open, {pingMs, pingPath: '/version'});
    return {
      ...link,
      secureContext,
      close: () => {
        spare?.destroy();
        link.close();
      },
    };
  };

  const createLink = async (secureContext: SecureContext): Promise<Link> => {
    if (server.protocol === 'http:') {
      return createHttp1(secureContext);
    }
    return await connect(async signal => {
      const socket = await dial(connection, secureContext, ['h2', 'http/1.1'], signal);
      return socket instanceof TLSSocket && socket.alpnProtocol === 'h2'
        ? await openHttp2Link(socket, server.origin, secureContext, {pingMs, signal})
        : createHttp1(secureContext, socket);
    });
  };

  /** Closed links are forgotten; unused ones are closed as long as another has room, or has newer certificates. */
  const adopt = (newest: Link): void => {
    if (closing.signal.aborted) {
      newest.close();
    }
    for (const link of links) {
      if (link.isIdle() && (link.secureContext !== newest.secureContext || newest.hasRoom())) {
        link.close();
      }
    }
    links = [...links.filter(link => link.hasRoom() || !link.isIdle()), newest];
  };

  const openLink = (secureContext: SecureContext): Promise<void> => {
    if (opening?.secureContext === secureContext) {
      return opening.done;
    }
    const done = createLink(secureContext)
      .then(adopt)
      .finally(() => {
        opening = opening?.done === done ? undefined : opening;
      });
    opening = {secureContext, done};
    return done;
  };

  const sendOnce = async ({secureContext}: Access, request: LinkRequest, signal: AbortSignal): Promise<LinkAnswer> => {
    for (let opened = 0; opened < openedMax; opened += 1) {
      signal.throwIfAborted();
      const link = links.find(each => each.secureContext === secureContext && each.hasRoom());
      if (link) {
        return await link.send(request, signal);
      }
      await abortable(openLink(secureContext), signal);
    }
    throw new Error(`${openedMax} new connections took no request`);
  };

  return {
    /**
     * Resolves when the headers have come. Throws the reason of `signal`, or the error of the connection as it is, for
     * which `describeConnectionFailure` has words.
     */
    send: async (access: Access, request: LinkRequest, signal: AbortSignal): Promise<LinkAnswer> => {
      try {
        return await sendOnce(access, request, signal).catch((error: unknown) => {
          if (error instanceof StaleLinkError && !signal.aborted) {
            return sendOnce(access, request, signal);
          }
          throw error;
        });
      } catch (error) {
        signal.throwIfAborted();
        throw error instanceof StaleLinkError ? error.cause : error;
      }
    },
    close: (): void => {
      closing.abort();
      for (const link of links) {
        link.close();
      }
      links = [];
    },
  };
};

/** Load balancers drop quiet connections, some after a minute: TCP probes count as traffic for most. */
const keepAliveMs = 30_000;

/**
 * Opens a connection to the API server, through the proxy if there is one. For https it is secured, and its
 * `alpnProtocol` is one of `protocols` or false.
 * Throws an error of Node's or a `TunnelError`.
 */
const dial = async (
  {server, proxy, serverName, isUnverified}: Pick<KubeConnection, 'server' | 'proxy' | 'serverName' | 'isUnverified'>,
  secureContext: SecureContext,
  protocols: readonly string[],
  signal: AbortSignal,
): Promise<Socket> => {
  const host = server.hostname.replace(/^\[|\]$/g, '');
  const isSecure = server.protocol === 'https:';
  const port = Number(server.port || (isSecure ? 443 : 80));
  const open = proxy?.protocol.startsWith('socks') ? openSocksTunnel : openTunnel;
  const tunnel = proxy && (await open(proxy, {host: server.hostname, port}, signal));
  if (!isSecure && tunnel) {
    return tunnel;
  }
  const name = serverName ?? host;
  const socket = isSecure
    ? connectTls({
        ...(tunnel ? {socket: tunnel} : {host, port}),
        secureContext,
        ALPNProtocols: [...protocols],
        // An IP address is no server name (RFC 6066, section 3).
        ...(isIP(name) ? {} : {servername: name}),
        rejectUnauthorized: !isUnverified,
        checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
      })
    : connectTcp({host, port});
  try {
    await once(socket, isSecure ? 'secureConnect' : 'connect', {signal});
  } catch (error) {
    socket.destroy();
    throw error;
  }
  // It may break before anybody uses it; without a listener the process would end.
  socket.on('error', () => undefined);
  socket.setNoDelay(true);
  (tunnel ?? socket).setKeepAlive(true, keepAliveMs);
  return socket;
};
