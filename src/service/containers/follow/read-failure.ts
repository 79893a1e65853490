import {CallError} from '#service/backend/errors.ts';
import {isRefusal} from '#service/errors/is-refusal.ts';
import type {ContainerPlace} from '../container-place.ts';
import type {LogReadEnd} from '../log/log-read.ts';
import {isWaiting} from './read-pause.ts';

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
      } else if (end.kind === 'clean' || end.kind === 'fault') {
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
export type ReadFailure = ReturnType<typeof createReadFailure>;
