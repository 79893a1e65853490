import type {LogRead} from '../log/log-read.ts';

type EndWait = {
  readonly read: LogRead;
  readonly wait: (ms: number) => Promise<void>;
};

/**
 * Creates a wait of some milliseconds that is over early when the read ends. It subscribes to the end once: each
 * `Promise.race` with it would stay in memory for as long as the read goes on.
 */
export const createWaitForEnd = ({read, wait}: EndWait): ((ms: number) => Promise<void>) => {
  let endWait: (() => void) | undefined;
  void read.ended.then(() => endWait?.());
  return ms =>
    new Promise(resolve => {
      endWait = resolve;
      void wait(ms).then(resolve);
    });
};
