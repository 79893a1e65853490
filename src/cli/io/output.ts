import type {Writable} from 'node:stream';
import {findErrorCode} from '#base/error-code.ts';

/** The reader has closed our output (EPIPE): the program ends at once, quietly, with 0. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** Output can't be written (no space left, an I/O error): one message, exit code 1. */
export class OutputFailed extends Error {
  override readonly name = 'OutputFailed';
}

const reasonByCode: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the device',
  EIO: 'the terminal or device is gone',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is too large',
  EBADF: 'it is closed',
};

/** Maps a stream error: the reader has closed it, or writing failed. */
export const outputErrorOf = (error: unknown): OutputClosed | OutputFailed => {
  const code = findErrorCode(error);
  if (code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED') {
    return new OutputClosed('the reader has gone', {cause: error});
  }
  const reason = (code && reasonByCode[code]) ?? (error instanceof Error ? error.message : String(error));
  return new OutputFailed(`cannot write to standard output: ${reason}${code ? ` (${code})` : ''}`, {cause: error});
};

/** Standard output with back pressure: a write resolves when the text has left the program. */
export type Output = {
  /**
   * Resolves when the system has accepted the text; waits for a slow reader. Rejects with `OutputClosed`,
   * `OutputFailed`, or the signal's reason when it is aborted.
   */
  write(text: string, signal?: AbortSignal): Promise<void>;
};

export const createOutput = (stream: Writable): Output => {
  let failure: OutputClosed | OutputFailed | undefined;
  // Without a listener, a stream error would end the program with a stack trace.
  stream.on('error', error => {
    failure ??= outputErrorOf(error);
  });
  return {
    write: (text, signal) =>
      new Promise((resolve, reject) => {
        if (failure || signal?.aborted) {
          reject(failure ?? signal?.reason);
          return;
        }
        if (text === '') {
          resolve();
          return;
        }
        const abandon = () => reject(signal?.reason);
        signal?.addEventListener('abort', abandon, {once: true});
        stream.write(text, error => {
          signal?.removeEventListener('abort', abandon);
          if (error) {
            failure ??= outputErrorOf(error);
            reject(failure);
          } else {
            resolve();
          }
        });
      }),
  };
};
