import type {Writable} from 'node:stream';

type BlockingHandle = {setBlocking(isBlocking: boolean): unknown};

const handleOf = (stream: Writable): BlockingHandle | undefined => {
  const handle: unknown = '_handle' in stream ? stream._handle : undefined;
  const isHandle = typeof handle === 'object' && handle !== null && 'setBlocking' in handle;
  return isHandle && typeof handle.setBlocking === 'function' ? (handle as BlockingHandle) : undefined;
};

/**
 * Chooses whether writes to a terminal wait until the terminal has taken them.
 *
 * Node opens terminals blocking: behind a line that stalls, or after Ctrl-S, the next write holds the whole program,
 * its polls, its keys and even its signals. The switch is not in Node's documentation, so where it is missing the
 * stream is left as it is: slower on such a day, and otherwise the same. Node undoes it when it exits; whoever stops the
 * program must do so too, because a shell may share the terminal's flags.
 */
export const setBlocking = (stream: Writable, isBlocking: boolean): void => {
  handleOf(stream)?.setBlocking(isBlocking);
};
