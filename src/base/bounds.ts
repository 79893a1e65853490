/** Waits until work is done, at most so many milliseconds, or not at all. Throws what the work throws until then. */
export const waitAtMost = async (work: Promise<unknown>, limitMs: number): Promise<void> => {
  const {promise: limit, resolve} = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(0, limitMs));
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
};

/**
 * Sets an entry of a map as its newest one. Forgets the oldest if there are more than `entriesMax` then, and returns
 * its value.
 */
export const setNewest = <Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  entriesMax: number,
): Value | undefined => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map;
  if (map.size <= entriesMax || oldest === undefined) {
    return undefined;
  }
  map.delete(oldest[0]);
  return oldest[1];
};

/** Bounds of how a log is viewed, for the screens, the config file and what is remembered. */

/** More columns than any terminal shows. */
export const columnsMax = 20;

/** More chips than fit into a row are too many to keep in mind. */
export const filtersMax = 20;

/** Longer names would not fit into a row beside what they stand for. */
export const filterNameCharsMax = 30;

/** Nobody chooses from a longer list. */
export const namedFiltersMax = 100;

/** Longer than any typed pattern; keeps a pasted file from becoming one. */
export const promptCharsMax = 500;
