import {dirname, resolve} from 'node:path';
import {parse, TomlError} from 'smol-toml';
import {isLoopbackHost} from '#base/service-address.ts';
import {expandPath} from '#config/settings/folders.ts';
import {ConfigError, createTableReader, readToml, type TableReader} from '#config/settings/table-reader.ts';
import {checkHeaderValue} from '#config/settings/values.ts';
import {type BranchBase, readBranchBases, readId, refuseRepeated} from './branch-base.ts';
import {
  type ChosenCluster,
  type ResolvePath,
  readChosenCluster,
  readKubeSite,
  type ServedKubeSite,
} from './kube-site.ts';

/** A kind of source for a pod's lines, as far as the configuration is concerned. */
type SourceKind<Source> = {
  /** The key of a pod's table that chooses this kind. */
  readonly key: string;
  /** Description of the key for messages: `the log files of the pod`. */
  readonly gives: string;
  /** Further keys of a pod that only this kind has. */
  readonly otherKeys: readonly string[];
  /** Called only if `key` is set. */
  read(pod: TableReader, paths: SourcePaths): Source;
};

/** The folder that relative paths of a source start from. */
type SourcePaths = {
  readonly folder: string;
  /** Folders whose files are read and linked to whoever owns them, absolute. */
  readonly roots: readonly string[];
  readonly resolve: ResolvePath;
};

type PodSettings<Source> = {
  readonly name: string;
  readonly source: Source;
  /** If undefined, the setting for all pods applies. */
  readonly stamps?: StampWord | undefined;
};

/**
 * `own`: a plain line that was written before it was read keeps its own time. `read`: every line gets the time of
 * reading.
 */
type StampWord = 'own' | 'read';
const stampWords: readonly StampWord[] = ['own', 'read'];

type BranchSettings<Source> = Omit<BranchBase, 'status'> & {
  /** null: not built out yet. */
  readonly status: string | null;
  readonly pods: readonly PodSettings<Source>[];
};

type ServedSiteSettings<Source> = {
  readonly id: string;
  /** The only token that opens this site. If undefined, that of the service does. */
  readonly tokenFile?: string | undefined;
  readonly branches: readonly BranchSettings<Source>[];
};

type ServedSites<Source> = {
  /** Sites whose pods are listed in the file. */
  readonly sites: readonly ServedSiteSettings<Source>[];
  /** Sites whose branches and pods come from a cluster. */
  readonly kubeSites: readonly ServedKubeSite[];
};

/** Reads `[[sites]]`. Throws a `ConfigError` for duplicate ids or names, and for keys that look mistyped. */
const readServedSites = <Source>(
  root: TableReader,
  kinds: readonly SourceKind<Source>[],
  paths: SourcePaths,
): ServedSites<Source> => {
  const ids = new Set<string>();
  const sites: ServedSiteSettings<Source>[] = [];
  const kubeSites: ServedKubeSite[] = [];
  for (const site of root.tables('sites')) {
    site.refuseOthers(['id', 'token_file', 'kubernetes', 'branches']);
    const id = readId(site, 'id') ?? site.fail('id', 'missing: give the identifier of the site');
    refuseRepeated(site, 'id', id, ids);
    const tokenFile = site.text('token_file');
    const base = {
      id,
      ...(tokenFile !== undefined && {tokenFile: paths.resolve(tokenFile, site, 'token_file')}),
    };
    const cluster = site.table('kubernetes');
    if (cluster) {
      kubeSites.push({...base, ...readKubeSite(site, id, cluster, paths.resolve)});
    } else {
      sites.push({...base, branches: readBranches(site, id, kinds, paths)});
    }
  }
  return {sites, kubeSites};
};

const readBranches = <Source>(
  site: TableReader,
  siteId: string,
  kinds: readonly SourceKind<Source>[],
  paths: SourcePaths,
): readonly BranchSettings<Source>[] =>
  readBranchBases(site, siteId).map(({table, base}) => {
    if (table.raw('kubernetes') !== undefined) {
      table.fail('kubernetes', 'the site itself needs a [sites.kubernetes] table with the namespace');
    }
    return {...base, status: base.status ?? null, pods: readPods(table, kinds, paths)};
  });

