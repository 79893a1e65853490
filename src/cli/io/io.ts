import {homedir} from 'node:os';
import type {Writable} from 'node:stream';
import {setTimeout as sleepFor} from 'node:timers/promises';

/** A stream to write to; `isTTY` and `columns` where it is a terminal. */
export type OutputStream = Writable & {readonly isTTY?: boolean; readonly columns?: number};

/** The clocks of the machine, handed in so that tests own them. */
export type Clock = {
  /** Milliseconds since 1970, for people's eyes only: it may jump. */
  nowMs(): number;
  /** Milliseconds by a clock that never jumps. */
  monotonicMs(): number;
  /** Resolves after that many milliseconds; rejects with the signal's reason once it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** All that a command touches of the outside but the network and the files: streams, environment, clocks, chance, signals. */
export type Io = {
  readonly stdin: {readonly isTTY?: boolean};
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: NodeJS.ProcessEnv;
  /** Undefined where the machine tells none. */
  readonly homeFolder: string | undefined;
  readonly clock: Clock;
  /** From 0 up to, but without, 1. */
  random(): number;
  /** Calls the listener on SIGINT and SIGTERM, until the returned function is called. */
  onStopSignal(listener: (signal: StopSignal) => void): () => void;
};

/** A timer of Node holds 31 bits of milliseconds; a longer wait fires at once, so it is made of several. */
const timerMsMax = 2 ** 31 - 1;

/** Waits by real timers. Rejects with the signal's reason, not with Node's AbortError, so that callers see why. */
export const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
  signal?.throwIfAborted();
  let leftMs = Math.max(0, ms);
  do {
    const stepMs = Math.min(leftMs, timerMsMax);
    try {
      await sleepFor(stepMs, undefined, signal ? {signal} : {});
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
    leftMs -= stepMs;
  } while (leftMs > 0);
};

const readHomeFolder = (): string | undefined => {
  try {
    return homedir() || undefined;
  } catch {
    // An account without an entry in the user database has none.
    return undefined;
  }
};

/** The real outside: this process. */
export const processIo = (): Io => ({
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  homeFolder: readHomeFolder(),
  clock: {nowMs: Date.now, monotonicMs: () => performance.now(), sleep},
  random: Math.random,
  onStopSignal: listener => {
    process.on('SIGINT', listener);
    process.on('SIGTERM', listener);
    return () => {
      process.off('SIGINT', listener);
      process.off('SIGTERM', listener);
    };
  },
});
