/** Draws numbers; the same ones for the same seed. */
export type Random = {
  /** From 0 to 1. */
  readonly next: () => number;
  readonly between: (from: number, to: number) => number;
  /** As many between 1 and 10 as between 10 and 100. */
  readonly scaled: (from: number, to: number) => number;
  /** Whole, both ends included. */
  readonly whole: (from: number, to: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(from: readonly T[]) => T;
  /** Normal, by the sum of twelve: around 0, and mostly less than 1 away from it. */
  readonly gauss: () => number;
};

/** Mulberry32. */
export const randomOf = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + next() * (to - from);
  return {
    next,
    between,
    scaled: (from, to) => from * (to / from) ** next(),
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: share => next() < share,
    pick: from => {
      const picked = from[Math.floor(next() * from.length)];
      if (picked === undefined) {
        throw new Error('nothing to pick from');
      }
      return picked;
    },
    gauss: () => Array.from({length: 12}, next).reduce((sum, each) => sum + each, -6),
  };
};

/** Seconds at which something happens so often a minute, ascending: by chance, or at an even pace. */
export const timesOf = (
  random: Random,
  {from, to, perMinute, isEven = false}: {from: number; to: number; perMinute: number; isEven?: boolean},
): readonly number[] => {
  const times: number[] = [];
  const step = (): number => (60 / perMinute) * (isEven ? random.between(0.9, 1.1) : -Math.log(1 - random.next()));
  for (let second = from + random.next() * step(); second < to; second += step()) {
    times.push(second);
  }
  return times;
};
