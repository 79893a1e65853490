import {parseArgs} from 'node:util';
import {findClosestWords, formatSuggestion} from './closest-words.ts';
import {
  type CommandName,
  type CommandSpec,
  commands,
  everywhereFlags,
  type FlagSpec,
  findCommand,
  formatUsage,
} from './commands.ts';
import {UsageError} from './usage-error.ts';

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

const findFlag = (name: string): FlagSpec => {
  // The name alone is repeated in the message: what stands behind `=` may be a secret.
  if (findClosestWords(name, ['token']).length > 0 && !allFlags.has(name)) {
    throw new UsageError(tokenHint);
  }
  const flag = allFlags.get(name);
  if (!flag) {
    const suggestion = formatSuggestion(name, allFlags.keys()).replace(/(did you mean | or )/g, '$1--');
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
 * The words of a command line, each as a flag with its value or as an operand. Flags may stand anywhere; after `--` every word is an
 * operand. Nothing is checked: a flag may be unknown, or lack the value that it needs.
 */
export const tokenise = (argv: readonly string[]) =>
  parseArgs({args: [...argv], options: parserOptions, strict: false, allowPositionals: true, tokens: true}).tokens;

/** Flags and operands apart. `plain` counts the operands before `--`. */
const split = (argv: readonly string[]): {given: readonly GivenFlag[]; operands: readonly string[]; plain: number} => {
  const given: GivenFlag[] = [];
  const operands: string[] = [];
  let plain: number | undefined;
  for (const token of tokenise(argv)) {
    switch (token.kind) {
      case 'positional':
        operands.push(token.value);
        break;
      case 'option-terminator':
        plain = operands.length;
        break;
      case 'option':
        given.push(readFlag(token));
        break;
      default:
        token satisfies never;
    }
  }
  return {given, operands, plain: plain ?? operands.length};
};

type OptionToken = Extract<ReturnType<typeof tokenise>[number], {kind: 'option'}>;

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

const chooseCommand = (operands: readonly string[], plain: number): {command: CommandSpec; rest: readonly string[]} => {
  const [word, ...rest] = operands;
  // Behind `--` a word is never a command, so that a site may be called "logs".
  const command = plain === 0 ? undefined : commands.find(candidate => candidate.word === word);
  return command ? {command, rest} : {command: findCommand('open'), rest: operands};
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

/**
 * Reads a command line, without the program's own name. With `--help` or `--version` nothing else has to be complete.
 * Throws `UsageError` with a sentence that says what to write instead; a value is never repeated for an unknown flag.
 */
export const parseArguments = (argv: readonly string[]): ParsedArguments => {
  const {given, operands: words, plain} = split(argv);
  const {command, rest: operands} = chooseCommand(words, plain);
  checkFlags(command, given);
  const switches = new Set(given.flatMap(({flag, value}) => (value === undefined ? [flag.name] : [])));
  const values = new Map<string, string[]>();
  for (const {flag, value} of given) {
    if (value !== undefined) {
      values.set(flag.name, [...(values.get(flag.name) ?? []), value]);
    }
  }
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
