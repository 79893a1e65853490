import {levelNames, levelOfWord} from '#log/tokens/level-words.ts';
import type {CommandSpec, FlagSpec, NamedCommand} from './command-spec.ts';

/** In every command, both words mean records, one a line. */
export const jsonWord = (word: string): string | undefined => (word.toLowerCase() === 'ndjson' ? 'json' : undefined);

/** Values of `--format` for `logs`. */
export const logFormats = ['text', 'json', 'raw'] as const;

/** Values of `--timestamps` for `logs`. */
export const timestampForms = ['local', 'utc', 'short', 'none'] as const;

/** Which lines are printed. */
export const filterFlags: readonly FlagSpec[] = [
  {name: 'tail', short: 'n', value: 'N', help: 'only the last N lines of the first answer'},
  {name: 'since', value: 'TIME', help: 'only newer lines: 15m, 20:20, yesterday …'},
  {name: 'to', value: 'TIME', help: 'only lines up to this; not with --follow'},
  {
    name: 'grep',
    value: 'REGEX',
    help: 'only lines that match, with their stack traces; if repeated, any of them',
    isRepeatable: true,
  },
  {name: 'before', short: 'B', value: 'N', help: 'also N lines before each match'},
  {name: 'after', short: 'A', value: 'N', help: 'also N lines after each match'},
  {name: 'around', short: 'C', value: 'N', help: 'both: N lines before and after'},
  {name: 'exclude', value: 'REGEX', help: 'hide lines that match; if repeated, any of them', isRepeatable: true},
  {
    name: 'level',
    value: 'LEVEL',
    help: 'only lines of this level or worse',
    choices: levelNames,
    choiceOf: levelOfWord,
  },
];

/** How much is printed at most. */
export const limitFlags: readonly FlagSpec[] = [
  {name: 'max-bytes', value: 'N', help: 'fold what does not fit in N bytes, such as 8k'},
  {name: 'max-lines', value: 'N', help: 'fold what does not fit in N rows'},
];

/** How lines are printed, and when that ends. */
export const printFlags: readonly FlagSpec[] = [
  {name: 'prefix', onlyIn: 'text', help: 'begin each line with its source'},
  {
    name: 'format',
    value: 'FORMAT',
    help: 'text: safe for a terminal (the default), json: NDJSON, raw: as received',
    choices: logFormats,
    choiceOf: jsonWord,
  },
  {name: 'timestamps', value: 'FORM', onlyIn: 'text', help: 'local, utc, short or none', choices: timestampForms},
  {name: 'highlight', value: 'REGEX', onlyIn: 'text', help: 'highlight matches in colour', isRepeatable: true},
  {name: 'duration', value: 'TIME', help: 'stop following after this time'},
  {
    name: 'until',
    value: 'REGEX',
    help: 'stop at the first new line that matches',
  },
  {name: 'summary', onlyIn: 'json', help: 'end with a record of reason and counts'},
  {
    name: 'fail-on-gap',
    help: 'exit with code 7 at the first gap; with --duration, when it ends',
  },
  ...limitFlags,
];

/** For the commands that print logs. */
export const followFlag: FlagSpec = {name: 'follow', short: 'f', help: 'keep printing new lines as the log grows'};

/** Which service, and as whom. There is no `--token`: other users can read argument lists. */
const serviceFlags: readonly FlagSpec[] = [
  {name: 'context', value: 'NAME', help: 'use this context of the config file', completes: 'context'},
  {name: 'base-url', value: 'URL', help: 'address of the service, up to its version segment'},
  {name: 'tenant', value: 'ID', help: 'organisation id, sent with every request'},
  {name: 'auth-mode', value: 'VALUE', help: 'identity-provider mode, sent with every request'},
  {name: 'token-file', value: 'PATH', help: 'file that contains the token', completes: 'file'},
];

/** Flags of every command. */
export const everywhereFlags: readonly FlagSpec[] = [
  ...serviceFlags,
  {name: 'config', value: 'PATH', help: 'read this config file', completes: 'file'},
  {
    name: 'color',
    value: 'WHEN',
    help: 'colours: auto (the default), always or never; overrides NO_COLOR and CLICOLOR',
    choices: ['auto', 'always', 'never'],
  },
  {name: 'help', short: 'h', help: 'show this help'},
  {name: 'version', short: 'V', help: 'show the version'},
];

/** Returns the flags of every command that have a meaning for this one. */
export const globalFlagsOf = ({isWithoutService}: CommandSpec): readonly FlagSpec[] =>
  everywhereFlags.filter(flag => !(isWithoutService && serviceFlags.includes(flag)));

/** For every command that reads logs. */
export const replayFlag: FlagSpec = {
  name: 'replay',
  value: 'FILE',
  help: 'play a recording instead of asking a service',
  completes: 'file',
};

