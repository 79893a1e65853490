/**
 * Puts an entry at the end of a map, so that the map begins with what was put longest ago. Of more than `max` entries
 * drops the first; returns its value.
 */
export const keepRecent = <K, V>(map: Map<K, V>, key: K, value: V, max: number): V | undefined => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map;
  if (map.size <= max || oldest === undefined) {
    return undefined;
  }
  map.delete(oldest[0]);
  return oldest[1];
};
