import type {LineBuffer} from '../buffer/buffer.ts';
import {type BufferEdit, editBuffer} from '../buffer/buffer-edit.ts';
import type {Entry, LineEntry} from '../line/entry.ts';
import type {Instant} from '../line/instant.ts';
import type {WindowLine} from '../line/window-line.ts';

export type MergeInput = {
  readonly buffer: LineBuffer;
  /** The window's lines, ordered by time. */
  readonly lines: readonly WindowLine[];
  /** Lines at the front that are known to be held: the overlap with the window before. 0 merges every line. */
  readonly knownCount: number;
  /** How many copies of a line were handed out. Asked only of lines at or below the eviction floor. */
  readonly countSeen: (line: WindowLine) => number;
  /** Lines later than this are not believed; see `believe.ts`. */
  readonly believedThrough: Instant | undefined;
  /**
   * Up to which index lines that are held show where new ones belong: as far as the window is known to repeat the one before. After that an
   * equal line may be a later copy, and only one without copies shows it.
   */
  readonly anchoredCount: number;
};

export type LineMerge = {
  /** Still open, so that markers can go in beside the lines. */
  readonly edit: BufferEdit;
  /** The lines that are new, ordered by time. */
  readonly added: readonly LineEntry[];
  /** Lines below the eviction floor that were not handed out before: too late for the buffer, so not in `added`. */
  readonly tooLate: readonly LineEntry[];
};

/**
 * Merges a window's lines into a buffer: for each identity (time and text) the larger of the two counts is kept, so the k-th
 * copy of a line is its own line, a true repeat is kept and nothing comes twice. Lines that arrive behind newer ones are
 * put in their place and marked late. Costs what is not known already.
 */
export const mergeLines = ({
  buffer,
  lines,
  knownCount,
  countSeen,
  believedThrough,
  anchoredCount,
}: MergeInput): LineMerge => {
  const edit = editBuffer(buffer, believedThrough);
  const added: LineEntry[] = [];
  const tooLate: LineEntry[] = [];
  const newestAt = buffer.newestLine?.at;
  const lastAt = buffer.chunks.at(-1)?.lastAt;
  const floor = buffer.evictedThrough;
  const makeEntry = (line: WindowLine): LineEntry => ({
    kind: 'line',
    id: edit.takeId(),
    at: line.at,
    raw: line.raw,
    textIndex: line.textIndex,
    late: newestAt !== undefined && line.at < newestAt,
  });
  let index = startOfGroup(lines, knownCount);
  for (let line = lines[index]; line !== undefined; line = lines[index]) {
    const {at} = line;
    if (lastAt === undefined || at > lastAt) {
      // All that follows is newer still: it goes to the end as it is.
      break;
    }
    let end = index + 1;
    while (lines[end]?.at === at) {
      end += 1;
    }
    const group = lines.slice(index, end);
    if (floor !== undefined && at <= floor) {
      for (const below of beyondSeen(group, countSeen)) {
        tooLate.push(makeEntry(below));
      }
    } else {
      for (const entry of mergeGroup(edit, group, makeEntry, anchoredCount - index)) {
        added.push(entry);
      }
    }
    index = end;
  }
  for (; index < lines.length; index++) {
    const line = lines[index];
    if (line !== undefined) {
      const entry = makeEntry(line);
      edit.insert(entry);
      added.push(entry);
    }
  }
  edit.addTooLate(tooLate.length);
  return {edit, added, tooLate};
};

/** Of lines of one timestamp those that are more copies than were handed out. */
const beyondSeen = (group: readonly WindowLine[], countSeen: (line: WindowLine) => number): readonly WindowLine[] => {
  const left = new Map<string, number>();
  return group.filter(line => {
    const seen = left.get(line.key) ?? countSeen(line);
    left.set(line.key, seen - 1);
    return seen <= 0;
  });
};

/** A group of equal timestamps is merged whole or not at all: back to the first line of the group that `index` is in. */
const startOfGroup = (lines: readonly WindowLine[], index: number): number => {
  let start = index;
  while (start > 0 && start < lines.length && lines[start - 1]?.at === lines[index]?.at) {
    start -= 1;
  }
  return start;
};

/**
 * Merges lines of one timestamp with those held at it. New ones go before the next line of the window that is held, or to
 * the end. Those at the end, which a coarse clock makes many of, go in first and one after the other.
 */
const mergeGroup = (
  edit: BufferEdit,
  group: readonly WindowLine[],
  makeEntry: (line: WindowLine) => LineEntry,
  anchoredCount: number,
): readonly LineEntry[] => {
  const first = group[0];
  if (first === undefined) {
    return [];
  }
  const places = findHeld(edit.entriesAt(first.at), group);
  const isUnique = anchoredCount >= group.length ? () => true : uniqueIn(edit.entriesAt(first.at), group);
  const isAnchor = (index: number): boolean => index < anchoredCount || isUnique(group[index]);
  const lastHeldIndex = places.findLastIndex((place, index) => place !== undefined && isAnchor(index));
  const atEnd = group
    .slice(lastHeldIndex + 1)
    .filter((_, index) => places[lastHeldIndex + 1 + index] === undefined)
    .map(makeEntry);
  for (const entry of atEnd) {
    edit.insert(entry);
  }
  // The rest from the back, so that the places of those before stay what they are.
  const between: LineEntry[] = [];
  let before = Number.POSITIVE_INFINITY;
  for (let index = lastHeldIndex; index >= 0; index--) {
    const line = group[index];
    const place = places[index];
    if (place !== undefined) {
      before = isAnchor(index) ? Math.min(before, place) : before;
    } else if (line !== undefined) {
      const entry = makeEntry(line);
      edit.insert(entry, before);
      between.push(entry);
    }
  }
  return [...between.reverse(), ...atEnd];
};

/** Is there but one line like it among those held and those of the window? */
const uniqueIn = (
  held: readonly Entry[],
  group: readonly WindowLine[],
): ((line: WindowLine | undefined) => boolean) => {
  const copies = (lines: readonly (Entry | WindowLine)[]): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const line of lines) {
      if ('raw' in line) {
        counts.set(identityWithin(line), (counts.get(identityWithin(line)) ?? 0) + 1);
      }
    }
    return counts;
  };
  const [heldCopies, groupCopies] = [copies(held), copies(group)];
  return line =>
    line !== undefined &&
    (heldCopies.get(identityWithin(line)) ?? 0) <= 1 &&
    (groupCopies.get(identityWithin(line)) ?? 0) <= 1;
};

/** For each line of the window, which of the held entries is its copy of the same number; undefined where it is new. */
const findHeld = (held: readonly Entry[], group: readonly WindowLine[]): readonly (number | undefined)[] => {
  const copies = new Map<string, number[]>();
  for (const [index, entry] of held.entries()) {
    if (entry.kind === 'line') {
      const text = identityWithin(entry);
      const found = copies.get(text);
      if (found) {
        found.push(index);
      } else {
        copies.set(text, [index]);
      }
    }
  }
  const taken = new Map<string, number>();
  return group.map(line => {
    const text = identityWithin(line);
    const count = taken.get(text) ?? 0;
    taken.set(text, count + 1);
    return copies.get(text)?.[count];
  });
};

/** What tells lines of one timestamp apart: the text, and whether the timestamp could be read at all. */
export const identityWithin = (line: {readonly raw: string; readonly textIndex: number}): string =>
  line.textIndex === 0 ? `\0${line.raw}` : line.raw.slice(line.textIndex);
