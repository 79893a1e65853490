import {type Described, type DescribedLoss, describeNumbers} from '#log/ingest/describe-numbers.ts';
import {numbersOf, sourceIndexesOf} from '#log/ingest/numbered.ts';
import type {SourceName} from '#log/line/entry.ts';
import type {Numbering, ReadUpTo} from '#log/window/window-claims.ts';
import {sourceKey} from '#log/words/source-words.ts';

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

type JoinedLine = Described & {readonly raw: string};

/** As many as an answer may have. */
const lossesMax = 10_000;

export const createJoinedWindow = (): JoinedWindow => {
  let last: Numbering | undefined;
  let lines: JoinedLine[] = [];
  let losses = new Map<string, DescribedLoss>();
  /** Each source as one object, whichever answer named it. */
  let sources = new Map<string, SourceName>();
  /** The most lines that an answer had: a window of the service is not known to be larger. */
  let linesMax = 0;

  const intern = (source: SourceName = {}): SourceName => {
    const known = sources.get(sourceKey(source)) ?? source;
    sources.set(sourceKey(source), known);
    return known;
  };

  const readLines = ({lines: all, numbering}: RecordedLines): readonly JoinedLine[] => {
    const numbers = numbersOf(numbering, all.length);
    const indexes = sourceIndexesOf(numbering, all.length);
    const named = numbering.sources.map(intern);
    return all.map((raw, index) => ({
      raw,
      sequence: numbers[index] ?? 0,
      source: named[indexes[index] ?? -1] ?? intern(),
    }));
  };

  return {
    add: (answer, after) => {
      last = answer?.numbering;
      const numbers = answer && numbersOf(answer.numbering, answer.lines.length);
      const isContinued =
        after !== undefined && after.series === last?.series && numbers?.every(number => number > after.last);
      if (!isContinued) {
        lines = [];
        losses = new Map();
        sources = new Map();
      }
      const read = answer && readLines(answer);
      for (const line of read ?? []) {
        lines.push(line);
      }
      linesMax = Math.max(linesMax, read?.length ?? 0);
      if (lines.length > 2 * linesMax) {
        lines = lines.slice(-linesMax);
      }
      const copies = new Map<string, number>();
      for (const loss of last?.losses ?? []) {
        const source = loss.source === undefined ? undefined : last?.sources[loss.source];
        const key = `${loss.number} ${loss.why} ${sourceKey(source ?? {})}`;
        copies.set(key, (copies.get(key) ?? 0) + 1);
        losses.set(`${key} ${copies.get(key)}`, {
          ...loss,
          source: source && intern(source),
        });
      }
      for (const key of [...losses.keys()].slice(0, Math.max(0, losses.size - lossesMax))) {
        losses.delete(key);
      }
    },
    window: () => {
      if (last === undefined) {
        return undefined;
      }
      const joined = lines.slice(-linesMax);
      const numbering = describeNumbers(last.series, joined, [...losses.values()], last.first);
      return {
        lines: joined.map(({raw}) => raw),
        numbering: {...numbering, ...(last.last !== undefined && {last: last.last})},
      };
    },
  };
};
