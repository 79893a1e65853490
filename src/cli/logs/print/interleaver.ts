import type {AnswerTimes} from '#api/recording/recording-format.ts';
import type {Entry} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';

/** An entry and its branch, as an index from 0. */
export type BranchEntry = {
  readonly entry: Entry;
  readonly branchIndex: number;
  /** The entry belongs to its branch's first window. */
  readonly isOfFirst: boolean;
};

type Held = BranchEntry & {
  /** The sort key: the entry's time, or that of an earlier entry of its branch that must stay before it. */
  readonly key: Instant;
  /** Keeps the branch's own order among equal keys. */
  readonly number: number;
  readonly cameMs: number;
};

type BranchState = {
  hasWindow: boolean;
  hasEnded: boolean;
  /** When the latest poll that arrived was requested. */
  beganMs: number;
  newestAt: Instant | undefined;
};

/**
 * Creates a queue that merges the logs of several branches into one, by timestamp. Holds a poll's entries until every
 * other branch can no longer bring anything older: it has been polled since, or already holds something newer. Holds no
 * line for longer than `holdMs`; an older line of another branch that arrives after that is printed when it arrives.
 * Releases nothing until every branch has had its first window. Uses the times of the answers, so that a recording
 * gives the same order at every speed.
 */
export const createInterleaver = (branchCount: number, holdMs: number) => {
  const branches = Array.from(
    {length: branchCount},
    (): BranchState => ({
      hasWindow: false,
      hasEnded: false,
      beganMs: Number.NEGATIVE_INFINITY,
      newestAt: undefined,
    }),
  );
  const held: Held[] = [];
  let number = 0;
  let isOpen = false;

  const isSafe = ({key, cameMs, branchIndex}: Held): boolean =>
    branches.every(
      ({hasEnded, beganMs, newestAt}, index) =>
        index === branchIndex || hasEnded || beganMs >= cameMs || (newestAt !== undefined && newestAt >= key),
    );

  /** An entry that must be released takes everything before it along. */
  const release = (nowMs: number): readonly BranchEntry[] => {
    if (!isOpen) {
      return [];
    }
    let count = held.findLastIndex(({cameMs}) => cameMs + holdMs <= nowMs) + 1;
    for (let next = held[count]; next && isSafe(next); next = held[count]) {
      count += 1;
    }
    return held.splice(0, count);
  };

  const take = (branchIndex: number, entries: readonly Entry[], cameMs: number, isOfFirst: boolean): void => {
    let key: Instant | undefined;
    for (const entry of entries) {
      // A branch's entries arrive in order; only a marker may have a time that is out of order.
      key = key === undefined || entry.at > key ? entry.at : key;
      held.push({entry, branchIndex, isOfFirst, key, number, cameMs});
      number += 1;
    }
    if (entries.length > 0) {
      held.sort(byTime);
    }
  };

  return {
    /** Every branch has had its first window. */
    get isOpen() {
      return isOpen;
    },
    /** Entries of the first windows are still held. */
    get holdsFirst() {
      return held.some(({isOfFirst}) => isOfFirst);
    },
    /** When the first held entry must be released, in the time of the answers; undefined if nothing is held. */
    get nextExpiryMs() {
      return !isOpen || held.length === 0
        ? undefined
        : held.reduce((earliest, {cameMs}) => Math.min(earliest, cameMs), Number.POSITIVE_INFINITY) + holdMs;
    },
    /** Takes the entries of a branch's poll; none if it failed. Returns the entries to print now. */
    arrived: (
      branchIndex: number,
      entries: readonly Entry[],
      {beganMs, cameMs}: AnswerTimes,
      isGood: boolean,
    ): readonly BranchEntry[] => {
      const branch = branches[branchIndex];
      if (!branch) {
        return [];
      }
      // Entries due before this answer are released before it, however late a timer was.
      const due = release(cameMs);
      take(branchIndex, entries, cameMs, !branch.hasWindow);
      branch.beganMs = beganMs;
      branch.hasWindow ||= isGood;
      for (const entry of entries) {
        if (entry.kind === 'line' && (branch.newestAt === undefined || entry.at > branch.newestAt)) {
          branch.newestAt = entry.at;
        }
      }
      isOpen ||= branches.every(({hasWindow, hasEnded}) => hasWindow || hasEnded);
      return [...due, ...release(cameMs)];
    },
    /** Returns the entries that have been held for long enough at that time. */
    expire: release,
    /** The branch will not be polled again: nothing waits for it any more. */
    ended: (branchIndex: number): void => {
      const branch = branches[branchIndex];
      if (branch) {
        branch.hasEnded = true;
      }
    },
    /** Returns everything still held. */
    rest: (): readonly BranchEntry[] => held.splice(0),
  };
};

const byTime = (a: Held, b: Held): number =>
  a.key < b.key ? -1 : a.key > b.key ? 1 : a.branchIndex - b.branchIndex || a.number - b.number;
