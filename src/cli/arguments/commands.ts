/**
 * The one table of commands and flags. The parser, every `--help`, the README's table and the completion scripts are
 * made from it, so that a flag cannot exist in one of them only.
 */
import {levelNames} from '../../log/level/level-words.ts';

/** What completion offers where there is no list of choices. */
export type Completes = 'site' | 'branch' | 'context' | 'file' | 'scenario';

export type FlagSpec = {
  /** With its dashes left off. */
  readonly name: string;
  /** A letter that does the same after one dash. */
  readonly short?: string;
  /** What stands for the value in help; a flag without is a switch. */
  readonly value?: string;
  /** One sentence without a full stop. */
  readonly help: string;
  readonly isRepeatable?: true;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
};

export type OperandSpec = {
  readonly name: string;
  readonly isOptional?: true;
  /** The last operand may be given up to so many times. */
  readonly countMax?: number;
  /** A flag with which it may be left out. */
  readonly isOptionalWith?: string;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
};

export type CommandName = 'open' | 'demo' | 'serve' | 'sites' | 'branches' | 'logs' | 'doctor' | 'completion';

export type CommandSpec = {
  readonly name: CommandName;
  /** The word that calls it; `open` is what happens without one. */
  readonly word: string | undefined;
  readonly operands: readonly OperandSpec[];
  /** What it does, in half a line. */
  readonly summary: string;
  /** Paragraphs of its own help. */
  readonly details: readonly string[];
  readonly flags: readonly FlagSpec[];
  readonly examples: readonly string[];
};

/** Flags that every command takes. There is no `--token`: argument lists are public. */
export const everywhereFlags: readonly FlagSpec[] = [
  {name: 'context', value: 'NAME', help: 'the context of the config file to talk to', completes: 'context'},
  {name: 'base-url', value: 'URL', help: 'the address of the service, with its version segment'},
  {name: 'tenant', value: 'ID', help: 'the organisation that every request names'},
  {name: 'auth-mode', value: 'VALUE', help: 'the identity-provider mode that every request names'},
  {name: 'token-file', value: 'PATH', help: 'the file that holds the token', completes: 'file'},
  {name: 'config', value: 'PATH', help: 'the config file to read', completes: 'file'},
  {name: 'help', short: 'h', help: 'show this help'},
  {name: 'version', help: 'show the version'},
];

/** For every command that watches logs. */
export const recordingFlags: readonly FlagSpec[] = [
  {
    name: 'record',
    value: 'FILE',
    help: 'write every answer to a new file, without token and secrets',
    completes: 'file',
  },
  {name: 'replay', value: 'FILE', help: 'play a recorded file instead of asking a service', completes: 'file'},
  {name: 'speed', value: 'FACTOR', help: 'how many times faster to play it, such as 1 (the default) or 10, or max'},
];

/** For every command that opens the screens. */
const screenReaderFlag: FlagSpec = {
  name: 'screen-reader',
  help: 'sentences for a screen reader, one behind the other, instead of screens; also with INK_SCREEN_READER=true',
};

/** What `--format` takes for a list. */
export const listFormats = ['table', 'json', 'ndjson'] as const;

/** What `--format` takes for `logs`. */
export const logFormats = ['text', 'json', 'raw'] as const;

/** The shells that there is a completion script for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

const listFormatFlag: FlagSpec = {
  name: 'format',
  value: 'FORMAT',
  help: 'table for people (the default), json as one array, ndjson as one object a line',
  choices: listFormats,
};

/**
 * As many logs as are followed at once. The client holds the last body of so many, people tell no more colours apart, and each is a
 * request every interval.
 */
export const branchesMax = 8;

const site: OperandSpec = {name: 'SITE', completes: 'site'};

