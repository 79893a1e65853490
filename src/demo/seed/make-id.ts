import {createRandom} from '../world/seed/random.ts';

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
