import type {Writable} from 'node:stream';

/** The reader of our output has gone (EPIPE): the program ends at once, quietly, with 0. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** Output can't be written (no space left, an I/O error): one sentence, exit code 1. */
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

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** What an error of a stream means: the reader has gone, or writing failed. */
export const outputErrorOf = (error: unknown): OutputClosed | OutputFailed => {
  const code = codeOf(error);
  if (code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED') {
    return new OutputClosed('the reader has gone', {cause: error});
  }
  const reason = (code && reasonByCode[code]) ?? (error instanceof Error ? error.message : String(error));
  return new OutputFailed(`cannot write to standard output: ${reason}${code ? ` (${code})` : ''}`, {cause: error});
};

/** Standard output with back pressure: whoever writes waits until the text has left the program. */
export type Output = {
  /**
   * Resolves when the system has taken the text; a slow reader is waited for.
   * Rejects with `OutputClosed`, `OutputFailed`, or the signal's reason once it is aborted.
   */
  write(text: string, signal?: AbortSignal): Promise<void>;
};

export const createOutput = (stream: Writable): Output => {
  let failure: OutputClosed | OutputFailed | undefined;
  // Without a listener an error of the stream would end the program with a stack trace.
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
