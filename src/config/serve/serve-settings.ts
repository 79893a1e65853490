import {dirname, resolve} from 'node:path';
import {isLoopbackHost} from '#base/service-address.ts';
import {createTableReader, type TableReader} from '#config/settings/table-reader.ts';
import {readToml} from '#config/settings/toml.ts';
import {ConfigError} from '#config/values/config-error.ts';
import {expandPath} from '#config/values/expand-path.ts';
import {checkHeaderValue} from '#config/values/header-value.ts';
import {findTomlLine} from './find-toml-line.ts';
import {type ChosenCluster, type ResolvePath, readChosenCluster} from './kube-site.ts';
import {
  readServedSites,
  type ServedSites,
  type SourceKind,
  type SourcePaths,
  type StampWord,
  stampWords,
} from './serve-site.ts';

/**
 * The settings from a config file of `branchlog serve`. Paths are absolute here; those in the file are relative to its
 * folder.
 */

export type ServeSettings<Source> = ServedSites<Source> &
  ListenSettings & {
    readonly tenant: string;
    readonly authMode: string;
    /** Created with a random token and mode 0600 if it is missing. */
    readonly tokenFile: string;
    /** Its token opens the metrics and nothing else. If undefined, only that of the service opens them. */
    readonly metricsTokenFile: string | undefined;
    /** Lines in a window, over all pods of a branch or, with `windowPerPod`, for each pod. */
    readonly windowLines: number;
    readonly windowPerPod: boolean;
    /** Whether plain lines that were written earlier keep their own times; a pod can override this. */
    readonly stamps: StampWord;
    /** Folder of the embedded database. */
    readonly stateFolder: string;
    /** Of the sites that name none. Undefined: in a pod its ServiceAccount, elsewhere as kubectl finds it. */
    readonly kubernetes: ChosenCluster;
  };

/** A larger window would be a body of tens of megabytes, which no client accepts. */
const windowLinesMax = 100_000;

/** As many lines as a window of the service that this one replaces. */
const windowLinesDefault = 1_000;

/**
 * Reads and checks the config file of `branchlog serve`. `kinds` are the sources that a pod can have. Does not check
 * whether log files exist, because they come and go. Throws a `ConfigError` (exit code 2).
 */
export const readServeSettings = async <Source>(
  path: string,
  kinds: readonly SourceKind<Source>[],
  homeFolder: string | undefined = process.env.HOME,
): Promise<ServeSettings<Source>> => {
  const file = resolve(path);
  const read = await readToml(file);
  if (!read) {
    throw new ConfigError(`there is no config file ${file}`);
  }
  const root = createTableReader(read.table, file, '', keyPath => findTomlLine(read.text, keyPath));
  root.refuseOthers([
    ...listenKeys,
    'tenant',
    'auth_mode',
    'token_file',
    'metrics_token_file',
    'window_lines',
    'window_per_pod',
    'stamps',
    'state',
    'roots',
    'kubernetes',
    'sites',
  ]);
  const folder = dirname(file);
  const resolvePath: SourcePaths['resolve'] = (given, table, key) =>
    expandPath(given, folder, homeFolder, table.where(key));
  const paths: SourcePaths = {
    folder,
    roots: (root.texts('roots') ?? []).map((given, index) => resolvePath(given, root, `roots[${index}]`)),
    resolve: resolvePath,
  };
  const cluster = root.table('kubernetes');
  cluster?.refuseOthers(['kubeconfig', 'context']);
  const readPath = (key: string, fallback: string): string =>
    expandPath(root.text(key) ?? fallback, folder, homeFolder, root.where(key));
  const metricsTokenFile = root.text('metrics_token_file');
  const listen = readListen(root, resolvePath);
  const tenant = root.text('tenant') ?? root.fail('tenant', 'missing: give the tenant that requests must name');
  return {
    ...listen,
    tenant: checkHeaderValue(tenant, root.where('tenant')),
    authMode: checkHeaderValue(root.text('auth_mode') ?? 'local', root.where('auth_mode')),
    tokenFile: readPath('token_file', 'token'),
    metricsTokenFile: metricsTokenFile && resolvePath(metricsTokenFile, root, 'metrics_token_file'),
    windowLines: root.integer('window_lines', 1, windowLinesMax) ?? windowLinesDefault,
    windowPerPod: root.flag('window_per_pod') ?? false,
    stamps: root.choice('stamps', stampWords) ?? 'own',
    stateFolder: readPath('state', 'state'),
    kubernetes: cluster ? readChosenCluster(cluster, resolvePath) : {kubeconfig: undefined, context: undefined},
    ...readServedSites(root, kinds, paths),
  };
};

