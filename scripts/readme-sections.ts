/** Generates parts of the documents from the program's own tables, so that they cannot differ. */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {bindingsOn, type Command, keysToName, type ScreenName} from '#app/keys/keymap.ts';
import {branchRecord, type RecordFieldSpec, type RecordFields, type SimpleType} from '#base/branch-record.ts';
import {type FlagSpec, formatFlag, formatUsage} from '#cli/arguments/command-spec.ts';
import {commands} from '#cli/arguments/commands.ts';
import {describeFlag, exitCodeRows} from '#cli/arguments/help.ts';
import {everywhereFlags} from '#cli/arguments/shared-flags.ts';
import {scenarioNames} from '#demo/world/scenario-names.ts';
import {readSamples} from './format-samples.ts';
import {formatErrorKinds, formatSignatures} from './library-signatures.ts';

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');

/** GitHub splits a row at every bare `|`, even within code. */
const escapeCell = (text: string): string => text.replaceAll('|', '\\|');

const code = (text: string): string => `\`${text}\``;

const keysSection = (screen: ScreenName) => (): string =>
  table(
    ['key', 'does'],
    bindingsOn(screen).map(binding => [keysToName(binding).map(code).join(' '), binding.help]),
  );

const flagRow = (flag: FlagSpec): readonly string[] => [code(formatFlag(flag).trim()), describeFlag(flag)];

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
        .map(binding => [keysToName(binding).map(code).join(' '), binding.help]),
    ),
  );

/** What `serve` takes for the fields of a branch record; those without words are its own to give. */
const typeWords: Readonly<Record<SimpleType, string | undefined>> = {
  text: 'text',
  textOrNull: 'text',
  secret: 'text',
  flag: 'true or false',
  flagOrNull: 'true or false',
  count: 'whole number',
  time: 'time',
  object: 'table',
  variables: 'list of `name` and `value`',
  any: 'anything',
  secretOrNull: 'anything',
  own: undefined,
};

const typeOf = ({is}: RecordFieldSpec): string | undefined =>
  typeof is === 'string' ? typeWords[is] : 'table' in is ? 'table' : 'list of tables';

const nameField = (name: string, {is}: RecordFieldSpec): string => {
  const within: RecordFields = typeof is === 'string' ? {} : 'table' in is ? is.table : is.list;
  const names = Object.entries(within).map(([inner, field]) => nameField(inner, field));
  return names.length === 0 ? code(name) : `${code(name)} (${names.join(' ')})`;
};

const recordSection = (): string => {
  const fields: readonly [string, RecordFieldSpec][] = Object.entries(branchRecord);
  const types = new Set(fields.map(([, field]) => typeOf(field)).filter(type => type !== undefined));
  return table(
    ['value', 'fields'],
    [...types].map(type => [
      type,
      fields
        .filter(([, field]) => typeOf(field) === type)
        .map(([name, field]) => nameField(name, field))
        .join(' '),
    ]),
  );
};

/** The samples of all formats: how many errors and warnings they hold, and what lnav finds of them. */
const samplesSection = (): string => {
  const rows = readSamples().map(({name, path, lines, lnav}) => {
    const count = (letters: string): number => lines.filter(({letter}) => letters.includes(letter)).length;
    return {name, path, lnav, errors: count('ef'), warnings: count('w')};
  });
  const measured = rows.filter(({lnav}) => lnav !== undefined);
  const sum = (of: (row: (typeof rows)[number]) => number): number =>
    measured.reduce((total, row) => total + of(row), 0);
  const found = `lnav finds ${sum(({lnav}) => lnav?.errors ?? 0)} of ${sum(({errors}) => errors)} errors and ${sum(({lnav}) => lnav?.warnings ?? 0)} of ${sum(({warnings}) => warnings)} warnings of the samples that it was measured with.`;
  const linkOf = (path: string): string => path.replaceAll('\\', '/');
  return `${found}\n\n${table(
    ['sample', 'errors', 'warnings', 'lnav: errors', 'lnav: warnings'],
    rows.map(({name, path, errors, warnings, lnav}) => [
      `[${name}](../${linkOf(path)})`,
      String(errors),
      String(warnings),
      String(lnav?.errors ?? '–'),
      String(lnav?.warnings ?? '–'),
    ]),
  )}`;
};

/** The sections that are made of the declarations in a folder, which the build writes. */
export const librarySections = (folder: string): Readonly<Record<string, () => string>> => {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return {
    api: () => formatSignatures(read('api.d.ts'), read('types.d.ts')),
    log: () => formatSignatures(read('log.d.ts'), read('types.d.ts')),
    'error kinds': () => formatErrorKinds(readFileSync('src/api/client/api-error.ts', 'utf8')),
  };
};

/** By document, its generated sections by the name in their markers, `<!-- NAME -->` to `<!-- /NAME -->`. */
export const generatedSections: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/keys.md': {
    'sites keys': keysSection('sites'),
    'branches keys': keysSection('branches'),
    'log keys': keysSection('log'),
  },
  'docs/serve.md': {'record fields': recordSection},
  'docs/on-call.md': {'on-call keys': onCallSection},
  'docs/levels.md': {samples: samplesSection},
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
export const renewSections = (path: string, document: string, sections = generatedSections[path] ?? {}): string =>
  Object.entries(sections).reduce((text, [name, make]) => {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = [text.indexOf(open), text.indexOf(close)];
    if (start === -1 || end < start) {
      throw new Error(`${path}: no section between ${open} and ${close}`);
    }
    return `${text.slice(0, start + open.length)}\n\n${make()}\n\n${text.slice(end)}`;
  }, document);
