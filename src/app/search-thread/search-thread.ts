import {existsSync} from 'node:fs';
import {Worker} from 'node:worker_threads';
import type {SearchAnswer, SearchRequest} from './search-message.ts';

export type SearchThread = {
  readonly send: (request: SearchRequest) => void;
  /** Ends it, whatever it is doing. Nothing is heard of it any more. */
  readonly end: () => void;
};

export type SearchThreadOptions = {
  readonly onAnswer: (answer: SearchAnswer) => void;
  /** It ended by itself, or never began; and why. */
  readonly onBroken: (reason: string) => void;
};

/**
 * A search holds a chunk and what it found in it; what needs more than this is a fault, and takes its thread with it
 * and not the program.
 */
const heapMbMax = 256;

/** Bundled, the thread's code lies beside this or above the folder of the pieces. */
const bundledPlaces = ['./search-worker.js', '../search-worker.js'];

const workerUrl = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./search-worker.ts', import.meta.url)
    : (bundledPlaces.map(place => new URL(place, import.meta.url)).find(url => existsSync(url)) ??
      new URL(import.meta.url));

/** Starts the thread that searches. It doesn't keep the process alive, and what it prints is not seen. */
export const startSearchThread = ({onAnswer, onBroken}: SearchThreadOptions): SearchThread => {
  const worker = new Worker(workerUrl(), {
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
