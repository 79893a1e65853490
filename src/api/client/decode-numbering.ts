import {isTable} from '#base/table.ts';
import {type Described, type DescribedLoss, describeNumbers} from '#log/ingest/describe-numbers.ts';
import {lastNumberOf, numbersOf, sourceIndexesOf} from '#log/ingest/numbered.ts';
import type {SourceName, Unreadable} from '#log/line/entry.ts';
import {parseInstant} from '#log/line/instant.ts';
import type {Loss, Numbering, NumberRun, SourceRun} from '#log/window/window-claims.ts';
import type {FieldProblems} from './field-reader.ts';

/** Longest id of a series, in characters. */
export const seriesCharsMax = 128;
/** Longest name of a pod, container or stream, in characters; Kubernetes allows 253. */
const nameCharsMax = 512;
/** Longest reason for a loss, in characters. */
const whyCharsMax = 500;
/** More than any window tells. */
const [sourcesMax, lossesMax] = [20_000, 10_000];

type DecodedNumbering = {
  readonly numbering: Numbering;
  readonly podsTag: string | undefined;
  readonly unreadable: Unreadable | undefined;
};

/**
 * Decodes the field `branchlog` of a log answer (docs/serve.md, “Lines with numbers and sources”). Returns undefined if
 * there is none, or if it cannot tell the number of each of the `itemCount` items of `data`: what is malformed is
 * noted, and the lines count as not numbered. Sources or losses that are malformed are noted and left out.
 */
export const decodeNumbering = (
  field: unknown,
  itemCount: number,
  problems: FieldProblems,
): DecodedNumbering | undefined => {
  if (field === undefined) {
    return undefined;
  }
  if (!isTable(field)) {
    return problems.add('branchlog', 'an object', field);
  }
  const {series, first, pods} = field;
  if (typeof series !== 'string' || series === '' || series.length > seriesCharsMax) {
    return problems.add('branchlog.series', `a string of 1 to ${seriesCharsMax} characters`, series);
  }
  if (!isCount(first)) {
    return problems.add('branchlog.first', 'a whole number', first);
  }
  const numbers = decodeNumbers(field.numbers, itemCount, problems);
  if (numbers === 'malformed') {
    return undefined;
  }
  const sources = decodeSources(field.sources, problems);
  return {
    numbering: {
      series,
      first,
      ...(numbers && {numbers}),
      sources,
      runs: decodeRuns(field.runs, itemCount, sources.length, problems),
      losses: decodeLosses(field.losses, sources.length, problems),
    },
    podsTag: typeof pods === 'string' && pods.length <= seriesCharsMax ? pods : undefined,
    unreadable: decodeUnreadable(field.unreadable, problems),
  };
};

const decodeUnreadable = (item: unknown, problems: FieldProblems): Unreadable | undefined => {
  if (item === undefined) {
    return undefined;
  }
  if (!isTable(item) || !isCount(item.pods) || !isCount(item.of)) {
    return problems.addNote('branchlog.unreadable: expected an object with pods and of');
  }
  const {pods, of, why, isBlind} = item;
  return {
    pods,
    of,
    why: typeof why === 'string' ? why.slice(0, whyCharsMax) : '',
    ...(isBlind === true && {isBlind}),
  };
};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const isPair = (item: unknown): item is readonly [number, number] =>
  Array.isArray(item) && item.length === 2 && item.every(isCount);

const sumOf = (runs: readonly (readonly [number, number])[]): number => runs.reduce((sum, [, count]) => sum + count, 0);

const decodeNumbers = (
  list: unknown,
  itemCount: number,
  problems: FieldProblems,
): readonly NumberRun[] | undefined | 'malformed' => {
  if (list === undefined) {
    return undefined;
  }
  if (!(Array.isArray(list) && list.every(isPair) && sumOf(list) === itemCount)) {
    problems.addNote('branchlog.numbers: expected runs [first, count] for each item of data');
    return 'malformed';
  }
  const ordered = [...list].sort(([a], [b]) => a - b);
  const isTwice = ordered.some(([start], index) => {
    const [before, count] = ordered[index - 1] ?? [0, 0];
    return start < before + count;
  });
  if (isTwice) {
    problems.addNote('branchlog.numbers: a number is given twice');
    return 'malformed';
  }
  return list;
};

