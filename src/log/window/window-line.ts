import {canonicalStampLength, type Instant, parseCanonical, parseInstant} from '#log/line/instant.ts';
import {linesPerPause, type Work} from '#log/work.ts';
import type {Texts} from './texts.ts';
import {keyOf, type WindowLine, WindowLines} from './window-lines.ts';

const space = 0x20;

/** Parses one line. Returns undefined if its timestamp can't be read. */
export const readLine = (raw: string): WindowLine | undefined => {
  // A leap second has the canonical form but stands for another instant than the one written.
  if (raw.charCodeAt(canonicalStampLength) === space && raw[10] === 'T' && raw[17] !== '6') {
    const at = parseCanonical(raw);
    if (at !== undefined) {
      return {at, raw, textIndex: canonicalStampLength + 1, key: raw};
    }
  }
  const spaceIndex = raw.indexOf(' ');
  const stamp = spaceIndex === -1 ? raw : raw.slice(0, spaceIndex);
  const at = parseInstant(stamp);
  if (at === undefined) {
    return undefined;
  }
  const textIndex = spaceIndex === -1 ? raw.length : spaceIndex + 1;
  return {at, raw, textIndex, key: keyOf(at, raw, textIndex)};
};

/** Makes a line whose timestamp can't be read, with a time taken from its neighbour. */
export const unreadableLine = (raw: string, at: Instant): WindowLine => ({
  at,
  raw,
  textIndex: 0,
  key: keyOf(at, raw, 0),
});

/** Assigns times to the unreadable lines at the front of a window; see `placeFrontAmong`. */
export type PlaceFront = (front: readonly string[], firstReadable: WindowLine | undefined) => readonly Instant[];

/**
 * Finds the times that a run of lines without a timestamp had in earlier windows; see `matchRunsIn`. If a window
 * lists one source after another, the line before such a run is the newest of another source, and differs at each poll.
 */
export type MatchRun = (run: readonly string[], place: RunPlace) => Work<MatchedRun>;

/** Where a run is: the lines before and after it, as received. */
export type RunPlace = {
  readonly after: string | undefined;
  readonly next: string | undefined;
  /** It may be the first of the window, or of its source. */
  readonly isAtFront: boolean;
};

export type MatchedRun = {
  /** A time for each line of the run, undefined if not known. */
  readonly times: readonly (Instant | undefined)[];
  /** How many of them are known by their text alone: they may be new lines that look like old ones. */
  readonly guessedCount: number;
};

/** A parsed window. */
export type ReadWindow = {
  /** The end of a line cut off at the front of the window; that line is already held in full. */
  readonly fragment: string | undefined;
  /** As received, without the fragment. */
  readonly raws: Texts;
  /** The lines in the same order as `raws`. */
  readonly received: WindowLines;
  /** Ordered by time; equal times as received. */
  readonly lines: WindowLines;
  /** The lines came ordered by time. */
  readonly cameSorted: boolean;
  /** Lines without a timestamp that are taken for old ones by their text alone. */
  readonly guessedCount: number;
};

const noLines = new WindowLines([]);

/** A window without lines. */
export const emptyReadWindow: ReadWindow = {
  fragment: undefined,
  raws: [],
  received: noLines,
  lines: noLines,
  cameSorted: true,
  guessedCount: 0,
};

export type ReadOptions = {
  /** Lines at the front that the previous window ended with: already parsed, and not parsed again. */
  readonly known?: {readonly lines: WindowLines; readonly from: number} | undefined;
  /** Finds the times that lines without a timestamp had before; see `matchRunsIn`. */
  readonly matchRun?: MatchRun | undefined;
  readonly fragment?: string | undefined;
};

/**
 * Parses a window: gives every line a time and drops none. A line without a readable timestamp keeps the time it had
 * before. A new one takes the time of the previous line and stays directly after it; at the front, where there is no
 * previous line, `placeFront` assigns one.
 */
export function* readWindow(
  raws: Texts,
  placeFront: PlaceFront,
  {known, matchRun, fragment}: ReadOptions = {},
): Work<ReadWindow> {
  const received = new WindowLines(raws);
  if (known !== undefined) {
    received.addFrom(known.lines, known.from);
  }
  let guessedCount = 0;
  for (let index = received.length; index < raws.length; ) {
    const line = readLine(raws.at(index) ?? '');
    if (line !== undefined) {
      received.add(line);
      index += 1;
      if (index % linesPerPause === 0) {
        yield;
      }
      continue;
    }
    let end = index + 1;
    while (end < raws.length && readLine(raws.at(end) ?? '') === undefined) {
      end += 1;
      if (end % linesPerPause === 0) {
        yield;
      }
    }
    // Pushed one by one below: a window of 100,000 such lines exceeds the argument limit of a call.
    const run = [...raws.slice(index, end)];
    const last = received.get(received.length - 1);
    const lastAt = last?.at;
    const next = readLine(raws.at(end) ?? '');
    const isAtFront = lastAt === undefined || (next !== undefined && next.at < lastAt);
    const matched = matchRun && (yield* matchRun(run, {after: last?.raw, next: raws.at(end), isAtFront}));
    guessedCount += matched?.guessedCount ?? 0;
    for (const each of placeRun(run, next, lastAt, placeFront, matched?.times ?? [])) {
      received.add(each);
      if (received.length % linesPerPause === 0) {
        yield;
      }
    }
    index = end;
  }
  const lines = yield* received.sorted();
  return {fragment, raws, received, guessedCount, lines, cameSorted: lines === received};
}

/** Assigns times to a run of lines without a timestamp. */
function* placeRun(
  run: readonly string[],
  next: WindowLine | undefined,
  lastAt: Instant | undefined,
  placeFront: PlaceFront,
  times: readonly (Instant | undefined)[],
): Generator<WindowLine> {
  const firstKnown = times.findIndex(at => at !== undefined);
  const newCount = firstKnown === -1 ? run.length : firstKnown;
  const placed = lastAt === undefined && newCount > 0 ? placeFront(run.slice(0, newCount), next) : [];
  // A new line after a known one stays directly after it.
  let last = lastAt;
  for (const [index, raw] of run.entries()) {
    last = times[index] ?? placed[index] ?? last ?? 0n;
    yield unreadableLine(raw, last);
  }
}
