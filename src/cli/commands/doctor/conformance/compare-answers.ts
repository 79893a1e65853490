import {countOf} from '#log/words/format-count.ts';
import {type Deviation, type NumberedLog, quoteJson, type RuleName} from './numbered-log.ts';

/** An answer, and the number that it was to continue after. */
export type Continued = {readonly after: number; readonly log: NumberedLog};

/** The answers for one branch, in the order of the requests. */
export type Collected = {
  /** Whole windows, requested without headers: before, between and after the others. */
  readonly plain: readonly NumberedLog[];
  /** Answers that must be whole windows, because of what the header said. They came before the second of `plain`. */
  readonly whole: readonly NumberedLog[];
  /** Answers to `branchlog-after`, of which `early` came before the second of `plain`, and `late` after it. */
  readonly early: readonly Continued[];
  readonly late: readonly Continued[];
};

/** Returns the highest number of an answer's lines; undefined without lines. */
export const highestOf = ({numbers}: NumberedLog): number | undefined =>
  numbers.length === 0 ? undefined : numbers.reduce((highest, number) => Math.max(highest, number));

/** Compares answers with each other. What two windows hold, every window between them must hold, too. */
export const compareAnswers = ({plain, whole, early, late}: Collected): readonly Deviation[] => {
  const deviations: Deviation[] = [];
  const noteOf =
    ({asked}: NumberedLog) =>
    (rule: RuleName, came: string): void => {
      deviations.push({rule, asked, came});
    };
  const [first, second, last = second] = plain;
  if (first === undefined || second === undefined || last === undefined) {
    return deviations;
  }
  const continued = [...early, ...late];
  const all = [...plain, ...whole, ...continued.map(({log}) => log)];
  const {series} = first;
  for (const log of all) {
    if (log.series !== series) {
      noteOf(log)('series-stable', `series is ${quoteJson(log.series)}, it was ${quoteJson(series)}`);
    }
  }
  const comparable = all.filter(log => log.series === series);
  checkReuse(comparable, noteOf);
  const isSame = (log: NumberedLog): boolean => log.series === series;
  if (!plain.every(isSame)) {
    return deviations;
  }

  const steady = intersect(first.numbers, second.numbers);
  for (const log of whole.filter(isSame)) {
    checkWhole(first, steady, log, noteOf(log));
  }
  for (const one of early.filter(({log}) => isSame(log))) {
    checkContinued(one, noteOf(one.log));
    checkMissing([one], steady, noteOf(one.log));
    checkLosses(one, intersectLosses(first, second), noteOf(one.log));
  }
  const followed = late.filter(({log}) => isSame(log));
  for (const one of followed) {
    checkContinued(one, noteOf(one.log));
    checkPromise(one, last, noteOf(one.log));
    checkLosses(one, intersectLosses(second, last), noteOf(one.log));
  }
  const [begin] = followed;
  const end = followed.at(-1);
  if (begin !== undefined && end !== undefined) {
    const readTo = highestOf(end.log) ?? end.after;
    checkMissing(
      followed,
      last.numbers.filter(number => number <= readTo),
      noteOf(begin.log),
    );
  }
  checkLossNumbers(comparable, noteOf);
  return deviations;
};

type NoteOf = (log: NumberedLog) => (rule: RuleName, came: string) => void;
type Note = ReturnType<NoteOf>;

const intersect = (one: readonly number[], other: readonly number[]): readonly number[] => {
  const held = new Set(other);
  return one.filter(number => held.has(number));
};

const lossKey = ({number, why}: NumberedLog['losses'][number]): string => `${number} ${why}`;

const intersectLosses = (one: NumberedLog, other: NumberedLog): NumberedLog['losses'] => {
  const held = new Set(other.losses.map(lossKey));
  return one.losses.filter(loss => held.has(lossKey(loss)));
};

