import type {Say} from './notices.ts';

/** Items of an answer that are not of the interface were left out; a script should not take the rest for the whole. */
export const saySkipped = (skipped: readonly string[], say: Say): void => {
  const [first] = skipped;
  if (first !== undefined) {
    const count = skipped.length === 1 ? '1 part' : `${skipped.length} parts`;
    say(`ignored ${count} of the response not matching the interface, the first is ${first}`);
  }
};
