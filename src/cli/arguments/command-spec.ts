/** The values that completion offers where there are no fixed choices. */
export type Completes = 'site' | 'branch' | 'context' | 'kube-context' | 'namespace' | 'file' | 'scenario' | 'command';

export type FlagSpec = {
  /** Without the leading dashes. */
  readonly name: string;
  /** One-letter form, after a single dash. */
  readonly short?: string;
  /** Placeholder for the value in help. A flag without one is a switch. */
  readonly value?: string;
  /** One phrase, without a full stop. */
  readonly help: string;
  readonly isRepeatable?: true;
  /** The only value of `--format` with which it has an effect; with others, `logs` says that it has none. */
  readonly onlyIn?: 'text' | 'json';
  /** Can be given only together with this flag, whose own text says where to read about it: not in a short help. */
  readonly onlyWith?: string;
  readonly choices?: readonly string[];
  /** Returns the choice that another word for it names, such as `warning` for `warn`; undefined for other words. */
  readonly choiceOf?: (word: string) => string | undefined;
  readonly completes?: Completes;
};

export type OperandSpec = {
  readonly name: string;
  readonly isOptional?: true;
  /** How often the last operand may be repeated. */
  readonly countMax?: number;
  /** A flag that makes this operand optional. */
  readonly isOptionalWith?: string;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
};

export type CommandName =
  | 'browse'
  | 'open'
  | 'demo'
  | 'kube'
  | 'serve'
  | 'sites'
  | 'branches'
  | 'logs'
  | 'incident'
  | 'export'
  | 'init'
  | 'doctor'
  | 'completion'
  | 'guard'
  | 'timeline'
  | 'mcp'
  | 'help'
  | 'version';

/** A command as the table has it. */
export type NamedCommand = {
  readonly name: CommandName;
  /** It has nothing to do with a service of the config: help and completion do not offer the flags that name one. */
  readonly isWithoutService?: true;
  readonly operands: readonly OperandSpec[];
  /** The operands in help, where they have several meanings. */
  readonly operandWords?: string;
  /** The operands that may follow `--`. */
  readonly afterDashes?: string;
  /** A summary of half a line. */
  readonly summary: string;
  /** Paragraphs of the command's own help. */
  readonly details: readonly string[];
  readonly flags: readonly FlagSpec[];
  readonly examples: readonly string[];
};

export type CommandSpec = NamedCommand & {
  /** The word on the command line, its name. `browse` has none: it runs when no command is given. */
  readonly word: string | undefined;
};

/** Formats the operands for a usage line: `SITE [BRANCH]`, with `…` after a repeatable one. */
export const formatOperands = (command: CommandSpec): string => {
  if (command.operandWords !== undefined) {
    return command.operandWords;
  }
  const words = command.operands.map(({choices, name, countMax}) =>
    [choices?.join('|') ?? name, countMax === undefined ? '' : '…'].join(''),
  );
  // Optional operands nest: the second can be given only with the first.
  const operands = command.operands.reduceRight((rest, operand, index) => {
    const word = [words[index], rest].filter(Boolean).join(' ');
    return operand.isOptional ? `[${word}]` : word;
  }, '');
  return command.afterDashes === undefined ? operands : `${operands} [-- ${command.afterDashes}]`;
};

/** Formats the usage of a command: `branchlog logs SITE BRANCH…`. */
export const formatUsage = (command: CommandSpec): string =>
  ['branchlog', command.word, formatOperands(command)].filter(Boolean).join(' ');

/** Formats a flag with its short form and its value, `-n, --tail N`; four spaces replace a missing short form. */
export const formatFlag = (flag: FlagSpec): string =>
  `${flag.short ? `-${flag.short}, ` : '    '}--${flag.name}${flag.value ? ` ${flag.value}` : ''}`;
