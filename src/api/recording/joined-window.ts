import type {Loss, Numbering, NumberRun, ReadUpTo, SourceRun} from '../../log/line/numbering.ts';
import type {SourceName} from '../../log/line/source-name.ts';
import {numbersOf, sourceIndexesOf} from '../../log/numbered/numbered.ts';
import {sourceKey} from '../../log/sources/source-words.ts';

/** The part of a log answer that depends on what its reader had. */
export type RecordedLines = {readonly lines: readonly string[]; readonly numbering: Numbering};

/**
 * The answers of a recorded log as one window. In a recording, an answer may have only what its reader did not have; a
 * reader that begins in the middle of the replay needs what came before it, too.
 */
export type JoinedWindow = {
  /** Adds an answer. `after`: what the reader had, if the request said so. */
  add(answer: RecordedLines | undefined, after: ReadUpTo | undefined): void;
  /** Returns the window up to the last answer; undefined if that is not numbered. */
  window(): RecordedLines | undefined;
};

type JoinedLine = {readonly raw: string; readonly number: number; readonly source: SourceName | undefined};
type JoinedLoss = {readonly loss: Loss; readonly source: SourceName | undefined};

/** As many as an answer may have. */
const lossesMax = 10_000;

export const createJoinedWindow = (): JoinedWindow => {
  let last: Numbering | undefined;
  let lines: JoinedLine[] = [];
  let losses = new Map<string, JoinedLoss>();
  /** The most lines that an answer had: a window of the service is not known to be larger. */
  let linesMax = 0;

  return {
    add: (answer, after) => {
      const read = answer && readLines(answer);
      last = answer?.numbering;
      const isContinued =
        after !== undefined && after.series === last?.series && read?.every(({number}) => number > after.last);
      if (!isContinued) {
        lines = [];
        losses = new Map();
      }
      for (const line of read ?? []) {
        lines.push(line);
      }
      linesMax = Math.max(linesMax, read?.length ?? 0);
      if (lines.length > 2 * linesMax) {
        lines = lines.slice(-linesMax);
      }
      for (const loss of last?.losses ?? []) {
        const source = loss.source === undefined ? undefined : last?.sources[loss.source];
        losses.set(`${loss.number} ${loss.why} ${sourceKey(source ?? {})}`, {loss, source});
      }
      for (const key of [...losses.keys()].slice(0, Math.max(0, losses.size - lossesMax))) {
        losses.delete(key);
      }
    },
    window: () => last && joinLines(last, lines.slice(-linesMax), [...losses.values()]),
  };
};

const readLines = ({lines, numbering}: RecordedLines): readonly JoinedLine[] => {
  const numbers = numbersOf(numbering, lines.length);
  const sources = sourceIndexesOf(numbering, lines.length);
  return lines.map((raw, index) => ({
    raw,
    number: numbers[index] ?? 0,
    source: numbering.sources[sources[index] ?? -1],
  }));
};

const joinLines = (
  {series, first, last}: Numbering,
  lines: readonly JoinedLine[],
  losses: readonly JoinedLoss[],
): RecordedLines => {
  const sources: SourceName[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (source: SourceName = {}): number => {
    const key = sourceKey(source);
    const index = indexes.get(key) ?? sources.push(source) - 1;
    indexes.set(key, index);
    return index;
  };
  const numbers: NumberRun[] = [];
  const runs: SourceRun[] = [];
  for (const {number, source} of lines) {
    const [start, count] = numbers.at(-1) ?? [number, 0];
    const isNext = count > 0 && number === start + count;
    numbers.splice(numbers.length - (isNext ? 1 : 0), 1, isNext ? [start, count + 1] : [number, 1]);
    const index = indexOf(source);
    const [before, lineCount] = runs.at(-1) ?? [index, 0];
    const isSame = lineCount > 0 && index === before;
    runs.splice(runs.length - (isSame ? 1 : 0), 1, [index, isSame ? lineCount + 1 : 1]);
  }
  return {
    lines: lines.map(({raw}) => raw),
    numbering: {
      series,
      first: lines[0]?.number ?? first,
      numbers,
      ...(last !== undefined && {last}),
      runs,
      losses: losses.map(({loss: {source: _, ...loss}, source}) => ({
        ...loss,
        ...(source && {source: indexOf(source)}),
      })),
      sources,
    },
  };
};
