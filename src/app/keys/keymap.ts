import {logKeys} from './log-keys.ts';

const lists = ['sites', 'branches'] as const;
const everywhere = ['sites', 'branches', 'log'] as const;

/**
 * The keys of the lists, and those of the program, which work on every screen. Only the key table uses them, and checks
 * their type.
 */
const listKeys = {
  move: [
    {command: 'moveUp', keys: ['↑', 'k'], help: 'one row up', on: lists},
    {command: 'moveDown', keys: ['↓', 'j'], help: 'one row down', on: lists},
    {command: 'pageUp', keys: ['PgUp', 'Ctrl+B', 'b'], help: 'one page up', on: lists},
    {command: 'pageDown', keys: ['PgDn', 'Ctrl+F'], help: 'one page down', on: lists},
    {command: 'halfPageUp', keys: ['Ctrl+U'], help: 'half a page up', givesWay: true, on: lists},
    {command: 'halfPageDown', keys: ['Ctrl+D'], help: 'half a page down', givesWay: true, on: lists},
    {command: 'goFirst', keys: ['Home', 'g'], help: 'go to the first row', on: lists},
    {command: 'goLast', keys: ['End', 'G'], help: 'go to the last row', on: lists},
    {
      command: 'back',
      keys: ['Esc', '←'],
      help: 'clear filter and marks, then back to the sites',
      also: 'leave return',
      on: ['branches'],
    },
    {command: 'back', keys: ['Esc'], help: 'clear the filter', also: 'leave return', on: ['sites']},
  ],
  lists: [
    {command: 'open', keys: ['Enter'], help: 'open the site', also: 'enter show log follow tail', on: ['sites']},
    {
      command: 'open',
      keys: ['Enter'],
      help: 'open the log of the branch, or of all marked branches',
      also: 'enter show log follow tail',
      on: ['branches'],
    },
    {
      command: 'toggleMark',
      keys: ['Space'],
      help: 'mark or unmark for a combined log',
      also: 'select combine several merge',
      on: ['branches'],
    },
    {
      command: 'nextContext',
      keys: ['Tab'],
      help: 'sites of the next context in the config file',
      also: 'service environment switch',
      on: ['sites'],
    },
    {
      command: 'toggleDeployed',
      keys: ['a'],
      help: 'show all branches or only deployed ones',
      also: 'running hide',
      on: ['branches'],
    },
    {
      command: 'toggleFaults',
      keys: ['x'],
      help: 'show all branches or only failed ones',
      also: 'errors broken failed',
      on: ['branches'],
    },
    {
      command: 'nextOrder',
      keys: ['s'],
      help: 'order: needs you first, name, last change or errors',
      also: 'sort',
      on: ['branches'],
    },
  ],
  find: [
    {command: 'openFilter', keys: ['/'], help: 'filter, or enter a site id', also: 'search find', on: ['sites']},
    {command: 'openFilter', keys: ['/'], help: 'filter by name, id or status', also: 'search find', on: ['branches']},
  ],
  show: [
    {
      command: 'toggleDetails',
      keys: ['d'],
      help: 'show or hide the branch record',
      also: 'record pods fields show',
      on: ['branches'],
    },
    {
      command: 'enterDetails',
      keys: ['Tab', '→'],
      help: "go into the record's fields; {back} returns",
      also: 'record fields',
      on: ['branches'],
    },
    {
      command: 'revealSecret',
      keys: ['v'],
      help: 'in the record: show the secret for 15 s (also {open})',
      also: 'password token unmask',
      on: ['branches'],
    },
  ],
  markAndSave: [
    {
      command: 'copyField',
      keys: ['y'],
      help: "in the record: copy the field to the terminal's clipboard",
      also: 'clipboard yank',
      on: ['branches'],
    },
  ],
  program: [
    {
      command: 'tryNow',
      keys: ['r'],
      help: 'reload the branches, in order',
      also: 'refresh reload retry sort',
      on: ['branches'],
    },
    {command: 'tryNow', keys: ['r'], help: 'poll now', also: 'refresh reload retry', on: ['log']},
    {command: 'openPalette', keys: [':'], help: 'run any command by name', on: everywhere},
    {
      command: 'toggleHelp',
      keys: ['?', 'h'],
      help: 'show or hide this help',
      also: 'keys shortcuts manual',
      on: everywhere,
    },
    {
      command: 'toggleMouse',
      keys: ['m'],
      help: 'mouse on or off: wheel, and click on a row',
      also: 'click wheel',
      on: everywhere,
    },
    {
      command: 'nextTheme',
      keys: [],
      help: 'next colour theme, until you quit',
      also: 'dark light color contrast palette',
      on: everywhere,
    },
    {command: 'repaint', keys: ['Ctrl+L'], help: 'redraw the screen', also: 'refresh redraw clear', on: everywhere},
    {command: 'suspend', keys: ['Ctrl+Z'], help: 'suspend; fg resumes', also: 'background shell job', on: everywhere},
    {
      command: 'quit',
      keys: ['q', 'Ctrl+C'],
      help: 'quit, or close what is open',
      also: 'exit close leave',
      on: everywhere,
    },
  ],
} as const;

