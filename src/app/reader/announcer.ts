import {addToQueue, emptyQueue, type HeardEntry, isEmptyQueue, readQueue, turnMs} from './line-queue.ts';

/** Sentences that are to be written together. One of the same number is the same one, grown. */
export type Batch = {readonly number: number; readonly sentences: readonly string[]};

/** While the terminal takes nothing so many sentences wait; the oldest are left out then, and that is said. */
export const waitingSentencesMax = 200;

export type AnnouncerOptions = {
  /** Milliseconds by a monotonic clock. */
  readonly nowMs: () => number;
  /** Calls back after that time. */
  readonly schedule: (delayMs: number, run: () => void) => void;
  /** The terminal has not taken what was written before. */
  readonly isBusy: () => boolean;
};

/** What is read aloud, on its way to the terminal: in order, each once, and no faster than somebody can listen. */
export type Announcer = {
  say(sentences: readonly string[]): void;
  /** Lines and markers of the log, to be read in turns. */
  hear(entries: readonly HeardEntry[]): void;
  /** While it holds what is heard waits. */
  hold(isHeld: boolean): void;
  /** What is heard and was not read yet is of a place that was left. */
  forget(): void;
  /** What is to be written now. */
  batch(): Batch;
  /** That batch is written. */
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
    const sentences = readQueue(queue);
    queue = emptyQueue;
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
