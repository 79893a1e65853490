import {scenarioNames} from '../../service/sample/scenario-names.ts';
import {commands, everywhereFlags, type FlagSpec, type OperandSpec} from '../commands.ts';

/** Single quotes keep everything as it is in bash, zsh and fish's simple cases; a quote itself is put between two quotings. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The words that call a command. */
export const commandWords: readonly string[] = commands.flatMap(({word}) => word ?? []);

/** Every flag once, in the order of the table. */
export const distinctFlags: readonly FlagSpec[] = [
  ...new Map([...commands.flatMap(({flags}) => flags), ...everywhereFlags].map(flag => [flag.name, flag])).values(),
];

/** Flags that take the next word, as a pattern of `case`. */
export const valueFlagPattern: string = distinctFlags
  .filter(({value}) => value !== undefined)
  .map(({name}) => `--${name}`)
  .join('|');

/**
 * Prints the names (ids where there are none) of the configured sites, one a row. Only plain words: `compgen -W` would
 * carry out a `$(…)` within a name, and a blank would make two words of one.
 */
export const sitesPipeline =
  'branchlog sites --format ndjson 2>/dev/null | sed -n -e \'s/.*"name":"\\([[:alnum:]._@+-]*\\)"}$/\\1/p\' -e \'s/^{"id":"\\([[:alnum:]._@+-]*\\)","name":null}$/\\1/p\'';

/** A place on the command line: a command and the index of an operand, from 0. */
export type OperandPlace = {readonly word: string; readonly index: number; readonly operand: OperandSpec};

export const operandPlaces: readonly OperandPlace[] = commands.flatMap(({word, operands}) =>
  operands.map((operand, index) => ({word: word ?? '', index, operand})),
);

/** Words to choose from: a list, the sites, or files. */
export type Choice =
  | {readonly kind: 'words'; readonly words: readonly string[]}
  | {readonly kind: 'sites'}
  | {readonly kind: 'files'};

export const choiceOf = ({choices, completes}: Pick<OperandSpec, 'choices' | 'completes'>): Choice | undefined => {
  if (choices) {
    return {kind: 'words', words: choices};
  }
  switch (completes) {
    case 'site':
      return {kind: 'sites'};
    case 'file':
      return {kind: 'files'};
    case 'scenario':
      return {kind: 'words', words: Object.keys(scenarioNames)};
    case undefined:
      return undefined;
    default:
      return completes satisfies never;
  }
};

/** A flag whose value can be completed, and the command it belongs to; `*` for those that every command takes. */
export const flagPlaces: readonly {readonly word: string; readonly name: string; readonly choice: Choice}[] = [
  ...commands.flatMap(({word, flags}) => flags.map(flag => ({word: word ?? '', flag}))),
  ...everywhereFlags.map(flag => ({word: '*', flag})),
].flatMap(({word, flag}) => {
  const choice = choiceOf(flag);
  return choice ? [{word, name: flag.name, choice}] : [];
});
