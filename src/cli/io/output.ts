import type {Writable} from 'node:stream';
import {findErrorCode} from '#base/error-code.ts';
import {notLinesWords} from '#log/words/describe-marker.ts';
import {countOf} from '#log/words/format-count.ts';
import type {Say} from './io.ts';

/**
 * Says how many items of a log are no lines, and where the first is, which `notLines` tells by the number of lines
 * before it; undefined if there are none. The items themselves may be secrets.
 */
export const describeNotLines = (notLines: readonly number[] = []): string | undefined => {
  const [first] = notLines;
  return first === undefined
    ? undefined
    : `${notLinesWords(notLines.length)} (the first is data[${first}] of the response)`;
};

/** Says how many parts of an answer were left out because they do not match the interface; undefined if none were. */
export const describeSkipped = (skipped: readonly string[]): string | undefined =>
  skipped.length === 0
    ? undefined
    : `ignored ${countOf(skipped.length, 'part')} of the response that ${skipped.length === 1 ? 'does' : 'do'} not match the interface; the first is ${skipped[0]}`;

/** Reports what was left out of an answer, so that a script does not take the rest for everything. */
export const saySkipped = (skipped: readonly string[], say: Say): void => {
  const words = describeSkipped(skipped);
  if (words !== undefined) {
    say(words);
  }
};

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
const outputErrorOf = (error: unknown): OutputClosed | OutputFailed => {
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
   * Resolves when the system has accepted the text, or bytes as they are; waits for a slow reader. Rejects with
   * `OutputClosed`, `OutputFailed`, or the signal's reason when it is aborted.
   */
  write(text: string | Uint8Array, signal?: AbortSignal): Promise<void>;
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
        if (text.length === 0) {
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
