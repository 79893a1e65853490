import {spawn} from 'node:child_process';
import {constants} from 'node:fs';
import {access, lstat, stat} from 'node:fs/promises';
import {delimiter, resolve, sep} from 'node:path';
import {errorCodeOf} from '#base/error-code.ts';
import {findDistrust} from './find-distrust.ts';
import {resolveLinks} from './open-regular.ts';
import {ownUserId} from './trusted-files.ts';

/**
 * The variables of a tool that branchlog runs for itself, such as xz and journalctl: where programs, home and temporary
 * files are, and in which language and time zone it writes. LC_ of any kind comes on top.
 */
const toolVariables: ReadonlySet<string> = new Set(['PATH', 'HOME', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR']);

/** Variables that hold a secret of branchlog's, or are for its own processes only. */
const ownVariables: ReadonlySet<string> = new Set(['BRANCHLOG_TOKEN', 'BRANCHLOG_LAUNCHED']);

/** `tool`: a program that branchlog runs for itself. `command`: one that the user or a config named. */
export type ChildKind = 'tool' | 'command';

/**
 * Returns the environment that a child process gets; every child gets it from here. A command has what the user's shell
 * has, without branchlog's secrets; a tool has only what tools need.
 */
export const environmentFor = (kind: ChildKind, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) =>
      kind === 'tool' ? toolVariables.has(name) || name.startsWith('LC_') : !ownVariables.has(name),
    ),
  );

/** Whether there is a program of this name that may be run, as a shell looks for it. `path`: folders, as in PATH. */
export const isProgram = async (name: string, path: string | undefined): Promise<boolean> => {
  const folders = name.includes(sep) ? [''] : (path ?? '').split(delimiter);
  const found = await Promise.allSettled(
    folders.map(async folder => {
      const place = resolve(folder, name);
      await access(place, constants.X_OK);
      // A folder may be "run", too.
      return (await stat(place)).isFile();
    }),
  );
  return found.some(each => each.status === 'fulfilled' && each.value);
};

/**
 * Says why a program must not be run: others may write to it, or it belongs to another user. Returns undefined if it
 * may be, and for a name without a slash, which is looked up in PATH. A missing program is no fault: starting it says
 * so. A relative path starts at `folder`.
 */
export const findProgramFault = async (program: string, folder: string): Promise<string | undefined> => {
  const userId = ownUserId();
  if (!program.includes('/') || userId === undefined) {
    return undefined;
  }
  const path = resolve(folder, program);
  try {
    const way = await resolveLinks(path);
    const stat = await lstat(way.realPath, {bigint: true});
    return await findDistrust({...way, path, stat}, {userId});
  } catch (error) {
    const code = errorCodeOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : `cannot be examined (${code})`;
  }
};

type RunOptions = {
  /** The program and its arguments. No shell interprets them. */
  readonly command: readonly string[];
  /** Decides which variables it gets, see `environmentFor`. */
  readonly kind: ChildKind;
  /** The environment to choose from. */
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly outputBytesMax: number;
  /** Its standard input; without it, that is empty. */
  readonly input?: string | undefined;
  /** Takes its standard error, whose content is untrusted; if left out, it is dropped. */
  readonly onErrorOutput?: (bytes: Buffer) => void;
  readonly signal?: AbortSignal;
};

/**
 * How it ended. `refused`: why the program must not be run. `failed`: `ended with exit code 3`. Both continue a
 * sentence that names the command.
 */
type RunOutcome =
  | {readonly kind: 'done'; readonly output: Buffer}
  | {readonly kind: 'refused' | 'failed'; readonly words: string}
  | {readonly kind: 'notStarted'; readonly error: unknown}
  | {readonly kind: 'tooLong' | 'tooMuch' | 'stopped'};

const killGroup = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) {
      process.kill(-pid, 'SIGKILL');
    }
  } catch {
    // It has already ended.
  }
};

/**
 * Runs a command, which may print a secret, without a shell, and returns its standard output. All that it started
 * ends with it, and with this process. Never rejects, but with the signal's reason if it is aborted before the start.
 */
export const runBounded = async (options: RunOptions): Promise<RunOutcome> => {
  const {kind, env, timeoutMs, outputBytesMax, input, onErrorOutput, signal} = options;
  const [program = '', ...args] = options.command;
  const words = await findProgramFault(program, process.cwd());
  if (words !== undefined) {
    return {kind: 'refused', words};
  }
  signal?.throwIfAborted();
  const {promise, resolve} = Promise.withResolvers<RunOutcome>();
  const start = () =>
    spawn(program, args, {
      env: environmentFor(kind, env),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', onErrorOutput ? 'pipe' : 'ignore'],
      detached: true,
    });
  let child: ReturnType<typeof start>;
  try {
    child = start();
  } catch (error) {
    // Some errors, such as arguments that are too long, are thrown; others arrive as an event.
    return {kind: 'notStarted', error};
  }
  const endAll = (): void => killGroup(child.pid);
  const abort = (): void => resolve({kind: 'stopped'});
  const chunks: Buffer[] = [];
  let length = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > outputBytesMax) {
      resolve({kind: 'tooMuch'});
    }
  });
  child.stderr?.on('data', (chunk: Buffer) => onErrorOutput?.(chunk));
  // A command may end without having read it all.
  child.stdin?.on('error', () => {}).end(input);
  child.on('error', error => resolve({kind: 'notStarted', error}));
  // A process that it leaves running would hold its output open.
  child.on('exit', endAll);
  child.on('close', (code, endedBy) =>
    resolve(
      code === 0
        ? {kind: 'done', output: Buffer.concat(chunks)}
        : {kind: 'failed', words: code === null ? `was ended by ${endedBy}` : `ended with exit code ${code}`},
    ),
  );
  const timer = setTimeout(() => resolve({kind: 'tooLong'}), timeoutMs);
  process.once('exit', endAll);
  signal?.addEventListener('abort', abort, {once: true});
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    process.off('exit', endAll);
    endAll();
    child.stdin?.destroy();
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
};
