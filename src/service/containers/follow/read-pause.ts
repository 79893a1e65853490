import type {CallError} from '#service/backend/errors.ts';
import {isRefusal} from '#service/errors/is-refusal.ts';
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

/** Once one log can be read again, the others are tried within this, milliseconds, but not all at once. */
const backMsMax = 1_000;

/** Why a log has to be read again. */
export type ReadTrouble = 'ended' | 'fault' | CallError;

export const troubleOf = (end: LogReadEnd): ReadTrouble =>
  end.kind === 'failed' ? end.error : end.kind === 'fault' ? 'fault' : 'ended';

/** Whether the log may be there in a moment, so that nothing is wrong. 204 is the answer for a pod without a node. */
export const isWaiting = ({status}: CallError): boolean => [204, 400, 404].includes(status ?? 0);

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

/** The reads that wait because the cluster, or a part of it, was out of reach: what each does once another is back. */
export type OutOfReach = Set<() => void>;

/**
 * Creates the pauses between the reads of one container's log. `onOthersBack` is called when another log that was out
 * of reach is back.
 */
export const createReadRetry = (
  {outOfReach, random}: {readonly outOfReach: OutOfReach; readonly random: () => number},
  onOthersBack: () => void,
) => {
  let tries = 0;
  let end: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isHurried = false;

  const hurry = (): void => {
    tries = 0;
    onOthersBack();
    if (end && !isHurried) {
      isHurried = true;
      clearTimeout(timer);
      timer = setTimeout(end, backMsMax * (0.5 + random() / 2));
    }
  };

  return {
    /** Returns the pause after a read that ended by `trouble`. `isGood`: it brought something, or lasted. */
    noteEnd: (trouble: ReadTrouble, isGood: boolean): number => {
      tries = isGood ? 0 : tries;
      const pauseMs = readPauseMs(trouble, tries, random());
      const isCall = typeof trouble !== 'string';
      const isAsked = isCall && trouble.retryAfterMs !== undefined;
      tries += isGood || isAsked ? 0 : 1;
      outOfReach[isCall && !isAsked && chooseRange(trouble) === brokenPause ? 'add' : 'delete'](hurry);
      return pauseMs;
    },
    /** The log can be read again: whatever else was out of reach is likely to be back, too. */
    noteOpen: (): void => {
      if (outOfReach.delete(hurry)) {
        for (const hurryOther of outOfReach) {
          hurryOther();
        }
      }
    },
    rest: async (ms: number): Promise<void> => {
      const {promise, resolve} = Promise.withResolvers<void>();
      end = resolve;
      isHurried = ms <= backMsMax;
      timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
      end = undefined;
    },
    /** Ends a rest. */
    wake: (): void => end?.(),
    close: (): void => {
      outOfReach.delete(hurry);
      end?.();
    },
  };
};
