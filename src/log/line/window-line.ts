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

/**
 * Finds the times that a run of lines without a timestamp had in the windows before; see `match-runs.ts`. Where sources stand one after
 * the other, the line before such a run is another source's newest, and another one at each poll.
 */
export type MatchRun = (run: readonly string[], place: RunPlace) => MatchedRun;

/** Where a run stands: the lines before and after it, as received. */
export type RunPlace = {
  readonly behind: string | undefined;
  readonly next: string | undefined;
  /** It may be the first of the window, or of its source. */
  readonly isAtFront: boolean;
};

export type MatchedRun = {
  /** A time for each line of the run, undefined where it is not known. */
  readonly times: readonly (Instant | undefined)[];
  /** So many of them are known by their texts alone: they may be new lines that are like old ones. */
  readonly guessedCount: number;
};

/** A window, read. */
export type ReadWindow = {
  /** The end of a line that stood ahead of it, and is held whole. */
  readonly fragment: string | undefined;
  /** As received, without the fragment. */
  readonly raws: readonly string[];
  /** The lines in that order. */
  readonly received: readonly WindowLine[];
  /** Ordered by time, ties as received. */
  readonly lines: readonly WindowLine[];
  /** The lines came in that order. */
  readonly cameSorted: boolean;
  /** Lines without a timestamp that are taken for old ones by their texts alone. */
  readonly guessedCount: number;
};

export type ReadOptions = {
  /** Lines at the front that the window before ended with: they have been read and are not read again. */
  readonly known?: readonly WindowLine[] | undefined;
  /** Finds the times that lines without a timestamp had before; see `match-runs.ts`. */
  readonly matchRun?: MatchRun | undefined;
  readonly fragment?: string | undefined;
};

/**
 * Reads a window: a time for every line, none dropped. A line without a readable timestamp keeps the time that it had before; a new
 * one takes the time of the line before it and stays right behind it; at the front, where none stands before it, `placeFront` places it.
 */
export const readWindow = (
  raws: readonly string[],
  placeFront: PlaceFront,
  {known = [], matchRun, fragment}: ReadOptions = {},
): ReadWindow => {
  const received: WindowLine[] = [...known];
  let guessedCount = 0;
  for (let index = received.length; index < raws.length; ) {
    const line = readLine(raws[index] ?? '');
    if (line !== undefined) {
      received.push(line);
      index += 1;
      continue;
    }
    let end = index + 1;
    while (end < raws.length && readLine(raws[end] ?? '') === undefined) {
      end += 1;
    }
    // One by one: a window of a hundred thousand such lines is more than a call takes as arguments.
    const run = raws.slice(index, end);
    const last = received.at(-1);
    const behind = last?.at;
    const next = readLine(raws[end] ?? '');
    const isAtFront = behind === undefined || (next !== undefined && next.at < behind);
    const matched = matchRun?.(run, {behind: last?.raw, next: raws[end], isAtFront});
    guessedCount += matched?.guessedCount ?? 0;
    for (const each of placeRun(run, next, behind, placeFront, matched?.times ?? [])) {
      received.push(each);
    }
    index = end;
  }
  const cameSorted = received.every((line, index) => index === 0 || (received[index - 1] ?? line).at <= line.at);
  // The sort is stable, so equal timestamps keep the window's order.
  return {fragment, raws, received, guessedCount, lines: cameSorted ? received : received.toSorted(byTime), cameSorted};
};

/** Times for lines without a timestamp that stand together. */
const placeRun = (
  run: readonly string[],
  next: WindowLine | undefined,
  behind: Instant | undefined,
  placeFront: PlaceFront,
  times: readonly (Instant | undefined)[],
): readonly WindowLine[] => {
  const firstKnown = times.findIndex(at => at !== undefined);
  const newCount = firstKnown === -1 ? run.length : firstKnown;
  const placed = behind === undefined && newCount > 0 ? placeFront(run.slice(0, newCount), next) : [];
  // A new line behind one that is known stays right behind it.
  let last = behind;
  return run.map((raw, index) => {
    last = times[index] ?? placed[index] ?? last ?? 0n;
    return unreadableLine(raw, last);
  });
};

const byTime = (a: WindowLine, b: WindowLine): number => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);
