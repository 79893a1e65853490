import type {LineBuffer} from '#log/buffer/buffer.ts';
import type {Texts} from '#log/window/texts.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import {linesPerPause, visitEach, type Work} from '#log/work.ts';

/** Adds a value to the list that a map has for a key. */
export const addToList = <K, V>(lists: Map<K, V[]>, key: K, value: V): void => {
  const list = lists.get(key);
  if (list === undefined) {
    lists.set(key, [value]);
  } else {
    list.push(value);
  }
};

/**
 * How lines are held that a window shows with other stamps: by the line as shown, its copies in order. Only lines of
 * the last window are in it.
 */
export type HeldStamps = ReadonlyMap<string, readonly string[]>;

export const noHeldStamps: HeldStamps = new Map<string, readonly string[]>([]);

/** Lines without a timestamp are equal by chance. */
const isStamped = (raw: string): boolean => stamp.test(raw);

const stamp = /^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?[Zz] /;
/** This many different texts with stamps that are equal as far as both go are no coincidence. */
const textsMin = 3;

/** Gives lines the stamps with which they are held. Returns those of `stamps` that were needed. */
export function* restampLines(
  stamps: HeldStamps,
  raws: Texts,
): Work<{readonly raws: Texts; readonly stamps: HeldStamps}> {
  if (stamps.size === 0) {
    return {raws, stamps};
  }
  const counts = new Map<string, number>();
  const needed = new Map<string, readonly string[]>();
  const restamped: string[] = [];
  yield* visitEach(raws, raw => {
    const held = stamps.get(raw);
    const count = counts.get(raw) ?? 0;
    restamped.push(held?.[count] ?? raw);
    if (held !== undefined) {
      counts.set(raw, count + 1);
      needed.set(raw, held);
    }
  });
  return {raws: restamped, stamps: needed};
}

/** A line that the window before does not have as it is. */
type Fresh = {
  readonly raw: string;
  readonly fraction: string;
  /** It stands after a line that both windows have. */
  readonly isAfterKept: boolean;
};

/**
 * Finds the lines of a window that the one before has with more or fewer decimals: a service has begun to write its
 * stamps otherwise. The same texts in the same order, with stamps that are equal as far as both go; at least half of
 * the lines that should still be there, or some that differ, or any if the service was seen to change them.
 */
export function* findHeldStamps(before: Texts, raws: Texts, changesThem = false): Work<HeldStamps> {
  if (!(yield* differInLength(before, raws))) {
    return noHeldStamps;
  }
  const [held, shown] = [new Set(before), new Set(raws)];
  const fresh = new Map<string, Fresh[]>();
  let oldest: string | undefined;
  let isAfterKept = false;
  yield* visitEach(raws, raw => {
    isAfterKept ||= isStamped(raw) && held.has(raw);
    const read = held.has(raw) ? undefined : readStamp(raw);
    if (read !== undefined) {
      addToList(fresh, read.key, {raw, fraction: read.fraction, isAfterKept});
      oldest = oldest === undefined || read.second < oldest ? read.second : oldest;
    }
  });
  const stamps = new Map<string, string[]>();
  const pieces: Stamped[] = [];
  const isSure = areAllShorter(before, raws) || areAllShorter(raws, before);
  let [goneCount, pairCount] = [0, 0];
  const texts = new Set<string>();
  isAfterKept = false;
  yield* visitEach(before, raw => {
    isAfterKept ||= isStamped(raw) && shown.has(raw);
    const read = shown.has(raw) ? undefined : readStamp(raw);
    if (read !== undefined && oldest !== undefined && read.second >= oldest) {
      // Lines that left ahead of all that stayed left as usual.
      goneCount += isAfterKept ? 1 : 0;
      const candidates = fresh.get(read.key) ?? [];
      const found = candidates.findIndex(
        each =>
          each.isAfterKept === isAfterKept &&
          (areEqualAsWritten(each.fraction, read.fraction) || (isSure && isCutOf(each.fraction, read.fraction))),
      );
      const [pair] = found === -1 ? [] : candidates.splice(found, 1);
      if (pair === undefined) {
        pieces.push(read);
      } else {
        pairCount += 1;
        texts.add(read.key);
        addToList(stamps, pair.raw, raw);
      }
    }
  });
  // A line that was being written when it was read with its other stamp.
  for (const piece of pairCount === 0 ? [] : pieces) {
    for (const [key, candidates] of fresh) {
      const found = candidates.findIndex(({fraction}) => areEqualAsWritten(fraction, piece.fraction));
      const [line] = key.startsWith(piece.key.trimEnd()) && found !== -1 ? candidates.splice(found, 1) : [];
      if (line !== undefined) {
        addToList(stamps, line.raw, piece.stamp + line.raw.slice(line.raw.indexOf(' ')));
        break;
      }
    }
  }
  return isSure || changesThem || pairCount * 2 >= goneCount || texts.size >= textsMin ? stamps : noHeldStamps;
}

/** Checks whether one fraction begins with the other. */
const isCutOf = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);

/** Compares fractions to the decimals of the coarser one: none, three, six or nine, of which zeros may be left out. */
const areEqualAsWritten = (a: string, b: string): boolean => {
  const decimals = Math.ceil(Math.min(a.length, b.length) / 3) * 3;
  return a.padEnd(9, '0').slice(0, decimals) === b.padEnd(9, '0').slice(0, decimals);
};

type Stamped = {readonly stamp: string; readonly key: string; readonly second: string; readonly fraction: string};

const readStamp = (raw: string): Stamped | undefined => {
  const [whole, second, fraction = ''] = stamp.exec(raw) ?? [];
  return whole === undefined || second === undefined
    ? undefined
    : {stamp: whole.trimEnd(), key: `${second} ${raw.slice(whole.length)}`, second, fraction};
};

/** Checks whether each stamp of the first lines is shorter than each of the second. */
const areAllShorter = (lines: Texts, others: Texts): boolean => {
  const lengthsOf = (raws: Texts): readonly number[] =>
    [...raws].filter(raw => stamp.test(raw)).map(raw => raw.indexOf(' '));
  const longest = lengthsOf(lines).reduce((most, length) => Math.max(most, length), 0);
  return longest > 0 && lengthsOf(others).every(length => length > longest);
};

/** Checks whether stamps differ in length, within a window or from one to the other. */
function* differInLength(before: Texts, raws: Texts): Work<boolean> {
  const length = before.at(0)?.indexOf(' ');
  for (const lines of [raws, before]) {
    for (let index = 0; index < lines.length; index++) {
      if (lines.at(index)?.indexOf(' ') !== length) {
        return true;
      }
      if (index % linesPerPause === 0) {
        yield;
      }
    }
  }
  return false;
}

/** The held part of a branch's log that the next window is compared with. */
export type HeldSoFar = {
  readonly buffer: LineBuffer;
  /** The last windows that were not empty, newest first: lagging replicas may show their lines again. */
  readonly recent: readonly ReadWindow[];
  /** The window before those that brought nothing and lacked lines of it: they may have been older ones. */
  readonly possiblyNewerWindow: ReadWindow | undefined;
  /** The service lists the newest lines first. */
  readonly isReversed: boolean;
  readonly heldStamps: HeldStamps;
  /** The whole lines of those read while they were being written, by the piece: an older answer shows it again. */
  readonly pieces: ReadonlyMap<string, string>;
};
