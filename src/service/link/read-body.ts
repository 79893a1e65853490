import {promisify} from 'node:util';
import {gunzip} from 'node:zlib';
import {errorCodeOf} from '#base/error-code.ts';
import {drainAnswer} from './drain-answer.ts';
import type {LinkAnswer} from './link.ts';

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
