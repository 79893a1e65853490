import type {Readable} from 'node:stream';
import type {SecureContext} from 'node:tls';
import {promisify} from 'node:util';
import {gunzip} from 'node:zlib';
import {errorCodeOf} from '#base/error-code.ts';

/** A way to send requests: an HTTP/2 connection, or HTTP/1.1 with as many as it takes. */
export interface Link {
  /** With which certificates it was opened. */
  readonly secureContext: SecureContext;
  /** Whether it takes a further request. */
  hasRoom(): boolean;
  /** Whether it is open but unused. */
  isIdle(): boolean;
  /**
   * Resolves when the headers have come. Rejects with a `StaleLinkError` if it was the connection's age that made the
   * request fail: it can be sent again.
   */
  send(request: LinkRequest, signal: AbortSignal): Promise<LinkAnswer>;
  /** Ends all requests. */
  close(): void;
}

export type LinkRequest = {
  readonly path: string;
  /** A list is sent as one line for each value. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The answer has no end. */
  readonly isEndless: boolean;
};

/** The query of a path; undefined values are left out. */
export type LinkQuery = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns a path with its query. */
export const formatTarget = (path: string, query: LinkQuery = {}): string => {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) {
      fields.set(name, String(value));
    }
  }
  return `${path}${fields.size > 0 ? `?${fields}` : ''}`;
};

export type LinkAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Readable;
  /** Whether the server ended the body properly. Known when it has closed. */
  isWhole(): boolean;
  /** Ends the answer, whatever is left of it. */
  cancel(): void;
};

/** A connection that had served before was closed before it answered. */
export class StaleLinkError extends Error {
  override readonly name = 'StaleLinkError';
}

/** The other end answers nothing any more, although nobody has closed the connection. */
export class SilentLinkError extends Error {
  override readonly name = 'SilentLinkError';
}

/**
 * Reads a body as it comes, without ever pausing it: a follower that does not read makes the kubelet skip files.
 * `onEnd` is called once, with undefined for an orderly end. Returns what stops it, without `onEnd`.
 */
export const drainAnswer = (
  {body, isWhole, cancel}: LinkAnswer,
  onData: (bytes: Buffer) => void,
  onEnd: (fault: {readonly cause: unknown} | undefined) => void,
): (() => void) => {
  let isStopped = false;
  let cause: unknown;
  body.on('data', (bytes: Buffer) => {
    if (!isStopped) {
      onData(bytes);
    }
  });
  body.on('error', error => {
    cause = error;
  });
  body.on('close', () => {
    if (!isStopped) {
      isStopped = true;
      onEnd(isWhole() ? undefined : {cause});
    }
  });
  return () => {
    isStopped = true;
    cancel();
  };
};

/** The body is larger than asked for. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** The body broke off. */
export class BodyCutError extends Error {
  override readonly name = 'BodyCutError';
}

/**
 * Returns a whole body, decompressed. Throws a `BodyTooLargeError`, a `BodyCutError`, or the reason of `signal`.
 */
export const readBody = async (answer: LinkAnswer, bytesMax: number, signal: AbortSignal): Promise<Buffer> => {
  const {promise, resolve, reject} = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  const abort = () => {
    stop();
    reject(signal.reason);
  };
  const stop = drainAnswer(
    answer,
    bytes => {
      chunks.push(bytes);
      length += bytes.length;
      if (length > bytesMax) {
        stop();
        reject(new BodyTooLargeError(`more than ${bytesMax} bytes`));
      }
    },
    fault => (fault ? reject(new BodyCutError('cut', {cause: fault.cause})) : resolve(Buffer.concat(chunks))),
  );
  signal.addEventListener('abort', abort, {once: true});
  const bytes = await promise.finally(() => signal.removeEventListener('abort', abort));
  return answer.headers['content-encoding'] === 'gzip' ? await unpack(bytes, bytesMax) : bytes;
};

const unpack = async (bytes: Buffer, bytesMax: number): Promise<Buffer> => {
  try {
    return await promisify(gunzip)(bytes, {maxOutputLength: bytesMax});
  } catch (error) {
    throw errorCodeOf(error) === 'ERR_BUFFER_TOO_LARGE'
      ? new BodyTooLargeError(`more than ${bytesMax} bytes`)
      : new BodyCutError('damaged', {cause: error});
  }
};
