import {addToQueue, emptyQueue, type HeardEntry, isEmptyQueue, readQueue, turnMs} from './announce/line-queue.ts';

/** Sentences to write together. A batch with the same number is the same batch, grown. */
export type Batch = {readonly number: number; readonly sentences: readonly string[]};

/**
 * Maximum sentences waiting while the terminal accepts no output; beyond that the oldest are dropped, and their number
 * is announced.
 */
export const waitingSentencesMax = 200;

export type AnnouncerOptions = {
  /** Milliseconds by a monotonic clock. */
  readonly nowMs: () => number;
  /** Runs a callback after a delay. */
  readonly schedule: (delayMs: number, run: () => void) => void;
  /** Returns whether the terminal has not yet taken the previous output. */
  readonly isBusy: () => boolean;
};

/**
 * Queues text to be read aloud for the terminal: in order, each sentence once, and no faster than a user can listen.
 */
export type Announcer = {
  say(sentences: readonly string[]): void;
  /** Queues log lines and markers, to be read in turns. */
  hear(entries: readonly HeardEntry[]): void;
  /** While held, queued entries wait. */
  hold(isHeld: boolean): void;
  /** Drops queued entries: they belong to a place the user has left. */
  forget(): void;
  /** Returns the batch to write now. */
  batch(): Batch;
  /** Confirms that the batch is written. */
  written(batch: Batch): void;
  subscribe(listener: () => void): () => void;
};

export const createAnnouncer = ({nowMs, schedule, isBusy}: AnnouncerOptions): Announcer => {
  const listeners = new Set<() => void>();
  let batch: Batch = {number: 0, sentences: []};
  let isWritten = true;
  let waiting: readonly string[] = [];
  let leftOutCount = 0;
  let queue = emptyQueue;
  let isHeld = false;
  let turnAtMs = Number.NEGATIVE_INFINITY;
  let looksAgain = false;

  const lookAgainIn = (delayMs: number): void => {
    if (looksAgain) {
      return;
    }
    looksAgain = true;
    schedule(delayMs, () => {
      looksAgain = false;
      flush();
    });
  };

  const takeWaiting = (): readonly string[] => {
    const taken = leftOutCount === 0 ? waiting : [`${leftOutCount} earlier sentences were left out.`, ...waiting];
    waiting = [];
    leftOutCount = 0;
    return taken;
  };

  const takeTurn = (): readonly string[] => {
    if (isHeld || isEmptyQueue(queue)) {
      return [];
    }
    const leftMs = turnAtMs + turnMs - nowMs();
    if (leftMs > 0) {
      lookAgainIn(leftMs);
      return [];
    }
    const {sentences, left} = readQueue(queue);
    queue = left;
    turnAtMs = nowMs();
    return sentences;
  };

  const flush = (): void => {
    if (isBusy()) {
      lookAgainIn(turnMs);
      return;
    }
    const sentences = [...takeWaiting(), ...takeTurn()];
    if (sentences.length === 0) {
      return;
    }
    batch = isWritten
      ? {number: batch.number + 1, sentences}
      : {number: batch.number, sentences: [...batch.sentences, ...sentences]};
    isWritten = false;
    for (const listener of listeners) {
      listener();
    }
  };

  return {
    say(sentences) {
      const all = [...waiting, ...sentences];
      leftOutCount += Math.max(0, all.length - waitingSentencesMax);
      waiting = all.slice(-waitingSentencesMax);
      flush();
    },
    hear(entries) {
      queue = addToQueue(queue, entries);
      flush();
    },
    hold(held) {
      isHeld = held;
      flush();
    },
    forget() {
      queue = emptyQueue;
    },
    batch: () => batch,
    written(drawn) {
      isWritten ||= drawn === batch;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};
