import type {Readable} from 'node:stream';
import {setImmediate as nextTurn} from 'node:timers/promises';

/**
 * Stops reading the terminal, so that typed input reaches another program that reads it. Returns a function that
 * resumes reading for the previous listeners. Pausing is not enough: a stream with `readable` listeners continues to
 * read.
 */
export const stopReading = async (stdin: Readable): Promise<() => void> => {
  const wasFlowing = stdin.readableFlowing === true;
  const listeners = stdin.listeners('readable') as unknown as readonly (() => void)[];
  for (const listener of listeners) {
    stdin.off('readable', listener);
  }
  // Only then does the stream notice that it has no listeners; it would flow again.
  await nextTurn();
  stdin.pause();
  // Node stops the read itself one turn after the pause.
  await nextTurn();
  return () => {
    for (const listener of listeners) {
      stdin.on('readable', listener);
    }
    if (wasFlowing) {
      stdin.resume();
    }
  };
};
