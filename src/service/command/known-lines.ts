import {hash} from 'node:crypto';
import type {Instant} from '../../log/line/instant.ts';

/**
 * Lines remembered of a pod, to know them when its command repeats them: about 1 MB of hashes. `journalctl -f` repeats
 * ten; a command that repeats more than this is known by its order in time.
 */
export const knownLinesMax = 10_000;
/** Lines without a time at the front of an output that wait for the first one with a time: the rest of a stack trace. */
const waitingLinesMax = 1_000;

/**
 * How a run of a command joins the lines before it. `open`: not known yet. `joined`: its output begins with a line that
 * was there before, so no line is missing. `broken`: it does not, so lines may be missing.
 */
export type FirstKnown = 'open' | 'joined' | 'broken';

/** The lines of a pod that were taken last, over all runs of its command. */
export type KnownLines = {
  /** Remembers lines that were taken before the first run, in the order they arrived. `hasEarlier`: there were others. */
  restore(lines: readonly string[], hasEarlier: boolean): void;
  /** Begins a run. `isFirst`: nothing was ever read before it. */
  beginRun(isFirst: boolean): void;
  /** Returns those of the run's next lines that were not taken before, and remembers them. */
  takeNew(lines: readonly string[]): readonly string[];
  /** Ends the wait for a line that tells how the run joins. Returns the lines that waited. */
  settle(): readonly string[];
  front(): FirstKnown;
};

type Known = {readonly id: string; readonly own: Instant};

/**
 * A line is the same if time and text are: `readTime` returns the time that a line says it was written at. A line
 * without one belongs to the last line with one, and is the same if both are. Copies are counted: the second copy of a
 * line is known only if two were taken.
 */
export const createKnownLines = (readTime: (line: string) => Instant | undefined): KnownLines => {
  let known: Known[] = [];
  let hasForgotten = false;
  // Of the run.
  let front: FirstKnown = 'joined';
  let copies = new Map<string, number>();
  let oldest: Instant | undefined;
  let head: Known | undefined;
  /** No line with a time was known or taken yet. */
  let isAtFront = true;
  let isPassing = false;
  let waiting: string[] = [];

  const remember = (line: Known): void => {
    known.push(line);
    if (known.length > 2 * knownLinesMax) {
      known = known.slice(-knownLinesMax);
      hasForgotten = true;
    }
  };

  /** The line's identity; undefined for a line without a time that follows none with one. */
  const identify = (line: string): Known | undefined => {
    const own = readTime(line);
    if (own !== undefined) {
      head = {id: hash('sha256', line, 'base64'), own};
      return head;
    }
    return head && {id: hash('sha256', `${head.id}\n${line}`, 'base64'), own: head.own};
  };

  const isKnown = ({id}: Known): boolean => {
    const count = copies.get(id);
    if (count === undefined) {
      return false;
    }
    if (count > 1) {
      copies.set(id, count - 1);
    } else {
      copies.delete(id);
    }
    return true;
  };

  const takeWaiting = (): readonly string[] => {
    const taken = waiting;
    waiting = [];
    return taken;
  };

  const settle = (): readonly string[] => {
    if (front === 'open') {
      front = 'broken';
    }
    return takeWaiting();
  };

  const takeLine = (line: string): readonly string[] => {
    const before = head;
    const identity = identify(line);
    if (!identity) {
      waiting.push(line);
      return front === 'open' && waiting.length < waitingLinesMax ? [] : settle();
    }
    const isHead = head !== before;
    if (isKnown(identity)) {
      if (front === 'open') {
        front = 'joined';
      }
      isPassing = false;
      isAtFront = false;
      // Lines without a time go with the first one that has a time.
      waiting = [];
      return [];
    }
    // What is older than everything remembered was taken, and forgotten since.
    isPassing = isHead ? isAtFront && hasForgotten && oldest !== undefined && identity.own < oldest : isPassing;
    if (isPassing) {
      waiting = [];
      return [];
    }
    isAtFront = false;
    remember(identity);
    return [...settle(), line];
  };

  return {
    restore: (lines, hasEarlier) => {
      hasForgotten = hasEarlier;
      for (const line of lines) {
        const identity = identify(line);
        if (identity) {
          remember(identity);
        }
      }
    },
    beginRun: isFirst => {
      copies = new Map();
      oldest = undefined;
      for (const {id, own} of known) {
        copies.set(id, (copies.get(id) ?? 0) + 1);
        oldest = oldest === undefined || own < oldest ? own : oldest;
      }
      front = isFirst ? 'joined' : known.length === 0 ? 'broken' : 'open';
      head = undefined;
      isAtFront = true;
      isPassing = false;
      waiting = [];
    },
    takeNew: lines => lines.flatMap(takeLine),
    settle,
    front: () => front,
  };
};
