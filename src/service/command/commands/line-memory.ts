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

/** A line that was taken, or may have been: its hash, and the time that it or the line it belongs to says. */
export type Known = {readonly id: string; readonly own: Instant};

const countChars = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length, 0);

/**
 * Creates an empty memory of the last lines taken of a pod. Two lines are the same if their times and texts are;
 * `readTime` returns the time at which a line says it was written. A line without a time belongs to the last line with
 * one, and is the same if both are.
 */
export const createLineMemory = (readTime: (line: string) => Instant | undefined) => {
  let known: Known[] = [];
  /** Lines taken after those, as they came. */
  const unhashed: (readonly string[])[] = [];
  let unhashedCount = 0;
  let unhashedChars = 0;
  let hasForgotten = false;
  /** The last line with a time. */
  let head: Known | undefined;

  const identify = (line: string): Known | undefined => {
    const own = readTime(line);
    if (own !== undefined) {
      head = {id: hash('sha256', line, 'base64'), own};
      return head;
    }
    return head && {id: hash('sha256', `${head.id}\n${line}`, 'base64'), own: head.own};
  };

  const remember = (line: Known | undefined): void => {
    if (line) {
      known.push(line);
    }
    if (known.length > 2 * knownLinesMax) {
      known = known.slice(-knownLinesMax);
      hasForgotten = true;
    }
  };

  const shiftUnhashed = (): readonly string[] => {
    const lines = unhashed.shift() ?? [];
    unhashedCount -= lines.length;
    unhashedChars -= countChars(lines);
    return lines;
  };

  const rememberAll = (lines: readonly string[]): void => {
    for (const line of lines) {
      remember(identify(line));
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

  /** Hashes what was remembered as it is, so that lines are hashed in the order in which they came. */
  const hashAll = (): void => {
    while (unhashed.length > 0) {
      rememberAll(shiftUnhashed());
    }
  };

  return {
    /** Remembers lines taken before the first run, in order of arrival. `hasEarlier`: there were others. */
    restore: (lines: readonly string[], hasEarlier: boolean): void => {
      hasForgotten = hasEarlier;
      rememberAll(lines);
    },
    /** Returns all that is remembered, and whether there was more. The next line belongs to none of it. */
    recall: (): {readonly lines: readonly Known[]; readonly hasForgotten: boolean} => {
      hashAll();
      head = undefined;
      return {lines: known, hasForgotten};
    },
    /** Returns the identity of a line that follows; undefined if it has no time and no line with one precedes it. */
    identify: (line: string): Known | undefined => {
      hashAll();
      return identify(line);
    },
    remember,
    /** Remembers lines without hashing them yet. */
    rememberAsIs: (lines: readonly string[]): void => {
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
        rememberAll(shiftUnhashed());
      }
    },
  };
};
