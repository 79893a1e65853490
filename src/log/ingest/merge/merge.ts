import type {LineBuffer} from '#log/buffer/buffer.ts';
import {type BufferEdit, editBuffer} from '#log/buffer/buffer-edit.ts';
import type {Entry, LineEntry, SourceName} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {WindowLine, WindowLines} from '#log/window/window-lines.ts';
import {linesPerPause, visitEach, type Work} from '#log/work.ts';
import {type Added, AddedRun, type LineRun, lineEntryOf} from '../added.ts';
import {addToList} from '../window/restamp.ts';

/** Fewer are handed out as an array. */
const runLinesMin = 20_000;

export type MergeInput = {
  readonly buffer: LineBuffer;
  /** The window's lines, ordered by time. */
  readonly lines: WindowLines;
  /** Lines at the front known to be held: the overlap with the previous window. 0 merges every line. */
  readonly knownCount: number;
  /** Tells whether a line is known to be none that is held, though it may be equal to one. */
  readonly isNew?: (line: WindowLine) => boolean;
  /** Returns how many copies of a line were handed out. Called only for lines at or below the eviction floor. */
  readonly countSeen: (line: WindowLine) => number;
  /** Lines later than this are not believed; see `believe.ts`. */
  readonly believedThrough: Instant | undefined;
  /**
   * The index up to which held lines show where new ones belong: as far as the window is known to repeat the previous
   * one. After that an equal line may be a later copy, and only a line without copies is a reliable anchor.
   */
  readonly anchoredCount: number;
  /** Who wrote a line, where the service says so. */
  readonly sourceOf?: ((line: WindowLine) => SourceName | undefined) | undefined;
};

export type LineMerge = {
  /** Still open, so that markers can be inserted with the lines. */
  readonly edit: BufferEdit;
  /** The new lines, ordered by time. */
  readonly added: Added<LineEntry>;
  /** Lines below the eviction floor that were not handed out before: too late for the buffer, so not in `added`. */
  readonly tooLate: readonly LineEntry[];
};

/**
 * Merges a window's lines into a buffer. Keeps the larger of the two counts for each identity (time and text), so the
 * k-th copy of a line is a line of its own: true repeats are kept and nothing is added twice. Lines that arrive after
 * newer ones are put in their place and marked late. The cost grows with the lines that are not already known.
 */
export function* mergeLines(input: MergeInput): Work<LineMerge> {
  const {buffer, lines, knownCount, countSeen, believedThrough, anchoredCount, sourceOf, isNew = () => false} = input;
  const edit = editBuffer(buffer, believedThrough);
  const added: LineEntry[] = [];
  const tooLate: LineEntry[] = [];
  const newestAt = buffer.newestLine?.at;
  const lastAt = buffer.chunks.at(-1)?.lastAt;
  const floor = buffer.evictedThrough;
  const makeEntry = (line: WindowLine): LineEntry =>
    lineEntryOf(line, edit.takeId(), newestAt !== undefined && line.at < newestAt, sourceOf?.(line));
  let index = startOfGroup(lines, knownCount);
  for (let at = lines.timeAt(index); at !== undefined; at = lines.timeAt(index)) {
    if (lastAt === undefined || at > lastAt) {
      // Everything that follows is newer still and is appended as it is.
      break;
    }
    const group: WindowLine[] = [];
    let end = index;
    for (let line = lines.get(end); line?.at === at; line = lines.get(end)) {
      group.push(line);
      end += 1;
    }
    yield;
    if (floor !== undefined && at <= floor) {
      for (const below of yield* beyondSeen(group, line => (isNew(line) ? 0 : countSeen(line)))) {
        tooLate.push(makeEntry(below));
      }
    } else {
      for (const entry of yield* mergeGroup(edit, group, {makeEntry, isNew, anchoredCount: anchoredCount - index})) {
        added.push(entry);
      }
    }
    index = end;
  }
  const isLong = lines.length - index >= runLinesMin;
  let run: LineRun | undefined;
  for (; index < lines.length; index++) {
    const line = lines.get(index);
    if (line !== undefined) {
      const entry = makeEntry(line);
      edit.insert(entry);
      if (isLong) {
        run ??= {lines, from: index, firstId: entry.id, sourceOf};
      } else {
        added.push(entry);
      }
    }
    if (index % linesPerPause === 0) {
      yield;
    }
  }
  edit.addTooLate(tooLate.length);
  return {edit, added: run === undefined ? added : new AddedRun(added, run), tooLate};
}

/** Returns the lines of one timestamp that exceed the number of copies handed out. */
function* beyondSeen(
  group: readonly WindowLine[],
  countSeen: (line: WindowLine) => number,
): Work<readonly WindowLine[]> {
  const left = new Map<string, number>();
  const beyond: WindowLine[] = [];
  for (const line of group) {
    const seen = left.get(line.key) ?? countSeen(line);
    left.set(line.key, seen - 1);
    if (seen <= 0) {
      beyond.push(line);
    }
    yield;
  }
  return beyond;
}

