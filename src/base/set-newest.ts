/** Sets an entry of a map as its newest one, and forgets the oldest if there are more than `entriesMax` then. */
export const setNewest = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value, entriesMax: number): void => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > entriesMax && oldest !== undefined) {
    map.delete(oldest);
  }
};
