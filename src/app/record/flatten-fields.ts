import {Secret} from '#base/secret.ts';

/** A value that is not taken apart further, and the path to it: `images.php.replicas`, `args[0]`. */
export type Leaf = {
  readonly path: string;
  /** Set for an item of a list of `{name, value}` pairs; its path is that of the list. */
  readonly name?: string;
  readonly value: unknown;
};

/** More than a person reads; a service may send as many as fit into an answer. */
const leavesMax = 2_000;

/** Takes a value apart into its leaves, in order. Empty objects and lists are leaves. */
export const flattenFields = (value: unknown): readonly Leaf[] => {
  const leaves: Leaf[] = [];
  const walk = (node: unknown, path: string): void => {
    if (leaves.length >= leavesMax) {
      return;
    }
    const entries = typeof node !== 'object' || node === null || node instanceof Secret ? [] : Object.entries(node);
    if (entries.length === 0) {
      leaves.push({path, value: node});
    } else if (Array.isArray(node)) {
      for (const [index, item] of node.entries()) {
        const pair = pairOf(item);
        if (pair === undefined) {
          walk(item, `${path}[${index}]`);
        } else {
          leaves.push({path, ...pair});
        }
      }
    } else {
      for (const [key, item] of entries) {
        walk(item, path === '' ? key : `${path}.${key}`);
      }
    }
  };
  walk(value, '');
  return leaves.slice(0, leavesMax);
};

const pairOf = (item: unknown): Pick<Leaf, 'name' | 'value'> | undefined =>
  typeof item === 'object' &&
  item !== null &&
  Object.keys(item).length === 2 &&
  'name' in item &&
  'value' in item &&
  typeof item.name === 'string'
    ? {name: item.name, value: item.value}
    : undefined;
