/**
 * The one table of keys. What a key does, what `?` says of it, the hints at the foot of a screen and the README's table
 * are all made from it; a new key is a row here and a case in `update`.
 */

export type ScreenName = 'sites' | 'branches' | 'log';

export type Command =
  | 'moveUp'
  | 'moveDown'
  | 'pageUp'
  | 'pageDown'
  | 'goFirst'
  | 'goLast'
  | 'open'
  | 'back'
  | 'openFilter'
  | 'toggleMark'
  | 'toggleDeployed'
  | 'toggleDetails'
  | 'togglePause'
  | 'nextGap'
  | 'previousGap'
  | 'nextMarker'
  | 'previousMarker'
  | 'toggleInspector'
  | 'tryNow'
  | 'toggleHelp'
  | 'repaint'
  | 'suspend'
  | 'quit';

export type KeyBinding = {
  readonly command: Command;
  /** Names as `formatKey` shows them; a letter is itself. The first one is named in hints. */
  readonly keys: readonly string[];
  /** What it does there, in a few words. */
  readonly help: string;
  /** The word at the foot of the screen, for the keys that matter most there. */
  readonly hint?: string;
  /** What stands for the keys in the hint; else the first one. */
  readonly hintKey?: string;
  readonly on: readonly ScreenName[];
};

const lists: readonly ScreenName[] = ['sites', 'branches'];
const everywhere: readonly ScreenName[] = ['sites', 'branches', 'log'];

export const keymap: readonly KeyBinding[] = [
  {command: 'moveUp', keys: ['↑', 'k'], help: 'one row up', hint: 'choose', hintKey: '↑↓', on: lists},
  {command: 'moveDown', keys: ['↓', 'j'], help: 'one row down', on: lists},
  {
    command: 'moveUp',
    keys: ['↑', 'k'],
    help: 'one row up; stops following',
    hint: 'scroll',
    hintKey: '↑↓',
    on: ['log'],
  },
  {command: 'moveDown', keys: ['↓', 'j'], help: 'one row down', on: ['log']},
  {command: 'pageUp', keys: ['PgUp', 'Ctrl+B', 'b'], help: 'one page up', on: everywhere},
  {command: 'pageDown', keys: ['PgDn', 'Ctrl+F'], help: 'one page down', on: everywhere},
  {command: 'goFirst', keys: ['Home', 'g'], help: 'to the first row', on: lists},
  {command: 'goLast', keys: ['End', 'G'], help: 'to the last row', on: lists},
  {command: 'goFirst', keys: ['Home', 'g'], help: 'to the oldest line held', on: ['log']},
  {command: 'goLast', keys: ['End', 'G'], help: 'to the newest line, following it', hint: 'follow', on: ['log']},
  {
    command: 'togglePause',
    keys: ['Space'],
    help: 'pause, or follow again; nothing is lost',
    hint: 'pause',
    on: ['log'],
  },
  {command: 'nextGap', keys: [']'], help: 'to the next gap', on: ['log']},
  {command: 'previousGap', keys: ['['], help: 'to the gap before', on: ['log']},
  {command: 'nextMarker', keys: ['}'], help: 'to the next marker: a gap, a pod, a change', on: ['log']},
  {command: 'previousMarker', keys: ['{'], help: 'to the marker before', on: ['log']},
  {command: 'toggleInspector', keys: ['i'], help: 'the last polls and what they brought', on: ['log']},
  {command: 'open', keys: ['Enter'], help: 'open the site', hint: 'open', on: ['sites']},
  {
    command: 'open',
    keys: ['Enter'],
    help: "watch the branch's log, or of all marked as one",
    hint: 'log',
    on: ['branches'],
  },
  {
    command: 'toggleMark',
    keys: ['Space'],
    help: 'mark for one log of several, on and off',
    hint: 'mark',
    on: ['branches'],
  },
  {command: 'openFilter', keys: ['/'], help: 'filter, or type the id of a site', hint: 'filter or id', on: ['sites']},
  {command: 'openFilter', keys: ['/'], help: 'filter by name, id or status', hint: 'filter', on: ['branches']},
  {
    command: 'toggleDeployed',
    keys: ['a'],
    help: 'all branches, or only the deployed ones',
    hint: 'all/deployed',
    on: ['branches'],
  },
  {command: 'toggleDetails', keys: ['d'], help: "the branch's record, on and off", hint: 'details', on: ['branches']},
  {command: 'tryNow', keys: ['r'], help: 'ask the service now', on: ['branches', 'log']},
  {
    command: 'back',
    keys: ['Esc', '←'],
    help: 'back to the sites; clears filter and marks first',
    hint: 'back',
    on: ['branches'],
  },
  {command: 'back', keys: ['Esc'], help: 'back to the branches', hint: 'back', on: ['log']},
  {command: 'back', keys: ['Esc'], help: 'clear the filter', on: ['sites']},
  {command: 'toggleHelp', keys: ['?', 'h'], help: 'these keys, on and off', hint: 'help', on: everywhere},
  {command: 'repaint', keys: ['Ctrl+L'], help: 'draw the screen anew', on: everywhere},
  {command: 'suspend', keys: ['Ctrl+Z'], help: 'suspend; fg comes back', on: everywhere},
  {command: 'quit', keys: ['q', 'Ctrl+C'], help: 'quit', hint: 'quit', on: everywhere},
];

/** The command of a key on a screen, if it has one. */
export const commandFor = (key: string, screen: ScreenName): Command | undefined =>
  keymap.find(binding => binding.on.includes(screen) && binding.keys.includes(key))?.command;

/** The keys of one screen, for its help. */
export const bindingsOn = (screen: ScreenName): readonly KeyBinding[] =>
  keymap.filter(binding => binding.on.includes(screen));