const listOf = (list: unknown, name: string, itemsMax: number, problems: FieldProblems): readonly unknown[] => {
  if (list !== undefined && !(Array.isArray(list) && list.length <= itemsMax)) {
    problems.add(`branchlog.${name}`, `an array of at most ${itemsMax} ${name}`, list);
    return [];
  }
  return list ?? [];
};

const decodeSources = (list: unknown, problems: FieldProblems): readonly SourceName[] => {
  return listOf(list, 'sources', sourcesMax, problems).map((item, index) => {
    if (!isTable(item)) {
      problems.add(`branchlog.sources[${index}]`, 'an object', item);
      return {};
    }
    const nameAt = (key: 'pod' | 'container' | 'stream'): SourceName => {
      const value = item[key];
      if (typeof value === 'string' && value !== '' && value.length <= nameCharsMax) {
        return {[key]: value};
      }
      if (value !== undefined) {
        problems.add(`branchlog.sources[${index}].${key}`, `a string of 1 to ${nameCharsMax} characters`, value);
      }
      return {};
    };
    return {...nameAt('pod'), ...nameAt('container'), ...nameAt('stream')};
  });
};

const decodeRuns = (
  list: unknown,
  itemCount: number,
  sourceCount: number,
  problems: FieldProblems,
): readonly SourceRun[] => {
  if (list === undefined && sourceCount === 0) {
    return [];
  }
  const isWhole =
    Array.isArray(list) &&
    list.every(isPair) &&
    list.every(([source]) => source < sourceCount) &&
    sumOf(list) === itemCount;
  if (!isWhole) {
    problems.addNote('branchlog.runs: expected runs [source, count] for each item of data');
    return [];
  }
  return list;
};

const decodeLosses = (list: unknown, sourceCount: number, problems: FieldProblems): readonly Loss[] => {
  return listOf(list, 'losses', lossesMax, problems).flatMap((item, index) => {
    if (!isTable(item) || !isCount(item.number)) {
      problems.addNote(`branchlog.losses[${index}]: expected an object with a number`);
      return [];
    }
    const {number, source, lines, count, why} = item;
    // A loss of a source that nobody can name is one of any source.
    return {
      number,
      ...(isCount(source) && source < sourceCount && {source}),
      ...timeAt(item.after, 'after'),
      ...timeAt(item.before, 'before'),
      ...(isCount(lines) && {lines}),
      ...(isCount(count) && count > 1 && {count}),
      why: typeof why === 'string' ? why.slice(0, whyCharsMax) : '',
    };
  });
};

const timeAt = (value: unknown, key: 'after' | 'before'): Pick<Loss, 'after' | 'before'> => {
  const at = typeof value === 'string' ? parseInstant(value) : undefined;
  return at === undefined ? {} : {[key]: at};
};

/**
 * Returns the numbering of the lines alone, where some items of `data` are no lines: their numbers are left out, and
 * each is a loss. `notLines` are the indexes in the lines that follow each such item.
 */
export const withoutItems = (numbering: Numbering, lineCount: number, notLines: readonly number[]): Numbering => {
  const itemCount = lineCount + notLines.length;
  const numbers = numbersOf(numbering, itemCount);
  const sources = sourceIndexesOf(numbering, itemCount);
  const kept: Described[] = [];
  const noLines: DescribedLoss[] = [];
  for (let index = 0; index < itemCount; index++) {
    const sequence = numbers[index] ?? 0;
    if (notLines[noLines.length] === kept.length) {
      noLines.push({number: sequence + 1, lines: 1, why: '', isNoLine: true});
    } else {
      kept.push({sequence, source: numbering.sources[sources[index] ?? -1]});
    }
  }
  const losses = numbering.losses.map(({source, ...loss}) => ({...loss, source: numbering.sources[source ?? -1]}));
  const last = lastNumberOf(numbering, itemCount);
  const described = describeNumbers(numbering.series, kept, [...losses, ...noLines], last + 1);
  // The answer begins where it began, even if its first item is no line.
  return {...described, first: numbering.first, numbers: described.numbers ?? [[described.first, kept.length]], last};
};