/** Where a service listens. The path of a Unix socket is absolute. */
type Listen =
  /** Port 0: any free port. */
  {readonly host: string; readonly port: number} | {readonly socketPath: string};

type ListenSettings = Listen & {
  /** Paths of the certificate with its chain and of its key, PEM; undefined: no TLS. */
  readonly tls: {readonly cert: string; readonly key: string} | undefined;
};

/** The keys that this file reads. */
const listenKeys = ['listen', 'tls_cert', 'tls_key', 'insecure'];

/** The kernel's limit is 108 bytes with a final zero. */
const socketPathBytesMax = 107;

/**
 * Reads where the service listens. Throws a `ConfigError` for an address that others can reach without TLS, unless
 * `insecure` says that this is meant.
 */
const readListen = (root: TableReader, resolvePath: ResolvePath): ListenSettings => {
  const text = root.text('listen')?.trim() ?? '127.0.0.1:8787';
  const tls = readTlsPaths(root, resolvePath);
  const isInsecure = root.flag('insecure') ?? false;
  const socket = /^unix:(.+)$/.exec(text)?.[1];
  if (socket !== undefined) {
    const socketPath = resolvePath(socket, root, 'listen');
    if (tls) {
      root.fail('tls_cert', 'a Unix socket has no TLS: leave out tls_cert and tls_key, or listen on a host and a port');
    }
    return Buffer.byteLength(socketPath) > socketPathBytesMax
      ? root.fail('listen', `the path of a Unix socket has at most ${socketPathBytesMax} bytes`)
      : {socketPath, tls};
  }
  const address =
    parseHostAndPort(text) ??
    root.fail(
      'listen',
      'expected a host and a port, like "127.0.0.1:8787" or "[::1]:8787", or a Unix socket, like "unix:/run/branchlog/serve.sock"',
    );
  if (!tls && !isInsecure && !isLoopbackHost(address.host)) {
    root.fail(
      'listen',
      `without TLS, whoever can listen in on the network gets the token and the logs: give tls_cert and tls_key; or listen on 127.0.0.1 or a Unix socket, behind a proxy that has TLS; or, if the way to ${address.host} is protected otherwise, say insecure = true`,
    );
  }
  return {...address, tls};
};

const readTlsPaths = (root: TableReader, resolvePath: ResolvePath): ListenSettings['tls'] => {
  const [cert, key] = [root.text('tls_cert'), root.text('tls_key')];
  if (cert === undefined && key === undefined) {
    return undefined;
  }
  return {
    cert: resolvePath(cert ?? root.fail('tls_key', 'goes with tls_cert: give the certificate, too'), root, 'tls_cert'),
    key: resolvePath(key ?? root.fail('tls_cert', 'goes with tls_key: give the key, too'), root, 'tls_key'),
  };
};

/**
 * Parses `127.0.0.1:8787`, `localhost:0`, `[::1]:8787`. Returns undefined if the text is not valid. A missing host does
 * not mean "everywhere", because a typing error would then publish logs.
 */
const parseHostAndPort = (text: string): {readonly host: string; readonly port: number} | undefined => {
  const match = /^(?:\[([0-9a-fA-F:.%a-zA-Z0-9]+)\]|([^:[\]\s/@]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host === undefined || port > 65_535 ? undefined : {host, port};
};
