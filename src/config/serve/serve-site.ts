import {createHash} from 'node:crypto';
import {TomlDate} from 'smol-toml';
import {findClosestWord} from '../values/closest-word.ts';
import type {TableReader} from '../values/table-reader.ts';
import {checkRecordField} from './record-field.ts';

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
  /** Returns an absolute path. Throws a `ConfigError` that names `key` of the table. */
  resolve(path: string, table: Pick<TableReader, 'where'>, key: string): string;
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

export type BranchSettings<Source> = {
  /** Given as `_id` or `id`; otherwise derived from the site and the name, so that it is the same at every start. */
  readonly id: string;
  readonly name: string;
  /** null: not built out yet. */
  readonly status: string | null;
  /** All other fields of the branch record, as they are served. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly pods: readonly PodSettings<Source>[];
};

export type ServedSiteSettings<Source> = {
  readonly id: string;
  /** The only token that opens this site. If undefined, that of the service does. */
  readonly tokenFile?: string | undefined;
  readonly branches: readonly BranchSettings<Source>[];
};

/** Keys of a branch that the service interprets; every other key is a field of the branch record. */
const structuralKeys = ['_id', 'id', 'name', 'status', 'pods'];

/** Reads `[[sites]]`. Throws a `ConfigError` for duplicate ids or names, and for keys that look mistyped. */
export const readServedSites = <Source>(
  root: TableReader,
  kinds: readonly SourceKind<Source>[],
  paths: SourcePaths,
): readonly ServedSiteSettings<Source>[] => {
  const ids = new Set<string>();
  return root.tables('sites').map(site => {
    site.refuseOthers(['id', 'token_file', 'branches']);
    const id = readId(site, 'id') ?? site.fail('id', 'missing: give the identifier of the site');
    refuseRepeated(site, 'id', id, ids);
    const tokenFile = site.text('token_file');
    return {
      id,
      ...(tokenFile !== undefined && {tokenFile: paths.resolve(tokenFile, site, 'token_file')}),
      branches: readBranches(site, id, kinds, paths),
    };
  });
};

const readBranches = <Source>(
  site: TableReader,
  siteId: string,
  kinds: readonly SourceKind<Source>[],
  paths: SourcePaths,
): readonly BranchSettings<Source>[] => {
  const ids = new Set<string>();
  const names = new Set<string>();
  return site.tables('branches').map(branch => {
    for (const key of branch.keys()) {
      const meant = findClosestWord(key, structuralKeys);
      if (meant !== undefined && !structuralKeys.includes(key)) {
        branch.fail(key, `no such setting: did you mean ${meant}?`);
      }
    }
    const name = branch.text('name') ?? branch.fail('name', 'missing: give the name of the branch');
    refuseRepeated(branch, 'name', name, names);
    const idKey = branch.raw('_id') === undefined ? 'id' : '_id';
    const id = readId(branch, idKey) ?? makeId(siteId, name);
    refuseRepeated(branch, idKey, id, ids);
    const fields = branch.keys().filter(key => !structuralKeys.includes(key));
    return {
      id,
      name,
      status: branch.text('status') ?? null,
      fields: Object.fromEntries(fields.map(key => [key, checkRecordField(branch, key, toJsonValue(branch, key))])),
      pods: readPods(branch, kinds, paths),
    };
  });
};

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

const readId = (table: TableReader, key: string): string | undefined => {
  const id = table.text(key);
  return id === '.' || id === '..' ? table.fail(key, `"${id}" cannot stand in an address`) : id;
};

const refuseRepeated = (table: TableReader, key: string, value: string, seen: Set<string>): void => {
  if (seen.has(value)) {
    table.fail(key, `"${value}" is given twice`);
  }
  seen.add(value);
};

/**
 * Derives an id that is the same at every start, so that a client that remembers the branch finds it again. It is as
 * long as the ids in the interface's examples.
 */
const makeId = (siteId: string, name: string): string =>
  createHash('sha256')
    .update(JSON.stringify([siteId, name]))
    .digest('hex')
    .slice(0, 24);

/**
 * Converts a TOML value to the JSON value that the service sends. Dates become ISO 8601 in UTC with milliseconds and Z,
 * as in the interface; local dates and times stay as written. `nan` and `inf` have no JSON form and throw a
 * `ConfigError`.
 */
const toJsonValue = (table: TableReader, key: string): unknown => {
  const walk = (value: unknown): unknown => {
    if (value instanceof TomlDate) {
      return value.isLocal() ? value.toISOString() : new Date(value.getTime()).toISOString();
    }
    if (typeof value === 'number' && !Number.isFinite(value)) {
      return table.fail(key, 'nan and inf cannot be sent as JSON');
    }
    if (Array.isArray(value)) {
      return value.map(walk);
    }
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item)]));
    }
    return value;
  };
  return walk(table.raw(key));
};
