import {commands, everywhereFlags, type FlagSpec, formatFlag, formatUsage} from './commands.ts';
import {describeFlag} from './help.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

const flagRow = (where: string, flag: FlagSpec): string =>
  `| ${cell(where)} | \`${formatFlag(flag)}\` | ${cell(describeFlag(flag))} |`;

/** The README's tables of commands and flags, in Markdown, from the same table as the parser. */
export const formatReadmeTable = (): string =>
  [
    '| command | what it does |',
    '|---|---|',
    ...commands.map(command => `| \`${formatUsage(command)}\` | ${cell(command.summary)} |`),
    '',
    '| command | flag | meaning |',
    '|---|---|---|',
    ...commands.flatMap(command => command.flags.map(flag => flagRow(command.word ?? '', flag))),
    ...everywhereFlags.map(flag => flagRow('everywhere', flag)),
    '',
  ].join('\n');
