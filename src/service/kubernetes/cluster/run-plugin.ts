import {findProgramFault} from '../../../base/paths/find-program-fault.ts';
import {PathError} from '../../../base/paths/path-error.ts';
import {runCommand} from '../../command/run-command.ts';
import {KubeError} from '../client/kube-client.ts';

/** Time for a plugin: logging in by way of a browser cannot be waited for. */
const pluginMsMax = 30_000;
/** A token and a certificate with its key are a few KB. */
const outputBytesMax = 256 * 1024;
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
 * Runs a plugin without a shell, and returns its standard output. Its standard error may hold anything, and is dropped.
 * All that it started ends with it, and with this process.
 * Throws a `KubeError` of kind `auth`.
 */
export const runPlugin = async ({
  title,
  command,
  env,
  installHint,
  timeoutMs = pluginMsMax,
  signal,
}: PluginRun): Promise<string> => {
  const folder = process.cwd();
  const fault = await findProgramFault(command[0] ?? '', folder);
  if (fault !== undefined) {
    throw new KubeError('auth', `${title} ${fault}`, {cause: new PathError(fault)});
  }
  signal.throwIfAborted();
  const {promise, resolve, reject} = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  let length = 0;
  const fail = (words: string) => reject(new KubeError('auth', `${title} ${words}.`));
  const look = () => {
    const {bytes} = plugin.takeOutput();
    chunks.push(bytes);
    length += bytes.length;
    const outcome = plugin.outcome();
    if (length > outputBytesMax) {
      fail('printed far more than credentials, and was stopped');
    } else if (outcome === 'ended with exit code 0') {
      resolve(Buffer.concat(chunks).toString('utf8'));
    } else if (outcome !== undefined) {
      fail(`${outcome}: ${advise(outcome, installHint)}`);
    }
  };
  const plugin = runCommand({command, folder, env, onChange: look, onErrorOutput: () => undefined});
  const endNow = () => endGroup(plugin.pid);
  const abort = () => fail('was stopped');
  const timer = setTimeout(() => fail(`did not end within ${timeoutMs / 1000} s: ${byHand}`), timeoutMs);
  process.once('exit', endNow);
  signal.addEventListener('abort', abort, {once: true});
  // It may not even have started.
  look();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    process.off('exit', endNow);
    endNow();
  }
};

const byHand = 'run it by hand to see why';

const advise = (outcome: string, installHint: string | undefined): string =>
  outcome.startsWith('cannot be started')
    ? (installHint?.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, hintCharsMax) ?? 'install it, or correct "command"')
    : byHand;

const endGroup = (pid: number | undefined): void => {
  if (pid === undefined) {
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
};
