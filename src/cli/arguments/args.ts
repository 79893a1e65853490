import {parseArgs} from 'node:util';
import {isNamePattern} from '#base/glob-pattern.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import type {Io, Say} from '#cli/io/io.ts';
import type {Output} from '#cli/io/output.ts';
import {findClosestWords} from '#config/settings/closest-word.ts';
import {type CommandName, type CommandSpec, type FlagSpec, formatUsage} from './command-spec.ts';
import {commands, findCommand} from './commands.ts';
import {foreignFlags} from './foreign-flags.ts';
import {everywhereFlags, namespaceFlag} from './shared-flags.ts';

/** A valid command line: the command knows every flag, no value is missing, the number of operands is right. */
export type ParsedArguments = {
  readonly command: CommandName;
  readonly operands: readonly string[];
  /** The words after `--` of a command that takes a program there. */
  readonly program?: readonly string[];
  /** The first operand comes after `--`, so it is certain to be no command. */
  readonly isLiteral?: boolean;
  /** Besides the flags without a value, `whole` for `branchlog help`: all that there is to say. */
  readonly switches: ReadonlySet<string>;
  /** Values by flag name, in the order given; more than one only for a repeatable flag. */
  readonly values: ReadonlyMap<string, readonly string[]>;
};

/** Joins words for a sentence: `a, b or c`. */
export const joinWords = (words: readonly string[], last: 'and' | 'or'): string =>
  words.join(', ').replace(/, ([^,]*)$/, ` ${last} $1`);

type GivenFlag = {readonly flag: FlagSpec; readonly value: string | undefined};

const tokenHint =
  'there is no --token, because other users can read argument lists: put the token in a file that only you can read and use --token-file PATH, or set BRANCHLOG_TOKEN';

const allFlags: ReadonlyMap<string, FlagSpec> = new Map(
  [...everywhereFlags, ...commands.flatMap(command => command.flags)].map(flag => [flag.name, flag]),
);

const commandWords: readonly string[] = commands.flatMap(({word}) => word ?? []);

/** Returns the flags of a command, its own before the global ones. */
export const flagsOf = (command: CommandSpec): readonly FlagSpec[] => [...command.flags, ...everywhereFlags];

/** Formats `, did you mean shop or shipping?`, or returns an empty string if no candidate is close. */
const formatSuggestion = (word: string, candidates: Iterable<string>, prefix = ''): string => {
  const closest = findClosestWords(word, candidates).map(candidate => `${prefix}${candidate}`);
  return closest.length === 0 ? '' : `, did you mean ${closest.join(' or ')}?`;
};

const helpOf = ({word}: CommandSpec): string => `see ${['branchlog', word, '--help'].filter(Boolean).join(' ')}`;

const findFlag = (name: string, command: CommandSpec): FlagSpec => {
  // The message repeats only the name: the value after `=` may be a secret.
  if (findClosestWords(name, ['token']).length > 0 && !allFlags.has(name)) {
    throw new UsageError(tokenHint);
  }
  const flag = allFlags.get(name);
  if (!flag) {
    const hint = foreignFlags.get(name);
    if (hint !== undefined) {
      throw new UsageError(`there is no --${name} here: ${hint}`);
    }
    const names = flagsOf(command).map(each => each.name);
    const suggestion = formatSuggestion(name, names, '--');
    throw new UsageError(`unknown flag --${name}${suggestion || `; ${helpOf(command)}`}`);
  }
  return flag;
};

/** All flags for `node:util`. A flag with a value takes the next word, whatever it is. */
const parserOptions = Object.fromEntries(
  [...allFlags.values()].map(({name, value, short}) => [
    name,
    {type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short && {short})},
  ]),
);

const parseTokens = (argv: readonly string[]) =>
  parseArgs({args: [...argv], options: parserOptions, strict: false, allowPositionals: true, tokens: true}).tokens;

type Token = ReturnType<typeof parseTokens>[number];

const isCount = (word: string | undefined): boolean => /^\d+$/.test(word ?? '');

