import type {Say} from './notices.ts';

/**
 * Reports items of an answer that were left out because they do not match the interface, so that a script does not take
 * the rest for everything.
 */
export const saySkipped = (skipped: readonly string[], say: Say): void => {
  const [first] = skipped;
  if (first !== undefined) {
    const count = skipped.length === 1 ? '1 part' : `${skipped.length} parts`;
    say(`ignored ${count} of the response not matching the interface, the first is ${first}`);
  }
};
