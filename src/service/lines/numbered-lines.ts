import type {Loss, Numbering, ReadUpTo} from '../../log/line/numbering.ts';
import type {SourceName} from '../../log/line/source-name.ts';
import type {KeptLine, LineWindow} from './line-window.ts';
import type {KeptLoss} from './window-losses.ts';

/** Places of readers whose answers are kept until the window changes. */
const placesMax = 64;

/** The lines of an answer, with the number and the source of each. */
export type NumberedLines = {
  readonly lines: readonly string[];
  readonly numbering: Numbering;
  /** There are lines behind these. */
  readonly hasMore?: boolean;
};

/** Shows a window to readers that know numbers. */
export type LineNumbers = {
  /**
   * Returns the lines behind a reader's place in order of arrival; the whole window by stamp if there is no place, or
   * it is none of this series. The same object for the same place until the window changes, and the same lines until
   * they do.
   */
  show(series: string, after?: ReadUpTo): NumberedLines;
};

type Described = Pick<KeptLine, 'sequence' | 'source'>;

/** Run-length encodes the lines, once for each new line: `begin` returns what a run begins with. */
const findRuns = (
  kept: readonly Described[],
  begin: (line: Described) => number,
  joins: (line: Described, before: Described) => boolean,
): readonly (readonly [number, number])[] => {
  const runs: (readonly [number, number])[] = [];
  let first = kept[0];
  let before = first;
  let count = 0;
  for (const line of kept) {
    if (first && before && count > 0 && !joins(line, before)) {
      runs.push([begin(first), count]);
      first = line;
      count = 0;
    }
    before = line;
    count += 1;
  }
  return first ? [...runs, [begin(first), count]] : runs;
};

/**
 * Describes lines in the order of an answer. `next`: the number that the next line will get; `known`: the sources of
 * the answer before, which keep their indexes until one has no line any more.
 */
export const describeNumbers = (
  series: string,
  kept: readonly Described[],
  losses: readonly KeptLoss[],
  next: number,
  known: readonly SourceName[] = [],
): Numbering => {
  const sources = new Map(known.map((source, index) => [source, index]));
  const used = new Set<number>();
  const indexOf = (source: SourceName): number => {
    let index = sources.get(source);
    if (index === undefined) {
      index = sources.size;
      sources.set(source, index);
    }
    used.add(index);
    return index;
  };
  const numbers = findRuns(
    kept,
    ({sequence}) => sequence,
    (line, before) => line.sequence === before.sequence + 1,
  );
  const runs = findRuns(
    kept,
    ({source}) => indexOf(source),
    (line, before) => line.source === before.source,
  );
  const told = losses.map(
    ({source, after, before, number, why, lines}): Loss => ({
      ...(source && {source: indexOf(source)}),
      ...(after !== undefined && {after}),
      ...(before !== undefined && {before}),
      number,
      why,
      ...(lines !== undefined && {lines}),
    }),
  );
  if (used.size < sources.size) {
    const still = known.filter((_, index) => used.has(index));
    return describeNumbers(series, kept, losses, next, still);
  }
  return {
    series,
    first: kept[0]?.sequence ?? next,
    ...(numbers.length > 1 && {numbers}),
    runs,
    sources: [...sources.keys()],
    losses: told,
  };
};

/**
 * Creates what shows a window. `linesMax`: lines of an answer to a reader with a place, who asks again for the rest.
 */
export const createLineNumbers = (window: LineWindow, linesMax = Number.POSITIVE_INFINITY): LineNumbers => {
  let version: string | undefined;
  let shown: {readonly kept: readonly KeptLine[]; readonly lines: readonly string[]} = {kept: [], lines: []};
  let whole: NumberedLines | undefined;
  /** Those of the last whole window, so that most of an answer stays as it was. */
  let sources: readonly SourceName[] = [];
  const places = new Map<number, NumberedLines>();

  const showWhole = (series: string): NumberedLines => {
    const kept = window.lines();
    if (shown.kept !== kept) {
      shown = {kept, lines: kept.map(({line}) => line)};
    }
    const numbering = describeNumbers(series, kept, window.losses(), window.last() + 1, sources);
    ({sources} = numbering);
    return {lines: shown.lines, numbering};
  };

  const showBehind = (series: string, number: number): NumberedLines => {
    const all = window.linesAfter(number);
    const kept = all.length > linesMax ? all.slice(0, linesMax) : all;
    const next = all[kept.length]?.sequence ?? window.last() + 1;
    const losses = window.losses().filter(loss => loss.number > number && loss.number <= next);
    const left = window.leftAfter(number);
    const told: KeptLoss[] = left?.stamps
      ? [
          {
            number: kept[0]?.sequence ?? next,
            count: 1,
            after: left.stamps.earliest,
            before: left.stamps.latest,
            lines: left.lines,
            why: 'these lines left the window before they were read',
          },
        ]
      : [];
    const numbering = describeNumbers(series, kept, [...told, ...losses], next);
    return {lines: kept.map(({line}) => line), numbering, ...(kept !== all && {hasMore: true})};
  };

  return {
    show: (series, after) => {
      const current = `${window.version()} ${series}`;
      if (version !== current) {
        version = current;
        whole = undefined;
        places.clear();
      }
      if (after?.series !== series || after.last > window.last()) {
        whole ??= showWhole(series);
        return whole;
      }
      const known = places.get(after.last) ?? showBehind(series, after.last);
      places.set(after.last, known);
      if (places.size > placesMax) {
        places.delete(places.keys().next().value ?? 0);
      }
      return known;
    },
  };
};
