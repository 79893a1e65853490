import type {Socket} from 'node:net';
import {type SecureContext, TLSSocket} from 'node:tls';
import {createHttp1Link} from '../../link/http1-link.ts';
import {type Link, type LinkAnswer, type LinkRequest, StaleLinkError} from '../../link/link.ts';
import {abortable} from './abortable.ts';
import {dial} from './dial.ts';
import {openHttp2Link} from './http2-link.ts';
import type {Access, KubeConnection} from './kube-connection.ts';

export type TransportLimits = {
  /** Until a connection is open and secured, milliseconds. */
  readonly connectMs: number;
  /** Between two PINGs, milliseconds. Over HTTP/1.1, small requests stand for them. */
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