/**
 * Splits a command line into flags with their values, and operands. Flags may come anywhere; after `--` every word is
 * an operand. Validates nothing: a flag may be unknown, or lack its value.
 */
const tokenise = (argv: readonly string[]): readonly Token[] => {
  const tokens = parseTokens(argv);
  const flags = flagsOf(splitOperands(tokens).command);
  const hasNamespace =
    tokens.some(token => token.kind === 'option' && token.name === 'kube') &&
    flags.some(({name}) => name === namespaceFlag.name);
  // The parser knows one meaning of -n, the commands have two. Both take a value, so the words are split the same.
  return tokens.map(token => {
    const own = token.kind === 'option' ? flags.find(({short}) => `-${short}` === token.rawName) : undefined;
    // With a cluster it is kubectl's, but no namespace was ever called 100.
    const isNamespace = hasNamespace && token.kind === 'option' && token.rawName === '-n' && !isCount(token.value);
    return own ? {...token, name: isNamespace ? namespaceFlag.name : own.name} : token;
  });
};

type OptionToken = Extract<Token, {kind: 'option'}>;

const readFlag = ({name, rawName, value, inlineValue}: OptionToken, command: CommandSpec): GivenFlag => {
  if (!rawName.startsWith('--') && !allFlags.has(name)) {
    const hint = foreignFlags.get(name);
    throw new UsageError(
      hint === undefined ? `unknown flag ${rawName}; ${helpOf(command)}` : `there is no ${rawName} here: ${hint}`,
    );
  }
  // No flag name begins with `=`, but the parser reads `--=x` as one.
  const flag = findFlag(name.startsWith('=') ? '' : name, command);
  if (flag.value === undefined) {
    if (value !== undefined) {
      throw new UsageError(`--${flag.name} takes no value`);
    }
  } else if (value === undefined || (!inlineValue && value.startsWith('--'))) {
    throw new UsageError(`--${flag.name} needs a value: --${flag.name}=${flag.value}`);
  }
  return {flag, value};
};

/** Returns the command and its operands. Falls back to `browse` if no command is named. */
const splitOperands = (
  tokens: readonly Token[],
): {command: CommandSpec; operands: readonly string[]; program: readonly string[]; isLiteral: boolean} => {
  const words = tokens.flatMap(token => (token.kind === 'positional' ? token : []));
  const end = tokens.find(({kind}) => kind === 'option-terminator')?.index ?? Number.POSITIVE_INFINITY;
  const [first] = words;
  // After `--` no word is a command, so a site may be called "logs".
  const command = first && first.index < end ? commands.find(({word}) => word === first.value) : undefined;
  const own = words.slice(command ? 1 : 0);
  const isProgram = ({index}: {readonly index: number}): boolean => command?.afterDashes !== undefined && index > end;
  return {
    command: command ?? findCommand('browse'),
    operands: own.filter(word => !isProgram(word)).map(({value}) => value),
    program: own.filter(isProgram).map(({value}) => value),
    isLiteral: first !== undefined && first.index > end,
  };
};

const checkFlags = (command: CommandSpec, given: readonly GivenFlag[]): void => {
  // The command's own flags come first, so the global ones do not replace them.
  const known = new Map(
    flagsOf(command)
      .toReversed()
      .map(flag => [flag.name, flag]),
  );
  for (const {flag, value} of given) {
    if (!known.has(flag.name)) {
      const owners = commands.filter(candidate => candidate.flags.some(({name}) => name === flag.name));
      const names = owners.map(owner => ['branchlog', owner.word].filter(Boolean).join(' '));
      throw new UsageError(`--${flag.name} belongs to ${joinWords(names, 'and')}, not to ${formatUsage(command)}`);
    }
    if (value === '') {
      throw new UsageError(`--${flag.name} needs a value, got an empty one`);
    }
  }
  const names = new Set(given.map(({flag}) => flag.name));
  const stray = command.flags.find(({name, onlyWith}) => names.has(name) && onlyWith && !names.has(onlyWith));
  if (stray) {
    throw new UsageError(`--${stray.name} needs --${stray.onlyWith}: add it, or leave --${stray.name} out`);
  }
};

