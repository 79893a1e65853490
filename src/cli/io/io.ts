import {fstatSync} from 'node:fs';
import {homedir} from 'node:os';
import type {Readable, Writable} from 'node:stream';
import {setTimeout as sleepFor} from 'node:timers/promises';
import {isDumbTerm} from '../../terminal/colour/dumb-term.ts';
import {isUnderNohup} from './nohup.ts';

/** An output stream; `isTTY` and `columns` are set if it is a terminal. */
export type OutputStream = Writable & {readonly isTTY?: boolean; readonly columns?: number};

export type InputStream = Readable & {readonly isTTY?: boolean};

/** The machine's clocks, passed in so that tests control them. */
export type Clock = {
  /** Milliseconds since 1970. For display only: it may jump. */
  nowMs(): number;
  /** Milliseconds on a monotonic clock, which never jumps. */
  monotonicMs(): number;
  /** Resolves after this many milliseconds; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** The signals that end a command. */
export const stopSignals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;

export type StopSignal = (typeof stopSignals)[number];

/**
 * Everything outside that a command uses, except network and files: streams, environment, clocks, randomness, signals.
 */
export type Io = {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: NodeJS.ProcessEnv;
  /** Undefined if the machine has none. */
  readonly homeFolder: string | undefined;
  readonly clock: Clock;
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** Calls the listener on a stop signal until the returned function is called; not on SIGHUP under `nohup`. */
  onStopSignal(listener: (signal: StopSignal) => void): () => void;
};

/** Whether there is a terminal to show screens on, and to get keys from. */
export const hasScreen = ({stdin, stdout, env}: Pick<Io, 'stdin' | 'stdout' | 'env'>): boolean =>
  stdin.isTTY === true && stdout.isTTY === true && !isDumbTerm(env.TERM);

/** A Node timer holds 31 bits of milliseconds. A longer wait would fire at once, so it is split. */
const timerMsMax = 2 ** 31 - 1;

/** Waits with real timers. Rejects with the signal's reason, not with Node's AbortError, so that callers know why. */
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
    // An account without an entry in the user database has no home folder.
    return undefined;
  }
};

/** The real environment: this process. */
export const processIo = (homeFolder = readHomeFolder()): Io => ({
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  homeFolder,
  clock: {nowMs: Date.now, monotonicMs: () => performance.now(), sleep},
  random: Math.random,
  onStopSignal: listener => {
    const ignore = (): void => {};
    const listenerOf = (name: StopSignal) => (name === 'SIGHUP' && isUnderNohup(homeFolder) ? ignore : listener);
    const listeners = stopSignals.map(name => [name, listenerOf(name)] as const);
    for (const [name, each] of listeners) {
      process.on(name, each);
    }
    return () => {
      for (const [name, each] of listeners) {
        process.off(name, each);
      }
    };
  },
});

/** Whether standard input was given: a pipe or a file, as a pager has it. */
export const isInputGiven = ({stdin}: Io): boolean => {
  if (stdin !== process.stdin || process.stdin.isTTY) {
    return false;
  }
  const stat = fstatSync(0);
  return stat.isFIFO() || stat.isFile() || stat.isSocket();
};