/** Flags of every command that watches logs. */
export const recordingFlags: readonly FlagSpec[] = [
  {name: 'record', value: 'FILE', help: 'record every response to a new file', completes: 'file'},
  replayFlag,
  {name: 'speed', value: 'FACTOR', help: 'playback speed: 1 (the default), 10, max …'},
];

/** Which cluster, and which part of it: for `kube`, and with `--kube` for the commands that print. */
export const clusterFlags: readonly FlagSpec[] = [
  {name: 'kube-context', value: 'NAME', help: 'use this context of the kubeconfig', completes: 'kube-context'},
  {name: 'kubeconfig', value: 'FILE', help: 'read this kubeconfig instead of those of kubectl', completes: 'file'},
  {name: 'as', value: 'USER', help: 'act as this user, if you may impersonate'},
  {name: 'as-group', value: 'GROUP', help: 'act as a member of this group; repeatable', isRepeatable: true},
];

/** Which workloads, and what a branch is. */
export const workloadFlags: readonly FlagSpec[] = [
  {name: 'selector', short: 'l', value: 'SELECTOR', help: 'only workloads that, or whose pods, match: app=shop'},
  {name: 'branch-label', value: 'LABEL', help: 'each value of this label is a branch'},
];

/** Which namespace, for the commands that name no site. */
export const namespaceFlag: FlagSpec = {
  name: 'namespace',
  short: 'n',
  value: 'NAMESPACE',
  help: 'the namespace; by default that of the kubeconfig context',
  completes: 'namespace',
};

/** The same where the namespace can be an operand, and for commands whose -n is something else. */
export const namespaceWordFlag: FlagSpec = {
  name: namespaceFlag.name,
  value: 'NAMESPACE',
  help: 'the namespace, instead of SITE',
  completes: 'namespace',
};

/** The flags of kubectl for what `kube` does. */
export const kubectlFlags: readonly FlagSpec[] = [
  {...namespaceFlag, help: 'another way to name the namespace, as in kubectl'},
  {name: 'all-namespaces', short: 'A', help: 'list all namespaces, or fail if you may not'},
  {
    name: 'context',
    value: 'NAME',
    help: 'the same as --kube-context; repeatable',
    isRepeatable: true,
    completes: 'kube-context',
  },
  {name: 'all-contexts', help: 'all contexts of the kubeconfig side by side'},
];

/** As of kubectl. */
export const previousFlag: FlagSpec = {
  name: 'previous',
  short: 'p',
  help: 'the previous instance of each container, to its end',
};

/** Scripts get no lines but those of containers, unless they ask for them. */
export const eventsFlag: FlagSpec = {
  name: 'events',
  help: 'also the events of the branch, its pods and ReplicaSets, as lines of the source events',
};

/** Makes a command read a cluster instead of a service. */
export const kubeSwitch: FlagSpec = {name: 'kube', help: 'SITE is a Kubernetes namespace; see help kube'};

/** Returns flags that need `--kube`. */
export const onlyWithKube = (flags: readonly FlagSpec[]): readonly FlagSpec[] =>
  flags.map(flag => ({...flag, onlyWith: kubeSwitch.name}));

/** Flags of everything that is opened by name instead of from a service. */
export const openedFlags: readonly FlagSpec[] = [
  {name: 'rotated', help: 'also rotated files next to FILE, such as FILE.1 and FILE.2.gz'},
  {name: 'docker', help: 'open containers of Docker instead of files; FILE is then a NAME'},
  {name: 'podman', help: 'open containers of Podman'},
];

/** For every command that opens the terminal UI. */
export const screenReaderFlag: FlagSpec = {
  name: 'screen-reader',
  help: 'sentences for a screen reader instead of screens',
};

/** Values of `--format` for `incident`. */
export const incidentFormats = ['text', 'json'] as const;

