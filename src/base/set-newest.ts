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
