import {isTable} from '#base/table.ts';
import {parseInstant} from '#log/line/instant.ts';
import {countOf} from '#log/words/format-count.ts';

/** The sentences of docs/serve.md, "Lines with numbers and sources", that a service is checked against. */
export const rules = {
  answered: 'no value of branchlog-after or branchlog-pods makes a request fail',
  'data-form': 'data is a list of strings, and podNamesList a list, as the interface says',
  'field-form': 'the logs operation adds the field branchlog, an object, to every answer',
  'series-form': 'series is text of 1 to 128 characters, which fits into the header branchlog-after',
  'series-stable': 'lines of a branch are numbered in one series while the service runs',
  'first-form': 'first is a whole number, not below zero',
  'first-line': 'first is the number of the first line of data',
  'first-empty': 'without lines, first is the number that the next line will get',
  'numbers-form': 'numbers is a list of runs [first, count] of whole numbers',
  'numbers-sum': 'the runs of numbers add up to the lines of data',
  'numbers-once': 'no two lines of an answer have one number',
  'numbers-step': 'the number of a line is higher by one than that of the line before it',
  'numbers-reused': 'a number is never given to another line of the same series',
  'runs-form': 'runs is a list of runs [source, count] of whole numbers',
  'runs-sum': 'the counts of runs add up to the lines of data',
  'runs-source': 'each run refers to one of sources, from 0',
  'sources-form': 'sources is a list of objects; pod, container and stream are texts',
  'sources-kept': 'a line keeps its pod, container and stream',
  'losses-form':
    'losses is a list of objects with number and why; after and before are RFC 3339 times, lines counts from 1',
  'losses-source': 'a loss refers to one of sources, from 0, or leaves source out',
  'losses-why': 'why is a sentence without a full stop',
  'losses-number': 'a loss is ahead of a line, or of the one that comes next',
  'losses-after': 'with branchlog-after come the losses whose number is higher, all of them',
  'after-behind': 'with branchlog-after come only lines after that number',
  'after-order': 'with branchlog-after the lines come in order of arrival',
  'after-missing': 'with branchlog-after come all lines of the window after that number',
  'after-whole': 'with another series, or a number higher than any given, the whole window comes',
  'plain-same': 'without the headers everything comes, as the interface says',
  'pods-form': 'pods is text of at most 128 characters, which fits into branchlog-pods',
  'pods-left-out': 'podNamesList is left out only if branchlog-pods is the tag that the answer has, too',
  'pods-changed': 'pods is a tag that changes whenever podNamesList does',
  'pods-kept': 'pods is a tag that changes only when podNamesList does',
} as const;

export type RuleName = keyof typeof rules;

/** Returns what a rule is about: the beginning of its name. */
export const subjectOf = (rule: RuleName): string =>
  rule === 'answered' ? 'request' : rule === 'field-form' ? 'branchlog' : (rule.split('-')[0] ?? rule);

/** How an answer differs from a rule. Both texts are made of ours and of short foreign ones. */
export type Deviation = {
  readonly rule: RuleName;
  /** The request. */
  readonly asked: string;
  /** The value that the answer has instead. */
  readonly came: string;
};

/** An answer of the logs operation whose lines have numbers. */
export type NumberedLog = {
  /** The request, in words. */
  readonly asked: string;
  readonly lines: readonly string[];
  readonly series: string;
  readonly first: number;
  /** One for each line. */
  readonly numbers: readonly number[];
  /** The source of each line, as an index into `sources`; undefined if the answer does not say it as it should. */
  readonly sourceIndexes: readonly number[] | undefined;
  /** Each as JSON. */
  readonly sources: readonly string[];
  readonly losses: readonly NumberedLoss[];
  readonly pods: string | undefined;
  /** As JSON; undefined if it is left out. */
  readonly podNamesList: string | undefined;
};

type NumberedLoss = {readonly number: number; readonly why: string};

/** Notes a deviation of the answer that is being read. */
type NoteDeviation = (rule: RuleName, came: string) => void;

/** The longest series, and the longest tag of pods. */
const tagCharsMax = 128;

/** Foreign text in a message is cut here. */
const quotedCharsMax = 60;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const isTag = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= tagCharsMax && /^[!-~]+$/.test(value);

/** Returns JSON for a message, cut if it is long. */
export const quoteJson = (value: unknown): string => {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > quotedCharsMax ? `${json.slice(0, quotedCharsMax)}…` : json;
};

type Run = readonly [start: number, count: number];

const isRun = (value: unknown): value is Run =>
  Array.isArray(value) && value.length === 2 && isCount(value[0]) && isCount(value[1]);

/** Returns runs; undefined, and a note, if there are none that can be used. */
const readRuns = (name: 'numbers' | 'runs', list: unknown, lineCount: number, note: NoteDeviation) => {
  if (!Array.isArray(list)) {
    note(`${name}-form`, `${name} is ${quoteJson(list)}`);
    return undefined;
  }
  const wrong = list.find(run => !isRun(run));
  if (wrong !== undefined) {
    note(`${name}-form`, `${name} has ${quoteJson(wrong)}`);
    return undefined;
  }
  const runs = list.filter(isRun);
  const sum = runs.reduce((total, [, count]) => total + count, 0);
  if (sum !== lineCount) {
    note(`${name}-sum`, `the counts of ${name} add up to ${sum}, data has ${countOf(lineCount, 'line')}`);
    return undefined;
  }
  return runs;
};

