import {Worker} from 'node:worker_threads';
import type {SearchAnswer, SearchRequest} from './search-queue.ts';
import {workerCode} from './worker-code.ts';

/** The clock of the searches; injected, so that tests can move it. */
export type SearchClock = {
  /** Returns milliseconds by a monotonic clock; its zero has no meaning. */
  nowMs(): number;
  /** Calls `run` once after `delayMs`. Returns a function that cancels the call. */
  schedule(delayMs: number, run: () => void): () => void;
};

/** The system clock. Its timers do not keep the process alive. */
export const systemSearchClock: SearchClock = {
  nowMs: () => performance.now(),
  schedule(delayMs, run) {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

export type SearchThread = {
  readonly send: (request: SearchRequest) => void;
  /** Ends the thread, whatever it is doing. No further callbacks. */
  readonly end: () => void;
};

export type SearchThreadOptions = {
  readonly onAnswer: (answer: SearchAnswer) => void;
  /** The thread ended by itself or never started; `reason` says why. */
  readonly onBroken: (reason: string) => void;
};

/**
 * A search needs a chunk and its matches; anything that needs more memory is a fault, and ends the thread, not the
 * program.
 */
const heapMbMax = 256;

/** Starts the search thread. It does not keep the process alive, and its output is discarded. */
export const startSearchThread = ({onAnswer, onBroken}: SearchThreadOptions): SearchThread => {
  const {code, eval: isText} = workerCode();
  const worker = new Worker(code, {
    eval: isText,
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: {maxOldGenerationSizeMb: heapMbMax},
  });
  let hasEnded = false;
  worker.on('message', (answer: SearchAnswer) => {
    if (!hasEnded) {
      onAnswer(answer);
    }
  });
  const breakDown = (reason: string): void => {
    if (!hasEnded) {
      hasEnded = true;
      onBroken(reason);
    }
  };
  worker.on('error', error => breakDown(error instanceof Error ? error.message : String(error)));
  worker.on('exit', code => breakDown(`it ended with ${code}`));
  worker.unref();
  return {
    send: request => worker.postMessage(request),
    end: () => {
      hasEnded = true;
      void worker.terminate();
    },
  };
};
