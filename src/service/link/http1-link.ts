import {Agent, request as sendRequest} from 'node:http';
import type {Duplex} from 'node:stream';
import {type Link, type LinkAnswer, SilentLinkError, StaleLinkError} from './link.ts';

/** Connections for answers with an end. Further requests wait; each connection costs the server a handshake. */
const connectionsMax = 16;

type OpenConnection = () => Promise<Duplex>;

class DialingAgent extends Agent {
  readonly #open: OpenConnection;

  constructor(open: OpenConnection, connections: number) {
    super({keepAlive: true, maxSockets: connections});
    this.#open = open;
  }

  override createConnection(_: unknown, callback?: (error: Error | null, stream: Duplex) => void): undefined {
    this.#open().then(
      socket => callback?.(null, socket),
      // The type asks for a stream beside the error; Node does not look at it.
      (error: Error) => (callback as ((error: Error) => void) | undefined)?.(error),
    );
  }
}

/**
 * Creates a link of HTTP/1.1 connections: kept for further requests, and one for each answer without an end. While
 * there are requests, a small one is sent every `pingMs`; if it is not answered until the next is due, all others end.
 */
export const createHttp1Link = (
  {host, pathname}: URL,
  open: OpenConnection,
  {pingMs, pingPath}: {readonly pingMs: number; readonly pingPath: string},
): Omit<Link, 'secureContext'> => {
  const brief = new DialingAgent(open, connectionsMax);
  const endless = new DialingAgent(open, Number.POSITIVE_INFINITY);
  const ping = new DialingAgent(open, 1);
  /** Each ends one request with an error. */
  const active = new Set<(error: Error) => void>();
  let pingHeaders = {};
  let isAwaited = false;
  let isClosed = false;

  /** Unused ones, too: they are as dead. */
  const destroyConnections = (): void => {
    for (const agent of [brief, endless, ping]) {
      agent.destroy();
    }
  };

  const sendPing = (): void => {
    isAwaited = true;
    const noteAnswer = () => {
      isAwaited = false;
    };
    const path = `${pathname.replace(/\/+$/, '')}${pingPath}`;
    sendRequest({path, headers: pingHeaders, agent: ping})
      .on('response', response => {
        noteAnswer();
        response.on('error', () => undefined).resume();
      })
      // Whoever refuses a connection is not silent.
      .on('error', noteAnswer)
      .end();
  };

  const check = (): void => {
    if (active.size === 0) {
      return;
    }
    if (!isAwaited) {
      sendPing();
      return;
    }
    // After a long task of ours the answer may be there, unread.
    setImmediate(() => {
      if (isAwaited) {
        for (const end of active) {
          end(new SilentLinkError('a request was not answered'));
        }
        destroyConnections();
      }
    });
  };
  const timer = setInterval(check, pingMs).unref();

  return {
    hasRoom: () => !isClosed,
    isIdle: () => active.size === 0,
    send: async ({path, headers, isEndless}, signal) => {
      signal.throwIfAborted();
      const {promise, resolve, reject} = Promise.withResolvers<LinkAnswer>();
      const agent = isEndless ? endless : brief;
      const request = sendRequest({path, headers: {...headers, host}, agent});
      const abort = () => request.destroy();
      let end = (error: Error): unknown => request.destroy(error);
      const endNow = (error: Error) => end(error);
      pingHeaders = {...headers, host};
      active.add(endNow);
      signal.addEventListener('abort', abort, {once: true});
      request.on('error', error => reject(request.reusedSocket ? new StaleLinkError('', {cause: error}) : error));
      request.on('close', () => {
        active.delete(endNow);
        signal.removeEventListener('abort', abort);
      });
      request.on('response', response => {
        signal.removeEventListener('abort', abort);
        // Whoever reads the body finds that it is not whole.
        response.on('error', () => undefined);
        end = error => response.destroy(error);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: response,
          isWhole: () => response.complete,
          cancel: () => request.destroy(),
        });
      });
      request.end();
      return promise;
    },
    close: () => {
      isClosed = true;
      clearInterval(timer);
      destroyConnections();
    },
  };
};