/** Returns a value for each of a run's lines. */
const expandRuns = (runs: readonly Run[], valueAt: (start: number, index: number) => number): readonly number[] =>
  runs.flatMap(([start, count]) => Array.from({length: count}, (_, index) => valueAt(start, index)));

const readSources = (list: unknown, note: NoteDeviation): readonly string[] => {
  if (!Array.isArray(list)) {
    note('sources-form', `sources is ${quoteJson(list)}`);
    return [];
  }
  const wrong = list.find(
    item =>
      !isTable(item) ||
      [item.pod, item.container, item.stream].some(name => name !== undefined && typeof name !== 'string'),
  );
  if (wrong !== undefined) {
    note('sources-form', `sources has ${quoteJson(wrong)}`);
  }
  return list.map(item => {
    const {pod, container, stream} = isTable(item) ? item : {};
    return JSON.stringify({pod, container, stream});
  });
};

const isOptionalTime = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && parseInstant(value) !== undefined);

const readLosses = (list: unknown, sourceCount: number, note: NoteDeviation): readonly NumberedLoss[] => {
  if (!Array.isArray(list)) {
    note('losses-form', `losses is ${quoteJson(list)}`);
    return [];
  }
  return list.flatMap(loss => {
    const {source, number, why, after, before, lines} = isTable(loss) ? loss : {};
    const hasForm =
      isCount(number) &&
      typeof why === 'string' &&
      why !== '' &&
      isOptionalTime(after) &&
      isOptionalTime(before) &&
      (lines === undefined || (isCount(lines) && lines > 0));
    if (!hasForm) {
      note('losses-form', `losses has ${quoteJson(loss)}`);
      return [];
    }
    if (source !== undefined && !(isCount(source) && source < sourceCount)) {
      note('losses-source', `a loss has source ${quoteJson(source)}, there are ${countOf(sourceCount, 'source')}`);
    }
    if (/[.\s]$/.test(why)) {
      note('losses-why', `a loss has why ${quoteJson(why)}`);
    }
    return [{number, why}];
  });
};

/** Checks what an answer's numbers say by themselves: `first` is that of the first line, and none is there twice. */
const checkNumbers = (first: number, numbers: readonly number[], note: NoteDeviation): void => {
  const [own = first] = numbers;
  if (own !== first) {
    note('first-line', `first is ${first}, the first line has number ${own}`);
  }
  const sorted = numbers.toSorted((a, b) => a - b);
  const twice = sorted.find((number, index) => number === sorted[index - 1]);
  if (twice !== undefined) {
    note('numbers-once', `two lines have number ${twice}`);
  }
  const hasStep = sorted.some((number, index) => number - 1 === sorted[index - 1]);
  if (!hasStep && numbers.length >= stepLinesMin && twice === undefined) {
    note('numbers-step', `no two of ${countOf(numbers.length, 'line')} have consecutive numbers`);
  }
};

/** With fewer lines, all of those in between may have been dropped. */
const stepLinesMin = 5;

/**
 * Reads an answer, field by field, and notes what deviates. Returns undefined if its lines have no numbers that can be
 * compared; `'none'` if it has no such field at all.
 */
export const readNumberedLog = (
  json: unknown,
  asked: string,
  note: NoteDeviation,
): NumberedLog | undefined | 'none' => {
  if (!isTable(json) || !Array.isArray(json.data) || !json.data.every(item => typeof item === 'string')) {
    note('data-form', 'data is not a list of strings');
    return undefined;
  }
  const {podNamesList, branchlog: field} = json;
  const data: readonly string[] = json.data;
  if (field === undefined) {
    return 'none';
  }
  if (podNamesList !== undefined && !Array.isArray(podNamesList)) {
    note('data-form', `podNamesList is ${quoteJson(podNamesList)}`);
  }
  if (!isTable(field)) {
    note('field-form', `branchlog is ${quoteJson(field)}`);
    return undefined;
  }
  const {series, first, numbers: numberList, pods} = field;
  const numberRuns = numberList === undefined ? undefined : readRuns('numbers', numberList, data.length, note);
  const sources = readSources(field.sources, note);
  const sourceRuns = readRuns('runs', field.runs, data.length, note);
  const stray = sourceRuns?.find(([source]) => source >= sources.length);
  if (stray !== undefined) {
    note('runs-source', `a run has source ${stray[0]}, there are ${countOf(sources.length, 'source')}`);
  }
  const losses = readLosses(field.losses, sources.length, note);
  if (pods !== undefined && !isTag(pods)) {
    note('pods-form', `pods is ${quoteJson(pods)}`);
  }
  if (!isTag(series)) {
    note('series-form', `series is ${quoteJson(series)}`);
  }
  if (!isCount(first)) {
    note('first-form', `first is ${quoteJson(first)}`);
  }
  if (!isTag(series) || !isCount(first) || (numberList !== undefined && numberRuns === undefined)) {
    return undefined;
  }
  const numbers = expandRuns(numberRuns ?? [[first, data.length]], (start, index) => start + index);
  checkNumbers(first, numbers, note);
  return {
    asked,
    lines: data,
    series,
    first,
    numbers,
    sourceIndexes: stray === undefined && sourceRuns ? expandRuns(sourceRuns, source => source) : undefined,
    sources,
    losses,
    pods: isTag(pods) ? pods : undefined,
    podNamesList: podNamesList === undefined ? undefined : JSON.stringify(podNamesList),
  };
};