/** Checks values against the command's own choices: two commands may have different choices for the same flag. */
const checkChoices = (command: CommandSpec, given: readonly GivenFlag[]): void => {
  for (const {flag, value} of given) {
    const {choices, choiceOf} = flagsOf(command).find(({name}) => name === flag.name) ?? flag;
    if (value !== undefined && choices && !choices.includes(choiceOf?.(value) ?? value.toLowerCase())) {
      const suggestion = formatSuggestion(value, choices);
      throw new UsageError(`--${flag.name}: expected ${joinWords(choices, 'or')}, got "${value}"${suggestion}`);
    }
  }
};

/** Returns the maximum number of operands of a command. */
const operandCountMax = ({operands}: CommandSpec): number =>
  operands.reduce((count, {countMax = 1}) => count + countMax, 0);

const checkOperands = (
  command: CommandSpec,
  operands: readonly string[],
  {switches, values}: Pick<ParsedArguments, 'switches' | 'values'>,
): void => {
  const missing = command.operands.find(
    ({isOptional, isOptionalWith}, index) =>
      !isOptional &&
      operands[index] === undefined &&
      !(isOptionalWith && (values.has(isOptionalWith) || switches.has(isOptionalWith))),
  );
  if (missing) {
    const sentence = `${missing.name} is missing: ${formatUsage(command)}`;
    throw new UsageError(
      switches.has('kube') ? sentence.replace(/^SITE/, 'NAMESPACE').replace('SITE', '--kube NAMESPACE') : sentence,
    );
  }
  const countMax = operandCountMax(command);
  if (operands.length > countMax) {
    const suggestion = command.word === undefined ? formatSuggestion(operands[0] ?? '', commandWords) : '';
    const extra = suggestion ? operands[0] : operands[countMax];
    throw new UsageError(
      suggestion ? `unknown command "${extra}"${suggestion}` : `unexpected operand "${extra}": ${formatUsage(command)}`,
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
      throw new UsageError(`${operand.name}: expected ${joinWords(operand.choices, 'or')}, got "${value}"`);
    }
  });
};

/** The namespace of the kubeconfig context, in place of a namespace: none can have this name. */
export const contextNamespace = '.';

/**
 * With a cluster, the namespace may be a flag, as for kubectl: it stands for the first operand. Where logs are asked
 * for by a pattern alone, as in stern, or by a selector alone, it is that of the context.
 */
const withNamespace = (
  {operands: [site, branch]}: CommandSpec,
  words: readonly string[],
  {switches, values}: Pick<ParsedArguments, 'switches' | 'values'>,
): readonly string[] => {
  if (!switches.has('kube') || site?.completes !== 'site') {
    return words;
  }
  const [namespace] = values.get('namespace') ?? [];
  const [first] = words;
  const isPatternOnly = words.length === 1 && namespace === undefined && first !== undefined && isNamePattern(first);
  const isSelected = values.has('selector') && words.length < (namespace === undefined ? 2 : 1);
  if (branch?.completes !== 'branch' || !(isPatternOnly || isSelected)) {
    return namespace === undefined ? words : [namespace, ...words];
  }
  return isPatternOnly ? [contextNamespace, ...words] : [namespace ?? first ?? contextNamespace, '*'];
};

/** Gathers the flags of a command. Of one that is no list the last value counts: an alias can be overruled. */
const gather = (command: CommandSpec, given: readonly GivenFlag[]): Pick<ParsedArguments, 'switches' | 'values'> => {
  const flags = flagsOf(command);
  const values = new Map<string, readonly string[]>();
  for (const {flag, value} of given) {
    if (value !== undefined) {
      const own = flags.find(({name}) => name === flag.name) ?? flag;
      const word = own.choiceOf?.(value) ?? value;
      values.set(flag.name, own.isRepeatable ? [...(values.get(flag.name) ?? []), word] : [word]);
    }
  }
  return {switches: new Set(given.flatMap(({flag, value}) => (value === undefined ? [flag.name] : []))), values};
};

/**
 * Reads a command line that is still being typed, up to the word at the cursor, for completion. Nothing is validated,
 * and unknown flags are left out. Never throws.
 */
