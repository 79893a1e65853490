import {createLogBodyReader, type LogBodyReader} from './log-body-reader.ts';

/** Each holds the lines of its last body, and their bytes: these are the logs that are watched at once. */
const readersMax = 8;

/** Longer than any wait between two polls of a log that is watched. */
const forgottenAfterMs = 2 * 60 * 1000;

/** The readers of the logs asked for last, by branch. One that is not asked for any more forgets its last body after a while. */
export const createLogBodyReaders = (bodyBytesMax: number): {of(branch: string): LogBodyReader} => {
  const readers = new Map<string, {readonly reader: LogBodyReader; readonly forgetting: NodeJS.Timeout}>();
  return {
    of: branch => {
      const known = readers.get(branch);
      const reader = known?.reader ?? createLogBodyReader(bodyBytesMax);
      const forgetting = known?.forgetting.refresh() ?? setTimeout(reader.forget, forgottenAfterMs).unref();
      // A Map keeps the order of insertion: the one asked for last goes to the end.
      readers.delete(branch);
      readers.set(branch, {reader, forgetting});
      const [oldest] = readers;
      if (readers.size > readersMax && oldest !== undefined) {
        const [name, {forgetting}] = oldest;
        clearTimeout(forgetting);
        readers.delete(name);
      }
      return reader;
    },
  };
};