/**
 * Returns the first index of the group of equal timestamps that `index` is in: a group is merged whole or not at all.
 */
const startOfGroup = (lines: WindowLines, index: number): number => {
  let start = index;
  while (start > 0 && start < lines.length && lines.timeAt(start - 1) === lines.timeAt(index)) {
    start -= 1;
  }
  return start;
};

/**
 * Merges lines of one timestamp with the held lines at that time. New lines go before the next line of the window that
 * is held, or to the end; after the one before where the window lists lines in another order. Those at the end, which
 * are many with a coarse clock, are inserted first and in order.
 */
function* mergeGroup(
  edit: BufferEdit,
  group: readonly WindowLine[],
  {
    makeEntry,
    isNew,
    anchoredCount,
  }: {
    readonly makeEntry: (line: WindowLine) => LineEntry;
    readonly isNew: (line: WindowLine) => boolean;
    readonly anchoredCount: number;
  },
): Work<readonly LineEntry[]> {
  const first = group[0];
  if (first === undefined) {
    return [];
  }
  const held = edit.entriesAt(first.at);
  const places = yield* findHeld(held, group, isNew);
  const isUnique = anchoredCount >= group.length ? () => true : yield* uniqueIn(held, group);
  const isAnchor = (index: number): boolean => index < anchoredCount || isUnique(group[index]);
  const lastHeldIndex = places.findLastIndex((place, index) => place !== undefined && isAnchor(index));
  const atEnd = group
    .slice(lastHeldIndex + 1)
    .filter((_, index) => places[lastHeldIndex + 1 + index] === undefined)
    .map(makeEntry);
  for (const [index, entry] of atEnd.entries()) {
    edit.insert(entry);
    if (index % linesPerPause === linesPerPause - 1) {
      yield;
    }
  }
  const ahead = new Map<number, number>();
  let next = Number.POSITIVE_INFINITY;
  for (let index = lastHeldIndex; index >= 0; index--) {
    const place = places[index];
    if (place !== undefined && isAnchor(index)) {
      next = Math.min(next, place);
    }
    ahead.set(index, next);
  }
  const between: {readonly entry: LineEntry; readonly place: number}[] = [];
  let after = 0;
  for (let index = 0; index <= lastHeldIndex; index++) {
    const [line, place] = [group[index], places[index]];
    if (place !== undefined) {
      after = isAnchor(index) ? place + 1 : after;
    } else if (line !== undefined) {
      between.push({entry: makeEntry(line), place: Math.max(after, ahead.get(index) ?? after)});
    }
  }
  // From the back, so that earlier places stay valid.
  for (const [index, {entry, place}] of between
    .toSorted((a, b) => a.place - b.place)
    .reverse()
    .entries()) {
    edit.insert(entry, place);
    if (index % linesPerPause === linesPerPause - 1) {
      yield;
    }
  }
  return [...between.map(({entry}) => entry), ...atEnd];
}

/** Checks whether a line is unique among the held lines and those of the window. */
function* uniqueIn(
  held: readonly Entry[],
  group: readonly WindowLine[],
): Work<(line: WindowLine | undefined) => boolean> {
  function* copies(lines: readonly (Entry | WindowLine)[]): Work<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    yield* visitEach(lines, line => {
      if ('raw' in line) {
        counts.set(identityWithin(line), (counts.get(identityWithin(line)) ?? 0) + 1);
      }
    });
    return counts;
  }
  const [heldCopies, groupCopies] = [yield* copies(held), yield* copies(group)];
  return line =>
    line !== undefined &&
    (heldCopies.get(identityWithin(line)) ?? 0) <= 1 &&
    (groupCopies.get(identityWithin(line)) ?? 0) <= 1;
}

/**
 * Returns, for each line of the window, the index of the held entry that is the same copy of it; undefined if it is
 * new.
 */
function* findHeld(
  held: readonly Entry[],
  group: readonly WindowLine[],
  isNew: (line: WindowLine) => boolean,
): Work<readonly (number | undefined)[]> {
  const copies = new Map<string, number[]>();
  yield* visitEach(held, (entry, index) => {
    if (entry.kind === 'line') {
      addToList(copies, identityWithin(entry), index);
    }
  });
  const taken = new Map<string, number>();
  const places: (number | undefined)[] = [];
  yield* visitEach(group, line => {
    if (isNew(line)) {
      places.push(undefined);
      return;
    }
    const text = identityWithin(line);
    const count = taken.get(text) ?? 0;
    taken.set(text, count + 1);
    places.push(copies.get(text)?.[count]);
  });
  return places;
}

/**
 * Returns what tells lines of one timestamp apart: the text, and whether the timestamp could be read. White space at
 * the end does not: of several replicas one may trim it.
 */
export const identityWithin = ({raw, textIndex}: {readonly raw: string; readonly textIndex: number}): string =>
  (textIndex === 0 ? `\0${raw}` : raw.slice(textIndex)).trimEnd();