export const commands: readonly CommandSpec[] = [
  {
    name: 'open',
    word: undefined,
    operands: [
      {...site, isOptional: true},
      {name: 'BRANCH', isOptional: true, completes: 'branch'},
    ],
    summary: 'browse sites and branches, watch a log',
    details: [
      'SITE is an id or a configured name, BRANCH an id or a name. Without a terminal, `branchlog SITE BRANCH` does what `branchlog logs SITE BRANCH --follow` does.',
      'A link SITE/BRANCH@TIME in the place of SITE, as `c` copies it on the log, opens the log at that time.',
    ],
    flags: [...recordingFlags, screenReaderFlag],
    examples: ['branchlog', 'branchlog shop', 'branchlog shop master', 'branchlog shop/master@2026-11-21T14:02:11Z'],
  },
  {
    name: 'demo',
    word: 'demo',
    operands: [{name: 'SCENARIO', isOptional: true, completes: 'scenario'}],
    summary: 'the same on sample sites, offline',
    details: ['Starts the embedded service with sample sites on a loopback port, and the terminal UI on it.'],
    flags: [screenReaderFlag],
    examples: ['branchlog demo', 'branchlog demo burst'],
  },
  {
    name: 'serve',
    word: 'serve',
    operands: [{name: 'CONFIG', completes: 'file'}],
    summary: 'serve real log files over the same interface',
    details: [
      'CONFIG is a TOML file that names the address, the sites, their branches, and the log files of each pod.',
      'Requests and warnings go to stderr, one JSON object a line.',
    ],
    flags: [],
    examples: ['branchlog serve serve.toml'],
  },
  {
    name: 'sites',
    word: 'sites',
    operands: [],
    summary: 'list the configured sites',
    details: ['The service has no operation that lists sites: these are the ones the config file names.'],
    flags: [listFormatFlag],
    examples: ['branchlog sites', 'branchlog sites --format json'],
  },
  {
    name: 'branches',
    word: 'branches',
    operands: [site],
    summary: "list a site's branches",
    details: [
      'SITE is an id or a configured name. A branch in JSON has id, name, status, type, hostname and updatedAt, null where the service gives none. JSON keeps the order of the service; the table has branches that are not built out last.',
    ],
    flags: [
      {name: 'deployed', help: 'only the deployed branches'},
      listFormatFlag,
      {name: 'full', help: 'in JSON the whole record, its secrets masked'},
    ],
    examples: ['branchlog branches shop', 'branchlog branches shop --deployed --format json'],
  },
  {
    name: 'logs',
    word: 'logs',
    operands: [
      {...site, isOptionalWith: 'replay'},
      {name: 'BRANCH', countMax: branchesMax, isOptionalWith: 'replay', completes: 'branch'},
    ],
    summary: 'print the log of one branch or of several, or follow it',
    details: [
      'SITE is an id or a configured name, BRANCH an id or a name. The service answers with a window of the log; without --follow one window is printed.',
      'With --follow, overlapping windows are put together again with no line lost and none doubled. Where lines may be missing, a gap is marked with its reason: on stderr in text and raw, as a record in json. One that is still open grows: in text and raw you are told when it begins and when it has ended, in json each step is a record with "grows":true and the whole range. After one good answer faults never end it: it tries again, and writes a line to stderr when a fault begins, changes or ends.',
      'A branch that is not built out has no log: that is said on stderr, no log is asked for, and the exit code is 0, with --follow too.',
      `With several branches, ${branchesMax} at most, their logs are printed as one, by timestamp, each with an engine and a pace of its own. A line waits until every other branch has been asked again, at most one interval, so that an older one can still go before it; one that comes later all the same is printed when it comes, and is marked late only where it is late in its own branch. In json each record has the name as "branch", in text it stands in front, on a terminal cut short and in a colour; markers, faults and --fail-on-gap are told for each. --tail counts the lines of all the first windows together. A first answer that fails ends it, whichever branch it is of.`,
      'With --record FILE every answer is written down with its time, readable by you only: no token, no tenant, and the secrets of branch records as masks. Log lines are written as they are, so look through a recording before you give it away. --replay FILE plays it, by itself: config, token, network and --interval play no part; --duration and --since go by the time of the recording. SITE and BRANCH may be left out where it has one log only.',
      'REGEX is in the syntax of RE2, matched against the text after the timestamp: no look-around and no backreferences, and no pattern can be slow. Write (?i) in front to ignore case. TIME is 500ms, 15s, 5m or 2h; a bare number is seconds. Times in messages are UTC.',
    ],
    flags: [
      {name: 'follow', help: 'go on printing as the log grows'},
      {name: 'interval', value: 'TIME', help: 'how fresh to stay while following; polls as fast as the log needs'},
      {name: 'tail', value: 'N', help: 'only the last N lines of the first window, after filters'},
      {
        name: 'since',
        value: 'TIME',
        help: "only lines at most that much older than the service's clock, or since an RFC 3339 time",
      },
      {
        name: 'grep',
        value: 'REGEX',
        help: 'only lines that match; repeated: that match any of them',
        isRepeatable: true,
      },
      {name: 'exclude', value: 'REGEX', help: 'no lines that match; repeated: that match any', isRepeatable: true},
      {
        name: 'level',
        value: 'LEVEL',
        help: 'only lines of at least that level, each with its stack trace',
        choices: levelNames,
      },
      {
        name: 'format',
        value: 'FORMAT',
        help: 'text made safe for a terminal (the default), json as NDJSON, raw as received',
        choices: logFormats,
      },
      {name: 'duration', value: 'TIME', help: 'stop following after that time, with exit code 0'},
      {
        name: 'until',
        value: 'REGEX',
        help: 'stop at the first line that matches, even one that the filters hide',
      },
      {name: 'fail-on-gap', help: 'exit code 7 when lines may be missing: at once, with --duration at its end'},
      ...recordingFlags,
    ],
    examples: [
      'branchlog logs shop master --tail 100',
      'branchlog logs shop master --follow --level error',
      "branchlog logs shop master --follow --until 'ready' --duration 5m",
      'branchlog logs shop master --follow --format json | jq -r .text',
      'branchlog logs shop master staging --follow',
      'branchlog logs shop master --follow --record night.ndjson',
      'branchlog logs --replay night.ndjson --follow --speed 10',
    ],
  },
  {
    name: 'doctor',
    word: 'doctor',
    operands: [],
    summary: 'check everything, and say what to do',
    details: [
      'Checks the config, the token, the network, TLS, the clocks, the right to list each configured site, and the interface: one row each with ok, warn or FAIL. The exit code is that of the first failure.',
    ],
    flags: [],
    examples: ['branchlog doctor', 'branchlog doctor --context prod'],
  },
  {
    name: 'completion',
    word: 'completion',
    operands: [{name: 'SHELL', choices: shells}],
    summary: 'print a completion script for a shell',
    details: [
      'The script completes commands, flags and their values, contexts, sites, branches as they were last listed, scenarios, and files. It asks nothing of the service and reads no token.',
    ],
    flags: [],
    examples: [
      'source <(branchlog completion bash)',
      `branchlog completion zsh > "\${fpath[1]}/_branchlog"`,
      'branchlog completion fish > ~/.config/fish/completions/branchlog.fish',
    ],
  },
];

/** The command of a word, or the one that runs without a word. */
export const findCommand = (name: CommandName): CommandSpec => {
  const command = commands.find(candidate => candidate.name === name);
  if (!command) {
    throw new Error(`the table of commands lacks ${name}`);
  }
  return command;
};

/** `SITE [BRANCH]`, as a usage line shows it; `…` behind one that may be given again. */
export const formatOperands = (command: CommandSpec): string => {
  const words = command.operands.map(({choices, name, countMax}) =>
    [choices?.join('|') ?? name, countMax === undefined ? '' : '…'].join(''),
  );
  // Optional operands nest: the second can only stand where the first does.
  return command.operands.reduceRight((rest, operand, index) => {
    const word = [words[index], rest].filter(Boolean).join(' ');
    return operand.isOptional ? `[${word}]` : word;
  }, '');
};

/** `branchlog logs SITE BRANCH`. */
export const formatUsage = (command: CommandSpec): string =>
  ['branchlog', command.word, formatOperands(command)].filter(Boolean).join(' ');

/** `--tail N`. */
export const formatFlag = (flag: FlagSpec): string => `--${flag.name}${flag.value ? ` ${flag.value}` : ''}`;
