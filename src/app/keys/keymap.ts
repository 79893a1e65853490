import {listKeys} from './list-keys.ts';
import {logKeys} from './log-keys.ts';

/**
 * The key table. The keys' actions, the help (`?`), the palette and the tables in docs/keys.md are all made from it,
 * and every text that names a key asks it. A new key is a row in `log-keys.ts` or `list-keys.ts`, and a case in
 * `update`.
 */

export type ScreenName = 'sites' | 'branches' | 'log';

type CommandOf<Table extends Grouped<{readonly command: string}>> = NonNullable<
  Table[keyof Table & KeyGroup]
>[number]['command'];

/** What a key does: every name in the tables. */
export type Command = CommandOf<typeof logKeys> | CommandOf<typeof listKeys>;

/** What a key is for: the help shows the keys of a screen in these groups, in this order. */
export const keyGroups = ['move', 'find', 'errorsAndTimes', 'markAndSave', 'show', 'lists', 'program'] as const;

export type KeyGroup = (typeof keyGroups)[number];

export type KeyBinding = {
  readonly command: Command;
  /** Key names; a letter is its own name. Hints show the first one. */
  readonly keys: readonly string[];
  /** What it does, in a few words. `{back}` is replaced by that command's key on the screen, see `fillIn`. */
  readonly help: string;
  /** Other words that users look for in the palette and the help, separated by spaces. */
  readonly also?: string;
  /** Its keys are let go of if a config file gives them to another command: older files did not know of it. */
  readonly givesWay?: true;
  readonly group: KeyGroup;
  readonly on: readonly ScreenName[];
};

type Grouped<Row> = Readonly<Partial<Record<KeyGroup, readonly Row[]>>>;

const ofLog: Grouped<Omit<KeyBinding, 'group' | 'on'>> = logKeys;
const ofLists: Grouped<Omit<KeyBinding, 'group'>> = listKeys;

export const keymap: readonly KeyBinding[] = keyGroups.flatMap(group => [
  ...(ofLog[group] ?? []).map((binding): KeyBinding => ({...binding, group, on: ['log']})),
  ...(ofLists[group] ?? []).map((binding): KeyBinding => ({...binding, group})),
]);

/** `nextMarker` → `next marker` */
export const commandName = (command: Command): string =>
  command.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);

type KeyTable = Readonly<Record<ScreenName, readonly KeyBinding[]>>;

const tableOf = (bindings: readonly KeyBinding[]): KeyTable => {
  const on = (screen: ScreenName): readonly KeyBinding[] => {
    const there = bindings.filter(binding => binding.on.includes(screen));
    return there.map(binding => ({...binding, help: fillIn(binding.help, there)}));
  };
  return {sites: on('sites'), branches: on('branches'), log: on('log')};
};

const fillIn = (help: string, bindings: readonly KeyBinding[]): string =>
  help.replaceAll(/\{(\w+)\}/g, (whole, name) => {
    const binding = bindings.find(({command}) => command === name);
    return binding === undefined ? whole : keyOf(binding.command, bindings);
  });

const keyOf = (command: Command, bindings: readonly KeyBinding[]): string =>
  bindings.find(binding => binding.command === command)?.keys[0] ?? `:${commandName(command)}`;

/** The active table: the one above, or as a config file rebinds it. Changes at most once, before anything is drawn. */
let inUse = tableOf(keymap);

/** Replaces the table for the whole program. Call it before the screens open. */
export const installKeymap = (bindings: readonly KeyBinding[]): void => {
  inUse = tableOf(bindings);
};

/** Returns the command of a key on a screen, if any. */
export const commandFor = (key: string, screen: ScreenName): Command | undefined =>
  bindingsOn(screen).find(binding => binding.keys.includes(key))?.command;

/** Returns the key to name for a command in texts; for a command without a key, its name in the palette. */
export const keyFor = (command: Command, screen: ScreenName): string => keyOf(command, bindingsOn(screen));

/** Returns the keys of a command for a list of keys; for a command without one, its name in the palette. */
export const keysToName = ({keys, command}: KeyBinding): readonly string[] =>
  keys.length > 0 ? keys : [`:${commandName(command)}`];

/** Returns the keys of a screen, for its help. */
export const bindingsOn = (screen: ScreenName): readonly KeyBinding[] => inUse[screen];
