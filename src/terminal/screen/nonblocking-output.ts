import type {Writable} from 'node:stream';

type BlockingHandle = {setBlocking(isBlocking: boolean): unknown};

const handleOf = (stream: Writable): BlockingHandle | undefined => {
  const handle: unknown = '_handle' in stream ? stream._handle : undefined;
  const isHandle = typeof handle === 'object' && handle !== null && 'setBlocking' in handle;
  return isHandle && typeof handle.setBlocking === 'function' ? (handle as BlockingHandle) : undefined;
};

/**
 * Sets whether writes to a terminal block until the terminal has taken them.
 *
 * Node opens terminals as blocking: on a stalled line, or after Ctrl-S, the next write blocks the whole program,
 * including polls, keys and even signals. The switch is not in Node's documentation; if it is missing, the stream stays
 * as it is, which is slower in these cases and otherwise the same. Node undoes the switch on exit; code that stops the
 * program must do so too, because a shell may share the terminal's flags.
 */
export const setBlocking = (stream: Writable, isBlocking: boolean): void => {
  handleOf(stream)?.setBlocking(isBlocking);
};

/** Resolves when a terminal has taken everything that was written. Never rejects. */
export const flushed = (stream: Writable): Promise<void> =>
  new Promise(resolve => {
    if (stream.destroyed || stream.writableLength === 0) {
      resolve();
      return;
    }
    stream.write('', () => resolve());
  });
