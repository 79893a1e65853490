import type {AnswerTimes} from '../../api/recording/recording-format.ts';
import type {Entry} from '../../log/line/entry.ts';
import type {Instant} from '../../log/line/instant.ts';

/** An entry and the branch it is of, as an index from 0. */
export type BranchEntry = {
  readonly entry: Entry;
  readonly branchIndex: number;
  /** It is of its branch's first window. */
  readonly isOfFirst: boolean;
};

/**
 * Makes one log of several branches' logs, by timestamp. What a poll brought is held back until every other branch has shown that
 * nothing older is to come from it: it was asked again since, or already holds something newer. No line is held for longer than
 * `holdMs`; one of another branch that is older and comes after that is printed when it comes. Until every branch has had its first window
 * nothing is let go. Times are the answers' own, so that a recording gives the same order at every speed.
 */
export type Interleaver = {
  /** Every branch has had its first window. */
  readonly isOpen: boolean;
  /** Something of the first windows is still held. */
  readonly holdsFirst: boolean;
  /** When the first of what is held has to go, in the answers' time; undefined where nothing is held. */
  readonly nextExpiryMs: number | undefined;
  /** A poll of a branch has come, with what it brought; nothing where it failed. Answers what is to be printed now. */
  arrived(branchIndex: number, entries: readonly Entry[], times: AnswerTimes, isGood: boolean): readonly BranchEntry[];
  /** Lets go what was held for long enough at that time. */
  expire(nowMs: number): readonly BranchEntry[];
  /** A branch will not be asked any more: nobody waits for it. */
  ended(branchIndex: number): void;
  /** Lets go everything. */
  rest(): readonly BranchEntry[];
};

type Held = BranchEntry & {
  /** By what it is ordered: its time, or that of an entry of its branch that has to stand before it. */
  readonly key: Instant;
  /** Keeps a branch's own order among equal keys. */
  readonly number: number;
  readonly cameMs: number;
};

type BranchState = {
  hasWindow: boolean;
  hasEnded: boolean;
  /** When the poll that came last was asked for. */
  beganMs: number;
  newestAt: Instant | undefined;
};

export const createInterleaver = (branchCount: number, holdMs: number): Interleaver => {
  const branches = Array.from(
    {length: branchCount},
    (): BranchState => ({
      hasWindow: false,
      hasEnded: false,
      beganMs: Number.NEGATIVE_INFINITY,
      newestAt: undefined,
    }),
  );
  let held: Held[] = [];
  let number = 0;
  let isOpen = false;

  const isSafe = ({key, cameMs, branchIndex}: Held): boolean =>
    branches.every(
      ({hasEnded, beganMs, newestAt}, index) =>
        index === branchIndex || hasEnded || beganMs >= cameMs || (newestAt !== undefined && newestAt >= key),
    );

  /** Whatever stands before one that has to go goes with it. */
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
      // A branch's entries come in their order; only a marker may bear a time that is not.
      key = key === undefined || entry.at > key ? entry.at : key;
      held.push({entry, branchIndex, isOfFirst, key, number, cameMs});
      number += 1;
    }
    if (entries.length > 0) {
      held.sort(byTime);
    }
  };

  return {
    get isOpen() {
      return isOpen;
    },
    get holdsFirst() {
      return held.some(({isOfFirst}) => isOfFirst);
    },
    get nextExpiryMs() {
      return !isOpen || held.length === 0
        ? undefined
        : held.reduce((earliest, {cameMs}) => Math.min(earliest, cameMs), Number.POSITIVE_INFINITY) + holdMs;
    },
    arrived: (branchIndex, entries, {beganMs, cameMs}, isGood) => {
      const branch = branches[branchIndex];
      if (!branch) {
        return [];
      }
      // What was due before this answer goes before it, however late a timer was.
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
    expire: release,
    ended: branchIndex => {
      const branch = branches[branchIndex];
      if (branch) {
        branch.hasEnded = true;
      }
    },
    rest: () => {
      const all = held;
      held = [];
      return all;
    },
  };
};

const byTime = (a: Held, b: Held): number =>
  a.key < b.key ? -1 : a.key > b.key ? 1 : a.branchIndex - b.branchIndex || a.number - b.number;
