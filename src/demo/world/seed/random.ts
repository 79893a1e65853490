/** Durations in milliseconds, so that plans read like sentences: `20 * secondMs`. */
export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Repeatable random numbers: the same seed gives the same numbers on every machine. Never use it for secrets. */
export type Random = {
  /** Returns a number from 0 to just below 1. */
  readonly fraction: () => number;
  /** Returns a whole number from `min` to `max`, both included. */
  readonly integer: (min: number, max: number) => number;
  readonly chance: (probability: number) => boolean;
  /** Returns an item of the list. Throws a RangeError if the list is empty. */
  readonly pick: <T extends string | number | object>(list: readonly T[]) => T;
  /** Returns `length` characters of an alphabet. */
  readonly text: (alphabet: string, length: number) => string;
  /** Returns how many of many independent events with this mean happen: the Poisson distribution. */
  readonly count: (mean: number) => number;
};

/**
 * FNV-1a over UTF-16 code units, then a finaliser: without it, names that differ in the last character give similar
 * numbers.
 */
const hashWord = (text: string, salt: number): number => {
  let hash = 0x811c9dc5 ^ salt;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

// Above this mean the Poisson distribution is close to normal, and products would take one draw per event.
const bellMeanMin = 30;

/** Creates a generator seeded by its parts, in order: a small fast counter (sfc32), 128 bits of state. */
export const createRandom = (...parts: readonly (string | number)[]): Random => {
  const seed = parts.join('/');
  let a = hashWord(seed, 0);
  let b = hashWord(seed, 0x9e3779b9);
  let c = hashWord(seed, 0x7f4a7c15);
  let counter = 1;
  const fraction = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
  // The first numbers still reveal the seed.
  for (let round = 0; round < 12; round++) {
    fraction();
  }
  const integer = (min: number, max: number): number => min + Math.floor(fraction() * (max - min + 1));
  return {
    fraction,
    integer,
    chance: probability => fraction() < probability,
    pick: list => {
      const item = list[integer(0, list.length - 1)];
      if (item === undefined) {
        throw new RangeError('cannot pick from an empty list');
      }
      return item;
    },
    text: (alphabet, length) => {
      let text = '';
      for (let index = 0; index < length; index++) {
        text += alphabet.charAt(integer(0, alphabet.length - 1));
      }
      return text;
    },
    count: mean => {
      if (mean >= bellMeanMin) {
        const bell = fraction() + fraction() + fraction() - 1.5;
        return Math.max(0, Math.round(mean + bell * 2 * Math.sqrt(mean)));
      }
      const floor = Math.exp(-mean);
      let events = 0;
      for (let product = fraction(); product > floor; product *= fraction()) {
        events++;
      }
      return events;
    },
  };
};

const hexDigits = '0123456789abcdef';

/**
 * Creates an opaque identifier, 24 hexadecimal digits, from its parts. It does not depend on the seed: the demo's sites
 * and branches keep their ids from run to run, so that a command typed yesterday still works.
 */
export const makeId = (...parts: readonly (string | number)[]): string =>
  createRandom('id', ...parts).text(hexDigits, 24);

/** Creates the same as a UUID in text form (RFC 9562, section 4), version 4. */
export const makeUuid = (...parts: readonly (string | number)[]): string => {
  const random = createRandom('uuid', ...parts);
  const group = (length: number) => random.text(hexDigits, length);
  return `${group(8)}-${group(4)}-4${group(3)}-${random.text('89ab', 1)}${group(3)}-${group(12)}`;
};
