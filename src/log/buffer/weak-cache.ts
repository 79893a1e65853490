import type {Chunk, ChunkKey} from './chunk.ts';

/**
 * Facts about immutable values, kept in a table instead of in the values. An entry goes from missing to known once and
 * always equals what recomputing would give, so no result depends on a table, only when its cost is paid. An entry
 * lives as long as its value is held. All weak caches of the engine and the screens are made here.
 */
export type WeakCache<K extends WeakKey, T> = {
  readonly get: (key: K) => T | undefined;
  readonly set: (key: K, found: T) => void;
};

/** A weak cache of chunks: a packed chunk keeps what is known of its entries. */
export type ChunkCache<T> = WeakCache<Chunk, T>;

export const createWeakCache = <K extends WeakKey, T>(): WeakCache<K, T> => new WeakMap<K, T>();

export const createChunkCache = <T>(): ChunkCache<T> => {
  const table = new WeakMap<ChunkKey, T>();
  return {
    get: chunk => table.get(chunk.key),
    set: (chunk, found) => {
      table.set(chunk.key, found);
    },
  };
};

/** Memoizes a function: calls it once per value. */
export const once = <K extends WeakKey, T extends NonNullable<unknown>>(
  table: WeakCache<K, T>,
  find: (key: K) => T,
): ((key: K) => T) => {
  return key => {
    const known = table.get(key);
    if (known !== undefined) {
      return known;
    }
    const found = find(key);
    table.set(key, found);
    return found;
  };
};
