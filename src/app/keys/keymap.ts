/**
 * The key table. The keys' actions, the help (`?`), the hints in the last row and the README's table are all made from
 * it. A new key is a row here and a case in `update`.
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
  | 'nextContext'
  | 'toggleMark'
  | 'toggleDeployed'
  | 'toggleFaults'
  | 'nextOrder'
  | 'toggleDetails'
  | 'enterDetails'
  | 'revealSecret'
  | 'copyField'
  | 'togglePause'
  | 'nextGap'
  | 'previousGap'
  | 'nextMarker'
  | 'previousMarker'
  | 'nextError'
  | 'previousError'
  | 'goToTime'
  | 'lastMinute'
  | 'lastFiveMinutes'
  | 'lastFifteenMinutes'
  | 'lastHour'
  | 'nextPeak'
  | 'previousPeak'
  | 'zoomStripIn'
  | 'zoomStripOut'
  | 'toggleSummary'
  | 'nextSection'
  | 'markLine'
  | 'nextMark'
  | 'previousMark'
  | 'goToUnseen'
  | 'copyLink'
  | 'copyLines'
  | 'copyVisible'
  | 'saveLines'
  | 'saveIncident'
  | 'pipeToPager'
  | 'pipeToCommand'
  | 'toggleInspector'
  | 'openSearch'
  | 'nextHit'
  | 'previousHit'
  | 'filterIn'
  | 'filterOut'
  | 'removeFilter'
  | 'removeFilters'
  | 'moreContext'
  | 'lessContext'
  | 'raiseLevel'
  | 'lowerLevel'
  | 'highlight'
  | 'pickLines'
  | 'toggleWrap'
  | 'moveLeft'
  | 'moveRight'
  | 'goToLineStart'
  | 'toggleRaw'
  | 'toggleJson'
  | 'toggleFolds'
  | 'openLine'
  | 'nextTimeMode'
  | 'tryNow'
  | 'openPalette'
  | 'toggleMouse'
  | 'toggleHelp'
  | 'repaint'
  | 'suspend'
  | 'quit';

export type KeyBinding = {
  readonly command: Command;
  /** Key names; a letter is its own name. Hints show the first one. */
  readonly keys: readonly string[];
  /** What it does, in a few words. `{back}` is replaced by that command's key on the screen, see `fillIn`. */
  readonly help: string;
  /** The word in the hints row; only for the most important keys of a screen. */
  readonly hint?: string;
  /** Shown in the hint instead of the first key. */
  readonly hintKey?: string;
  readonly on: readonly ScreenName[];
};

const lists: readonly ScreenName[] = ['sites', 'branches'];
const everywhere: readonly ScreenName[] = ['sites', 'branches', 'log'];

