import type {Readable} from 'node:stream';
import {setImmediate as nextTurn} from 'node:timers/promises';

/**
 * Stops reading the terminal, so that what is typed goes to another program that reads it. Answers with what begins again, for whoever had been
 * listening. To pause is not enough: a stream with listeners of `readable` reads on.
 */
export const stopReading = async (stdin: Readable): Promise<() => void> => {
  const wasFlowing = stdin.readableFlowing === true;
  const listeners = stdin.listeners('readable') as unknown as readonly (() => void)[];
  for (const listener of listeners) {
    stdin.off('readable', listener);
  }
  // The stream notices only then that nobody listens, and would flow again.
  await nextTurn();
  stdin.pause();
  // Node stops the reading itself one turn after the pause.
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
