import type {LogsOptions} from '#cli/arguments/logs-options.ts';
import {type LineEntry, type SourceName, textOf} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import {type Follow, followLine, followNothing} from '#log/reading/continuation.ts';
import {levelOf} from '#log/reading/level.ts';
import {levelRank} from '#log/tokens/level-words.ts';

export type RecordFilterOptions = Pick<LogsOptions, 'grep' | 'exclude' | 'levelMin' | 'context'>;

/** A line to print. `record`: a line of the same record matches; `context`: one near it does. */
export type PassedLine = {
  readonly line: LineEntry;
  readonly why: 'match' | 'record' | 'context';
  /** Lines before it were left out, which those with context should show. */
  readonly isApart: boolean;
};

/** The head of a record: a line that does not continue another. `follow` is where its lines have led so far. */
type Head = {
  readonly at: Instant;
  readonly source: SourceName | undefined;
  readonly rank: number;
  follow: Follow;
  /** A line of the record matched, so that those that continue it are printed. */
  isWanted: boolean;
};

/** Number of heads kept, so that a late stack trace finds its own. Anything later gets the oldest of them. */
const headsMax = 1_000;

/** Lines of a record that wait for one of it that matches. */
export const recordLinesMax = 200;

/**
 * Creates a filter of lines. It takes them in order. As on the screen, a continuation line has the level of its head.
 */
export const createRecordFilter = ({grep, exclude, levelMin, context}: RecordFilterOptions) => {
  /**
   * Sorted by time, as on the screen: a late line continues its source's line before it in the log, not the line
   * printed last.
   */
  const heads: Head[] = [];
  /** The last lines since one was printed, the oldest first. */
  let unprinted: {readonly line: LineEntry; readonly head: Head | undefined}[] = [];
  let afterLeft = 0;
  let hasLeftOut = false;
  let hasPrinted = false;
  const unprintedMax = Math.max(context.before, recordLinesMax);

  /** Returns the head of the line's record, which may be the line itself; undefined if it is not known. */
  const headOf = (line: LineEntry): Head | undefined => {
    const text = textOf(line);
    const level = levelOf(text);
    const last = heads.at(-1);
    const isInOrder = last !== undefined && last.at <= line.at && last.source === line.source;
    const before = isInOrder ? last : heads.findLast(({at, source}) => at <= line.at && source === line.source);
    const follow = followLine(before?.follow ?? followNothing, text, level);
    if (follow.isContinuation) {
      if (before !== undefined) {
        before.follow = follow;
      }
      return before;
    }
    const head = {at: line.at, source: line.source, rank: levelRank(level), follow, isWanted: false};
    if (isInOrder && last.at === line.at) {
      // Nothing finds the one before any more.
      heads[heads.length - 1] = head;
      return head;
    }
    heads.splice(isInOrder ? heads.length : heads.findLastIndex(({at}) => at <= line.at) + 1, 0, head);
    if (heads.length > 2 * headsMax) {
      heads.splice(0, headsMax);
    }
    return head;
  };

  const pass = (line: LineEntry, why: PassedLine['why'], held: readonly PassedLine[] = []): readonly PassedLine[] => {
    const isApart = hasPrinted && hasLeftOut;
    hasPrinted = true;
    hasLeftOut = false;
    unprinted = [];
    const [first, ...rest] = [...held, {line, why, isApart: false}];
    return first === undefined ? [] : [{...first, isApart}, ...rest];
  };

  const takeBefore = (head: Head | undefined): readonly PassedLine[] => {
    const near = unprinted.slice(-unprintedMax);
    const from = near.length - context.before;
    const held = near.flatMap((each, index): readonly PassedLine[] => {
      const isOfRecord = head !== undefined && each.head === head;
      return isOfRecord || index >= from
        ? [{line: each.line, why: isOfRecord ? 'record' : 'context', isApart: false}]
        : [];
    });
    hasLeftOut ||= held.length < unprinted.length;
    return held;
  };

  const takeMatching = (line: LineEntry, head: Head | undefined): readonly PassedLine[] => {
    if (grep.some(pattern => pattern.test(textOf(line)))) {
      const held = takeBefore(head);
      if (head !== undefined) {
        head.isWanted = true;
      }
      afterLeft = context.after;
      return pass(line, 'match', held);
    }
    if (head?.isWanted) {
      return pass(line, 'record');
    }
    if (afterLeft > 0) {
      afterLeft -= 1;
      return pass(line, 'context');
    }
    unprinted.push({line, head});
    if (unprinted.length > 2 * unprintedMax) {
      unprinted = unprinted.slice(-unprintedMax);
      hasLeftOut = true;
    }
    return [];
  };

  return {
    /** No line that comes next is printed for one before it. */
    isDone: () => {
      const last = heads.at(-1);
      return levelMin === undefined
        ? afterLeft === 0 && last?.isWanted !== true
        : last === undefined || (last.rank < levelRank(levelMin) && !last.follow.isInTrace);
    },
    /** Notes that lines were left out: too low, or too far from those that match to be printed with them. */
    leaveOut: (): void => {
      heads.length = 0;
      unprinted = levelMin === undefined ? [] : unprinted;
      hasLeftOut = true;
    },
    /**
     * Returns the lines to print now, the last of them this one: none, or it, with those before it that belong to it.
     */
    take: (line: LineEntry): readonly PassedLine[] => {
      // First, because it must see every line to know the heads.
      const head = levelMin === undefined && grep.length === 0 ? undefined : headOf(line);
      const isLow = levelMin !== undefined && (head?.rank ?? 0) < levelRank(levelMin);
      if (isLow || exclude.some(pattern => pattern.test(textOf(line)))) {
        hasLeftOut = true;
        return [];
      }
      return grep.length === 0 ? [{line, why: 'match', isApart: false}] : takeMatching(line, head);
    },
    /** Notes a line that is out of range: lines in range may continue it. */
    passBy: (line: LineEntry): void => {
      if (levelMin !== undefined || grep.length > 0) {
        headOf(line);
      }
    },
  };
};
