import type {TableReader} from '#config/settings/table-reader.ts';
import {type BranchBase, readBranchBases, readId, refuseRepeated} from './branch-base.ts';
import {type ResolvePath, readKubeSite, type ServedKubeSite} from './kube-site.ts';

/** A kind of source for a pod's lines, as far as the configuration is concerned. */
export type SourceKind<Source> = {
  /** The key of a pod's table that chooses this kind. */
  readonly key: string;
  /** What the key provides, for messages: `the log files of the pod`. */
  readonly gives: string;
  /** Further keys of a pod that only this kind has. */
  readonly otherKeys: readonly string[];
  /** Called only if `key` is set. */
  read(pod: TableReader, paths: SourcePaths): Source;
};

/** What relative paths of a source are relative to. */
export type SourcePaths = {
  readonly folder: string;
  /** Folders whose files are read and linked to whoever owns them, absolute. */
  readonly roots: readonly string[];
  readonly resolve: ResolvePath;
};

export type PodSettings<Source> = {
  readonly name: string;
  readonly source: Source;
  /** If undefined, the setting for all pods applies. */
  readonly stamps?: StampWord | undefined;
};

/**
 * `own`: a plain line that was written before it was read keeps its own time. `read`: every line gets the time of
 * reading.
 */
export type StampWord = 'own' | 'read';
export const stampWords: readonly StampWord[] = ['own', 'read'];

export type BranchSettings<Source> = Omit<BranchBase, 'status'> & {
  /** null: not built out yet. */
  readonly status: string | null;
  readonly pods: readonly PodSettings<Source>[];
};

export type ServedSiteSettings<Source> = {
  readonly id: string;
  /** The only token that opens this site. If undefined, that of the service does. */
  readonly tokenFile?: string | undefined;
  readonly branches: readonly BranchSettings<Source>[];
};

export type ServedSites<Source> = {
  /** Sites whose pods are listed in the file. */
  readonly sites: readonly ServedSiteSettings<Source>[];
  /** Sites whose branches and pods come from a cluster. */
  readonly kubeSites: readonly ServedKubeSite[];
};

/** Reads `[[sites]]`. Throws a `ConfigError` for duplicate ids or names, and for keys that look mistyped. */
export const readServedSites = <Source>(
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
    pod.fail(strayKey, `goes with ${stray.key}, and this pod has ${kind.key}: leave it out`);
  }
  return kind.read(pod, paths);
};
