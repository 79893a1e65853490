import type {GapMarker, LineEntry, SourceName} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Loss, Numbering, ReadUpTo} from '#log/window/window-claims.ts';
import {sourceKey, unsaidSource} from '#log/words/source-words.ts';
import type {WindowVerdict} from './completeness.ts';

/** A gap before it has an id and a place. */
export type NumberedGap = Omit<GapMarker, 'kind' | 'id'>;

/** A loss that the service reported, and may report more of. */
export type ToldLoss<T extends NumberedGap = GapMarker> = Pick<Loss, 'number' | 'after' | 'count' | 'why'> & {
  readonly source: SourceName | undefined;
  /** Its marker, as it stands. */
  readonly marker: T;
  /** The line after it is not known yet. */
  readonly isOpen: boolean;
};

/**
 * Numbers without a line between those of one answer, which no window's limit explains where it happens again.
 */
export type Holes<T extends NumberedGap = GapMarker> = {
  /** The marker for all of them. */
  readonly marker: T;
  /** Answers that had some, and those without since. */
  readonly answers: number;
  readonly clean: number;
};

/** Numbers up to the last one that have no line, which more without any may follow. */
export type GrowingGap<T extends NumberedGap = GapMarker> = {readonly marker: T; readonly through: number};

/** The state of a log whose lines have numbers. */
export type Numbered = {
  readonly series: string;
  /** The highest number up to which everything was taken, or is marked as missing. */
  readonly last: number;
  /** The first number of the log; none in a series that began later, whose first numbers may be those of held lines. */
  readonly first: number;
  /** Up to this number lines may have been missed. */
  readonly missingThrough: number;
  /** The lines that had the last numbers: one that stands for another line proves nothing. */
  readonly shown: ReadonlyMap<number, string>;
  /** Each source of the log is one object, whichever answer named it. */
  readonly sources: ReadonlyMap<string, SourceName>;
  /** The newest time of each source that may still write: where a gap begins that names no source. */
  readonly newest: ReadonlyMap<SourceName | undefined, Instant>;
  /** The most that a line was older than one of the same source that came before it; at least a second. */
  readonly lateness: Instant;
  /** The service's clock at the last answer, if it gives one. */
  readonly serviceAt: Instant | undefined;
  /** The service's clock at the answer before the one that brought the newest line of a source, if it gives one. */
  readonly seenAfter: ReadonlyMap<SourceName | undefined, Instant>;
  /** Losses with their markers, of which more may be told: each answer tells them again until a line follows. */
  readonly told: readonly ToldLoss[];
  readonly holes: Holes | undefined;
  readonly tail: GrowingGap | undefined;
  /** The most lines that an answer had. */
  readonly windowLines: number;
  /** Consecutive answers with lines and without numbers, and the lines that they brought, by `textKey`. */
  readonly unnumberedAnswers: number;
  readonly cameByText: ReadonlyMap<string, readonly LineEntry[]>;
  /** What they show by their text: it stands if no number follows. */
  readonly guess?: WindowVerdict | undefined;
};

/** Returns what a reader of this log has, for its next request; undefined if its lines have no numbers. */
export const readUpTo = (numbered: Numbered | undefined): ReadUpTo | undefined =>
  numbered && {series: numbered.series, last: numbered.last};

/** More sources than any branch has. Those that come later have no name of their own, rather than another's. */
const sourcesMax = 20_000;

/** Returns the sources of an answer, each as the object that the log has for it, and all that the log then has. */
export const internSources = (
  known: Numbered['sources'],
  {sources}: Numbering,
): {readonly sources: Numbered['sources']; readonly named: readonly (SourceName | undefined)[]} => {
  let all = known;
  let copy: Map<string, SourceName> | undefined;
  const named = sources.map(source => {
    const key = sourceKey(source);
    const found = all.get(key);
    if (found !== undefined || key === nameless || all.size >= sourcesMax) {
      return found;
    }
    copy ??= new Map(known);
    all = copy.set(key, source);
    return source;
  });
  return {sources: all, named};
};

const nameless = sourceKey(unsaidSource);

/** Returns the number of each line of an answer, in the answer's order. */
export const numbersOf = ({first, numbers}: Numbering, lineCount: number): Float64Array => {
  const all = new Float64Array(lineCount);
  let index = 0;
  for (const [start, count] of numbers ?? [[first, lineCount] as const]) {
    for (let offset = 0; offset < count && index < lineCount; offset++) {
      all[index] = start + offset;
      index += 1;
    }
  }
  return all;
};

/** Returns the highest number among the items of an answer; 0 if it has none. */
export const lastNumberOf = ({first, numbers}: Pick<Numbering, 'first' | 'numbers'>, itemCount: number): number =>
  (numbers ?? (itemCount === 0 ? [] : [[first, itemCount] as const])).reduce(
    (most, [start, count]) => Math.max(most, start + count - 1),
    0,
  );

/** Returns the index of the source of each line of an answer. */
export const sourceIndexesOf = ({runs}: Numbering, lineCount: number): Int32Array => {
  const all = new Int32Array(lineCount).fill(-1);
  let index = 0;
  for (const [source, count] of runs) {
    all.fill(source, index, index + count);
    index += count;
  }
  return all;
};
