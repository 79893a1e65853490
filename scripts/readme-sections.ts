/** Generates parts of README.md from the program's own tables, so that they cannot differ. */
import {bindingsOn, type ScreenName} from '../src/app/keys/keymap.ts';
import {commands, everywhereFlags, formatUsage} from '../src/cli/arguments/commands.ts';
import {exitCodeRows} from '../src/cli/arguments/help.ts';
import {scenarioNames} from '../src/service/sample/plan/scenario-names.ts';

const titles: Readonly<Record<ScreenName, string>> = {sites: 'Sites', branches: 'Branches', log: 'Log'};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');

const code = (text: string): string => `\`${text}\``;

const keysSection = (): string =>
  (Object.keys(titles) as ScreenName[])
    .map(screen => {
      const rows = bindingsOn(screen).map(({keys, help}) => [keys.map(code).join(' '), help]);
      return `**${titles[screen]}**\n\n${table(['key', 'does'], rows)}`;
    })
    .join('\n\n');

const flagRow = ({name, value, help}: (typeof everywhereFlags)[number]): readonly string[] => [
  code(`--${name}${value === undefined ? '' : ` ${value}`}`),
  help,
];

const commandsSection = (): string => {
  const rows = commands.map(command => [code(formatUsage(command)), command.summary]);
  const flags = commands
    .filter(command => command.flags.length > 0)
    .map(
      ({word, flags: own}) =>
        `${code(['branchlog', word].filter(Boolean).join(' '))}\n\n${table(['flag', 'meaning'], own.map(flagRow))}`,
    );
  return [
    table(['command', 'does'], rows),
    `Global flags\n\n${table(['flag', 'meaning'], everywhereFlags.map(flagRow))}`,
    ...flags,
  ].join('\n\n');
};

/** The generated sections by the name in their markers, `<!-- NAME -->` to `<!-- /NAME -->`. */
export const readmeSections: Readonly<Record<string, () => string>> = {
  keys: keysSection,
  commands: commandsSection,
  'exit codes': () =>
    table(
      ['code', 'means'],
      exitCodeRows.map(([number, meaning]) => [String(number), meaning]),
    ),
  scenarios: () =>
    table(
      ['scenario', 'what it shows'],
      Object.entries(scenarioNames).map(([name, what]) => [code(name), what]),
    ),
};

/** Returns the README with its generated sections renewed. Throws if a section's markers are missing. */
export const renewReadme = (readme: string): string =>
  Object.entries(readmeSections).reduce((text, [name, make]) => {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = [text.indexOf(open), text.indexOf(close)];
    if (start === -1 || end < start) {
      throw new Error(`README.md: no section between ${open} and ${close}`);
    }
    return `${text.slice(0, start + open.length)}\n\n${make()}\n\n${text.slice(end)}`;
  }, readme);
