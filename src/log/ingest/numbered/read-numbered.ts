import type {SourceName} from '#log/line/entry.ts';
import {type Instant, laterOf} from '#log/line/instant.ts';
import type {Texts} from '#log/window/texts.ts';
import type {Numbering} from '#log/window/window-claims.ts';
import {readLine, unreadableLine} from '#log/window/window-line.ts';
import {type WindowLine, WindowLines} from '#log/window/window-lines.ts';
import {linesPerPause, sortWork, type Work} from '#log/work.ts';
import {clockBounds} from '../completeness/believe.ts';
import {lastNumberOf, numbersOf, sourceIndexesOf} from '../numbered.ts';

/** Maximum lines that are remembered and compared, to find out whether a number stands for two. */
const knownMax = 64;

/** A line of an answer whose lines have numbers. */
export type NumberedLine = {
  readonly line: WindowLine;
  readonly number: number;
  readonly source: SourceName | undefined;
};

export type ReadNumbers = {
  /** The lines after the last number, ordered by time; equal times in order of arrival. */
  readonly lines: readonly NumberedLine[];
  /** The line with the number after which they come is in the answer, so that nothing was cut off ahead of them. */
  readonly showsLast: boolean;
  /** The last ones that are known by their numbers… */
  readonly known: readonly NumberedLine[];
  /** …and the last of all. */
  readonly shown: ReadonlyMap<number, string>;
  /**
   * How many numbers after the last one have no line in the answer, and where the first line after them is; and the
   * lines of how many of them came in answers without numbers.
   */
  readonly missing: readonly {readonly count: number; readonly number: number; readonly came?: number}[];
  /** The highest number of the answer; the one before `first` if it has no lines. */
  readonly last: number;
  /** The highest number of a line of it; 0 if it has none. */
  readonly lastOfLines: number;
  /** The newest time of each source, and the most that a line was older than one of its source that came before. */
  readonly newest: ReadonlyMap<SourceName | undefined, Instant>;
  readonly lateness: Instant;
  /** The same of what came in this answer: a clock may have been set back since the one before. */
  readonly latenessWithin: Instant;
};

/**
 * Reads the lines of an answer that come after a number. A line without a timestamp takes that of the line before it
 * of its source, and where there is none at all the service's time. `named`: the answer's sources; `newest`: what they
 * wrote last.
 */
