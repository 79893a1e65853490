import {maskSecrets} from '#base/secret.ts';
import {runBounded} from '#base/system/programs.ts';
import {PathError} from '#base/system/resolve-path.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {describeStartError} from '#service/command/run-command.ts';
import {KubeError} from '../kube-client.ts';

/** Time for a plugin: logging in by way of a browser cannot be waited for. */
const pluginMsMax = 30_000;
/** A token and a certificate with its key are a few KB. */
const outputBytesMax = 256 * 1024;
/** Of its standard error, the end is kept, in bytes, and of that the last lines are reported. */
const errorBytesMax = 4 * 1024;
const errorLinesMax = 5;
const errorLineCharsMax = 300;
/** Characters of a hint that are passed on. */
const hintCharsMax = 300;

export type PluginRun = {
  /** Names it in messages, without its arguments, which may hold secrets. */
  readonly title: string;
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Says how to install it. */
  readonly installHint: string | undefined;
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
};

/**
 * Runs a plugin without a shell, and returns its standard output. What it wrote to its standard error is the
 * `operatorDetail` of a failure, masked: it often says how to log in, but to nobody else than the operator.
 * All that it started ends with it, and with this process.
 * Throws a `KubeError` of kind `auth`.
 */
export const runPlugin = async (options: PluginRun): Promise<string> => {
  const {title, command, env, installHint, timeoutMs = pluginMsMax, signal} = options;
  let errorOutput = Buffer.alloc(0);
  const onErrorOutput = (bytes: Buffer): void => {
    errorOutput = Buffer.concat([errorOutput, bytes]).subarray(-errorBytesMax);
  };
  const fail = (words: string, options?: ErrorOptions): never => {
    throw new KubeError('auth', `${title} ${words}`, {...options, operatorDetail: describeErrorOutput(errorOutput)});
  };
  const outcome = await runBounded({command, env, timeoutMs, outputBytesMax, onErrorOutput, signal});
  switch (outcome.kind) {
    case 'done':
      return outcome.output.toString('utf8');
    case 'refused':
      return fail(outcome.words, {cause: new PathError(outcome.words)});
    case 'notStarted':
      return fail(`${describeStartError(outcome.error)}: ${installWords(installHint)}.`);
    case 'tooLong':
      return fail(`did not end within ${timeoutMs / 1000} s: ${byHand}.`);
    case 'tooMuch':
      return fail('printed far more than credentials, and was stopped.');
    case 'stopped':
      return fail('was stopped.');
    case 'failed':
      return fail(`${outcome.words}: ${byHand}.`);
    default:
      return outcome satisfies never;
  }
};

const byHand = 'run it by hand to see why';

const describeErrorOutput = (output: Buffer): string | undefined => {
  const lines = output
    .toString('utf8')
    .split(/[\r\n]+/)
    .map(line => sanitiseWord(maskSecrets(line.trim()), errorLineCharsMax))
    .filter(line => line !== '')
    .slice(-errorLinesMax);
  const words = lines.join(' ');
  return words === '' ? undefined : `It wrote: ${words}${/[.!?]$/.test(words) ? '' : '.'}`;
};

const installWords = (hint: string | undefined): string =>
  hint?.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, hintCharsMax) ?? 'install it, or correct "command"';
