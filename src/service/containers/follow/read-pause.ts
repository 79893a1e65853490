import {CallError, isRefusal} from '#service/backend/errors.ts';
import type {ContainerPlace, LogQuery} from '../container-logs.ts';
import {type LogReadEnd, type LogReadOptions, startLogRead} from '../log/log-read.ts';
import type {LogFront} from '../log-lines.ts';

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

/**
 * Returns the pause before a log is looked at again that was read to its end, milliseconds: the watch reports the next
 * start, and of the end within seconds, unless the node is at fault.
 */
export const drainedPauseMs = (state: ContainerPlace['state']): number => (state === 'running' ? 10_000 : 300_000);

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

/** A log that cannot be read for this long counts as unreadable, milliseconds: API servers restart. */
const failingMsMax = 5_000;
/** A node that cannot read a log says so at once, in the body of an orderly answer: not within this, milliseconds. */
const sentenceMsMax = 2_000;

/** Creates a record without failures. `title` begins the sentence after the cause. */
export const createReadFailure = (title: string, monotonicMs: () => number) => {
  let failing: {readonly error: CallError; readonly sinceMs: number} | undefined;
  /** Once for each time that the log cannot be read, or others that come and go would hide this one. */
  let isForgiven = false;
  /** Since when an answer is open that may yet end with the node's sentence. */
  let openMs: number | undefined;

  const clear = (): void => {
    failing = undefined;
    openMs = undefined;
    isForgiven = false;
  };

  const settleOpen = (): void => {
    if (openMs !== undefined && monotonicMs() - openMs >= sentenceMsMax) {
      clear();
    }
  };

  const note = (error: CallError, state: ContainerPlace['state']): void => {
    settleOpen();
    openMs = undefined;
    // Only a container that runs must have a log.
    const isAbsent = state !== 'running' && isWaiting(error);
    failing = isAbsent ? undefined : {error, sinceMs: failing?.sinceMs ?? monotonicMs()};
  };

  const sentence = (): string | undefined => {
    settleOpen();
    return failing && (isRefusal(failing.error) || monotonicMs() - failing.sinceMs >= failingMsMax)
      ? // The cause first: a screen may cut the rest.
        `${failing.error.message} ${title} cannot be read.`
      : undefined;
  };

  return {
    note,
    /** A read has ended; `state` is that of the container. */
    noteEnd: (end: LogReadEnd, state: ContainerPlace['state']): void => {
      if (end.kind === 'failed') {
        note(end.error, state);
      } else if (end.kind === 'fault' && !end.hasLines && state === 'running') {
        note(new CallError('body', `Its node says: ${end.sentence}.`), state);
      } else if (end.kind !== 'closed') {
        clear();
      }
    },
    /** An answer has begun. */
    noteOpen: (): void => {
      if (failing?.error.kind === 'body') {
        openMs ??= monotonicMs();
      } else {
        clear();
      }
    },
    /** The log can be read. */
    clear,
    /** Another log that was out of reach can be read: this one is likely to be back in a moment. */
    noteOthersBack: (): void => {
      failing = failing && !isForgiven ? {...failing, sinceMs: monotonicMs()} : failing;
      isForgiven = true;
    },
    /** Returns a sentence; undefined if the log can be read, or may be in a moment. */
    sentence,
    /** It cannot be read, and that may pass in a moment. */
    isInDoubt: (): boolean => sentence() === undefined && failing !== undefined,
  };
};

/** Why a log cannot be read, if that lasts. */
type ReadFailure = ReturnType<typeof createReadFailure>;

type ReadStarterOptions = Pick<LogReadOptions, 'logs' | 'queue' | 'inbox'> & {
  readonly place: () => ContainerPlace;
  /** Hears how each read ends. */
  readonly readFailure: ReadFailure;
};

/** Creates the reads of one container. */
export const createReadStarter =
  ({place: findPlace, readFailure, ...shared}: ReadStarterOptions) =>
  (
    query: LogQuery,
    front: LogFront,
    onLines: LogReadOptions['onLines'],
    ofStream: Pick<LogReadOptions, 'onOpen' | 'mayWait'> = {},
  ) => {
    const read = startLogRead({...shared, place: findPlace(), query, front, onLines, ...ofStream});
    void read.ended.then(end => {
      // There need not be a previous instance, whose log says nothing of this one's.
      if (!query.previous || (end.kind === 'failed' && !isWaiting(end.error))) {
        readFailure.noteEnd(end, findPlace().state);
      }
    });
    return read;
  };

/** Starts a read of a container's log, with timestamps. */
export type ReadStarter = ReturnType<typeof createReadStarter>;