export function* readNumbered(
  raws: Texts,
  numbering: Numbering,
  after: number,
  {
    named,
    newest,
    serviceAt,
    areEarlier = false,
  }: Pick<ReadNumbers, 'newest'> & {
    readonly named: readonly (SourceName | undefined)[];
    readonly serviceAt?: Instant | undefined;
    /** They are from before those that are held, maybe by days. */
    readonly areEarlier?: boolean | undefined;
  },
): Work<ReadNumbers> {
  const numbers = numbersOf(numbering, raws.length);
  const sourceIndexes = sourceIndexesOf(numbering, raws.length);
  const middle = readLine(raws.at(raws.length >>> 1) ?? '')?.at;
  const clock = clockBounds({length: 1, timeAt: () => middle}, serviceAt, areEarlier ? [] : newest.values());
  const isOfClock = (at: Instant): boolean => clock === undefined || (at >= clock.from && at <= clock.through);
  /** The newest line of each source, and the newest with a stamp that can be a clock's: others bound nothing. */
  const [asRead, lastAt, ownAt] = [new Map(newest), new Map(newest), new Map<SourceName | undefined, Instant>()];
  let [lateness, latenessWithin] = [0n, 0n];
  const lines: NumberedLine[] = [];
  let fallbackAt: Instant | undefined;
  let isSorted = true;
  let lastLineAt: Instant | undefined;
  let lastOfLines = 0;
  const order = byNumber(numbers);
  const known: NumberedLine[] = [];
  const shown = new Map<number, string>();
  let showsLast = false;
  const lastShown = lastNumberOf(numbering, raws.length);
  for (let place = 0; place < raws.length; place++) {
    const index = order?.[place] ?? place;
    const [raw = '', number = 0] = [raws.at(index), numbers[index]];
    lastOfLines = Math.max(lastOfLines, number);
    if (number > lastShown - knownMax) {
      shown.set(number, raw);
    }
    showsLast ||= number === after;
    if (number > after) {
      const source = named[sourceIndexes[index] ?? -1];
      const line =
        readLine(raw) ??
        unreadableLine(raw, asRead.get(source) ?? fallbackAt ?? firstTime(raws, index) ?? serviceAt ?? 0n);
      asRead.set(source, laterOf(line.at, asRead.get(source) ?? line.at));
      const sourceAt = lastAt.get(source);
      if (isOfClock(line.at)) {
        lastAt.set(source, laterOf(line.at, sourceAt ?? line.at));
        lateness = laterOf(lateness, (sourceAt ?? line.at) - line.at);
        latenessWithin = laterOf(latenessWithin, (ownAt.get(source) ?? line.at) - line.at);
        ownAt.set(source, laterOf(line.at, ownAt.get(source) ?? line.at));
      }
      fallbackAt = line.at;
      isSorted &&= lastLineAt === undefined || lastLineAt <= line.at;
      lastLineAt = line.at;
      lines.push({line, number, source});
    } else if (number > Math.min(after, lastShown) - knownMax) {
      known.push({line: readLine(raw) ?? unreadableLine(raw, 0n), number, source: named[sourceIndexes[index] ?? -1]});
    }
    if (place % linesPerPause === linesPerPause - 1) {
      yield;
    }
  }
  const last = Math.max(lastOfLines, numbering.last ?? 0, raws.length === 0 ? numbering.first - 1 : 0);
  const missing = findMissing(order === undefined ? numbers : numbers.slice().sort(), numbering, after, last);
  return {
    lines: isSorted ? lines : yield* sortWork(lines, byTime),
    known,
    shown,
    showsLast,
    missing,
    last,
    lastOfLines,
    newest: lastAt,
    lateness,
    latenessWithin,
  };
}

/** Returns the number up to which lines may have been missed. */
export const missingThrough = ({missing}: ReadNumbers, before = 0): number =>
  missing.reduce((most, {number}) => Math.max(most, number - 1), before);

/** Returns the lines that had the last numbers, those of answers before among them. */
export const joinShown = (before: ReadNumbers['shown'], now: ReadNumbers['shown']): ReadNumbers['shown'] =>
  new Map([...new Map([...before, ...now])].sort(([a], [b]) => a - b).slice(-knownMax));

/** Returns lines as those of a window, and who wrote a line of a text. */
export const asWindowLines = (
  numbered: readonly NumberedLine[],
): {readonly lines: WindowLines; readonly sourceOf: (line: WindowLine) => SourceName | undefined} => {
  const lines = new WindowLines(numbered.map(({line}) => line.raw));
  for (const {line} of numbered) {
    lines.add(line);
  }
  const sources = new Map(numbered.map(({line, source}) => [line.raw, source]));
  return {lines, sourceOf: ({raw}) => sources.get(raw)};
};

/** Returns the indexes of lines in the order of their numbers; undefined if they are in that order. */
const byNumber = (numbers: Float64Array): readonly number[] | undefined =>
  numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0))
    ? undefined
    : Array.from(numbers, (_, index) => index).sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0));

export const byTime = (a: NumberedLine, b: NumberedLine): number =>
  a.line.at < b.line.at ? -1 : a.line.at > b.line.at ? 1 : a.number - b.number;

/** Returns the time of the next line that has one. */
const firstTime = (raws: Texts, from: number): Instant | undefined => {
  for (let index = from; index < raws.length; index++) {
    const at = readLine(raws.at(index) ?? '')?.at;
    if (at !== undefined) {
      return at;
    }
  }
  return undefined;
};

const findMissing = (sorted: Float64Array, {first}: Numbering, after: number, last: number): ReadNumbers['missing'] => {
  const missing: {count: number; number: number}[] = [];
  let before = after;
  const follow = (number: number): void => {
    if (number > before + 1) {
      missing.push({count: number - before - 1, number});
    }
    before = Math.max(before, number);
  };
  (sorted.length === 0 ? [first] : sorted).forEach(follow);
  follow(last + 1);
  return missing;
};
