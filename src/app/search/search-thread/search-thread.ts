import {Worker} from 'node:worker_threads';
import type {SearchAnswer, SearchRequest} from '../../search-thread/search-message.ts';
import {workerCode} from '../../search-thread/worker-code.ts';

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
