import type {Entry, LineEntry, Marker, SourceName} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import {measureTexts} from '#log/window/texts.ts';
import type {WindowLine, WindowLines} from '#log/window/window-lines.ts';

/**
 * The entries that a window added to a log, in its order: an array of entries, or what makes them when they are asked
 * for.
 */
export type Added<T extends Entry = Entry> = Iterable<T> & {
  readonly length: number;
  at(index: number): T | undefined;
  some(matches: (entry: T) => boolean): boolean;
  find(matches: (entry: T) => boolean): T | undefined;
  findLast(matches: (entry: T) => boolean): T | undefined;
  filter(matches: (entry: T) => boolean): readonly T[];
  map<U>(make: (entry: T, index: number) => U): readonly U[];
};

/** The last lines of a window as entries, which have consecutive ids. */
export type LineRun = {
  readonly lines: WindowLines;
  readonly from: number;
  readonly firstId: number;
  readonly sourceOf: ((line: WindowLine) => SourceName | undefined) | undefined;
};

/** Makes an entry of a line of a window. A line of no known source has no such field. */
export const lineEntryOf = (
  {at, raw, textIndex}: WindowLine,
  id: number,
  late: boolean,
  source: SourceName | undefined,
): LineEntry =>
  source === undefined
    ? {kind: 'line', id, at, raw, textIndex, late}
    : {kind: 'line', id, at, raw, textIndex, late, source};

/**
 * Some entries, and then so many lines that they would fill the memory as objects: a window that is all new may have a
 * million.
 */
export class AddedRun<T extends Entry = Entry> implements Added<T | LineEntry> {
  readonly first: readonly T[];
  readonly run: LineRun;
  readonly length: number;

  constructor(first: readonly T[], run: LineRun) {
    this.first = first;
    this.run = run;
    this.length = first.length + run.lines.length - run.from;
  }

  at(index: number): T | LineEntry | undefined {
    const place = index < 0 ? this.length + index : index;
    if (place < this.first.length) {
      return this.first[place];
    }
    const {lines, from, firstId, sourceOf} = this.run;
    const offset = place - this.first.length;
    const line = lines.get(from + offset);
    return line && lineEntryOf(line, firstId + offset, false, sourceOf?.(line));
  }

  *[Symbol.iterator](): Generator<T | LineEntry> {
    for (let index = 0; index < this.length; index++) {
      const entry = this.at(index);
      if (entry !== undefined) {
        yield entry;
      }
    }
  }

  find(matches: (entry: T | LineEntry) => boolean): T | LineEntry | undefined {
    for (const entry of this) {
      if (matches(entry)) {
        return entry;
      }
    }
    return undefined;
  }

  findLast(matches: (entry: T | LineEntry) => boolean): T | LineEntry | undefined {
    for (let index = this.length - 1; index >= 0; index--) {
      const entry = this.at(index);
      if (entry !== undefined && matches(entry)) {
        return entry;
      }
    }
    return undefined;
  }

  some(matches: (entry: T | LineEntry) => boolean): boolean {
    return this.find(matches) !== undefined;
  }

  filter(matches: (entry: T | LineEntry) => boolean): readonly (T | LineEntry)[] {
    return [...this].filter(matches);
  }

  map<U>(make: (entry: T | LineEntry, index: number) => U): readonly U[] {
    return Array.from(this, make);
  }
}

/** Returns what was added as an array. */
export const asEntries = <T extends Entry>(added: Added<T>): readonly T[] =>
  Array.isArray(added) ? (added as readonly T[]) : [...added];

/** Returns what was added ahead of a run; all of it if there is none. */
const aheadOfRun = <T extends Entry>(added: Added<T>): readonly T[] =>
  added instanceof AddedRun ? (added.first as readonly T[]) : asEntries(added);

/** Puts entries among those that were added, at an index that is none of a run's. */
export const insertAdded = <T extends Entry>(added: Added<T>, index: number, entries: readonly T[]): Added<T> => {
  if (entries.length === 0) {
    return added;
  }
  const run = added instanceof AddedRun && index <= added.first.length ? added.run : undefined;
  const all = run === undefined ? asEntries(added) : aheadOfRun(added);
  const joined = [...all.slice(0, index), ...entries, ...all.slice(index)];
  return run === undefined ? joined : (new AddedRun(joined, run) as Added<T>);
};

/** Returns the markers among what was added. Makes no lines. */
export const markersIn = (added: Added): readonly Marker[] =>
  aheadOfRun(added).filter((entry): entry is Marker => entry.kind !== 'line');

/** Counts the lines among what was added that came after newer ones. */
export const countLate = (added: Added): number =>
  aheadOfRun(added).filter(entry => entry.kind === 'line' && entry.late).length;

/** Returns the number of characters of the lines that were added, and of the longest. */
export const measureAdded = (added: Added): {readonly characters: number; readonly longest: number} => {
  let {characters, longest} =
    added instanceof AddedRun ? measureTexts(added.run.lines.raws, added.run.from) : {characters: 0, longest: 0};
  for (const entry of aheadOfRun(added)) {
    const length = entry.kind === 'line' ? entry.raw.length : 0;
    characters += length;
    longest = Math.max(longest, length);
  }
  return {characters, longest};
};

/** Iterates over the times of the lines that were added and have a timestamp. */
export function* timesIn(added: Added<LineEntry>): Generator<Instant> {
  for (const {at, textIndex} of aheadOfRun(added)) {
    if (textIndex !== 0) {
      yield at;
    }
  }
  if (added instanceof AddedRun) {
    yield* added.run.lines.stampedTimes(added.run.from);
  }
}
