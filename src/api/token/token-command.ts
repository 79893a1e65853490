import {errorCodeOf} from '#base/error-code.ts';
import type {Secret} from '#base/secret.ts';
import {runBounded} from '#base/system/programs.ts';
import {ApiError} from '../client/api-error.ts';
import {parseTokenText, tokenBytesMax} from '../client/token-sources.ts';

/** Polls must not wait longer for a command that is waiting for a person or an unreachable network. */
export const tokenCommandTimeoutMs = 10_000;

/** White space around a token is allowed, but not more than this. */
const outputBytesMax = tokenBytesMax + 1024;

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
  const {BRANCHLOG_TOKEN: _, ...childEnv} = env;
  const outcome = await runBounded({command, env: childEnv, timeoutMs, outputBytesMax});
  const fail = (words: string, kind: 'token' | 'setting' = 'token'): never => {
    throw new ApiError(kind, `${origin} ${words}`);
  };
  switch (outcome.kind) {
    case 'done':
      return (
        parseTokenText(outcome.output, `the output of ${origin}`) ?? fail('printed nothing: run it by hand to see why')
      );
    case 'refused':
      return fail(outcome.words, 'setting');
    case 'notStarted':
      return fail(`cannot be started (${errorCodeOf(outcome.error)})`);
    case 'tooLong':
    case 'stopped':
      return fail(`did not end within ${timeoutMs / 1000} s and was stopped`);
    case 'tooMuch':
      return fail('printed far more than a token and was stopped');
    case 'failed':
      return fail(`${outcome.words}: run it by hand to see why`);
    default:
      return outcome satisfies never;
  }
};
