import {setNewest} from '#base/bounds.ts';
import {createLogBodyReader, type LogBodyReader} from './log-body-reader.ts';

/**
 * Each reader holds the lines of its last body and their bytes. This is the number of logs that are watched at once.
 */
const readersMax = 8;

/** Longer than any wait between two polls of a watched log. */
const forgottenAfterMs = 2 * 60 * 1000;

/**
 * Keeps a reader for each of the most recently requested logs. A reader that is no longer used forgets its last body
 * after a while.
 */
export const createLogBodyReaders = (): {of(branch: string): LogBodyReader} => {
  const readers = new Map<string, {readonly reader: LogBodyReader; readonly forgetting: NodeJS.Timeout}>();
  return {
    of: branch => {
      const known = readers.get(branch);
      const reader = known?.reader ?? createLogBodyReader();
      const forgetting = known?.forgetting.refresh() ?? setTimeout(reader.forget, forgottenAfterMs).unref();
      clearTimeout(setNewest(readers, branch, {reader, forgetting}, readersMax)?.forgetting);
      return reader;
    },
  };
};
