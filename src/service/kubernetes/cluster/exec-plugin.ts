import {basename, resolve} from 'node:path';
import {maskSecrets} from '#base/secret.ts';
import {PathError} from '#base/system/open-regular.ts';
import {runBounded} from '#base/system/programs.ts';
import type {Table} from '#base/table.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {ServiceError} from '#service/backend/errors.ts';
import {describeStartError} from '#service/command/run-command.ts';
import {readJsonText, tableOf} from '#service/link/object-fields.ts';
import {KubeError} from '../kube-client.ts';
import {type ConfigEntry, isUnverified, readList, readPem, readText} from '../read-kubeconfig.ts';
import type {CredentialSource, KubeCredentials} from './create-access.ts';

/** Time for a plugin: logging in by way of a browser cannot be waited for. */
const pluginMsMax = 30_000;
/** A token and a certificate with its key are a few KB. */
const outputBytesMax = 256 * 1024;
/** The end of its standard error that is kept, in bytes; its last lines are reported. */
const errorBytesMax = 4 * 1024;
const errorLinesMax = 5;
const errorLineCharsMax = 300;
/** Characters of a hint that are passed on. */
const hintCharsMax = 300;

type PluginRun = {
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
  const outcome = await runBounded({command, kind: 'command', env, timeoutMs, outputBytesMax, onErrorOutput, signal});
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

const apiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

/**
 * Credentials that are refused within this time after a renewal are refused for another reason than their age, so the
 * plugin does not run again: it often takes a second of processor time, and many streams may ask.
 */
const renewMsMin = 2_000;

type Issued = {
  readonly credentials: KubeCredentials;
  /** Infinity: until they are refused. */
  readonly endsMs: number;
};

/**
 * Creates credentials that a program prints: an exec plugin (client.authentication.k8s.io/v1 and v1beta1). They are
 * kept until they end or are refused; then it runs again, once for all who ask.
 * Throws a `ServiceError` if the settings cannot be used.
 */
export const createExecPlugin = (
  user: ConfigEntry,
  cluster: ConfigEntry,
  env: NodeJS.ProcessEnv,
  now: () => number = Date.now,
): CredentialSource => {
  const title = `"exec" of ${user.title}`;
  const exec = {...user, title, fields: tableOf(user.fields.exec) ?? {}};
  const plugin = readPlugin(exec);
  const closing = new AbortController();
  let issued: Issued | undefined;
  let running: Promise<Issued> | undefined;
  let renewedMs = Number.NEGATIVE_INFINITY;

  const issue = async (): Promise<Issued> => {
    const info = await buildInfo(plugin.apiVersion, exec.fields.provideClusterInfo === true ? cluster : undefined);
    const output = await runPlugin({
      title: `${title} (${basename(plugin.command[0])})`,
      command: plugin.command,
      env: {...env, ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(info)},
      installHint: readText(exec, 'installHint'),
      signal: closing.signal,
    });
    return parseCredential(output, plugin.apiVersion, title);
  };

  return {
    titles: {token: title, certificate: title, key: title},
    read: async isForced => {
      const nowMs = now();
      // The clock may be set back.
      const isRenewal = isForced && Math.abs(nowMs - renewedMs) >= renewMsMin;
      if (issued && nowMs < issued.endsMs && !isRenewal) {
        return issued.credentials;
      }
      renewedMs = isRenewal ? nowMs : renewedMs;
      running ??= issue().finally(() => {
        running = undefined;
      });
      issued = await running;
      return issued.credentials;
    },
    close: async () => {
      closing.abort();
      await running?.catch(() => undefined);
    },
  };
};

const readPlugin = (exec: ConfigEntry) => {
  const {title, folder, fields} = exec;
  const apiVersion = readText(exec, 'apiVersion') ?? '';
  if (!apiVersions.includes(apiVersion)) {
    throw new ServiceError(
      `"apiVersion" of ${title} is ${JSON.stringify(apiVersion)}, but must be ${apiVersions.join(' or ')}: ` +
        'update the plugin, and let it write the kubeconfig again.',
    );
  }
  const program = readText(exec, 'command');
  if (program === undefined) {
    throw new ServiceError(`"command" of ${title} is missing: name the program.`);
  }
  if (readText(exec, 'interactiveMode') === 'Always') {
    throw new ServiceError(
      `"interactiveMode" of ${title} is Always, but it cannot ask for anything here: log in beforehand, and set it to IfAvailable.`,
    );
  }
  const args: readonly unknown[] = readList(fields.args, `"args" of ${title}`);
  return {
    apiVersion,
    // Without a slash it is looked for in PATH.
    command: [program.includes('/') ? resolve(folder, program) : program, ...args.map(String)] as const,
    env: Object.fromEntries(
      readList(fields.env, `"env" of ${title}`).map(item => {
        const {name, value} = tableOf(item) ?? {};
        return [String(name), String(value ?? '')];
      }),
    ),
  };
};

/** Returns the content of KUBERNETES_EXEC_INFO. */
const buildInfo = async (apiVersion: string, cluster: ConfigEntry | undefined): Promise<Table> => {
  const authority = await (cluster && readPem(cluster, 'certificate-authority'))?.read(false);
  const extension = readList(cluster?.fields.extensions, `"extensions" of ${cluster?.title}`)
    .map(tableOf)
    .find(each => each?.name === 'client.authentication.k8s.io/exec');
  return {
    apiVersion,
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      ...(cluster && {
        cluster: {
          server: readText(cluster, 'server'),
          'tls-server-name': readText(cluster, 'tls-server-name'),
          'insecure-skip-tls-verify': isUnverified(cluster) || undefined,
          'proxy-url': readText(cluster, 'proxy-url'),
          'certificate-authority-data': authority && Buffer.from(authority, 'latin1').toString('base64'),
          config: extension?.extension,
        },
      }),
    },
  };
};

/** Nothing of the output is quoted: it holds secrets. */
const parseCredential = (output: string, apiVersion: string, title: string): Issued => {
  const fail = (words: string): never => {
    throw new KubeError('auth', `${title} printed ${words}: run it by hand to see why.`);
  };
  const answer = tableOf(readJsonText(output)) ?? fail('something that is not JSON');
  if (answer.kind !== 'ExecCredential' || answer.apiVersion !== apiVersion) {
    fail(`something that is not an ExecCredential of ${apiVersion}`);
  }
  const status = tableOf(answer.status) ?? fail('an ExecCredential without "status"');
  const read = (key: string): string | undefined => {
    const value = status[key];
    return value === undefined || typeof value === 'string'
      ? value || undefined
      : fail(`a "${key}" that is not a string`);
  };
  const token = read('token');
  const certificate = read('clientCertificateData');
  const key = read('clientKeyData');
  if ((token ?? certificate) === undefined || (certificate === undefined) !== (key === undefined)) {
    fail('neither a token nor a certificate with its key');
  }
  const end = read('expirationTimestamp');
  const endsMs = end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end);
  return {
    credentials: {token, certificate, key},
    endsMs: Number.isNaN(endsMs) ? fail('an "expirationTimestamp" that is not a time') : endsMs,
  };
};
