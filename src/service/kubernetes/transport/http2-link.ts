import {type ClientHttp2Session, connect, constants} from 'node:http2';
import type {Socket} from 'node:net';
import type {SecureContext} from 'node:tls';
import {type Link, type LinkAnswer, SilentLinkError, StaleLinkError} from '#service/link/link.ts';

/** Streams of one connection if the server sets no limit: they share one window and end together. */
const streamsMax = 250;
/** What the server may send of one stream before it waits for us: 64 KB would be 1.3 MB/s at 50 ms of delay. */
const streamWindowBytes = 1024 * 1024;
/** The same for all streams of a connection. Nothing is kept of it: all data is read as it comes. */
const sessionWindowBytes = 16 * 1024 * 1024;

/**
 * Opens an HTTP/2 connection over `socket`. Resolves once the server's settings are known. Sends a PING every `pingMs`;
 * one that is not answered until the next is due ends all streams.
 */
export const openHttp2Link = async (
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
        // Of no effect if there was an answer or an error.
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
  // Stays for good: the streams tell of the error.
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
