import {wrapWords} from '../format/wrap-words.ts';
import {exitCodes} from '../io/exit-codes.ts';
import {
  type CommandSpec,
  commands,
  everywhereFlags,
  type FlagSpec,
  findCommand,
  formatFlag,
  formatOperands,
  formatUsage,
} from './commands.ts';

/** Help fits a terminal of 80 columns. */
const columns = 80;
const indent = '  ';

/** A row of two columns; the second is wrapped below itself. */
const formatRow = (left: string, right: string, leftColumns: number): string => {
  const rows = wrapWords(right, columns - indent.length - leftColumns - 2);
  const head = left.padEnd(leftColumns);
  return rows
    .map((row, index) => `${indent}${index === 0 ? head : ' '.repeat(leftColumns)}  ${row}`.trimEnd())
    .join('\n');
};

const formatFlags = (flags: readonly FlagSpec[]): string => {
  const leftColumns = Math.max(...flags.map(flag => formatFlag(flag).length));
  return flags.map(flag => formatRow(formatFlag(flag), describeFlag(flag), leftColumns)).join('\n');
};

/** The help of a flag, with its choices where the sentence does not name them already. */
export const describeFlag = (flag: FlagSpec): string => {
  const isNamed = flag.choices?.every(choice => flag.help.includes(choice)) ?? true;
  return isNamed ? flag.help : `${flag.help}: ${flag.choices?.join(', ')}`;
};

/** Every exit code with its meaning, for the help and the README. */
export const exitCodeRows: readonly (readonly [number, string])[] = [
  [exitCodes.done, 'done'],
  [exitCodes.failed, 'failed'],
  [exitCodes.usage, 'wrong usage or config'],
  [exitCodes.notAuthorised, 'not authorised (401, 403), or no usable token'],
  [exitCodes.notFound, 'no such site or branch'],
  [exitCodes.unreachable, 'service unreachable'],
  [exitCodes.notInterface, "the service's answer is not the interface"],
  [exitCodes.gap, 'a gap, with --fail-on-gap'],
  [exitCodes.interrupted, 'ended by SIGINT'],
  [exitCodes.terminated, 'ended by SIGTERM'],
];

const formatExitCodes = (): string =>
  exitCodeRows.map(([code, meaning]) => formatRow(String(code), meaning, 3)).join('\n');

/** `branchlog --help`. */
export const formatGeneralHelp = (): string => {
  const shown = (command: CommandSpec) => [command.word, formatOperands(command)].filter(Boolean).join(' ');
  const leftColumns = Math.max(...commands.map(command => shown(command).length));
  return `${[
    ...wrapWords(
      "branchlog: browse the branches of a site and watch a branch's log, no line lost and none doubled, gaps marked in place.",
      columns,
    ),
    '',
    `Usage: ${formatUsage(findCommand('open'))}`,
    `${indent}${indent}   branchlog COMMAND …`,
    '',
    'Commands',
    ...commands.map(command => formatRow(shown(command), command.summary, leftColumns)),
    '',
    'Flags everywhere',
    formatFlags(everywhereFlags),
    '',
    ...wrapWords(
      'Each of the first six is also read from the environment, as BRANCHLOG_CONTEXT, _BASE_URL, _TENANT, _AUTH_MODE, _TOKEN_FILE and _CONFIG, then from the config file. The token itself may stand in BRANCHLOG_TOKEN; there is no flag for it, since argument lists are public.',
      columns,
    ),
    '',
    ...wrapWords(
      'On the screens ? tells the keys. Colours, keys, the mouse and calls are chosen in the config file: [ui], [keys], [notify].',
      columns,
    ),
    '',
    'Exit codes',
    formatExitCodes(),
    '',
    'branchlog COMMAND --help tells more about a command.',
  ].join('\n')}\n`;
};

/** `branchlog COMMAND --help`. Further paragraphs and rows may be added, such as the demo's scenarios. */
export const formatCommandHelp = (
  command: CommandSpec,
  rows: {readonly title: string; readonly rows: readonly (readonly [string, string])[]} | undefined = undefined,
): string => {
  const sections: string[] = [`Usage: ${formatUsage(command)}${command.flags.length > 0 ? ' [flags]' : ''}`, ''];
  for (const paragraph of [
    `${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`,
    ...command.details,
  ]) {
    sections.push(...wrapWords(paragraph, columns), '');
  }
  if (rows) {
    const leftColumns = Math.max(...rows.rows.map(([left]) => left.length));
    sections.push(rows.title, ...rows.rows.map(([left, right]) => formatRow(left, right, leftColumns)), '');
  }
  if (command.flags.length > 0) {
    sections.push('Flags', formatFlags(command.flags), '');
  }
  sections.push('Flags everywhere', formatFlags(everywhereFlags), '', 'Examples');
  sections.push(...command.examples.map(example => `${indent}${example}`));
  return `${sections.join('\n')}\n`;
};
