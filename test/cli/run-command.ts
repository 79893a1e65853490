import {Readable, Writable} from 'node:stream';
import {type Clock, type Io, type StopSignal, sleep} from '#cli/io/io.ts';
import {run} from '#cli/run.ts';

export type CommandOptions = {
  readonly env?: NodeJS.ProcessEnv;
  readonly homeFolder?: string;
  readonly stdoutIsTerminal?: boolean;
  /** What is typed on a terminal, a row each; without it, there is no terminal to type on. */
  readonly stdin?: Iterable<string> | AsyncIterable<string | Buffer>;
  /** Called with each piece that was written; a promise holds further writing back. */
  readonly onStdout?: (text: string) => void | Promise<void>;
  readonly onStderr?: (text: string) => void;
  readonly clock?: Partial<Clock>;
};

export type RunningCommand = {
  /** Resolves with the exit code. */
  readonly code: Promise<number>;
  stdout(): string;
  stderr(): string;
  signal(name: StopSignal): void;
};

/** Starts a command in this process, its streams in memory. Its environment holds nothing but TERM and what the test gives. */
export const startCommand = (argv: readonly string[], options: CommandOptions = {}): RunningCommand => {
  let stdout = '';
  let stderr = '';
  const listeners = new Set<(signal: StopSignal) => void>();
  const output = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      stdout += text;
      Promise.resolve(options.onStdout?.(text)).then(() => done(), done);
    },
  });
  const errors = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      stderr += text;
      options.onStderr?.(text);
      done();
    },
  });
  const io: Io = {
    stdin: Object.assign(Readable.from(options.stdin ?? []), {isTTY: options.stdin !== undefined}),
    stdout: Object.assign(output, {isTTY: options.stdoutIsTerminal ?? false, columns: 80}),
    stderr: Object.assign(errors, {isTTY: options.stdin !== undefined}),
    env: {TERM: 'xterm-256color', ...options.env},
    homeFolder: options.homeFolder,
    clock: {nowMs: Date.now, monotonicMs: () => performance.now(), sleep, ...options.clock},
    random: () => 0.5,
    onStopSignal: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    code: run(argv, io),
    stdout: () => stdout,
    stderr: () => stderr,
    signal: name => {
      for (const listener of listeners) {
        listener(name);
      }
    },
  };
};

export type Ran = {readonly code: number; readonly stdout: string; readonly stderr: string};

/** Runs a command to its end. */
export const runCommand = async (argv: readonly string[], options: CommandOptions = {}): Promise<Ran> => {
  const command = startCommand(argv, options);
  const code = await command.code;
  return {code, stdout: command.stdout(), stderr: command.stderr()};
};

/** The records that a command printed, one a line. */
export const recordsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map(row => JSON.parse(row));
