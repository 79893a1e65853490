import {spawn} from 'node:child_process';
import {setTimeout as delay} from 'node:timers/promises';
import {type ChildKind, environmentFor} from '#base/system/programs.ts';
import {describeError, hasErrorCode} from '#service/backend/errors.ts';

/**
 * Bytes of output kept until taken: some 10 ms of work. Past this, the command blocks on its pipe, as with any slow
 * reader.
 */
const outputBytesMax = 512 * 1024;
/** Time for a command to end after SIGTERM before it is killed. */
const stopMsMax = 2_000;
/** Pause between two checks for remaining processes of a group. */
const stopPollMs = 20;

export type RunningCommand = {
  /** The id of its process and process group; undefined if it could not be started. */
  readonly pid: number | undefined;
  /** Returns standard output since the last call. `hasMore`: the limit was reached, so there probably is more. */
  takeOutput(): {readonly bytes: Buffer; readonly hasMore: boolean};
  /** Describes how it ended; undefined while anything of it runs. All of its output has arrived by then. */
  outcome(): string | undefined;
  /** Ends the command and everything it started: SIGTERM, then SIGKILL after two seconds. */
  stop(): Promise<void>;
};

export type RunOptions = {
  /** The program and its arguments. No shell interprets them. */
  readonly command: readonly string[];
  /** The folder it runs in. */
  readonly folder: string;
  /** Decides which variables it gets, see `environmentFor`. */
  readonly kind: ChildKind;
  /** The environment to choose from; undefined: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Called when output came or the command ended. `isHeldUp`: it has to wait until its output is taken. */
  readonly onChange: (options: {readonly isHeldUp: boolean}) => void;
  readonly onErrorOutput: (bytes: Buffer) => void;
};

/** `cannot be started (no such program)` */
export const describeStartError = (error: unknown): string =>
  `cannot be started (${
    hasErrorCode(error, 'ENOENT')
      ? 'no such program'
      : hasErrorCode(error, 'EACCES')
        ? 'it is not executable'
        : describeError(error)
  })`;

/** Returns a command that has ended before it began, with this outcome. */
export const failToStart = (outcome: string): RunningCommand => ({
  pid: undefined,
  takeOutput: () => ({bytes: Buffer.alloc(0), hasMore: false}),
  outcome: () => outcome,
  stop: async () => undefined,
});

/**
 * Runs a command in its own process group, so that everything it starts ends with it, and a Ctrl+C for the service does
 * not reach it. A descendant that starts its own session escapes both.
 */
export const runCommand = (options: RunOptions): RunningCommand => {
  try {
    return spawnCommand(options);
  } catch (error) {
    // Some errors, such as arguments that are too long, are thrown; others arrive as an event.
    return failToStart(describeStartError(error));
  }
};

const spawnCommand = ({
  command,
  folder,
  kind,
  env = process.env,
  onChange,
  onErrorOutput,
}: RunOptions): RunningCommand => {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    env: environmentFor(kind, env),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const {stdout, stderr} = child;
  let chunks: Buffer[] = [];
  let bytesKept = 0;
  let outcome: string | undefined;
  let ending: Promise<void> | undefined;
  let isStopped = false;

  stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytesKept += chunk.length;
    // Once it is stopped, no more comes than its pipe holds.
    const isHeldUp = bytesKept >= outputBytesMax && !isStopped;
    if (isHeldUp) {
      stdout.pause();
    }
    onChange({isHeldUp});
  });
  stderr.on('data', onErrorOutput);

  /** Signals the group; 0 only checks. Returns whether anything of it is left. */
  const signalGroup = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return child.pid !== undefined && process.kill(-child.pid, signal);
    } catch {
      return false;
    }
  };

  const closed = new Promise<string>(resolve => {
    child.on('error', error => {
      if (child.pid === undefined) {
        resolve(describeStartError(error));
      }
    });
    child.on('close', (code, signal) =>
      resolve(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`),
    );
  });

  const endGroup = async (): Promise<void> => {
    signalGroup('SIGTERM');
    for (let waitedMs = 0; waitedMs < stopMsMax && signalGroup(0); waitedMs += stopPollMs) {
      await delay(stopPollMs);
    }
    signalGroup('SIGKILL');
    // A descendant with its own session may hold the pipes open indefinitely.
    const limit = setTimeout(() => {
      stdout.destroy();
      stderr.destroy();
    }, stopMsMax);
    await closed;
    clearTimeout(limit);
  };

  const end = (): Promise<void> => {
    ending ??= endGroup();
    return ending;
  };

  // Processes left running by a command would hold its pipe open and mix with the lines of its next run.
  child.on('exit', () => void end());
  void closed.then(async words => {
    await end();
    outcome = words;
    onChange({isHeldUp: false});
  });

  return {
    pid: child.pid,
    takeOutput: () => {
      const taken = {bytes: Buffer.concat(chunks), hasMore: bytesKept >= outputBytesMax};
      chunks = [];
      bytesKept = 0;
      stdout.resume();
      return taken;
    },
    outcome: () => outcome,
    stop: async () => {
      isStopped = true;
      stdout.resume();
      await end();
    },
  };
};
