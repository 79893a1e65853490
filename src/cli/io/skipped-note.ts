import {notLinesWords} from '../../log/words/not-lines-words.ts';
import type {Say} from './notices.ts';

/**
 * Says how many items of a log are no lines, and where the first is, which `notLines` tells by the number of lines
 * before it; undefined if there are none. The items themselves may be secrets.
 */
export const describeNotLines = (notLines: readonly number[] = []): string | undefined => {
  const [first] = notLines;
  return first === undefined
    ? undefined
    : `${notLinesWords(notLines.length)} (the first is data[${first}] of the response)`;
};

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