const readPods = <Source>(
  branch: TableReader,
  kinds: readonly SourceKind<Source>[],
  paths: SourcePaths,
): readonly PodSettings<Source>[] => {
  const names = new Set<string>();
  return branch.tables('pods').map(pod => {
    pod.refuseOthers(['name', ...kinds.flatMap(kind => [kind.key, ...kind.otherKeys]), 'stamps']);
    const name = pod.text('name') ?? pod.fail('name', 'missing: give the name of the pod');
    refuseRepeated(pod, 'name', name, names);
    return {name, source: readSource(pod, kinds, paths), stamps: pod.choice('stamps', stampWords)};
  });
};

/** Reads the one source of a pod. */
const readSource = <Source>(pod: TableReader, kinds: readonly SourceKind<Source>[], paths: SourcePaths): Source => {
  const [kind, second] = kinds.filter(({key}) => pod.raw(key) !== undefined);
  if (!kind) {
    const choices = kinds.map(({key, gives}) => `${gives} (${key})`).join(' or ');
    return pod.fail(kinds[0]?.key ?? '', `missing: give ${choices}`);
  }
  if (second) {
    pod.fail(second.key, `a pod has ${kind.key} or ${second.key}, not both: give each a pod of its own`);
  }
  const stray = kinds.find(other => other !== kind && other.otherKeys.some(key => pod.raw(key) !== undefined));
  const strayKey = stray?.otherKeys.find(key => pod.raw(key) !== undefined && !kind.otherKeys.includes(key));
  if (stray && strayKey !== undefined) {
    pod.fail(strayKey, `belongs to ${stray.key}, but this pod has ${kind.key}: leave it out`);
  }
  return kind.read(pod, paths);
};

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
    /** Used by sites that name none. Undefined: in a pod its ServiceAccount, elsewhere as kubectl finds it. */
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
    cert: resolvePath(cert ?? root.fail('tls_key', 'needs tls_cert: give the certificate, too'), root, 'tls_cert'),
    key: resolvePath(key ?? root.fail('tls_cert', 'needs tls_key: give the key, too'), root, 'tls_key'),
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

/** The end of a value that spans more lines than this is not searched for. */
const valueLinesMax = 1_000;

/** Splits `sites[0].name` into `sites`, 0, `name`. */
const splitPath = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key = '']) => (index === undefined ? key : Number(index)));

const valueAt = (table: unknown, parts: readonly (string | number)[]): unknown =>
  parts.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(String(part)) : undefined,
    table,
  );

/**
 * Parses the file up to a line, or up to the end of the value that begins there; returns undefined if that value has no
 * end.
 */
const parseUpTo = (lines: readonly string[], lineNumber: number): unknown => {
  const lastNumber = Math.min(lines.length, lineNumber + valueLinesMax);
  for (let end = lineNumber; end <= lastNumber; end += 1) {
    try {
      return parse(lines.slice(0, end).join('\n'));
    } catch (error) {
      if (!(error instanceof TomlError)) {
        throw error;
      }
    }
  }
  return undefined;
};

/**
 * Returns the line number, from 1, on which a value of a valid TOML file begins. If the value does not exist, returns
 * the line of what would contain it. The parser keeps no positions, so this searches for the first line up to which the
 * file contains the value.
 */
export const findTomlLine = (text: string, path: string): number | undefined => {
  const lines = text.split('\n');
  for (let parts = splitPath(path); parts.length > 0; parts = parts.slice(0, -1)) {
    const name = parts.findLast(part => typeof part === 'string');
    const candidates = [...lines.keys()]
      .map(index => index + 1)
      .filter(number => lines[number - 1]?.includes(String(name)));
    let [low, high] = [0, candidates.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (valueAt(parseUpTo(lines, candidates[middle] ?? 0), parts) === undefined) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const found = candidates[low];
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
};
