import {Secret} from '../../base/secret.ts';
import type {FieldProblems} from './field-problems.ts';
import {decodeObjects, isJsonObject, type Table} from './field-reader.ts';

/**
 * Section 2.2. The specification's dotted names may arrive as keys with dots or as nested objects; here they are flat.
 */
type DeploymentConfig = {
  /** `application.storage`: a size with its unit. */
  readonly applicationStorage?: string | undefined;
  /** `images.nginx.env`: environment of the web server. */
  readonly nginxEnv: readonly EnvironmentVariable[];
  /** `images.php.env`: environment of the application server. */
  readonly phpEnv: readonly EnvironmentVariable[];
};

export type EnvironmentVariable = {
  readonly name: string;
  /** A `Secret` if the name or the value looks like one. */
  readonly value: string | Secret;
};

/**
 * Decodes `deploymentConfig` (section 2.2) from a masked record. The specification writes `images.nginx.env` and does
 * not say whether that is a key with dots or a path of objects, so both are accepted, as are mixtures.
 */
export const decodeDeploymentConfig = (
  table: Table | undefined,
  path: string,
  problems: FieldProblems,
): DeploymentConfig | undefined => {
  if (!table) {
    return undefined;
  }
  const storage = findDotted(table, ['application', 'storage']);
  if (storage !== undefined && storage !== null && typeof storage !== 'string' && !(storage instanceof Secret)) {
    problems.add(`${path}.application.storage`, 'a string', storage);
  }
  const readEnv = (image: string) =>
    decodeEnv(findDotted(table, ['images', image, 'env']), `${path}.images.${image}.env`, problems);
  return {
    applicationStorage: typeof storage === 'string' ? storage : undefined,
    nginxEnv: readEnv('nginx'),
    phpEnv: readEnv('php'),
  };
};

/** Finds `a.b.c` as `{'a.b.c': …}`, `{a: {b: {c: …}}}` or any mixture; the first own key that leads to a value wins. */
const findDotted = (table: Table, parts: readonly string[]): unknown => {
  for (let count = parts.length; count > 0; count -= 1) {
    const key = parts.slice(0, count).join('.');
    if (!Object.hasOwn(table, key)) {
      continue;
    }
    const value = table[key];
    if (count === parts.length) {
      return value;
    }
    const below = isJsonObject(value) ? findDotted(value, parts.slice(count)) : undefined;
    if (below !== undefined) {
      return below;
    }
  }
  return undefined;
};

const decodeEnv = (value: unknown, path: string, problems: FieldProblems): readonly EnvironmentVariable[] => {
  if (value === undefined || value === null) {
    return [];
  }
  if (!Array.isArray(value)) {
    problems.add(path, 'an array', value);
    return [];
  }
  return decodeObjects(value, path, problems, ({name, value: text}, at) => {
    if (typeof name !== 'string') {
      return problems.add(`${at}.name`, 'a string', name);
    }
    return typeof text === 'string' || text instanceof Secret
      ? {name, value: text}
      : problems.add(`${at}.value`, 'a string', text);
  });
};
