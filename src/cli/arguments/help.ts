import {exitCodes} from '#cli/io/exit-codes.ts';
import {wrapWords} from '#cli/io/format.ts';
import {stringifySafe} from '#log/text/escape-json.ts';
import {type CommandSpec, type FlagSpec, formatFlag, formatOperands, formatUsage} from './command-spec.ts';
import {commands, findCommand} from './commands.ts';
import {everywhereFlags, globalFlagsOf} from './shared-flags.ts';

/** Help is wrapped for a terminal of 80 columns. */
const columns = 80;
const indent = '  ';

/** Formats a row of two columns; the second wraps within its column. */
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

/** Returns the help of a flag: where it has an effect, what it does, and its choices unless the text names them all. */
export const describeFlag = ({help, choices, onlyIn}: FlagSpec): string => {
  const isNamed = choices?.every(choice => help.includes(choice)) ?? true;
  return `${onlyIn === undefined ? '' : `in ${onlyIn}: `}${help}${isNamed ? '' : `: ${choices?.join(', ')}`}`;
};

/** All exit codes with their meanings, for `--help` and docs/commands.md. */
export const exitCodeRows: readonly (readonly [number, string])[] = [
  [exitCodes.done, 'done'],
  [exitCodes.failed, 'failed'],
  [exitCodes.usage, 'invalid usage or config'],
  [exitCodes.notAuthorised, 'not authorised (401, 403), or no usable token'],
  [exitCodes.notFound, 'no such site or branch'],
  [exitCodes.unreachable, 'service unreachable'],
  [exitCodes.notInterface, "the service's response does not match the interface, or does not report sources"],
  [
    exitCodes.gap,
    'gap found, with --fail-on-gap; lines not numbered, with --require-proof; less held than asked for, with either; log unreadable when --follow ended; cannot tell, with --until-gone or incident',
  ],
  [
    exitCodes.notMet,
    'no line matched --until, or lines still matched --until-gone, when the lines or --duration ended',
  ],
  [exitCodes.calm, 'incident: all is calm'],
  [exitCodes.hungUp, 'ended by SIGHUP'],
  [exitCodes.interrupted, 'ended by SIGINT'],
  [exitCodes.quit, 'ended by SIGQUIT'],
  [exitCodes.terminated, 'ended by SIGTERM'],
];

const formatExitCodes = (): string =>
  exitCodeRows.map(([code, meaning]) => formatRow(String(code), meaning, 3)).join('\n');

const commandRows = (): readonly string[] => {
  const shown = (command: CommandSpec) => [command.word, formatOperands(command)].filter(Boolean).join(' ');
  const leftColumns = Math.max(...commands.map(command => shown(command).length));
  return commands.map(command => formatRow(shown(command), command.summary, leftColumns));
};

/** Formats `branchlog --help`, which fits a screen, or all that there is to say, for `branchlog help`. */
export const formatGeneralHelp = (isWhole: boolean): string => {
  const about = "branchlog: watch a branch's log. No line is lost or repeated, gaps are marked.";
  const head = [
    about,
    `Usage: ${formatUsage(findCommand('browse'))}, or branchlog COMMAND …`,
    'Commands',
    ...commandRows(),
    '',
  ];
  const rest = isWhole
    ? [
        'Global flags',
        formatFlags(everywhereFlags),
        '',
        ...wrapWords(
          'The first six can also be set in the environment (BRANCHLOG_CONTEXT, _BASE_URL, _TENANT, _AUTH_MODE, _TOKEN_FILE, _CONFIG); all but _CONFIG also in the config file. Flags override the environment, which overrides the file. The token itself can be set in BRANCHLOG_TOKEN; it has no flag, because other users can read argument lists.',
          columns,
        ),
        '',
        ...wrapWords(
          'In the terminal UI, ? shows the keys. Set colours, mouse, keys and notifications in the config file: [ui], [keys], [notify].',
          columns,
        ),
        '',
        'Exit codes',
        formatExitCodes(),
        '',
        'See branchlog help COMMAND for more about a command.',
      ]
    : [
        `Examples: ${['branchlog demo', 'branchlog open app.log', 'branchlog shop master'].join('   ')}`,
        'More: branchlog help, branchlog help COMMAND',
      ];
  return `${[...head, ...rest].join('\n')}\n`;
};

/** Examples in a short help: the others are in the whole one. */
const shortExamplesMax = 3;

/**
 * Formats `branchlog COMMAND --help`: usage, flags, a few examples; or all that there is to say, for `branchlog help
 * COMMAND`. `rows` adds a titled table, such as the demo's scenarios.
 */
export const formatCommandHelp = (
  command: CommandSpec,
  isWhole: boolean,
  rows: {readonly title: string; readonly rows: readonly (readonly [string, string])[]} | undefined = undefined,
): string => {
  const sections: string[] = [`Usage: ${formatUsage(command)}${command.flags.length > 0 ? ' [flags]' : ''}`, ''];
  const summary = `${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`;
  for (const paragraph of [summary, ...(isWhole ? command.details : [])]) {
    sections.push(...wrapWords(paragraph, columns), '');
  }
  if (rows) {
    const leftColumns = Math.max(...rows.rows.map(([left]) => left.length));
    sections.push(rows.title, ...rows.rows.map(([left, right]) => formatRow(left, right, leftColumns)), '');
  }
  const flags = command.flags.filter(({onlyWith}) => isWhole || onlyWith === undefined);
  if (flags.length > 0) {
    sections.push('Flags', formatFlags(flags), '');
  }
  if (isWhole) {
    sections.push('Global flags', formatFlags(globalFlagsOf(command)), '');
  }
  const examples = isWhole ? command.examples : command.examples.slice(0, shortExamplesMax);
  sections.push('Examples', ...examples.map(example => `${indent}${example}`));
  if (!isWhole) {
    sections.push('', `More: branchlog help ${command.word ?? ''}`.trimEnd());
  }
  return `${sections.join('\n')}\n`;
};

const flagRecord = ({name, short, value, help, choices, isRepeatable, onlyWith, onlyIn}: FlagSpec) => ({
  ...{name, short, value, help: onlyIn === undefined ? help : `in ${onlyIn}: ${help}`, choices, onlyWith},
  isRepeatable: isRepeatable ?? false,
});

/** Formats what there is to say of one command, or of all and of exit codes, as records for programs, one a line. */
export const formatHelpJson = (only: CommandSpec | undefined): string =>
  [
    ...(only ? [only] : commands).map(command => ({
      kind: 'command',
      name: command.word ?? null,
      usage: formatUsage(command),
      ...{summary: command.summary, details: command.details, examples: command.examples},
      flags: [...command.flags, ...globalFlagsOf(command)].map(flagRecord),
    })),
    ...(only ? [] : exitCodeRows.map(([code, meaning]) => ({kind: 'exit', code, meaning}))),
  ]
    .map(record => `${stringifySafe(record)}\n`)
    .join('');
