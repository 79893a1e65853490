import {randomBytes} from 'node:crypto';
import {readServeSettings, type ServeSettings} from '../../config/serve/serve-settings.ts';
import {ConfigError} from '../../config/values/config-error.ts';
import {instantFromMs} from '../../log/line/instant.ts';
import {ServiceError} from '../../service/errors/service-error.ts';
import {isLoopback} from '../../service/http/listen-address.ts';
import {readOrMakeToken} from '../../service/http/served-token.ts';
import {createServer} from '../../service/http/server.ts';
import type {LineSourceSetup} from '../../service/line-source.ts';
import {createLineBackend} from '../../service/served/line-backend.ts';
import {lineSources} from '../../service/served/line-sources.ts';
import {exitCodes} from '../io/exit-codes.ts';

/** The source of signals: the process, or an emitter in tests. */
export type SignalSource = {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
};

export type ServeOutput = {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly signals?: SignalSource;
};

/** Quotes an argument for a shell. */
const quote = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;

const formatClientArguments = (settings: ServeSettings<LineSourceSetup>, baseUrl: string): string =>
  [
    ['--base-url', baseUrl],
    ['--tenant', settings.tenant],
    ['--auth-mode', settings.authMode],
    ['--token-file', settings.tokenFile],
  ]
    .map(([flag, value]) => `${flag} ${quote(value ?? '')}`)
    .join(' ');

const waitForSignal = (signals: SignalSource): Promise<number> =>
  new Promise(resolve => {
    const end = (code: number) => () => {
      signals.off('SIGINT', interrupt);
      signals.off('SIGTERM', terminate);
      resolve(code);
    };
    const interrupt = end(exitCodes.interrupted);
    const terminate = end(exitCodes.terminated);
    signals.on('SIGINT', interrupt);
    signals.on('SIGTERM', terminate);
  });

/**
 * Serves branches and their logs until a signal comes. Prints its address on stdout, requests and warnings as JSON
 * lines on stderr. Resolves to the exit code. Throws a ServiceError if it cannot start.
 */
export const serveSettings = async (
  settings: ServeSettings<LineSourceSetup>,
  {stdout, stderr, signals = process}: ServeOutput,
): Promise<number> => {
  const writeEntry = (entry: object): void => {
    stderr.write(`${JSON.stringify(entry)}\n`);
  };
  const warn = (message: string): void => writeEntry({time: new Date().toISOString(), level: 'warning', message});
  // The service outlives the reader of its output: a closed pipe must not end it.
  for (const stream of [stdout, stderr]) {
    stream.on('error', () => undefined);
  }
  const {token, made} = readOrMakeToken(settings.tokenFile, randomBytes);
  const backend = createLineBackend({
    sites: settings.sites,
    windowLines: settings.windowLines,
    windowPerPod: settings.windowPerPod,
    stamps: settings.stamps,
    stateFolder: settings.stateFolder,
    now: () => instantFromMs(Date.now()),
    monotonicMs: () => performance.now(),
    warn,
  });
  const {host, port, tenant, authMode} = settings;
  const server = createServer({backend, tenant, authMode, token, host, port, log: writeEntry});
  // Listen from here on, so that a signal during start-up also ends it cleanly.
  const signalled = waitForSignal(signals);
  const {baseUrl} = await server.start();
  if (!isLoopback(host)) {
    warn(
      `The service listens on ${host} without TLS: anyone who can reach it or listen in on the network can read the logs.`,
    );
  }
  if (made) {
    stdout.write(`Created a token in ${settings.tokenFile}.\n`);
  }
  stdout.write(`Listening on ${baseUrl}. Open it with: branchlog ${formatClientArguments(settings, baseUrl)}\n`);
  const code = await signalled;
  await server.stop();
  return code;
};

/**
 * Runs `branchlog serve CONFIG`. Resolves to the exit code: 2 for an invalid config, 1 if it cannot serve, 130 or 143
 * after a signal.
 */
export const runServe = async ({
  configPath,
  ...output
}: ServeOutput & {readonly configPath: string}): Promise<number> => {
  try {
    return await serveSettings(readServeSettings(configPath, lineSources), output);
  } catch (error) {
    if (error instanceof ConfigError || error instanceof ServiceError) {
      output.stderr.write(`branchlog: ${error.message}\n`);
      return error instanceof ConfigError ? exitCodes.usage : exitCodes.failed;
    }
    throw error;
  }
};
