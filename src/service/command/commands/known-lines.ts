import {hash} from 'node:crypto';
import type {Instant} from '#log/line/instant.ts';

/**
 * Lines remembered per pod, to recognise them when its command repeats them: about 1 MB of hashes. `journalctl -f`
 * repeats ten; if a command repeats more than this, repeated lines are recognised by their times.
 */
export const knownLinesMax = 10_000;
/**
 * Characters of lines that are kept as they are until another run has to recognise them: most of a burst is forgotten
 * before that, and is never hashed.
 */
const unhashedCharsMax = 2 * 1024 * 1024;
/** Lines without a time that are taken to belong to a line before them, when that one is forgotten. */
const restLinesMax = 1_000;
/** Lines without a time at the start of an output that wait for the first line with one: the rest of a stack trace. */
const waitingLinesMax = 1_000;

/**
 * How a run of a command joins the previous lines. `open`: not known yet. `joined`: its output begins with a known
 * line, so no line is missing. `broken`: it does not, so lines may be missing.
 */
export type FirstKnown = 'open' | 'joined' | 'broken';

type Known = {readonly id: string; readonly own: Instant};

/**
 * Creates an empty memory of the last lines taken of a pod, over all runs of its command. Two lines are the same if
 * their times and texts are; `readTime` returns the time at which a line says it was written. A line without a time
 * belongs to the last line with one, and is the same if both are. Copies are counted: the second copy of a line is
 * known only if two were taken.
 */
export const createKnownLines = (readTime: (line: string) => Instant | undefined) => {
  let known: Known[] = [];
  /** Lines taken after those, as they came. */
  const unhashed: (readonly string[])[] = [];
  let unhashedCount = 0;
  let unhashedChars = 0;
  let hasForgotten = false;
  // Of the current run.
  let front: FirstKnown = 'joined';
  let copies = new Map<string, number>();
  let oldest: Instant | undefined;
  let newest: Instant | undefined;
  /** The last line with a time was newer than all that were taken before the run. */
  let isAhead = false;
  let head: Known | undefined;
  /** No line with a time was known or taken yet. */
  let isAtFront = true;
  let isPassing = false;
  let waiting: string[] = [];
  let unfinished = '';
  let wasKnown = false;

  const remember = (line: Known): void => {
    known.push(line);
    if (known.length > 2 * knownLinesMax) {
      known = known.slice(-knownLinesMax);
      hasForgotten = true;
    }
  };

  /** Returns the line's identity; undefined for a line without a time if no line with a time precedes it. */
  const identify = (line: string): Known | undefined => {
    const own = readTime(line);
    if (own !== undefined) {
      head = {id: hash('sha256', line, 'base64'), own};
      return head;
    }
    return head && {id: hash('sha256', `${head.id}\n${line}`, 'base64'), own: head.own};
  };

  const countChars = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length, 0);

  const shiftUnhashed = (): readonly string[] => {
    const lines = unhashed.shift() ?? [];
    unhashedCount -= lines.length;
    unhashedChars -= countChars(lines);
    return lines;
  };

  const hashFirst = (): void => {
    for (const line of shiftUnhashed()) {
      const identity = identify(line);
      if (identity) {
        remember(identity);
      }
    }
  };

  const forgetFirst = (): void => {
    known = [];
    hasForgotten = true;
    head = undefined;
    // Lines without a time that follow belong to it.
    const timed = shiftUnhashed()
      .slice(-restLinesMax)
      .findLast(line => readTime(line) !== undefined);
    if (timed !== undefined) {
      identify(timed);
    }
  };

  const hashAll = (): void => {
    while (unhashed.length > 0) {
      hashFirst();
    }
  };

  /** Remembers lines that are known to be new. */
  const rememberAsIs = (lines: readonly string[]): void => {
    if (lines.length === 0) {
      return;
    }
    unhashed.push(lines);
    unhashedCount += lines.length;
    unhashedChars += countChars(lines);
    while (unhashedCount - (unhashed[0]?.length ?? 0) >= knownLinesMax) {
      forgetFirst();
    }
    while (unhashedChars > unhashedCharsMax) {
      hashFirst();
    }
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

  /** Whether no line of the previous runs can be this one, so that it need not be compared with them. */
  const isSurelyNew = (line: string): boolean => {
    if (front === 'open' || unfinished !== '' || newest === undefined) {
      return false;
    }
    const own = readTime(line);
    isAhead = own === undefined ? isAhead : own > newest;
    return isAhead;
  };

  const takeLine = (line: string): readonly string[] => {
    if (isSurelyNew(line)) {
      isPassing = false;
      isAtFront = false;
      rememberAsIs([line]);
      return [line];
    }
    // In the order in which they came.
    hashAll();
    const before = head;
    const identity = identify(line);
    if (!identity) {
      waiting.push(line);
      return front === 'open' && waiting.length < waitingLinesMax ? [] : settle();
    }
    const isHead = head !== before;
    // Without a time of its own, it is that line only if it follows the one that it followed.
    const isRest = unfinished !== '' && line.startsWith(unfinished) && (wasKnown || readTime(unfinished) !== undefined);
    const rest = isRest ? line.slice(unfinished.length) : '';
    wasKnown = isKnown(identity);
    unfinished = isRest ? '' : unfinished;
    if (wasKnown || isRest) {
      if (front === 'open') {
        front = 'joined';
      }
      isPassing = false;
      isAtFront = false;
      // Lines without a time share the fate of the first line with one.
      waiting = [];
      if (wasKnown || rest === '') {
        return [];
      }
      remember(identity);
      return [rest];
    }
    // Lines that come before all that is remembered were taken, and have been forgotten since; one of the same time as
    // the oldest, too: the times of many programs are whole seconds.
    isPassing = isHead ? isAtFront && hasForgotten && oldest !== undefined && identity.own <= oldest : isPassing;
    if (isPassing) {
      waiting = [];
      return [];
    }
    isAtFront = false;
    remember(identity);
    return [...settle(), line];
  };

  return {
    /** Remembers lines taken before the first run, in order of arrival. `hasEarlier`: there were others. */
    restore: (lines: readonly string[], hasEarlier: boolean): void => {
      hasForgotten = hasEarlier;
      for (const line of lines) {
        const identity = identify(line);
        if (identity) {
          remember(identity);
        }
      }
    },
    /**
     * Begins a run. `isFirst`: nothing was ever read before it. `unfinished`: the last line taken, if its end had not
     * come: the run may repeat it whole.
     */
    beginRun: (isFirst: boolean, last: string = ''): void => {
      hashAll();
      unfinished = last;
      wasKnown = false;
      copies = new Map();
      oldest = undefined;
      newest = undefined;
      isAhead = false;
      for (const {id, own} of known) {
        copies.set(id, (copies.get(id) ?? 0) + 1);
        oldest = oldest === undefined || own < oldest ? own : oldest;
        newest = newest === undefined || own > newest ? own : newest;
      }
      front = isFirst ? 'joined' : known.length === 0 ? 'broken' : 'open';
      head = undefined;
      isAtFront = true;
      isPassing = false;
      waiting = [];
    },
    /** Returns the run's next lines that were not taken before, or the rest of one, and remembers them. */
    takeNew: (lines: readonly string[]): readonly string[] => {
      if (front !== 'joined' || unfinished !== '' || copies.size > 0) {
        return lines.flatMap(takeLine);
      }
      // Nothing is left that this run could repeat.
      rememberAsIs(lines);
      return lines;
    },
    /** Ends the wait for a line that shows how the run joins. Returns the lines that waited. */
    settle,
    front: (): FirstKnown => front,
  };
};