export const keymap: readonly KeyBinding[] = [
  {
    command: 'openSearch',
    keys: ['/'],
    help: 'search for text, or re: and a regular expression',
    hint: 'search',
    on: ['log'],
  },
  {command: 'nextHit', keys: ['n'], help: 'next hit', on: ['log']},
  {command: 'previousHit', keys: ['N'], help: 'previous hit', on: ['log']},
  {command: 'filterIn', keys: ['f'], help: 'show only lines that match a pattern', hint: 'filter', on: ['log']},
  {command: 'filterOut', keys: ['F'], help: 'hide lines that match a pattern', on: ['log']},
  {command: 'removeFilter', keys: ['x'], help: 'remove a filter', on: ['log']},
  {command: 'removeFilters', keys: ['X'], help: 'remove all filters', on: ['log']},
  {command: 'moreContext', keys: ['+'], help: 'one more line of context around filtered lines', on: ['log']},
  {command: 'lessContext', keys: ['-'], help: 'one line of context less', on: ['log']},
  {command: 'raiseLevel', keys: ['l'], help: 'raise the minimum level: all, info, warn, error', on: ['log']},
  {command: 'lowerLevel', keys: ['L'], help: 'lower the minimum level', on: ['log']},
  {command: 'nextError', keys: ['e'], help: 'next error (level error or worse)', hint: 'error', on: ['log']},
  {command: 'previousError', keys: ['E'], help: 'previous error', on: ['log']},
  {command: 'highlight', keys: ['H'], help: 'highlight a pattern (again: remove; empty: remove all)', on: ['log']},
  {
    command: 'moveUp',
    keys: ['↑', 'k'],
    help: 'one row up; stops following',
    on: ['log'],
  },
  {command: 'moveDown', keys: ['↓', 'j'], help: 'one row down', on: ['log']},
  {command: 'goFirst', keys: ['Home', 'g'], help: 'go to the oldest line in the buffer', on: ['log']},
  {command: 'goLast', keys: ['End', 'G'], help: 'go to the newest line and follow', on: ['log']},
  {
    command: 'togglePause',
    keys: ['Space'],
    help: 'pause or resume following; no line is lost',
    hint: 'pause',
    on: ['log'],
  },
  {
    command: 'nextTimeMode',
    keys: ['t'],
    help: 'times: clock, UTC, local, ago, since line or mark, none',
    hint: 'time',
    on: ['log'],
  },
  {command: 'goToTime', keys: ['T'], help: 'go to a time: 14:02, -15m, yesterday 14:02, a date', on: ['log']},
  {command: 'lastMinute', keys: ['1'], help: 'go to the last minute of the log', on: ['log']},
  {command: 'lastFiveMinutes', keys: ['2'], help: 'go to the last 5 minutes', on: ['log']},
  {command: 'lastFifteenMinutes', keys: ['3'], help: 'go to the last 15 minutes', on: ['log']},
  {command: 'lastHour', keys: ['4'], help: 'go to the last hour', on: ['log']},
  {command: 'nextGap', keys: [']'], help: 'next gap', on: ['log']},
  {command: 'previousGap', keys: ['['], help: 'previous gap', on: ['log']},
  {command: 'nextMarker', keys: ['}'], help: 'next marker: gap, pod or branch change', on: ['log']},
  {command: 'previousMarker', keys: ['{'], help: 'previous marker', on: ['log']},
  {command: 'nextPeak', keys: ['>'], help: 'next peak in the strip (errors, or else lines)', on: ['log']},
  {command: 'previousPeak', keys: ['<'], help: 'previous peak', on: ['log']},
  {
    command: 'zoomStripIn',
    keys: ['o'],
    help: 'zoom the strip in',
    on: ['log'],
  },
  {command: 'zoomStripOut', keys: ['O'], help: 'zoom the strip out', on: ['log']},
  {command: 'markLine', keys: ['M'], help: 'mark a line with a note, or edit its mark', on: ['log']},
  {command: 'nextMark', keys: ["'"], help: 'next mark', on: ['log']},
  {command: 'previousMark', keys: ['"'], help: 'previous mark', on: ['log']},
  {command: 'goToUnseen', keys: ['a'], help: 'go to where you looked away', on: ['log']},
  {command: 'pickLines', keys: ['v'], help: 'pick a line; again: pick a range', on: ['log']},
  {command: 'openLine', keys: ['Enter'], help: 'open a line: text, JSON, raw, stack trace', on: ['log']},
  {command: 'copyLines', keys: ['y'], help: "copy the picked lines to the terminal's clipboard", on: ['log']},
  {command: 'copyVisible', keys: ['Y'], help: 'copy the lines on screen', on: ['log']},
  {command: 'copyLink', keys: ['c'], help: 'copy a link to this place (open it with branchlog LINK)', on: ['log']},
  {command: 'saveLines', keys: ['s'], help: 'save all lines that pass the filters, or the picked ones', on: ['log']},
  {command: 'saveIncident', keys: ['S'], help: 'save an incident note: markers, marks, completeness', on: ['log']},
  {command: 'pipeToPager', keys: ['p'], help: 'open the lines in $PAGER', on: ['log']},
  {command: 'pipeToCommand', keys: ['|'], help: 'pipe the lines to a command', on: ['log']},
  {command: 'toggleSummary', keys: ['u'], help: 'summary: levels, statuses, paths, clients, shapes', on: ['log']},
  {command: 'toggleWrap', keys: ['w'], help: 'wrap or cut long lines', on: ['log']},
  {command: 'moveRight', keys: ['→'], help: 'scroll right (when lines are cut)', on: ['log']},
  {command: 'moveLeft', keys: ['←'], help: 'scroll left', on: ['log']},
  {command: 'goToLineStart', keys: ['0'], help: 'scroll to the start of the lines', on: ['log']},
  {command: 'toggleFolds', keys: ['z'], help: 'fold or unfold stack traces', on: ['log']},
  {command: 'toggleJson', keys: ['J'], help: 'show JSON lines as fields or as received', on: ['log']},
  {command: 'toggleRaw', keys: ['R'], help: 'show raw lines, with unprintable characters escaped', on: ['log']},
  {command: 'toggleInspector', keys: ['i'], help: 'recent polls and their results', on: ['log']},
  {command: 'nextSection', keys: ['Tab'], help: 'next section of the summary', on: ['log']},
  {command: 'moveUp', keys: ['↑', 'k'], help: 'one row up', hint: 'choose', hintKey: '↑↓', on: lists},
  {command: 'moveDown', keys: ['↓', 'j'], help: 'one row down', on: lists},
  {command: 'pageUp', keys: ['PgUp', 'Ctrl+B', 'b'], help: 'one page up', on: everywhere},
  {command: 'pageDown', keys: ['PgDn', 'Ctrl+F'], help: 'one page down', on: everywhere},
  {command: 'goFirst', keys: ['Home', 'g'], help: 'go to the first row', on: lists},
  {command: 'goLast', keys: ['End', 'G'], help: 'go to the last row', on: lists},
  {command: 'open', keys: ['Enter'], help: 'open the site', hint: 'open', on: ['sites']},
  {
    command: 'open',
    keys: ['Enter'],
    help: 'open the log of the branch, or of all marked branches',
    hint: 'log',
    on: ['branches'],
  },
  {
    command: 'toggleMark',
    keys: ['Space'],
    help: 'mark or unmark for a combined log',
    hint: 'mark',
    on: ['branches'],
  },
  {command: 'nextContext', keys: ['Tab'], help: 'sites of the next context in the config file', on: ['sites']},
  {command: 'openFilter', keys: ['/'], help: 'filter, or enter a site id', hint: 'filter or id', on: ['sites']},
  {command: 'openFilter', keys: ['/'], help: 'filter by name, id or status', hint: 'filter', on: ['branches']},
  {
    command: 'toggleDeployed',
    keys: ['a'],
    help: 'show all branches or only deployed ones',
    hint: 'all/deployed',
    on: ['branches'],
  },
  {command: 'toggleFaults', keys: ['x'], help: 'show all branches or only failed ones', on: ['branches']},
  {
    command: 'nextOrder',
    keys: ['s'],
    help: 'order by status, name or last change',
    hint: 'order',
    on: ['branches'],
  },
  {command: 'toggleDetails', keys: ['d'], help: 'show or hide the branch record', hint: 'details', on: ['branches']},
  {command: 'enterDetails', keys: ['Tab', '→'], help: "go into the record's fields; {back} returns", on: ['branches']},
  {
    command: 'revealSecret',
    keys: ['v'],
    help: 'in the record: show the secret for 15 s (also {open})',
    on: ['branches'],
  },
  {
    command: 'copyField',
    keys: ['y'],
    help: "in the record: copy the field to the terminal's clipboard",
    on: ['branches'],
  },
  {command: 'tryNow', keys: ['r'], help: 'poll the service now', on: ['branches', 'log']},
  {
    command: 'back',
    keys: ['Esc', '←'],
    help: 'clear filter and marks, then back to the sites',
    hint: 'back',
    on: ['branches'],
  },
  {command: 'back', keys: ['Esc'], help: 'back to the branches', hint: 'back', on: ['log']},
  {command: 'back', keys: ['Esc'], help: 'clear the filter', on: ['sites']},
  {command: 'openPalette', keys: [':'], help: 'run any command by name', on: everywhere},
  {command: 'toggleHelp', keys: ['?', 'h'], help: 'show or hide this help', hint: 'help', on: everywhere},
  {command: 'toggleMouse', keys: ['m'], help: 'mouse on or off: wheel, and click on a row', on: everywhere},
  {command: 'repaint', keys: ['Ctrl+L'], help: 'redraw the screen', on: everywhere},
  {command: 'suspend', keys: ['Ctrl+Z'], help: 'suspend; fg resumes', on: everywhere},
  {command: 'quit', keys: ['q', 'Ctrl+C'], help: 'quit', hint: 'quit', on: everywhere},
];

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

/** Returns the keys of a screen, for its help. */
export const bindingsOn = (screen: ScreenName): readonly KeyBinding[] => inUse[screen];
