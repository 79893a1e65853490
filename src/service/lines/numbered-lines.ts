import type {Loss, Numbering, NumberRun, ReadUpTo, SourceRun} from '../../log/line/numbering.ts';
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

/** After a run of the answer before that is not the next one, so many behind it are tried. */
const runsAheadMax = 4;

/** Returns what makes runs of numbers: those of the answer before where they are the same, so that nothing is made. */
const reuseNumbers = (before: readonly NumberRun[], first: number): ((start: number, count: number) => NumberRun) => {
  let next = Math.max(
    0,
    before.findIndex(([start]) => start === first),
  );
  return (start, count) => {
    for (let index = next; index < next + runsAheadMax; index++) {
      const run = before[index];
      if (run?.[0] === start && run[1] === count) {
        next = index + 1;
        return run;
      }
    }
    return [start, count];
  };
};

/**
 * Describes lines in the order of an answer. `next`: the number that the next line will get; `before`: the answer
 * before, whose sources keep their indexes until one has no line any more.
 */
export const describeNumbers = (
  series: string,
  kept: readonly Described[],
  losses: readonly KeptLoss[],
  next: number,
  before?: Pick<Numbering, 'numbers' | 'sources'>,
): Numbering => {
  const known = before?.sources ?? [];
  const sources = new Map(known.map((source, index) => [source, index]));
  const isUsed: boolean[] = [];
  const indexOf = (source: SourceName): number => {
    const index = sources.get(source) ?? sources.size;
    if (index === sources.size) {
      sources.set(source, index);
    }
    isUsed[index] = true;
    return index;
  };
  const numberRun = reuseNumbers(before?.numbers ?? [], kept[0]?.sequence ?? next);
  const numbers: NumberRun[] = [];
  const runs: SourceRun[] = [];
  /** Lines of several sources often alternate. */
  const ofOneLine: SourceRun[] = [];
  const endNumbers = (first: number, count: number): void => {
    if (count > 0) {
      numbers.push(numberRun(first, count));
    }
  };
  const endSource = (source: SourceName | undefined, count: number): void => {
    if (source === undefined) {
      return;
    }
    const index = indexOf(source);
    if (count > 1) {
      runs.push([index, count]);
      return;
    }
    const run = ofOneLine[index] ?? [index, 1];
    ofOneLine[index] = run;
    runs.push(run);
  };
  let [first, numberCount, sourceCount] = [0, 0, 0];
  let writer: SourceName | undefined;
  for (const {sequence, source} of kept) {
    if (sequence !== first + numberCount) {
      endNumbers(first, numberCount);
      [first, numberCount] = [sequence, 0];
    }
    numberCount += 1;
    if (source !== writer) {
      endSource(writer, sourceCount);
      [writer, sourceCount] = [source, 0];
    }
    sourceCount += 1;
  }
  endNumbers(first, numberCount);
  endSource(writer, sourceCount);
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
  if (!known.every((_, index) => isUsed[index])) {
    const still = known.filter((_, index) => isUsed[index]);
    return describeNumbers(series, kept, losses, next, {...before, sources: still});
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
  /** That of the last whole window: most of the next one stays as it was. */
  let described: Numbering | undefined;
  const places = new Map<number, NumberedLines>();

  const showWhole = (series: string): NumberedLines => {
    const kept = window.lines();
    if (shown.kept !== kept) {
      shown = {kept, lines: kept.map(({line}) => line)};
    }
    described = describeNumbers(series, kept, window.losses(), window.last() + 1, described);
    return {lines: shown.lines, numbering: described};
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
