import {parseArgs} from 'node:util';
import {findClosestWords} from '../../config/values/closest-word.ts';
import {UsageError} from '../io/usage-error.ts';
import {
  type CommandName,
  type CommandSpec,
  commands,
  everywhereFlags,
  type FlagSpec,
  findCommand,
  formatUsage,
} from './commands.ts';

/** A command line that makes sense: every flag known to its command, every value there, the right number of operands. */
export type ParsedArguments = {
  readonly command: CommandName;
  readonly operands: readonly string[];
  readonly switches: ReadonlySet<string>;
  /** Values by flag, in the order given; more than one only where a flag may be repeated. */
  readonly values: ReadonlyMap<string, readonly string[]>;
};

type GivenFlag = {readonly flag: FlagSpec; readonly value: string | undefined};

const tokenHint =
  'there is no --token, since everyone on the machine can read argument lists: put the token into a file that only you can read and give --token-file PATH, or set BRANCHLOG_TOKEN';

const allFlags: ReadonlyMap<string, FlagSpec> = new Map(
  [...everywhereFlags, ...commands.flatMap(command => command.flags)].map(flag => [flag.name, flag]),
);

/** The flags that a command takes, its own first. */
export const flagsOf = (command: CommandSpec): readonly FlagSpec[] => [...command.flags, ...everywhereFlags];

/** `, did you mean shop or shipping?`, or nothing where no candidate is near. */
const formatSuggestion = (word: string, candidates: Iterable<string>, prefix = ''): string => {
  const closest = findClosestWords(word, candidates).map(candidate => `${prefix}${candidate}`);
  return closest.length === 0 ? '' : `, did you mean ${closest.join(' or ')}?`;
};

const findFlag = (name: string): FlagSpec => {
  // The name alone is repeated in the message: what stands behind `=` may be a secret.
  if (findClosestWords(name, ['token']).length > 0 && !allFlags.has(name)) {
    throw new UsageError(tokenHint);
  }
  const flag = allFlags.get(name);
  if (!flag) {
    const suggestion = formatSuggestion(name, allFlags.keys(), '--');
    throw new UsageError(`unknown flag --${name}${suggestion || '; see branchlog --help'}`);
  }
  return flag;
};

/** All flags as `node:util` reads them: those with a value take the next word, whatever it is. */
const parserOptions = Object.fromEntries(
  [...allFlags.values()].map(({name, value, short}) => [
    name,
    {type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short && {short})},
  ]),
);

/**
 * The words of a command line, each as a flag with its value or as an operand. Flags may stand anywhere; after `--`
 * every word is an operand. Nothing is checked: a flag may be unknown, or lack the value that it needs.
 */
const tokenise = (argv: readonly string[]) =>
  parseArgs({args: [...argv], options: parserOptions, strict: false, allowPositionals: true, tokens: true}).tokens;

type Token = ReturnType<typeof tokenise>[number];

type OptionToken = Extract<Token, {kind: 'option'}>;

const readFlag = ({name, rawName, value, inlineValue}: OptionToken): GivenFlag => {
  if (!rawName.startsWith('--') && !allFlags.has(name)) {
    throw new UsageError(`unknown flag ${rawName}: flags are long, such as --follow; see branchlog --help`);
  }
  // A name never begins with `=`, but the parser takes `--=x` for one.
  const flag = findFlag(name.startsWith('=') ? '' : name);
  if (flag.value === undefined) {
    if (value !== undefined) {
      throw new UsageError(`--${flag.name} takes no value`);
    }
  } else if (value === undefined || (!inlineValue && value.startsWith('--'))) {
    throw new UsageError(`--${flag.name} needs a value: --${flag.name}=${flag.value}`);
  }
  return {flag, value};
};

/** The command, and what follows it; the one that runs without a word where no command is named. */
const splitOperands = (tokens: readonly Token[]): {command: CommandSpec; operands: readonly string[]} => {
  const words = tokens.flatMap(token => (token.kind === 'positional' ? token : []));
  const end = tokens.find(({kind}) => kind === 'option-terminator')?.index ?? Number.POSITIVE_INFINITY;
  const [first] = words;
  // After `--` a word is never a command, so that a site may be called "logs".
  const command = first && first.index < end ? commands.find(({word}) => word === first.value) : undefined;
  return {command: command ?? findCommand('open'), operands: words.slice(command ? 1 : 0).map(({value}) => value)};
};

const checkFlags = (command: CommandSpec, given: readonly GivenFlag[]): void => {
  const known = new Set(flagsOf(command).map(flag => flag.name));
  const seen = new Set<string>();
  for (const {flag, value} of given) {
    if (!known.has(flag.name)) {
      const owners = commands.filter(candidate => candidate.flags.some(({name}) => name === flag.name));
      const words = owners.map(owner => ['branchlog', owner.word].filter(Boolean).join(' ')).join(' and ');
      throw new UsageError(`--${flag.name} belongs to ${words}, not to ${formatUsage(command)}`);
    }
    if (value === '') {
      throw new UsageError(`--${flag.name} needs a value, and got an empty one`);
    }
    if (value !== undefined && seen.has(flag.name) && !flag.isRepeatable) {
      throw new UsageError(`--${flag.name} is given twice: leave one of them out`);
    }
    seen.add(flag.name);
  }
};

