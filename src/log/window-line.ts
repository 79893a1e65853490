import {formatInstant, type Instant, parseInstant} from './instant.ts';

/** A line of a window, read: when it was, and by what it is told from others. */
export type WindowLine = {
  /** Its timestamp; for a line without a readable one, that of the line before it. */
  readonly at: Instant;
  /** As received. */
  readonly raw: string;
  /** Where the text begins in `raw`; 0 where the timestamp can't be read. */
  readonly textIndex: number;
  /**
   * Its identity, time and text. It is `raw` itself but for timestamps written in another form, so that `.1Z`,
   * `.100000000Z` and `+00:00` are one identity.
   */
  readonly key: string;
};

/** `2026-11-21T14:02:11.031000000Z`: the form that the interface describes. */
const canonicalLength = 30;

/** Reads one line; undefined where its timestamp can't be read. */
export const readLine = (raw: string): WindowLine | undefined => {
  const spaceIndex = raw.indexOf(' ');
  const stamp = spaceIndex === -1 ? raw : raw.slice(0, spaceIndex);
  const at = parseInstant(stamp);
  if (at === undefined) {
    return undefined;
  }
  const textIndex = spaceIndex === -1 ? raw.length : spaceIndex + 1;
  // A leap second has the form and yet another instant than the one that is written.
  const isCanonical =
    stamp.length === canonicalLength &&
    stamp.endsWith('Z') &&
    stamp[10] === 'T' &&
    !stamp.startsWith('60', 17) &&
    spaceIndex !== -1;
  return {at, raw, textIndex, key: isCanonical ? raw : `${formatInstant(at)} ${raw.slice(textIndex)}`};
};

/** A line whose timestamp can't be read, with the time that it takes from its neighbour. */
export const unreadableLine = (raw: string, at: Instant): WindowLine => ({
  at,
  raw,
  textIndex: 0,
  key: `\0${at}\0${raw}`,
});

/** Gives times to the unreadable lines at the front of a window; see `place-front.ts`. */
export type PlaceFront = (front: readonly string[], firstReadable: WindowLine | undefined) => readonly Instant[];

/** A window, read. */
export type ReadWindow = {
  /** As received. */
  readonly raws: readonly string[];
  /** The lines in that order. */
  readonly received: readonly WindowLine[];
  /** Ordered by time, ties as received. */
  readonly lines: readonly WindowLine[];
  /** The lines came in that order. */
  readonly cameSorted: boolean;
};

/**
 * Reads a window: a time for every line, none dropped. A line without a readable timestamp takes the one before it and
 * stays right behind it; those at the front, where none stands before them, are placed by `placeFront`. `known` are the
 * lines at the front that the window before ended with: they have been read and are not read again.
 */
export const readWindow = (
  raws: readonly string[],
  placeFront: PlaceFront,
  known: readonly WindowLine[] = [],
): ReadWindow => {
  const received: WindowLine[] = [...known];
  let last = received.at(-1);
  if (last === undefined) {
    const firstIndex = raws.findIndex(raw => readLine(raw) !== undefined);
    const front = firstIndex === -1 ? raws : raws.slice(0, firstIndex);
    const times = front.length === 0 ? [] : placeFront(front, readLine(raws[firstIndex] ?? ''));
    // One by one: a window of a hundred thousand such lines is more than a call takes as arguments.
    for (const [index, raw] of front.entries()) {
      received.push(unreadableLine(raw, times[index] ?? 0n));
    }
    last = received.at(-1);
  }
  for (let index = received.length; index < raws.length; index++) {
    const raw = raws[index] ?? '';
    last = readLine(raw) ?? unreadableLine(raw, last?.at ?? 0n);
    received.push(last);
  }
  const cameSorted = received.every((line, index) => index === 0 || (received[index - 1] ?? line).at <= line.at);
  // The sort is stable, so equal timestamps keep the window's order.
  return {raws, received, lines: cameSorted ? received : received.toSorted(byTime), cameSorted};
};

const byTime = (a: WindowLine, b: WindowLine): number => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);