export const readLeniently = (argv: readonly string[]) => {
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
    parsed: {command: command.name, operands, ...gather(command, given)},
    /** The name of the flag whose value comes next. */
    waiting: isWaiting ? last.name : undefined,
    /** True until `--` is typed: a flag may follow. */
    isPlain,
  };
};

/** Returns the command that `help WORD` is about. Throws `UsageError` if there is none. */
const commandToExplain = (word: string | undefined): CommandName => {
  const found = commands.find(command => command.word === word);
  if (found) {
    return found.name;
  }
  const suggestion = formatSuggestion(word ?? '', commandWords);
  throw new UsageError(`unknown command "${word}"${suggestion || `: valid commands: ${commandWords.join(', ')}`}`);
};

/**
 * Returns ` did you mean logs?` words for a SITE that looks like a mistyped command, or an empty string. Only for
 * messages about a site that is not known: a site may be called anything. Ids such as `site-1` are no slips.
 */
export const suggestCommand = ({command, operands: [word = ''], isLiteral}: ParsedArguments): string =>
  command === 'browse' && isLiteral !== true && /^[a-z]+$/.test(word) ? formatSuggestion(word, commandWords) : '';

/**
 * Parses a command line (without the program name). With `--help` or `--version`, operands and choices are not checked.
 * Throws `UsageError` with a message that says what to write instead. Never repeats the value of an unknown flag, which
 * may be a secret.
 */
export const parseArguments = (argv: readonly string[]): ParsedArguments => {
  const tokens = tokenise(argv);
  const {command, operands: words, program, isLiteral} = splitOperands(tokens);
  const given = tokens.flatMap(token => (token.kind === 'option' ? readFlag(token, command) : []));
  checkFlags(command, given);
  const {switches, values} = gather(command, given);
  const operands = withNamespace(command, words, {switches, values});
  if (command.name === 'version') {
    checkOperands(command, operands, {switches, values});
    return {command: 'browse', operands: [], switches: new Set(['version']), values};
  }
  if (command.name === 'help') {
    checkOperands(command, operands, {switches, values});
    const explained = switches.has('help') && operands.length === 0 ? 'help' : commandToExplain(operands[0]);
    return {command: explained, operands: [], switches: new Set(['help', 'whole']), values};
  }
  if (!switches.has('help') && !switches.has('version')) {
    checkChoices(command, given);
    checkOperands(command, operands, {switches, values});
  }
  return {command: command.name, operands, program, isLiteral, switches, values};
};

/**
 * Returns the value of a flag with fixed choices, which may be given in any case; `choices` are those in the table of
 * commands.
 */
export const flagChoice = <Choice extends string>(
  parsed: ParsedArguments,
  name: string,
  choices: readonly Choice[],
): Choice | undefined => choices.find(choice => choice === flagValue(parsed, name)?.toLowerCase());

/** Returns the value of a flag that is a number of lines. Throws a `UsageError`, with `hint`, for anything else. */
export const flagLines = (parsed: ParsedArguments, name: string, linesMax: number, hint = ''): number | undefined => {
  const value = flagValue(parsed, name);
  if (value === undefined || (/^\d+$/.test(value) && Number(value) <= linesMax)) {
    return value === undefined ? undefined : Number(value);
  }
  throw new UsageError(`--${name}: expected a number of lines from 0 to ${linesMax}, got "${value}"${hint}`);
};

/** Returns the value of a flag that can be given at most once. */
export const flagValue = (parsed: ParsedArguments, name: string): string | undefined => parsed.values.get(name)?.[0];

/** The input of every command. */
export type CommandInput = {
  readonly parsed: ParsedArguments;
  readonly io: Io;
  readonly output: Output;
  readonly say: Say;
  /** Aborted on a stop signal: stop, and write no more. */
  readonly signal: AbortSignal;
  /**
   * Registers a task to run before the program ends, also on a signal, such as finishing a recording. The program waits
   * for it only briefly.
   */
  readonly atEnd: (task: () => Promise<void>) => void;
};
