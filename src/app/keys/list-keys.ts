const lists = ['sites', 'branches'] as const;
const everywhere = ['sites', 'branches', 'log'] as const;

/**
 * The keys of the lists, and those of the program, which work on every screen. Only the key table uses them, and checks
 * their type.
 */
export const listKeys = {
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
      help: 'order by status, name, last change or errors',
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
