import type {SourceName} from '#log/line/entry.ts';
import type {Loss, Numbering, NumberRun, SourceRun} from '#log/window/window-claims.ts';

/** A line of an answer: its number, and who wrote it. */
export type Described = {readonly sequence: number; readonly source: SourceName | undefined};

/** A loss with the source itself, not its index. */
export type DescribedLoss = Omit<Loss, 'source'> & {readonly source?: SourceName | undefined};

/** After a run of the answer before that is not the next one, so many after it are tried. */
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
 * Describes lines in the order of an answer, each source as one object: the only maker of runs of numbers and sources.
 * `next`: the number that the next line will get; `before`: the answer
 * before, whose sources keep their indexes until one has no line any more.
 */
export const describeNumbers = (
  series: string,
  kept: readonly Described[],
  losses: readonly DescribedLoss[],
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
    ({source, after, before, number, why, lines, count = 1, isNoLine}): Loss => ({
      ...(source && {source: indexOf(source)}),
      ...(after !== undefined && {after}),
      ...(before !== undefined && {before}),
      number,
      why,
      ...(lines !== undefined && {lines}),
      ...(count > 1 && {count}),
      ...(isNoLine && {isNoLine}),
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
