/** Generates parts of the documents from the program's own tables, so that they cannot differ. */
import {bindingsOn, type Command, type ScreenName} from '../src/app/keys/keymap.ts';
import {type FlagSpec, formatFlag, formatUsage} from '../src/cli/arguments/command-spec.ts';
import {commands} from '../src/cli/arguments/commands.ts';
import {exitCodeRows} from '../src/cli/arguments/help.ts';
import {everywhereFlags} from '../src/cli/arguments/shared-flags.ts';
import {scenarioNames} from '../src/service/sample/plan/scenario-names.ts';

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');

/** GitHub splits a row at every bare `|`, even within code. */
const escapeCell = (text: string): string => text.replaceAll('|', '\\|');

const code = (text: string): string => `\`${text}\``;

const keysSection = (screen: ScreenName) => (): string =>
  table(
    ['key', 'does'],
    bindingsOn(screen).map(({keys, help}) => [keys.map(code).join(' '), help]),
  );

const flagRow = (flag: FlagSpec): readonly string[] => [code(formatFlag(flag).trim()), flag.help];

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

/** What to press when paged, in this order. */
const onCallCommands: readonly Command[] = [
  'toggleIncident',
  'previousPeak',
  'previousError',
  'previousNew',
  'nextNew',
  'togglePods',
  'toggleSummary',
  'markLine',
  'saveIncident',
  'back',
];

const onCallSection = (): string =>
  table(
    ['key', 'does'],
    onCallCommands.flatMap(command =>
      bindingsOn('log')
        .filter(binding => binding.command === command)
        .map(({keys, help}) => [keys.map(code).join(' '), help]),
    ),
  );

/** By document, its generated sections by the name in their markers, `<!-- NAME -->` to `<!-- /NAME -->`. */
export const generatedSections: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/keys.md': {
    'sites keys': keysSection('sites'),
    'branches keys': keysSection('branches'),
    'log keys': keysSection('log'),
  },
  'docs/on-call.md': {'on-call keys': onCallSection},
  'docs/commands.md': {
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
  },
};

/** Returns the text of a document with its generated sections renewed. Throws if a section's markers are missing. */
export const renewSections = (path: string, document: string): string =>
  Object.entries(generatedSections[path] ?? {}).reduce((text, [name, make]) => {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = [text.indexOf(open), text.indexOf(close)];
    if (start === -1 || end < start) {
      throw new Error(`${path}: no section between ${open} and ${close}`);
    }
    return `${text.slice(0, start + open.length)}\n\n${make()}\n\n${text.slice(end)}`;
  }, document);
