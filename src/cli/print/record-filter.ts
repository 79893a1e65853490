import {type LineEntry, textOf} from '../../log/line/entry.ts';
import type {Instant} from '../../log/line/instant.ts';
import type {SourceName} from '../../log/line/source-name.ts';
import {type Follow, followLine, followNothing} from '../../log/reading/continuation.ts';
import {levelOf} from '../../log/reading/level.ts';
import type {LevelName} from '../../log/reading/tokens/level-words.ts';
import {levelRank} from '../../log/reading/tokens/level-words.ts';
import type {LinearPattern} from '../arguments/compile-pattern.ts';

export type RecordFilterOptions = {
  /** At least one of them must match, if there are any. */
  readonly grep: readonly LinearPattern[];
  /** None of them may match. */
  readonly exclude: readonly LinearPattern[];
  readonly levelMin: LevelName | undefined;
};

/**
 * Filters lines in the order in which they are passed. As on the screen, a continuation line has the level of its head.
 */
export type RecordFilter = {
  passes(line: LineEntry): boolean;
  /** Notes a line that is out of range: lines in range may continue it. */
  passBy(line: LineEntry): void;
};

/** The head of an entry: a line that does not continue another. `follow` is where its lines have led so far. */
type Head = {
  readonly at: Instant;
  readonly source: SourceName | undefined;
  readonly rank: number;
  follow: Follow;
};

/** Number of heads kept, so that a late stack trace finds its own. Anything later gets the oldest of them. */
const headsMax = 1_000;

export const createRecordFilter = ({grep, exclude, levelMin}: RecordFilterOptions): RecordFilter => {
  /**
   * Sorted by time, as on the screen: a late line continues its source's line before it in the log, not the line
   * printed last.
   */
  const heads: Head[] = [];

  const rankOf = (line: LineEntry): number => {
    const text = textOf(line);
    const level = levelOf(text);
    const index = heads.findLastIndex(({at}) => at <= line.at) + 1;
    const head = heads.findLast(({at, source}) => at <= line.at && source === line.source);
    const follow = followLine(head?.follow ?? followNothing, text, level);
    if (follow.isContinuation) {
      if (head !== undefined) {
        head.follow = follow;
      }
      return head?.rank ?? 0;
    }
    const rank = levelRank(level);
    heads.splice(index, 0, {at: line.at, source: line.source, rank, follow});
    if (heads.length > 2 * headsMax) {
      heads.splice(0, headsMax);
    }
    return rank;
  };

  return {
    passes: line => {
      // Check the level first, because it must see every line to know the heads.
      if (levelMin !== undefined && rankOf(line) < levelRank(levelMin)) {
        return false;
      }
      const text = textOf(line);
      return (
        (grep.length === 0 || grep.some(pattern => pattern.test(text))) && !exclude.some(pattern => pattern.test(text))
      );
    },
    passBy: line => {
      if (levelMin !== undefined) {
        rankOf(line);
      }
    },
  };
};
