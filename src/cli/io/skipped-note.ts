import {notLinesWords} from '#log/words/describe-marker.ts';
import {countOf} from '#log/words/format-count.ts';
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

/** Says how many parts of an answer were left out because they do not match the interface; undefined if none were. */
export const describeSkipped = (skipped: readonly string[]): string | undefined =>
  skipped.length === 0
    ? undefined
    : `ignored ${countOf(skipped.length, 'part')} of the response not matching the interface, the first is ${skipped[0]}`;

/** Reports what was left out of an answer, so that a script does not take the rest for everything. */
export const saySkipped = (skipped: readonly string[], say: Say): void => {
  const words = describeSkipped(skipped);
  if (words !== undefined) {
    say(words);
  }
};
