import {isRefusal} from '../client/is-refusal.ts';
import type {KubeError} from '../client/kube-client.ts';
import {isWaiting} from './read-pause.ts';

/** A log that cannot be read for this long counts as unreadable, milliseconds: API servers restart. */
const failingMsMax = 5_000;

/** Why a log cannot be read, if that lasts. */
export type ReadFailure = {
  note(error: KubeError): void;
  /** The log can be read. */
  clear(): void;
  /** Returns a sentence; undefined if the log can be read, or may be in a moment. */
  sentence(): string | undefined;
};

/** Creates a record without failures. `title` begins the sentence behind the cause. */
export const createReadFailure = (title: string, monotonicMs: () => number): ReadFailure => {
  let failing: {readonly error: KubeError; readonly sinceMs: number} | undefined;
  return {
    note: error => {
      failing = isWaiting(error) ? undefined : {error, sinceMs: failing?.sinceMs ?? monotonicMs()};
    },
    clear: () => {
      failing = undefined;
    },
    sentence: () =>
      failing && (isRefusal(failing.error) || monotonicMs() - failing.sinceMs >= failingMsMax)
        ? // The cause first: a screen may cut the rest.
          `${failing.error.message} ${title} cannot be read.`
        : undefined,
  };
};
