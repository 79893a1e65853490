import type {LineEntry} from '#log/line/entry.ts';
import type {Arrivals, WindowCut} from '#log/window/window-claims.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import {eachLine, type WindowLine} from '#log/window/window-lines.ts';
import type {Added} from '../added.ts';
import type {Count} from '../completeness/counted.ts';
import type {Banners} from '../completeness/find-front.ts';

/** Lines by their identity, and how many there are of each. */
export type Counts = ReadonlyMap<string, number>;

/** What the numbers of the last answer told of its lines. */
export type Counted = {
  /** What came with the last answers, the newest first: these have numbers above the bound, and up to the next one. */
  readonly came: readonly {readonly above: number; readonly counts: Counts}[];
  /** Lines of which more than one came: with a timestamp at once, since one that is sent again is no other one. */
  readonly copies: Counts;
};

export const noneCounted: Counted = {came: [], copies: new Map()};

/** So many lines came since the answer before, as the numbers tell. */
export type Came = {
  readonly least: number;
  readonly most: number;
  /** With lines that were dropped before any answer had them, and that are there all the same now. */
  readonly limit: number;
};

export type AccountInput = Came & {
  readonly before: ReadWindow;
  readonly now: ReadWindow;
  readonly arrivals: {readonly before: Arrivals; readonly now: Arrivals};
  readonly counted: Counted;
  readonly kind: Count['kind'];
  /** The lines that are new by their texts, and the number of those that are too late for the buffer. */
  readonly added: Added<LineEntry>;
  readonly tooLate: number;
  readonly banners: Banners;
  /** How windows are cut, if the service says so. */
  readonly cut: WindowCut | undefined;
  readonly itemCount: number;
  /** Checks whether a line is held in another form that this answer does not show. */
  readonly isHeldInOtherForm: (line: LineEntry) => boolean;
};

/** The identity of a line for its count: without a timestamp it is its text, whatever line it follows. */
export const countKey = ({raw, textIndex, at}: Pick<WindowLine, 'raw' | 'textIndex' | 'at'>): string =>
  textIndex === 0 ? `\0${raw.trimEnd()}` : `${at} ${raw.slice(textIndex).trimEnd()}`;

export const isUnstamped = (key: string): boolean => key.startsWith('\0');

export type Keyed = {readonly key: string; readonly line: WindowLine};

/** Returns the lines of a window with their identities, but for its banners. */
export const keyed = ({received}: ReadWindow, banners: ReadonlySet<string>): readonly Keyed[] =>
  Array.from(eachLine(received), ([, line]) => ({key: countKey(line), line})).filter(
    ({line: {raw}}) => !banners.has(raw),
  );

export const countKeys = (keys: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

/** Returns how many there are of an identity. */
export const countIn = (counts: Counts, key: string): number => counts.get(key) ?? 0;

export const sumOf = (counts: Counts): number => counts.values().reduce((sum, count) => sum + count, 0);
