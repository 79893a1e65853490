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
  /** Names as `formatKey` shows them; a letter is itself. The first one is named in hints. */
  readonly keys: readonly string[];
  /** What it does there, in a few words. `{back}` stands for the key of that command there: `bindingsOn` fills it in. */
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
  {command: 'openSearch', keys: ['/'], help: 'search: text, or re: and a pattern', hint: 'search', on: ['log']},
  {command: 'nextHit', keys: ['n'], help: 'to the next hit', on: ['log']},
  {command: 'previousHit', keys: ['N'], help: 'to the hit before', on: ['log']},
  {command: 'filterIn', keys: ['f'], help: 'show only lines with a pattern', hint: 'filter', on: ['log']},
  {command: 'filterOut', keys: ['F'], help: 'hide lines with a pattern', on: ['log']},
  {command: 'removeFilter', keys: ['x'], help: 'take a filter away; of several it asks which', on: ['log']},
  {command: 'removeFilters', keys: ['X'], help: 'take all filters away', on: ['log']},
  {command: 'moreContext', keys: ['+'], help: 'a line of context more around filtered lines', on: ['log']},
  {command: 'lessContext', keys: ['-'], help: 'a line of context less', on: ['log']},
  {command: 'raiseLevel', keys: ['l'], help: 'least level: all, info, warn, error', on: ['log']},
  {command: 'lowerLevel', keys: ['L'], help: 'the least level, the other way round', on: ['log']},
  {command: 'nextError', keys: ['e'], help: 'to the next line of level error or worse', hint: 'error', on: ['log']},
  {command: 'previousError', keys: ['E'], help: 'to the error before', on: ['log']},
  {command: 'highlight', keys: ['H'], help: 'highlight a pattern, or no longer; typing nothing ends all', on: ['log']},
  {
    command: 'moveUp',
    keys: ['↑', 'k'],
    help: 'one row up; stops following',
    on: ['log'],
  },
  {command: 'moveDown', keys: ['↓', 'j'], help: 'one row down', on: ['log']},
  {command: 'goFirst', keys: ['Home', 'g'], help: 'to the oldest line held', on: ['log']},
  {command: 'goLast', keys: ['End', 'G'], help: 'to the newest line, following it', on: ['log']},
  {
    command: 'togglePause',
    keys: ['Space'],
    help: 'pause, or follow again; nothing is lost',
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
  {command: 'goToTime', keys: ['T'], help: 'to a time: 14:02, -15m, yesterday 14:02, a date', on: ['log']},
  {command: 'lastMinute', keys: ['1'], help: 'to the last minute of the log', on: ['log']},
  {command: 'lastFiveMinutes', keys: ['2'], help: 'to the last 5 minutes', on: ['log']},
  {command: 'lastFifteenMinutes', keys: ['3'], help: 'to the last 15 minutes', on: ['log']},
  {command: 'lastHour', keys: ['4'], help: 'to the last hour', on: ['log']},
  {command: 'nextGap', keys: [']'], help: 'to the next gap', on: ['log']},
  {command: 'previousGap', keys: ['['], help: 'to the gap before', on: ['log']},
  {command: 'nextMarker', keys: ['}'], help: 'to the next marker: a gap, a pod, a change', on: ['log']},
  {command: 'previousMarker', keys: ['{'], help: 'to the marker before', on: ['log']},
  {command: 'nextPeak', keys: ['>'], help: 'to the next peak of the strip: of errors, else of lines', on: ['log']},
  {command: 'previousPeak', keys: ['<'], help: 'to the peak before', on: ['log']},
  {
    command: 'zoomStripIn',
    keys: ['o'],
    help: 'the strip, of all lines held, closer round what is read',
    on: ['log'],
  },
  {command: 'zoomStripOut', keys: ['O'], help: 'the strip back to more of the log', on: ['log']},
  {command: 'markLine', keys: ['M'], help: 'mark a line with a note, or change its mark', on: ['log']},
  {command: 'nextMark', keys: ["'"], help: 'to the next mark', on: ['log']},
  {command: 'previousMark', keys: ['"'], help: 'to the mark before', on: ['log']},
  {command: 'goToUnseen', keys: ['a'], help: 'to where you looked away, when lines came for a minute', on: ['log']},
  {command: 'pickLines', keys: ['v'], help: 'pick a line; again for a range of lines', on: ['log']},
  {command: 'openLine', keys: ['Enter'], help: 'all of one line: text, JSON, as received, its trace', on: ['log']},
  {command: 'copyLines', keys: ['y'], help: "copy the lines that are picked to the terminal's clipboard", on: ['log']},
  {command: 'copyVisible', keys: ['Y'], help: 'copy the lines on the screen', on: ['log']},
  {command: 'copyLink', keys: ['c'], help: 'copy a link to this place, for branchlog LINK', on: ['log']},
  {command: 'saveLines', keys: ['s'], help: 'save the lines in view, or those picked, to a file', on: ['log']},
  {command: 'saveIncident', keys: ['S'], help: 'save a note: markers, marks and how whole the log is', on: ['log']},
  {command: 'pipeToPager', keys: ['p'], help: 'read the lines in $PAGER', on: ['log']},
  {command: 'pipeToCommand', keys: ['|'], help: 'pipe the lines into a command', on: ['log']},
  {command: 'toggleSummary', keys: ['u'], help: 'sum up: levels, statuses, paths, clients, shapes', on: ['log']},
  {command: 'toggleWrap', keys: ['w'], help: 'wrap long lines, or cut them at the edge', on: ['log']},
  {command: 'moveRight', keys: ['→'], help: 'further right, where lines are cut', on: ['log']},
  {command: 'moveLeft', keys: ['←'], help: 'back to the left', on: ['log']},
  {command: 'goToLineStart', keys: ['0'], help: 'to the left edge of the lines', on: ['log']},
  {command: 'toggleFolds', keys: ['z'], help: 'stack traces whole, or their first lines alone', on: ['log']},
  {command: 'toggleJson', keys: ['J'], help: 'JSON lines as their fields, or as received', on: ['log']},
  {command: 'toggleRaw', keys: ['R'], help: 'lines as received, everything unprintable escaped', on: ['log']},
  {command: 'toggleInspector', keys: ['i'], help: 'the last polls and what they brought', on: ['log']},
  {command: 'nextSection', keys: ['Tab'], help: 'in the summary: to its next section', on: ['log']},
  {command: 'moveUp', keys: ['↑', 'k'], help: 'one row up', hint: 'choose', hintKey: '↑↓', on: lists},
  {command: 'moveDown', keys: ['↓', 'j'], help: 'one row down', on: lists},
  {command: 'pageUp', keys: ['PgUp', 'Ctrl+B', 'b'], help: 'one page up', on: everywhere},
  {command: 'pageDown', keys: ['PgDn', 'Ctrl+F'], help: 'one page down', on: everywhere},
  {command: 'goFirst', keys: ['Home', 'g'], help: 'to the first row', on: lists},
  {command: 'goLast', keys: ['End', 'G'], help: 'to the last row', on: lists},
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
  {command: 'nextContext', keys: ['Tab'], help: 'the sites of the next context of the config file', on: ['sites']},
  {command: 'openFilter', keys: ['/'], help: 'filter, or type the id of a site', hint: 'filter or id', on: ['sites']},
  {command: 'openFilter', keys: ['/'], help: 'filter by name, id or status', hint: 'filter', on: ['branches']},
  {
    command: 'toggleDeployed',
    keys: ['a'],
    help: 'all branches, or only the deployed ones',
    hint: 'all/deployed',
    on: ['branches'],
  },
  {command: 'toggleFaults', keys: ['x'], help: 'all branches, or only those where something failed', on: ['branches']},
  {
    command: 'nextOrder',
    keys: ['s'],
    help: 'order by status, by name, or by last change',
    hint: 'order',
    on: ['branches'],
  },
  {command: 'toggleDetails', keys: ['d'], help: "the branch's record, on and off", hint: 'details', on: ['branches']},
  {command: 'enterDetails', keys: ['Tab', '→'], help: "into the record's fields; {back} comes back", on: ['branches']},
  {
    command: 'revealSecret',
    keys: ['v'],
    help: 'in the record: show the secret for 15 s, as {open} does there',
    on: ['branches'],
  },
  {
    command: 'copyField',
    keys: ['y'],
    help: "in the record: copy the field to the terminal's clipboard",
    on: ['branches'],
  },
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
  {command: 'openPalette', keys: [':'], help: 'every command by name', on: everywhere},
  {command: 'toggleHelp', keys: ['?', 'h'], help: 'these keys, on and off', hint: 'help', on: everywhere},
  {command: 'toggleMouse', keys: ['m'], help: 'the mouse, on and off: wheel, and pressing a row', on: everywhere},
  {command: 'repaint', keys: ['Ctrl+L'], help: 'draw the screen anew', on: everywhere},
  {command: 'suspend', keys: ['Ctrl+Z'], help: 'suspend; fg comes back', on: everywhere},
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

/** The table in use: the one above, or what a config file made of it. It changes at most once, before anything is drawn. */
let inUse = tableOf(keymap);

/** Makes the whole program use another table. Call it before the screens open. */
export const installKeymap = (bindings: readonly KeyBinding[]): void => {
  inUse = tableOf(bindings);
};

/** The command of a key on a screen, if it has one. */
export const commandFor = (key: string, screen: ScreenName): Command | undefined =>
  bindingsOn(screen).find(binding => binding.keys.includes(key))?.command;

/** The key to be named where a command is spoken of; one that has none is in the palette, by its name. */
export const keyFor = (command: Command, screen: ScreenName): string => keyOf(command, bindingsOn(screen));

/** The keys of one screen, for its help. */
export const bindingsOn = (screen: ScreenName): readonly KeyBinding[] => inUse[screen];
