import {dirname, resolve} from 'node:path';
import type {Table} from '#base/table.ts';
import {describeUnread, hasErrorCode, ServiceError} from '#service/backend/errors.ts';
import {tableOf} from '#service/link/object-fields.ts';
import {createFileText, createFixedText, type KeptText, readSmallFile} from './cluster/kept-text.ts';

/** The files of one kubeconfig, merged: the first file that says something wins. */
export type Kubeconfig = {
  /** The files that were there. */
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, ConfigEntry>;
  readonly users: ReadonlyMap<string, ConfigEntry>;
  readonly contexts: ReadonlyMap<string, ConfigEntry>;
};

/** A cluster, user or context. */
export type ConfigEntry = {
  /** Such as `cluster "prod" of /home/dev/.kube/config`. */
  readonly title: string;
  /** Relative paths start here. */
  readonly folder: string;
  readonly fields: Table;
};

/**
 * Reads and merges kubeconfig files. A missing file is left out, as kubectl does, if others are there.
 * Throws a `ServiceError`.
 */
export const readKubeconfig = async (paths: readonly string[]): Promise<Kubeconfig> => {
  const files: string[] = [];
  const clusters = new Map<string, ConfigEntry>();
  const users = new Map<string, ConfigEntry>();
  const contexts = new Map<string, ConfigEntry>();
  let currentContext: string | undefined;
  for (const path of paths) {
    const content = await readConfigFile(path);
    if (content === undefined) {
      continue;
    }
    files.push(path);
    takeEntries(clusters, content, 'cluster', path);
    takeEntries(users, content, 'user', path);
    takeEntries(contexts, content, 'context', path);
    const current = content['current-context'];
    currentContext ||= typeof current === 'string' ? current : undefined;
  }
  if (files.length === 0) {
    throw new ServiceError(
      `There is no kubeconfig at ${paths.join(' or ')}: log in to a cluster, or name the file in KUBECONFIG.`,
    );
  }
  return {files, currentContext: currentContext || undefined, clusters, users, contexts};
};

/** Returns undefined if the file does not exist. */
const readConfigFile = async (path: string): Promise<Table | undefined> => {
  let text: string;
  try {
    text = await readSmallFile(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) {
      return undefined;
    }
    throw new ServiceError(`The kubeconfig ${describeUnread(path, error)}`, {cause: error});
  }
  const {parseYaml} = await import('./cluster/parse-yaml.ts');
  const document = parseYaml(text);
  const [fault] = document.errors;
  if (fault) {
    // Its message quotes the line, which may hold a secret.
    const line = fault.linePos?.[0].line;
    throw new ServiceError(`The kubeconfig ${path} is not valid YAML${line ? ` (line ${line})` : ''}.`);
  }
  const content = tableOf(readValue(() => document.toJS(), path) ?? {});
  if (!content) {
    throw new ServiceError(`The kubeconfig ${path} must hold clusters, users and contexts.`);
  }
  return content;
};

const readValue = (read: () => unknown, path: string): unknown => {
  try {
    return read();
  } catch {
    throw new ServiceError(`The kubeconfig ${path} has more aliases than can be resolved.`);
  }
};

const takeEntries = (
  entries: Map<string, ConfigEntry>,
  content: Table,
  kind: 'cluster' | 'user' | 'context',
  file: string,
): void => {
  const list = readList(content[`${kind}s`], `"${kind}s" of ${file}`);
  for (const [index, item] of list.entries()) {
    const {name, [kind]: value} = tableOf(item) ?? {};
    const fields = tableOf(value ?? {});
    if (typeof name !== 'string' || !fields) {
      throw new ServiceError(`"${kind}s" of ${file}: number ${index + 1} must have a "name" and a "${kind}".`);
    }
    if (!entries.has(name)) {
      entries.set(name, {title: `${kind} "${name}" of ${file}`, folder: dirname(file), fields});
    }
  }
};

/** Returns a text of an entry; undefined if it is absent or empty. Throws a `ServiceError` for anything else. */
export const readText = ({title, fields}: ConfigEntry, key: string): string | undefined => {
  const value = fields[key];
  if (value === undefined || value === null || value === '') {
    return undefined;
  }
  if (typeof value !== 'string') {
    throw new ServiceError(`"${key}" of ${title} must be a string.`);
  }
  return value;
};

/** Returns a list; an empty one if it is absent. Throws a `ServiceError` that begins with `title` for anything else. */
export const readList = (value: unknown, title: string): readonly unknown[] => {
  if (value !== undefined && value !== null && !Array.isArray(value)) {
    throw new ServiceError(`${title} must be a list.`);
  }
  return value ?? [];
};

/** Whether the user of a cluster has asked for its certificate not to be checked. Throws a `ServiceError`. */
export const isUnverified = ({title, fields}: ConfigEntry): boolean => {
  const value = fields['insecure-skip-tls-verify'] ?? false;
  if (typeof value !== 'boolean') {
    throw new ServiceError(`"insecure-skip-tls-verify" of ${title} must be true or false.`);
  }
  if (value && (fields['certificate-authority'] || fields['certificate-authority-data'])) {
    throw new ServiceError(
      `${title} has both "insecure-skip-tls-verify" and a "certificate-authority": remove the first, so that the certificate is checked.`,
    );
  }
  return value;
};

/** Returns what `KEY-data` holds in base64, or the file that `KEY` names; undefined without either. */
export const readPem = (entry: ConfigEntry, key: string): KeptText | undefined => {
  const data = readText(entry, `${key}-data`);
  if (data !== undefined) {
    return createFixedText(`"${key}-data" of ${entry.title}`, Buffer.from(data, 'base64').toString('latin1'));
  }
  const path = readText(entry, key);
  return path === undefined ? undefined : createFileText(`"${key}" of ${entry.title}`, resolve(entry.folder, path));
};
