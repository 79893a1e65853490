export type SeededRandom = {
  /** From 0 up to but not 1. */
  next(): number;
  /** A whole number, both bounds included. */
  between(min: number, max: number): number;
  /** One of them; undefined of none. */
  pick<Value>(values: readonly Value[]): Value | undefined;
};

/** The same numbers for the same seed (mulberry32). */
export const createSeededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: values => values[Math.floor(next() * values.length)],
  };
};
