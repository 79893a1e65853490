import {type Level, levelOf, levelRank} from '../log/level.ts';
import type {Pattern} from './compile-pattern.ts';

export type LineFilterOptions = {
  /** Any of them must match, where there are any. */
  readonly grep: readonly Pattern[];
  /** None of them may match. */
  readonly exclude: readonly Pattern[];
  readonly levelMin: Exclude<Level, 'none'> | undefined;
};

/** Decides line by line, in the order of the log: a line of a stack trace has the level of the line it belongs to. */
export type LineFilter = {passes(text: string): boolean};

// Frames and causes of PHP, Java, JavaScript and Python, and whatever is indented below its head.
const continuation = /^(?:\s|#\d|at |Caused by:|Stack trace:|thrown in|\.\.\. \d+ more|Traceback )/;

export const createLineFilter = ({grep, exclude, levelMin}: LineFilterOptions): LineFilter => {
  let headLevel: Level = 'none';
  const passesLevel = (text: string): boolean => {
    if (levelMin === undefined) {
      return true;
    }
    const ownLevel = levelOf(text);
    if (ownLevel !== 'none' || !continuation.test(text)) {
      headLevel = ownLevel;
    }
    return headLevel !== 'none' && levelRank(headLevel) >= levelRank(levelMin);
  };
  return {
    passes: text =>
      // The level comes first, since it must see every line to know the heads.
      passesLevel(text) &&
      (grep.length === 0 || grep.some(pattern => pattern.test(text))) &&
      !exclude.some(pattern => pattern.test(text)),
  };
};
