import {spawn} from 'node:child_process';
import {findProgramFault} from '../../base/paths/find-program-fault.ts';
import {ApiError} from '../api-error.ts';
import type {Secret} from '../secret.ts';
import {parseTokenText, tokenBytesMax} from './token-text.ts';

/** Polls must not wait longer for a command that is waiting for a person or an unreachable network. */
export const tokenCommandTimeoutMs = 10_000;

/** Names a command in messages: by its program only, because its arguments may hold secrets. */
export const describeTokenCommand = (command: readonly string[]): string => `token_command (${command[0] ?? 'empty'})`;

/**
 * Runs a command, without a shell, and reads the token from its standard output. Discards its standard error, which may
 * hold anything. The child's environment is `env` without BRANCHLOG_TOKEN.
 * Throws an `ApiError` of kind `token`, or of kind `setting` for a program that others may write to.
 */
export const runTokenCommand = async (
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
): Promise<Secret> => {
  const origin = describeTokenCommand(command);
  const fault = await findProgramFault(command[0] ?? '', process.cwd());
  if (fault !== undefined) {
    throw new ApiError('setting', `${origin} ${fault}`);
  }
  const bytes = await collectOutput(command, env, timeoutMs, origin);
  const secret = parseTokenText(bytes, `the output of ${origin}`);
  if (!secret) {
    throw new ApiError('token', `${origin} printed nothing: run it by hand to see why`);
  }
  return secret;
};

const collectOutput = (
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
  origin: string,
): Promise<Buffer> => {
  const {promise, resolve, reject} = Promise.withResolvers<Buffer>();
  const {BRANCHLOG_TOKEN: _, ...childEnv} = env;
  // Detached: in a process group of its own.
  const child = spawn(program, args, {
    env: childEnv,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: false,
    detached: true,
  });
  // Whatever it started ends with it, and with this process.
  const endAll = (): void => killGroup(child.pid);
  process.once('exit', endAll);
  const settle = (): void => {
    clearTimeout(timer);
    process.off('exit', endAll);
    endAll();
  };
  const fail = (sentence: string) => {
    reject(new ApiError('token', `${origin} ${sentence}`));
    settle();
    child.stdout.destroy();
  };
  const timer = setTimeout(() => fail(`did not end within ${timeoutMs / 1000} s and was stopped`), timeoutMs);
  const chunks: Buffer[] = [];
  let length = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > tokenBytesMax + 1024) {
      fail('printed far more than a token and was stopped');
    }
  });
  child.on('error', (error: NodeJS.ErrnoException) => fail(`cannot be started (${error.code ?? 'unknown error'})`));
  child.on('close', (code, signal) => {
    settle();
    if (code === 0) {
      resolve(Buffer.concat(chunks));
    } else {
      const how = code === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${code}`;
      reject(new ApiError('token', `${origin} ${how}: run it by hand to see why`));
    }
  });
  return promise;
};

const killGroup = (pid: number | undefined): void => {
  if (pid === undefined) {
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
};
