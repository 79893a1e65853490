import {type CommandSpec, commands, everywhereFlags, type FlagSpec} from '../commands.ts';
import {type Choice, choiceOf, commandWords, sitesPipeline} from './shell-words.ts';

/** In fish's single quotes only a quote and a backslash are special. */
const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const words = commandWords.join(' ');

const argumentsOf = (choice: Choice | undefined): string => {
  switch (choice?.kind) {
    case 'words':
      return ` -xa ${quote(choice.words.join(' '))}`;
    case 'sites':
      return " -xa '(__branchlog_sites)'";
    case 'files':
      return ' -rF';
    default:
      return ' -x';
  }
};

const flagRow = (flag: FlagSpec, command: CommandSpec | undefined): string => {
  const condition = command ? ` -n '__fish_seen_subcommand_from ${command.word}'` : '';
  const value = flag.value === undefined ? '' : argumentsOf(choiceOf(flag));
  return `complete -c branchlog${condition} -l ${flag.name}${value} -d ${quote(flag.help)}`;
};

const operandRows = (command: CommandSpec): readonly string[] =>
  command.operands.flatMap((operand, index) => {
    const choice = choiceOf(operand);
    // Its place is not told apart from later ones beyond the first: fish shows what fits, and a branch has no list here.
    return choice && index === 0 && command.word
      ? [
          `complete -c branchlog -n '__fish_seen_subcommand_from ${command.word}'${argumentsOf(choice).replace(' -rF', ' -F')}`,
        ]
      : [];
  });

/** A completion script for fish 3 and newer. */
export const formatFishCompletion = (): string =>
  `${[
    '# fish completion of branchlog: branchlog completion fish > ~/.config/fish/completions/branchlog.fish',
    'function __branchlog_sites',
    `  ${sitesPipeline}`,
    'end',
    'complete -c branchlog -f',
    ...commands.flatMap(command =>
      command.word
        ? [
            `complete -c branchlog -n 'not __fish_seen_subcommand_from ${words}' -a ${command.word} -d ${quote(command.summary)}`,
          ]
        : [],
    ),
    `complete -c branchlog -n 'not __fish_seen_subcommand_from ${words}' -a '(__branchlog_sites)' -d 'site'`,
    ...everywhereFlags.map(flag => flagRow(flag, undefined)),
    ...commands.flatMap(command => [...operandRows(command), ...command.flags.map(flag => flagRow(flag, command))]),
  ].join('\n')}\n`;
