import {setNewest} from '#base/bounds.ts';
import {createLogBodyReader, type LogBodyReader} from './log-body-reader.ts';

/** Longer than any wait between two polls of a watched log, of which a guard has hundreds. */
const forgottenAfterMs = 10 * 60 * 1000;

/**
 * Keeps a reader for each of the most recently requested logs, as many as are watched at once: each holds the lines of
 * its last body and their bytes, which the windows of a watched log share. A reader that is no longer used forgets its
 * last body after a while.
 */
export const createLogBodyReaders = (watchedMax: number): {of(branch: string): LogBodyReader} => {
  const readers = new Map<string, {readonly reader: LogBodyReader; readonly forgetting: NodeJS.Timeout}>();
  return {
    of: branch => {
      const known = readers.get(branch);
      const reader = known?.reader ?? createLogBodyReader();
      const forgetting = known?.forgetting.refresh() ?? setTimeout(reader.forget, forgottenAfterMs).unref();
      clearTimeout(setNewest(readers, branch, {reader, forgetting}, watchedMax)?.forgetting);
      return reader;
    },
  };
};
