import {isRefusal} from '../client/is-refusal.ts';
import type {KubeError} from '../client/kube-client.ts';
import type {LogReadEnd} from '../log/log-read.ts';

/** Pauses grow from the first to the second of these, in milliseconds. */
type PauseRange = readonly [firstMs: number, lastMs: number];

/** A broken connection is taken up at once; a server in trouble is left alone. */
const brokenPause: PauseRange = [200, 30_000];
/** A pod that the watch has not caught up with, or a container that has not started: only waiting helps. */
const waitingPause: PauseRange = [1_000, 10_000];
/** The kubelet writes an error and ends the stream: each try may bring some lines. */
const faultPause: PauseRange = [1_000, 30_000];
/** Missing rights are given by people. */
const refusedPause: PauseRange = [5_000, 60_000];

/** Why a log has to be read again. */
export type ReadTrouble = 'ended' | 'fault' | KubeError;

export const troubleOf = (end: LogReadEnd): ReadTrouble =>
  end.kind === 'failed' ? end.error : end.kind === 'fault' ? 'fault' : 'ended';

/** Whether the log may be there in a moment, so that nothing is wrong. */
export const isWaiting = ({status}: KubeError): boolean => status === 400 || status === 404;

/**
 * Returns the pause before the next read, in milliseconds. `tries`: reads in a row that brought nothing. `random` is
 * from 0 to 1. A `Retry-After` is honoured and leaves the other pauses alone.
 */
export const readPauseMs = (trouble: ReadTrouble, tries: number, random: number): number => {
  if (typeof trouble !== 'string' && trouble.retryAfterMs !== undefined) {
    return trouble.retryAfterMs * (1 + random / 4);
  }
  const [firstMs, lastMs] = chooseRange(trouble);
  return Math.max(firstMs, Math.min(firstMs * 2 ** tries, lastMs) * (0.5 + random / 2));
};

const chooseRange = (trouble: ReadTrouble): PauseRange => {
  if (typeof trouble === 'string') {
    return trouble === 'fault' ? faultPause : brokenPause;
  }
  if (isWaiting(trouble)) {
    return waitingPause;
  }
  return isRefusal(trouble) ? refusedPause : brokenPause;
};

/** Creates a pause of some milliseconds that `wake` ends early. */
export const createRest = (): {readonly rest: (ms: number) => Promise<void>; readonly wake: () => void} => {
  let end: (() => void) | undefined;
  return {
    rest: async ms => {
      const {promise, resolve} = Promise.withResolvers<void>();
      end = resolve;
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
      end = undefined;
    },
    wake: () => end?.(),
  };
};
