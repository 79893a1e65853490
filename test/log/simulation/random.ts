/** Chance that comes again: the same seed gives the same numbers on every machine. */
export type Random = {
  /** From 0 up to, but without, 1. */
  next(): number;
  /** From `min` to `max`, both among them. */
  integer(min: number, max: number): number;
  /** True so often out of one. */
  chance(share: number): boolean;
  pick<T>(values: readonly [T, ...T[]]): T;
};

/** Numbers for one part of a run, from the seed of the run and the number of the part (mulberry32, seeded by a mix of the two). */
export const createRandom = (seed: number, partNumber: number): Random => {
  let state = mix(mix(seed) ^ Math.imul(partNumber, 0x9e3779b1));
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    chance: share => next() < share,
    pick: values => values[integer(0, values.length - 1)] ?? values[0],
  };
};

/** Chance for what happens step by step: what one step draws changes nothing in the next, so that any of them can be left out. */
export type StepRandom = Random & {
  /** From here on the numbers are those of another step. */
  begin(step: number): void;
};

const stepsOfPartMax = 64;

export const createStepRandom = (seed: number, partNumber: number): StepRandom => {
  let random = createRandom(seed, partNumber * stepsOfPartMax);
  return {
    begin: step => {
      random = createRandom(seed, partNumber * stepsOfPartMax + step);
    },
    next: () => random.next(),
    integer: (min, max) => random.integer(min, max),
    chance: share => random.chance(share),
    pick: values => random.pick(values),
  };
};

/** Neighbouring seeds must not give neighbouring sequences. */
const mix = (value: number): number => {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
};