/** A number stands for one line, and a line for one source, in all answers. */
const checkReuse = (logs: readonly NumberedLog[], noteOf: NoteOf): void => {
  const known = new Map<number, {readonly line: string; readonly source: string | undefined}>();
  for (const log of logs) {
    for (const [index, number] of log.numbers.entries()) {
      const line = log.lines[index] ?? '';
      const sourceIndex = log.sourceIndexes?.[index];
      const source = sourceIndex === undefined ? undefined : log.sources[sourceIndex];
      const before = known.get(number);
      if (before === undefined) {
        known.set(number, {line, source});
      } else if (before.line !== line) {
        noteOf(log)('numbers-reused', `number ${number} is that of another line than before`);
      } else if (source !== undefined && before.source !== undefined && before.source !== source) {
        noteOf(log)('sources-kept', `line ${number} is of ${quoteJson(source)}, it was of ${quoteJson(before.source)}`);
      }
    }
  }
};

const checkWhole = (first: NumberedLog, steady: readonly number[], log: NumberedLog, note: Note): void => {
  const missing = without(steady, log.numbers);
  if (missing.length > 0) {
    note('after-whole', `${countOf(log.lines.length, 'line')}; ${listMissing(missing)} of the window`);
    return;
  }
  const held = new Set(log.numbers);
  const order = first.numbers.filter(number => held.has(number));
  const common = new Set(order);
  const other = log.numbers.filter(number => common.has(number));
  const index = order.findIndex((number, place) => number !== other[place]);
  if (index !== -1) {
    note('plain-same', `line ${other[index]} has the place of line ${order[index]}`);
  }
};

const checkContinued = ({after, log}: Continued, note: Note): void => {
  const {numbers, first, losses} = log;
  const behind = numbers.filter(number => number <= after);
  if (behind.length > 0) {
    note('after-behind', `${countOf(behind.length, 'line')} up to that number, such as ${behind[0]}`);
  }
  const descent = numbers.findIndex((number, index) => number < (numbers[index - 1] ?? number));
  if (descent !== -1) {
    note('after-order', `line ${numbers[descent]} comes after line ${numbers[descent - 1]}`);
  }
  if (numbers.length === 0 && first <= after) {
    note('first-empty', `no lines, and first is ${first}`);
  }
  const known = losses.find(({number}) => number <= after);
  if (known !== undefined) {
    note('losses-after', `the loss ahead of ${known.number}`);
  }
};

/** Checks that an answer, or several that continue each other, have the lines after the number of the first. */
const checkMissing = (answers: readonly Continued[], wanted: readonly number[], note: Note): void => {
  const [begin] = answers;
  if (begin === undefined) {
    return;
  }
  const missing = without(
    wanted.filter(number => number > begin.after),
    answers.flatMap(({log}) => log.numbers),
  );
  if (missing.length > 0) {
    const until = answers.length > 1 ? ` and then ${countOf(answers.length - 1, 'time')} after what came` : '';
    note('after-missing', `${listMissing(missing)} of the window${until}`);
  }
};

/** An answer without lines says which number comes next. */
const checkPromise = ({after, log}: Continued, last: NumberedLog, note: Note): void => {
  if (log.numbers.length > 0) {
    return;
  }
  const broken = last.numbers.find(number => number > after && number < log.first);
  if (broken !== undefined) {
    note('first-empty', `no lines, and first is ${log.first}; then a line had number ${broken}`);
  }
};

const checkLosses = ({after, log}: Continued, wanted: NumberedLog['losses'], note: Note): void => {
  const held = new Set(log.losses.map(lossKey));
  const missing = wanted.find(loss => loss.number > after && !held.has(lossKey(loss)));
  if (missing !== undefined) {
    note('losses-after', `the loss ahead of ${missing.number} is missing`);
  }
};

const checkLossNumbers = (logs: readonly NumberedLog[], noteOf: NoteOf): void => {
  const next = Math.max(...logs.map(log => Math.max(log.first, (highestOf(log) ?? -1) + 1)));
  for (const log of logs) {
    const wrong = log.losses.find(({number}) => number > next);
    if (wrong !== undefined) {
      noteOf(log)('losses-number', `a loss has number ${wrong.number}, the next line will get ${next}`);
    }
  }
};

const without = (numbers: readonly number[], others: readonly number[]): readonly number[] => {
  const held = new Set(others);
  return numbers.filter(number => !held.has(number));
};

const listMissing = (numbers: readonly number[]): string =>
  `${countOf(numbers.length, 'line')} missing, such as ${numbers[0]}`;
