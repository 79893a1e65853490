import {dirname, resolve} from 'node:path';
import {ConfigError} from '../values/config-error.ts';
import {expandPath} from '../values/expand-path.ts';
import {findTomlLine} from '../values/find-toml-line.ts';
import {checkHeaderValue} from '../values/header-value.ts';
import {readToml} from '../values/read-toml.ts';
import {createTableReader} from '../values/table-reader.ts';
import {type ChosenCluster, readChosenCluster} from './kube-site.ts';
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

export type ServeSettings<Source> = ServedSites<Source> & {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly tenant: string;
  readonly authMode: string;
  /** Created with a random token and mode 0600 if it is missing. */
  readonly tokenFile: string;
  /** Lines in a window, over all pods of a branch or, with `windowPerPod`, for each pod. */
  readonly windowLines: number;
  readonly windowPerPod: boolean;
  /** Whether plain lines that were written earlier keep their own times; a pod can override this. */
  readonly stamps: StampWord;
  /** Folder of the embedded database. */
  readonly stateFolder: string;
  /** The cluster of the sites that name none. Undefined: in a pod its ServiceAccount, elsewhere as kubectl finds it. */
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
    'listen',
    'tenant',
    'auth_mode',
    'token_file',
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
  const listen =
    parseListen(root.text('listen') ?? '127.0.0.1:8787') ??
    root.fail('listen', 'expected a host and a port, like "127.0.0.1:8787" or "[::1]:8787"');
  const tenant = root.text('tenant') ?? root.fail('tenant', 'missing: give the tenant that requests must name');
  return {
    host: listen.host,
    port: listen.port,
    tenant: checkHeaderValue(tenant, root.where('tenant')),
    authMode: checkHeaderValue(root.text('auth_mode') ?? 'local', root.where('auth_mode')),
    tokenFile: readPath('token_file', 'token'),
    windowLines: root.integer('window_lines', 1, windowLinesMax) ?? windowLinesDefault,
    windowPerPod: root.flag('window_per_pod') ?? false,
    stamps: root.choice('stamps', stampWords) ?? 'own',
    stateFolder: readPath('state', 'state'),
    kubernetes: cluster ? readChosenCluster(cluster, resolvePath) : {kubeconfig: undefined, context: undefined},
    ...readServedSites(root, kinds, paths),
  };
};

/**
 * Parses the `host:port` of a `listen` setting: `127.0.0.1:8787`, `localhost:0`, `[::1]:8787`. Port 0 is any free port.
 * Returns undefined if the text is not valid. A missing host does not mean "everywhere", because a typing error would
 * then publish logs.
 */
const parseListen = (text: string): {readonly host: string; readonly port: number} | undefined => {
  const match = /^(?:\[([0-9a-fA-F:.%a-zA-Z0-9]+)\]|([^:[\]\s/@]+)):(\d{1,5})$/.exec(text.trim());
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host === undefined || port > 65_535 ? undefined : {host, port};
};