/** A mouse event; positions count from 0. */
export type MouseAction = {
  readonly kind: 'wheelUp' | 'wheelDown' | 'press';
  readonly columnIndex: number;
  readonly rowIndex: number;
};

export type ScreenName = 'sites' | 'branches' | 'log';

type CommandOf<Table extends Grouped<{readonly command: string}>> = NonNullable<
  Table[keyof Table & KeyGroup]
>[number]['command'];

/** A command that a key can give: every name in the tables. */
export type Command = CommandOf<typeof logKeys> | CommandOf<typeof listKeys>;

/** The groups in which the help shows the keys of a screen, in this order. */
export const keyGroups = ['move', 'find', 'errorsAndTimes', 'markAndSave', 'show', 'lists', 'program'] as const;

export type KeyGroup = (typeof keyGroups)[number];

export type KeyBinding = {
  readonly command: Command;
  /** Key names; a letter is its own name. Hints show the first one. */
  readonly keys: readonly string[];
  /** Its effect, in a few words. `{back}` is replaced by that command's key on the screen, see `fillIn`. */
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

/**
 * The key table. The help (`?`), the palette and the tables in docs/keys.md are made from it, and every text that names
 * a key asks it. A new key is a row above, or in `log-keys.ts`, and a handler of its command.
 */
export const keymap: readonly KeyBinding[] = keyGroups.flatMap(group => [
  ...(ofLog[group] ?? []).map((binding): KeyBinding => ({...binding, group, on: ['log']})),
  ...(ofLists[group] ?? []).map((binding): KeyBinding => ({...binding, group})),
]);

/** `nextMarker` → `next marker` */
export const commandName = (command: Command): string =>
  command.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);

/** In ASCII, `←` is drawn as `<`, which is another key. */
const asciiNames = {'←': 'Left', '→': 'Right'};
let namesInUse: Readonly<Record<string, string>> = {};

/** Names the keys as a terminal can show them, for the whole program. Call it before the screens open. */
export const nameKeys = ({hasUtf8}: {readonly hasUtf8: boolean}): void => {
  namesInUse = hasUtf8 ? {} : asciiNames;
};

/** Returns the keys of a command for a list of keys; for a command without one, its name in the palette. */
export const keysToName = ({keys, command}: Pick<KeyBinding, 'keys' | 'command'>): readonly string[] =>
  keys.length > 0 ? keys.map(key => namesInUse[key] ?? key) : [`:${commandName(command)}`];

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
  keysToName(bindings.find(binding => binding.command === command) ?? {keys: [], command})[0] ?? '';

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

/** Returns the keys of a screen, for its help. */
export const bindingsOn = (screen: ScreenName): readonly KeyBinding[] => inUse[screen];

/** Returns how many rows a command moves: negative for up, infinite for the ends, undefined if it is not a movement. */
export const movement = (command: Command, pageRows: number): number | undefined => {
  switch (command) {
    case 'moveUp':
      return -1;
    case 'moveDown':
      return 1;
    case 'pageUp':
      return -pageRows;
    case 'pageDown':
      return pageRows;
    case 'halfPageUp':
      return -Math.ceil(pageRows / 2);
    case 'halfPageDown':
      return Math.ceil(pageRows / 2);
    case 'goFirst':
      return Number.NEGATIVE_INFINITY;
    case 'goLast':
      return Number.POSITIVE_INFINITY;
    default:
      return undefined;
  }
};
