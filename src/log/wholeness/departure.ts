import type {Instant} from '../line/instant.ts';
import type {ReadWindow, WindowLine} from '../line/window-line.ts';

/** What left between two windows, compared by identity and count. */
export type Departure = {
  /** Lines of the previous window that are not in this one. */
  readonly leftCount: number;
  /** The newest of them with a readable timestamp. */
  readonly newestLeft: Instant | undefined;
  /** No line with a readable timestamp stayed. */
  readonly keptNone: boolean;
  /**
   * A line left although it came after one that stayed, in the order received. Then the window is not cut as one, a pod
   * went away, or this answer is older than the previous one. Lines without a timestamp are no evidence.
   */
  readonly hasHole: boolean;
  /** Lines of this window that equal others at the newest time of the previous one: some may be later copies. */
  readonly copiesInDoubt: number;
};

/**
 * Compares two windows. `overlap` is the number of lines at the end of the first that repeat at the front of the
 * second; 0 if unknown.
 */
export const compareWindows = (before: ReadWindow, now: ReadWindow, overlap: number): Departure => {
  if (overlap > 0) {
    // Aligned: what left was at the front, so there is no hole.
    const leftCount = before.received.length - overlap;
    return {
      leftCount,
      newestLeft: newestOf(before.received.slice(0, leftCount)),
      keptNone: false,
      hasHole: false,
      copiesInDoubt: 0,
    };
  }
  const left = linesThatLeft(before.received, now.received);
  const readable = left.filter(({line}) => line.textIndex !== 0);
  const firstKeptIndex = indexOfFirstKept(before.received, now.received);
  return {
    leftCount: left.length,
    newestLeft: newestOf(readable.map(({line}) => line)),
    keptNone: firstKeptIndex === undefined,
    copiesInDoubt: countCopiesInDoubt(before, now),
    hasHole: firstKeptIndex !== undefined && readable.some(({index}) => index > firstKeptIndex),
  };
};

/**
 * Counts copies that may be new: a coarse clock gives many lines the same time, and a service may log the same text
 * many times within it.
 */
const countCopiesInDoubt = (before: ReadWindow, now: ReadWindow): number => {
  const newestAt = before.lines.at(-1)?.at;
  const copies = (lines: readonly WindowLine[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (let index = lines.length - 1; index >= 0; index--) {
      const line = lines[index];
      if (line === undefined || newestAt === undefined || line.at < newestAt) {
        break;
      }
      counts.set(line.key, (counts.get(line.key) ?? 0) + (line.textIndex === 0 ? 0 : 1));
    }
    return counts;
  };
  const held = copies(before.lines);
  return [...copies(now.lines)].reduce(
    (sum, [key, count]) => sum + (count > 1 ? Math.min(count, held.get(key) ?? 0) : 0),
    0,
  );
};

type Left = {readonly line: WindowLine; readonly index: number};

/** Finds the lines that occur more often in `lines` than in `others`. Of equal lines, the oldest leave first. */
const linesThatLeft = (lines: readonly WindowLine[], others: readonly WindowLine[]): readonly Left[] => {
  const surplus = new Map<string, number>();
  for (const {key} of lines) {
    surplus.set(key, (surplus.get(key) ?? 0) + 1);
  }
  for (const {key} of others) {
    const count = surplus.get(key);
    if (count !== undefined) {
      surplus.set(key, count - 1);
    }
  }
  return [...lines.entries()].flatMap(([index, line]) => {
    const more = surplus.get(line.key) ?? 0;
    if (more <= 0) {
      return [];
    }
    surplus.set(line.key, more - 1);
    return [{line, index}];
  });
};

/**
 * Returns the index in the previous window of the first line that both windows have. Of equal lines the last index
 * counts: an equal line later in this window may be a newer copy.
 */
const indexOfFirstKept = (before: readonly WindowLine[], now: readonly WindowLine[]): number | undefined => {
  const places = new Map<string, number>();
  for (const [index, {key, textIndex}] of before.entries()) {
    if (textIndex !== 0) {
      places.set(key, index);
    }
  }
  const first = now.find(({key}) => places.has(key));
  return first === undefined ? undefined : places.get(first.key);
};

const newestOf = (lines: readonly WindowLine[]): Instant | undefined =>
  lines.reduce<Instant | undefined>(
    (newest, {at, textIndex}) => (textIndex !== 0 && (newest === undefined || at > newest) ? at : newest),
    undefined,
  );
