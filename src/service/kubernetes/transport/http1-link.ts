import {Agent, request as sendRequest} from 'node:http';
import type {Duplex} from 'node:stream';
import type {SecureContext} from 'node:tls';
import {type KubeAnswer, type Link, StaleLinkError} from './link.ts';

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

/** Creates a link of HTTP/1.1 connections: kept for further requests, and one for each answer without an end. */
export const createHttp1Link = (host: string, secureContext: SecureContext, open: OpenConnection): Link => {
  const brief = new DialingAgent(open, connectionsMax);
  const endless = new DialingAgent(open, Number.POSITIVE_INFINITY);
  let isClosed = false;
  let active = 0;

  return {
    secureContext,
    hasRoom: () => !isClosed,
    isIdle: () => active === 0,
    send: ({path, headers, isEndless}, signal) => {
      const {promise, resolve, reject} = Promise.withResolvers<KubeAnswer>();
      const agent = isEndless ? endless : brief;
      const request = sendRequest({path, headers: {...headers, host}, agent});
      const abort = () => request.destroy();
      active += 1;
      signal.addEventListener('abort', abort, {once: true});
      request.on('error', error => reject(request.reusedSocket ? new StaleLinkError('', {cause: error}) : error));
      request.on('close', () => {
        active -= 1;
        signal.removeEventListener('abort', abort);
      });
      request.on('response', response => {
        signal.removeEventListener('abort', abort);
        // Whoever reads the body finds that it is not whole.
        response.on('error', () => undefined);
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
      brief.destroy();
      endless.destroy();
    },
  };
};
