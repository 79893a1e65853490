import {flagsOf, type ParsedArguments, readLeniently} from '../arguments/args.ts';
import {
  type CommandSpec,
  type Completes,
  commands,
  type FlagSpec,
  findCommand,
  type OperandSpec,
} from '../arguments/commands.ts';
import type {Io} from '../io/io.ts';
import {answerBash, splitBashLine} from './bash-line.ts';
import type {Candidate} from './known-names.ts';

/** What fits: words, or the names of files, which the shell knows best. */
type Fitting = readonly Candidate[] | 'files';

/**
 * `branchlog __complete -- WORDS…` prints what fits as the last of the words, one candidate a row, each with a tab and
 * its description; shells choose from them by their own rules. `branchlog __complete bash -- LINE CURRENT` takes a line
 * as it was typed and bash's idea of the word under the cursor, and prints what bash is to put in its place. A row of a
 * tab and `files` stands for the names of files. Nothing is asked of the service, and no token is read.
 */
export const complete = async (argv: readonly string[], io: Io): Promise<string> => {
  const words = argv.slice(argv.indexOf('--') + 1);
  if (argv[0] !== 'bash') {
    return formatRows(await findFitting(words, io), ({word, help}) => `${word}\t${help}`);
  }
  const [line = '', current = ''] = words;
  const {before, typed, raw} = splitBashLine(line);
  const answer = answerBash(raw, current);
  const fitting = await findFitting([...before, typed], io);
  return formatRows(fitting === 'files' ? fitting : fitting.filter(({word}) => word.startsWith(typed)), ({word}) =>
    answer(word),
  );
};

const formatRows = (fitting: Fitting, format: (candidate: Candidate) => string): string =>
  (fitting === 'files' ? ['\tfiles'] : [...new Set(fitting.map(format))]).map(row => `${row}\n`).join('');

const findFitting = async (words: readonly string[], io: Io): Promise<Fitting> => {
  const current = words.at(-1) ?? '';
  const {parsed, waiting, isPlain} = readLeniently(words.slice(0, -1));
  const command = findCommand(parsed.command);
  const ask = {parsed, current, io};
  if (waiting) {
    return findValues(flagNamed(command, waiting), ask);
  }
  const inline = /^--([^=]+)=/.exec(current);
  if (isPlain && inline) {
    const values = await findValues(flagNamed(command, inline[1] ?? ''), ask);
    return values === 'files' ? values : values.map(({word, help}) => ({word: `${inline[0]}${word}`, help}));
  }
  if (isPlain && current.startsWith('-')) {
    return flagsOf(command)
      .filter(({name, isRepeatable}) => isRepeatable || !(parsed.switches.has(name) || parsed.values.has(name)))
      .map(({name, help}) => ({word: `--${name}`, help}));
  }
  const values = await findValues(operandAt(command, parsed.operands.length), ask);
  const isFirst = isPlain && command.word === undefined && parsed.operands.length === 0;
  return isFirst && values !== 'files' ? [...commandCandidates, ...values] : values;
};

const commandCandidates: readonly Candidate[] = commands.flatMap(({word, summary}) =>
  word === undefined ? [] : [{word, help: summary}],
);

const flagNamed = (command: CommandSpec, name: string): FlagSpec | undefined =>
  flagsOf(command).find(flag => flag.name === name);

/** The operand of an index, from 0; the last one may be given several times. */
const operandAt = ({operands}: CommandSpec, index: number): OperandSpec | undefined => {
  const last = operands.length - 1;
  return operands[index] ?? (index <= last + (operands[last]?.countMax ?? 1) - 1 ? operands[last] : undefined);
};

type Ask = {readonly parsed: ParsedArguments; readonly current: string; readonly io: Io};

const findValues = async (
  spec: Pick<OperandSpec, 'choices' | 'completes'> | undefined,
  {parsed, current, io}: Ask,
): Promise<Fitting> => {
  if (spec?.choices) {
    return spec.choices.map(word => ({word, help: ''}));
  }
  // What is wrong with the config is told by the command itself; among half a line it would only be in the way.
  return spec?.completes === undefined ? [] : findKnown(spec.completes, parsed, current, io).catch(() => []);
};

/** Loaded when it is needed, so that flags and commands come at once. */
const findKnown = async (completes: Completes, parsed: ParsedArguments, current: string, io: Io): Promise<Fitting> => {
  switch (completes) {
    case 'file':
      return 'files';
    case 'scenario': {
      const {scenarioNames} = await import('../../service/sample/plan/scenario-names.ts');
      return Object.entries(scenarioNames).map(([word, help]) => ({word, help}));
    }
    case 'context': {
      const {knownContexts} = await import('./known-names.ts');
      return knownContexts(parsed, io);
    }
    case 'site': {
      const {knownSiteNames} = await import('./known-names.ts');
      return knownSiteNames(parsed, current, io);
    }
    case 'branch': {
      const {knownBranchNames} = await import('./known-names.ts');
      return knownBranchNames(parsed, io);
    }
    default:
      return completes satisfies never;
  }
};