/** The flag as this command defines it: two commands may give one name different choices. */
const checkChoices = (command: CommandSpec, given: readonly GivenFlag[]): void => {
  for (const {flag, value} of given) {
    const choices = flagsOf(command).find(({name}) => name === flag.name)?.choices;
    if (value !== undefined && choices && !choices.includes(value)) {
      const suggestion = formatSuggestion(value, choices);
      throw new UsageError(`--${flag.name}: expected ${formatChoices(choices)}, got "${value}"${suggestion}`);
    }
  }
};

const formatChoices = (choices: readonly string[]): string =>
  `${choices.slice(0, -1).join(', ')} or ${choices[choices.length - 1] ?? ''}`;

/** How many operands a command takes at most. */
const operandCountMax = ({operands}: CommandSpec): number =>
  operands.reduce((count, {countMax = 1}) => count + countMax, 0);

const checkOperands = (
  command: CommandSpec,
  operands: readonly string[],
  values: ReadonlyMap<string, readonly string[]>,
): void => {
  const missing = command.operands.find(
    ({isOptional, isOptionalWith}, index) =>
      !isOptional && operands[index] === undefined && !(isOptionalWith && values.has(isOptionalWith)),
  );
  if (missing) {
    throw new UsageError(`${missing.name} is missing: ${formatUsage(command)}`);
  }
  const countMax = operandCountMax(command);
  if (operands.length > countMax) {
    const words = commands.flatMap(({word}) => word ?? []);
    const suggestion = command.word === undefined ? formatSuggestion(operands[0] ?? '', words) : '';
    const extra = suggestion ? operands[0] : operands[countMax];
    throw new UsageError(
      suggestion
        ? `unknown command "${extra}"${suggestion}`
        : `"${extra}" is one operand too many: ${formatUsage(command)}`,
    );
  }
  operands.forEach((value, index) => {
    const operand = command.operands[Math.min(index, command.operands.length - 1)];
    if (!operand) {
      return;
    }
    if (value === '') {
      throw new UsageError(`${operand.name} is empty: ${formatUsage(command)}`);
    }
    if (operand.choices && !operand.choices.includes(value)) {
      throw new UsageError(`${operand.name}: expected ${formatChoices(operand.choices)}, got "${value}"`);
    }
  });
};

const gather = (given: readonly GivenFlag[]): Pick<ParsedArguments, 'switches' | 'values'> => {
  const withValue = given.flatMap(({flag, value}) => (value === undefined ? [] : {name: flag.name, value}));
  const byName = Map.groupBy(withValue, ({name}) => name);
  return {
    switches: new Set(given.flatMap(({flag, value}) => (value === undefined ? [flag.name] : []))),
    values: new Map([...byName].map(([name, all]) => [name, all.map(({value}) => value)])),
  };
};

/** A line that is still being typed, up to the word at the cursor. */
export type UnfinishedLine = {
  /** What there is of it; nothing is checked, and flags that are not known are left out. */
  readonly parsed: ParsedArguments;
  /** The flag whose value comes next. */
  readonly waiting: string | undefined;
  /** No `--` was typed yet: a flag may follow. */
  readonly isPlain: boolean;
};

/** Reads what stands before the cursor, for completion. Never throws. */
export const readLeniently = (argv: readonly string[]): UnfinishedLine => {
  const tokens = tokenise(argv);
  const last = tokens.at(-1);
  const isPlain = tokens.every(({kind}) => kind !== 'option-terminator');
  const given = tokens.flatMap(token => {
    const flag = token.kind === 'option' ? allFlags.get(token.name) : undefined;
    return flag && token.kind === 'option' ? {flag, value: token.value} : [];
  });
  const {command, operands} = splitOperands(tokens);
  const isWaiting = last?.kind === 'option' && last.value === undefined && allFlags.get(last.name)?.value !== undefined;
  return {
    parsed: {command: command.name, operands, ...gather(given)},
    waiting: isWaiting ? last.name : undefined,
    isPlain,
  };
};

/**
 * Reads a command line, without the program's own name. With `--help` or `--version` nothing else has to be complete.
 * Throws `UsageError` with a sentence that says what to write instead; a value is never repeated for an unknown flag.
 */
export const parseArguments = (argv: readonly string[]): ParsedArguments => {
  const tokens = tokenise(argv);
  const given = tokens.flatMap(token => (token.kind === 'option' ? readFlag(token) : []));
  const {command, operands} = splitOperands(tokens);
  checkFlags(command, given);
  const {switches, values} = gather(given);
  if (!switches.has('help') && !switches.has('version')) {
    checkChoices(command, given);
    checkOperands(command, operands, values);
  }
  return {command: command.name, operands, switches, values};
};

/** The value of a flag that takes one of a few words; `choices` are those that the table of commands has for it. */
export const flagChoice = <Choice extends string>(
  parsed: ParsedArguments,
  name: string,
  choices: readonly Choice[],
): Choice | undefined => choices.find(choice => choice === flagValue(parsed, name));

/** The value of a flag that is given at most once. */
export const flagValue = (parsed: ParsedArguments, name: string): string | undefined => parsed.values.get(name)?.[0];
