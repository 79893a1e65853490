import {randomBytes} from 'node:crypto';
import {closeSync, openSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {isDeepStrictEqual} from 'node:util';
import {quoteForShell} from '#base/system/find-distrust.ts';
import {isPathRefused} from '#base/system/open-regular.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import {createSay, isUnderNohup} from '#cli/io/io.ts';
import {openServedClusters} from '#cli/open/served-clusters.ts';
import {readServeSettings, type ServeSettings} from '#config/serve/serve-settings.ts';
import {ConfigError} from '#config/settings/table-reader.ts';
import {instantFromMs} from '#log/line/instant.ts';
import {stringifySafe} from '#log/text/escape-json.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {ServiceError, SettingError} from '#service/backend/errors.ts';
import {joinBackends} from '#service/backend/join-backends.ts';
import {isLocal, type ListenAddress} from '#service/http/listen-address.ts';
import type {Credentials} from '#service/http/request-auth.ts';
import {openServedTls} from '#service/http/served-tls.ts';
import {readOrMakeToken} from '#service/http/served-token.ts';
import {createServer} from '#service/http/server.ts';
import {createLineBackend} from '#service/served/line-backend.ts';
import type {LineSourceSetup} from '#service/served/line-source.ts';
import {lineSources} from './line-sources.ts';

type Settings = ServeSettings<LineSourceSetup>;

/** A reload under way when the service ends gets this long to read its files. A disk that works takes a few. */
const lastReadingMsMax = 500;

type ServedSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** The source of signals: the process, or an emitter in tests. */
export type SignalSource = {
  on(signal: ServedSignal, listener: () => void): unknown;
  off(signal: ServedSignal, listener: () => void): unknown;
};

export type ServeOutput = {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly signals?: SignalSource;
  /** Write every request to stderr. */
  readonly logsRequests?: boolean;
};

/** Returns what opens the first site, right as pasted. */
const formatClientArguments = (settings: Settings, baseUrl: string): string => {
  const {tenant, authMode, tokenFile} = settings;
  const [site] = allSites(settings);
  return [
    ...(site === undefined ? [] : [site.id]),
    ...['--base-url', baseUrl],
    ...['--tenant', tenant],
    ...['--auth-mode', authMode],
    ...['--token-file', site?.tokenFile ?? tokenFile],
  ]
    .map(quoteForShell)
    .join(' ');
};

const allSites = ({sites, kubeSites}: Settings) => [...sites, ...kubeSites];

/** Checks whether this process still has a terminal that can stop it. */
const hasTerminal = (): boolean => {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
};

/**
 * Resolves with the exit code when a signal ends the service. SIGHUP calls `reload`, unless it says that the terminal
 * is gone.
 */
const waitForSignal = (signals: SignalSource, reload: () => void): Promise<number> =>
  new Promise(resolve => {
    const hadTerminal = hasTerminal();
    const isNohup = isUnderNohup(process.env.HOME);
    const end = (code: number) => {
      signals.off('SIGINT', interrupt);
      signals.off('SIGTERM', terminate);
      signals.off('SIGHUP', hangUp);
      resolve(code);
    };
    const interrupt = () => end(exitCodes.interrupted);
    const terminate = () => end(exitCodes.terminated);
    const hangUp = () => (hadTerminal && !hasTerminal() && !isNohup ? end(exitCodes.terminated) : reload());
    signals.on('SIGINT', interrupt);
    signals.on('SIGTERM', terminate);
    signals.on('SIGHUP', hangUp);
  });

/** Reads the tokens of the service and its sites. Creates missing files; `made` names them. */
const readCredentials = async (
  settings: Settings,
): Promise<{
  readonly credentials: Credentials;
  readonly tokens: readonly string[];
  readonly made: readonly string[];
}> => {
  const made: string[] = [];
  const readToken = async (path: string): Promise<string> => {
    const read = await readOrMakeToken(path, randomBytes);
    made.push(...(read.made ? [path] : []));
    return read.token;
  };
  const {tenant, authMode, tokenFile, metricsTokenFile} = settings;
  const token = await readToken(tokenFile);
  const metricsToken = metricsTokenFile === undefined ? undefined : await readToken(metricsTokenFile);
  if (metricsToken === token) {
    throw new SettingError(
      `The files ${tokenFile} and ${metricsTokenFile} hold the same token, so whoever may read the metrics could read the logs: remove one of them to get a new token at the next start.`,
    );
  }
  const siteTokens = new Map<string, string>();
  for (const site of allSites(settings)) {
    if (site.tokenFile !== undefined) {
      siteTokens.set(site.id, await readToken(site.tokenFile));
    }
  }
  return {
    credentials: {tenant, authMode, token, siteTokens, metricsToken},
    tokens: [token, ...siteTokens.values(), ...(metricsToken === undefined ? [] : [metricsToken])],
    made,
  };
};

const readSettings = (configPath: string): Promise<Settings> => readServeSettings(configPath, lineSources);

const addressOf = (settings: Settings): ListenAddress =>
  'socketPath' in settings ? {socketPath: settings.socketPath} : {host: settings.host, port: settings.port};

/** Settings that need a restart: the socket and the database stay open. */
const describeFixed = (settings: Settings, running: Settings): readonly string[] => [
  ...(isDeepStrictEqual(addressOf(settings), addressOf(running)) ? [] : ['listen']),
  ...((settings.tls === undefined) === (running.tls === undefined) ? [] : ['tls_cert']),
  ...(settings.stateFolder === running.stateFolder ? [] : ['state']),
];

/**
 * Serves branches and their logs until a signal comes. Prints its address on stdout, warnings and, if asked for,
 * requests as JSON lines on stderr. Resolves to the exit code. Throws a ServiceError if it cannot start.
 */
const serveSettings = async (
  configPath: string,
  {stdout, stderr, signals = process, logsRequests = false}: ServeOutput,
): Promise<number> => {
  const settings = await readSettings(configPath);
  let hidden: readonly string[] = [];
  /** Whatever is written: a path or a command's error may contain a token. */
  const writeEntry = (entry: object): void => {
    const text = hidden.reduce((rest, token) => rest.replaceAll(token, '[token]'), stringifySafe(entry));
    stderr.write(`${text}\n`);
  };
  const tell = (level: 'info' | 'warning', message: string): void =>
    writeEntry({time: new Date().toISOString(), level, message});
  let warningCount = 0;
  const warn = (message: string): void => {
    warningCount += 1;
    tell('warning', message);
  };
  // The service outlives the reader of its output: a closed pipe must not end it.
  for (const stream of [stdout, stderr]) {
    stream.on('error', () => undefined);
  }
  const {credentials, tokens, made} = await readCredentials(settings);
  hidden = tokens;
  const tls =
    settings.tls &&
    (await openServedTls(settings.tls, {
      take: pair => {
        server.setTls(pair);
        tell('info', 'The TLS certificate was reloaded.');
      },
      warn,
      nowMs: () => Date.now(),
    }));
  const lines = createLineBackend({
    ...settings,
    now: () => instantFromMs(Date.now()),
    monotonicMs: () => performance.now(),
    warn,
  });
  const cluster = await openServedClusters(settings, warn);
  const backend = joinBackends([lines, cluster]);
  const address = addressOf(settings);
  const server = createServer({
    backend,
    ...credentials,
    ...address,
    tls: tls?.pair(),
    warn,
    warningCount: () => warningCount,
    ...(logsRequests && {log: writeEntry}),
  });

  /** Gives up, once a signal has come, what a file system that does not answer keeps waiting. */
  const unlessSignalled = <Read>(reading: Promise<Read>): Promise<Read> =>
    Promise.race([
      reading,
      signalled.then(async () => {
        await delay(lastReadingMsMax);
        throw new ServiceError('the service ends.');
      }),
    ]);

  const reload = async (): Promise<void> => {
    try {
      const next = await unlessSignalled(readSettings(configPath));
      const read = await unlessSignalled(readCredentials(next));
      hidden = [...new Set([...hidden, ...read.tokens])];
      for (const path of read.made) {
        tell('info', `Created a token in ${path}.`);
      }
      const applyTls = next.tls && (await unlessSignalled(tls?.prepare(next.tls) ?? Promise.resolve(undefined)));
      const prepared = await unlessSignalled(cluster.prepareReload(next));
      try {
        await lines.reload(next);
      } catch (error) {
        await prepared.discard();
        throw error;
      }
      server.setCredentials(read.credentials);
      applyTls?.();
      await prepared.apply();
      const fixed = describeFixed(next, settings);
      tell('info', 'The config and the tokens were reloaded.');
      if (fixed.length > 0) {
        warn(`The new value of ${fixed.join(' and ')} in the config takes effect at the next start.`);
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      warn(`The config was not reloaded; the previous one stays in effect: ${message}`);
    }
  };
  const {promise: started, resolve: noteStarted} = Promise.withResolvers<void>();
  let reloaded = started;
  let isReloadDue = false;
  // Listen from here on, so that a signal during start-up also ends it cleanly.
  const signalled = waitForSignal(signals, () => {
    // A reload that has not begun reads what this signal is about.
    if (!isReloadDue) {
      isReloadDue = true;
      reloaded = reloaded.then(() => {
        isReloadDue = false;
        return reload();
      });
    }
  });
  const {baseUrl} = await server.start();
  noteStarted();
  if (!tls && !isLocal(address)) {
    warn(
      `The service listens on ${baseUrl} without TLS: anyone who can reach it or listen in on the network can read the logs.`,
    );
  }
  const sentences = [
    ...made.map(path => `Created a token in ${path}.`),
    'socketPath' in address
      ? `Listening on ${baseUrl}. Check it with: curl --unix-socket ${quoteForShell(address.socketPath)} http://localhost/readyz`
      : `Listening on ${baseUrl}. Open it with: branchlog ${formatClientArguments(settings, baseUrl)}`,
  ];
  for (const sentence of sentences) {
    stdout.write(`${sanitise(sentence)}\n`);
  }
  const code = await signalled;
  await reloaded;
  tls?.stop();
  await server.stop();
  return code;
};

/**
 * Runs `branchlog serve CONFIG`. Resolves to the exit code: 2 for a fault of the config or of a file that it names, 1
 * if it cannot serve, 130 or 143 after a signal.
 */
export const runServe = async ({
  configPath,
  ...output
}: ServeOutput & {readonly configPath: string}): Promise<number> => {
  try {
    return await serveSettings(configPath, output);
  } catch (error) {
    if (error instanceof ConfigError || error instanceof ServiceError) {
      createSay(output.stderr)(error.message);
      const isUsage = error instanceof ConfigError || error instanceof SettingError || isPathRefused(error);
      return isUsage ? exitCodes.usage : exitCodes.failed;
    }
    throw error;
  }
};