export const incidentCommand: NamedCommand = {
  name: 'incident',
  operands: [
    {name: 'SITE', isOptional: true, completes: 'site'},
    {name: 'BRANCH', isOptional: true, countMax: Number.POSITIVE_INFINITY, completes: 'branch'},
  ],
  operandWords: 'SITE BRANCH|FILE…',
  afterDashes: 'COMMAND…',
  summary: 'say what is wrong with a log, and since when',
  details: [
    'Reads the log once and compares now with before. It looks for errors, requests, statuses and messages that came more often, took longer, stopped or came in masses, each with its onset; for lines about the end of a process or a node; and for what changed around that time: the branch, its pods, fields such as version that have another value, rare lines. It claims no cause. On the log screen, `I` shows the same.',
    'The log is that of a BRANCH of a SITE, or of several as one; or what open takes: a FILE, a pattern in quotes, a folder, - for standard input, a COMMAND, containers with --docker or --podman; or a recording with --replay. If a configured site and a file have the same name, the site is read. If the log is larger than buffer_mb, the newest lines are read. A command or a pipe is read to its end, so it must not follow: kubectl logs web --timestamps, without -f.',
    'There are three verdicts. Found (exit code 0): something is wrong, or was within the time asked about; if it is still happening, it counts whenever it began. Calm (9): nothing is wrong, all of the time asked about is covered, and it does not differ from an earlier time, whose lines are held, too. Cannot tell (7): nothing was found, but part of the time asked about is not covered, or no earlier lines are held to compare with.',
    'Not covered are times before the oldest line held, gaps, losses that the service reports, pods that cannot be read, a service that does not answer, items that are not lines, and silence: a source that wrote steadily has stopped. Text, records and exit code never disagree, and the second row of the text is the basis of the verdict. Weak findings and mere changes are printed, but do not count. Other exit codes are those of logs.',
    'In json, the first record has "kind":"verdict": "verdict" is found, calm or unknown, and "why" the first reason for unknown: older, unread, gap, loss, quiet (windows without lines), silence, unreadable, outage, notLines, noLines, noBaseline, or with --since deploy tooShort or noDeployment. Its basis follows: "asked", the time that is judged; "covered" and "uncovered", its parts; "comparedWith", null if no calm time is held; "proof" and "gaps". "text" and "basis" say that in words; "errors" counts the errors, "onset" is the beginning, "from" and "to" are the times of the oldest and newest line.',
    'Each other record is a finding: "what" is rise, new, slower, stopped, gone, storm, fatal, changed or restart; "by" is errors, kind (what errors say), failed (their request and status), pod, status, request, message, source or field; "before" and "now" are values in "unit" (per minute, ms: the 95th percentile, share), null if nothing older is held; "of" is all lines per minute or, for ms and share, the requests measured. "confidence" is sure, likely or weak. "since" and "until" are its beginning and end; "until" is null if it is still happening, with "quietSince" if it may be over: no error has come since then, for longer than usual. "from" and "to" are the times of its first and last line, "line" is the first one. "mayBeOlder" says that it may have begun before the oldest line held; "only" says who wrote all of it; "who" has the fields whose value most of these lines have, with their "share" and that of the "others"; "waves" says how often it came and went.',
    'With --compare, the window of another branch of the site is read, too, and each finding, except changes and pods, has "elsewhere": "now" at the same time there, in "unit"; whether that is as wrong ("holds": true, false or "unknown"); and "gaps", times whose lines may be missing or are not held. Rates are compared as shares of all lines. It is "unknown" if gaps may hide it, or if so few lines came that its absence proves nothing.',
    '--notify-command names a program, run without a shell; repeat the flag for its arguments: --notify-command ./page --notify-command=--urgent. If the exit code will be 0, the program runs once, after the findings are printed, and gets the verdict and each finding as records in json on its standard input; what looks like a secret in lines is masked. It has 20 s, and does not get BRANCHLOG_TOKEN. If it fails, a sentence on stderr says so; the exit code does not change.',
    '--since deploy compares the time since the last deployment with at most an hour before it. The deployment is recognised by the record of the branch, its pods or a version in the log. The findings are kinds of errors and messages that are new, more, fewer or gone, requests that are slower, and tokens that changed in lines that are otherwise the same (pool 50 -> 5). Found (0) if anything got worse or changed, 9 if not, 7 if lines may be missing on either side, or if no deployment is known ("why":"noDeployment"). The first record has "deployment", and "what" may be fewer. With --compare, each finding is also compared with the other branch.',
    "TIME is an age such as 15m, by the service's clock, or a time. Older lines are still used to compare with. Without --since, the time asked about begins with the oldest line held. It ends now; for files, pipes and commands it ends with the newest line, unless --since or --to is given.",
  ],
  flags: [
    {
      name: 'since',
      value: 'TIME',
      help: 'judge the time from then on, with what is still happening; deploy: what differs since the deployment',
    },
    {name: 'to', value: 'TIME', help: 'judge the time up to then'},
    {
      name: 'format',
      value: 'FORMAT',
      help: 'text (the default), json: NDJSON, the verdict and one record per finding',
      choices: incidentFormats,
      choiceOf: jsonWord,
    },
    {
      name: 'compare',
      value: 'BRANCH2',
      completes: 'branch',
      help: 'compare each finding with another branch',
    },
    {
      name: 'notify-command',
      value: 'PROGRAM',
      help: 'run a program if something was found, with the verdict and the findings on its standard input; repeat for its arguments',
      isRepeatable: true,
    },
    ...openedFlags,
    ...limitFlags,
    replayFlag,
    kubeSwitch,
    ...onlyWithKube([namespaceWordFlag, ...workloadFlags, ...clusterFlags]),
  ],
  examples: [
    'branchlog incident shop master',
    'branchlog incident shop master --since 10m --format json',
    'branchlog incident shop master --compare staging',
    'branchlog incident shop master --since deploy',
    'branchlog incident --kube shop web',
    'branchlog incident app.log --since 1h',
    'kubectl logs web-0 --timestamps | branchlog incident -',
    'branchlog incident --docker web --since 10m',
  ],
};
