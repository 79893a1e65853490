import {isSecretFlag, isSecretName, isSecretValue, Secret} from '#base/secret.ts';
import {isTable, type Table} from '#base/table.ts';
import type {FieldProblems} from './field-reader.ts';

/** Deeper than any record of the interface (managedFields reach about ten), shallow enough for every later walk. */
export const recordDepthMax = 40;

/**
 * Returns the name in a `{name, value}` or `{key, value}` pair, as in section 2.2, in any case: it decides whether the
 * value is a secret. Undefined if the table is no pair.
 */
const pairName = (table: Table): string | undefined => {
  const keys = Object.keys(table);
  const nameKey = keys.find(isNameKey);
  const name = nameKey === undefined ? undefined : table[nameKey];
  return typeof name === 'string' && keys.some(isValueKey) ? name : undefined;
};

const isNameKey = (key: string): boolean => /^(?:name|key)$/i.test(key);

const isValueKey = (key: string): boolean => key.toLowerCase() === 'value';

/**
 * Returns a copy of a JSON value with every secret wrapped in a `Secret`: fields whose name looks like a secret
 * (including all strings and numbers below them), and values that contain one. Empty strings and null stay as they are.
 * Drops `__proto__` keys and cuts off what is nested deeper than `recordDepthMax`, each with a note.
 */
export const maskRecord = (value: unknown, path: string, problems: FieldProblems): unknown => {
  const walk = (node: unknown, at: string, depth: number, inSecret: boolean): unknown => {
    if (typeof node === 'string') {
      return node !== '' && (inSecret || isSecretValue(node)) ? new Secret(node) : node;
    }
    if (typeof node === 'number') {
      return inSecret ? new Secret(String(node)) : node;
    }
    if (typeof node !== 'object' || node === null) {
      return node;
    }
    if (depth >= recordDepthMax) {
      problems.addNote(`${at}: nested deeper than ${recordDepthMax}, cut`);
      return null;
    }
    if (Array.isArray(node)) {
      return node.map((item, index) =>
        walk(item, `${at}[${index}]`, depth + 1, inSecret || isSecretFlag(node[index - 1])),
      );
    }
    if (!isTable(node)) {
      return null;
    }
    const name = pairName(node);
    const entries: [string, unknown][] = [];
    for (const [key, item] of Object.entries(node)) {
      const below = at === '' ? key : `${at}.${key}`;
      // JSON.parse makes `__proto__` an own property; copying it by assignment would change a prototype.
      if (key === '__proto__') {
        problems.addNote(`${below}: dropped`);
        continue;
      }
      const nameOfItem = name !== undefined && isValueKey(key) ? name : key;
      const isPairName = name !== undefined && isNameKey(key);
      const secret = inSecret || (!isPairName && isSecretName(nameOfItem));
      entries.push([key, walk(item, below, depth + 1, secret)]);
    }
    return Object.fromEntries(entries);
  };
  return walk(value, path, 0, false);
};
