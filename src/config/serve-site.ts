import {createHash} from 'node:crypto';
import {basename, dirname} from 'node:path';
import {TomlDate} from 'smol-toml';
import {findClosestWord} from './closest-word.ts';
import {expandPath} from './expand-path.ts';
import {checkRecordField} from './record-field.ts';
import type {TableReader} from './table-reader.ts';

export type PodSettings = {
  readonly name: string;
  /** Absolute paths, the last parts of which may hold `*` and `?`. */
  readonly files: readonly string[];
  /** Left out: each file's first lines tell. */
  readonly format?: FormatWord | undefined;
  /** Left out: as for all pods. */
  readonly stamps?: StampWord | undefined;
};

/** `container`: each line stands behind a timestamp, a stream and a tag; `plain`: any text. */
export type FormatWord = 'container' | 'plain';
const formatWords: readonly FormatWord[] = ['container', 'plain'];

/** `own`: a plain line that was written before it was read keeps its own time; `read`: every one has the time of reading. */
export type StampWord = 'own' | 'read';
export const stampWords: readonly StampWord[] = ['own', 'read'];

export type BranchSettings = {
  /** Given as `_id` or `id`; else made from site and name, the same at every start. */
  readonly id: string;
  readonly name: string;
  /** null: not built out. */
  readonly status: string | null;
  /** Any further field of the branch record, as it is served. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly pods: readonly PodSettings[];
};

export type ServedSiteSettings = {readonly id: string; readonly branches: readonly BranchSettings[]};

/** Where relative paths of a serve config start, and what `~` stands for. */
export type PathBase = {readonly folder: string; readonly homeFolder: string | undefined};

/** Keys of a branch that mean something to the service; every other key is a field of the branch record. */
const structuralKeys = ['_id', 'id', 'name', 'status', 'pods'];

/** Reads `[[sites]]`. Throws a `ConfigError` for ids or names that are there twice, and for keys a letter or two off. */
export const readServedSites = (root: TableReader, base: PathBase): readonly ServedSiteSettings[] => {
  const ids = new Set<string>();
  return root.tables('sites').map(site => {
    site.refuseOthers(['id', 'branches']);
    const id = readId(site, 'id') ?? site.fail('id', 'missing: give the identifier of the site');
    refuseRepeated(site, 'id', id, ids);
    return {id, branches: readBranches(site, id, base)};
  });
};

const readBranches = (site: TableReader, siteId: string, base: PathBase): readonly BranchSettings[] => {
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
      pods: readPods(branch, base),
    };
  });
};

const readPods = (branch: TableReader, base: PathBase): readonly PodSettings[] => {
  const names = new Set<string>();
  return branch.tables('pods').map(pod => {
    pod.refuseOthers(['name', 'files', 'format', 'stamps']);
    const name = pod.text('name') ?? pod.fail('name', 'missing: give the name of the pod');
    refuseRepeated(pod, 'name', name, names);
    const files = (pod.texts('files') ?? []).map((path, index) => readPattern(pod, path, index, base));
    if (files.length === 0) {
      pod.fail('files', 'missing: give the log files of the pod');
    }
    return {name, files, format: pod.choice('format', formatWords), stamps: pod.choice('stamps', stampWords)};
  });
};

const readPattern = (pod: TableReader, path: string, index: number, base: PathBase): string => {
  const key = `files[${index}]`;
  const whole = expandPath(path, base.folder, base.homeFolder, pod.where(key));
  if (/[*?]/.test(dirname(path))) {
    pod.fail(key, '"*" and "?" may stand in the last part of a path only, not in a folder');
  }
  return basename(whole) === '' || path.endsWith('/') ? pod.fail(key, 'expected a file, got a folder') : whole;
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

/** The same at every start, so that a client that remembered the branch finds it again; as long as the ids of the interface's examples. */
const makeId = (siteId: string, name: string): string =>
  createHash('sha256')
    .update(JSON.stringify([siteId, name]))
    .digest('hex')
    .slice(0, 24);

/**
 * A TOML value as the JSON value that the service sends. Dates become what the interface has: ISO 8601 in UTC with
 * milliseconds and Z; local dates and times stay as written. `nan` and `inf` have no JSON and throw a `ConfigError`.
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
