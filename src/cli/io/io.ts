import {fstatSync, readFileSync, readlinkSync, statSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import type {Readable, Writable} from 'node:stream';
import {setTimeout as sleepFor} from 'node:timers/promises';
import {sanitise} from '#log/text/sanitise.ts';
import {isDumbTerm} from '#terminal/screen/capabilities.ts';

/** Flags of a file that is open for writing only, in octal, as Linux lists them. */
const writeOnly = /^flags:\s*0*[0-7]*1$/m;

/** GNU's nohup leaves a program /dev/null as standard input, open for writing only, so that no read can wait. */
const hasUnreadableInput = (): boolean => {
  try {
    return (
      readlinkSync('/proc/self/fd/0') === '/dev/null' && writeOnly.test(readFileSync('/proc/self/fdinfo/0', 'utf8'))
    );
  } catch {
    return false;
  }
};

const isSameFile = (descriptor: number, path: string): boolean => {
  try {
    const [open, named] = [fstatSync(descriptor, {bigint: true}), statSync(path, {bigint: true})];
    return open.ino === named.ino && open.dev === named.dev;
  } catch {
    return false;
  }
};

/**
 * Returns whether `nohup` started this process, which must then ignore SIGHUP. Node has reset the signal by the time it
 * could be asked, so what `nohup` does with the streams tells: it replaces those that are a terminal. Started with all
 * three redirected, nothing shows it.
 */
export const isUnderNohup = (homeFolder: string | undefined): boolean =>
  hasUnreadableInput() ||
  ['nohup.out', ...(homeFolder === undefined ? [] : [join(homeFolder, 'nohup.out')])].some(
    path => isSameFile(1, path) || isSameFile(2, path),
  );

/** The unit of `buffer_mb`. */
export const bytesPerMb = 1024 * 1024;

/** Writes a sentence for the user to stderr, as a line `branchlog: …`. */
export type Say = (sentence: string) => void;

/** Sentences may contain foreign text (the name of a pod or branch), so they are sanitised. */
export const createSay = (stderr: NodeJS.WritableStream): Say => {
  // If stderr is closed nobody can read it, and that must not end the program.
  stderr.on('error', () => {});
  return sentence => {
    stderr.write(`branchlog: ${sanitise(sentence)}\n`);
  };
};

/** An output stream; `isTTY` and `columns` are set if it is a terminal. */
type OutputStream = Writable & {readonly isTTY?: boolean; readonly columns?: number};

type InputStream = Readable & {readonly isTTY?: boolean};

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
const stopSignals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;

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
  /** Nothing is remembered between runs: not even names for completion are written. */
  readonly keepsNothing?: true;
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
