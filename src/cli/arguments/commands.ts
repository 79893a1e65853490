/**
 * The table of all commands and flags. The parser, every `--help`, the tables in docs/commands.md and the completion
 * scripts are built from it, so a flag cannot exist in only one of them.
 */
import {levelNames} from '../../log/level/level-words.ts';
import type {CommandName, CommandSpec, FlagSpec, OperandSpec} from './command-spec.ts';

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

/** Flags of every command that watches logs. */
export const recordingFlags: readonly FlagSpec[] = [
  {
    name: 'record',
    value: 'FILE',
    help: 'record every response to a new file, without token and secrets',
    completes: 'file',
  },
  {name: 'replay', value: 'FILE', help: 'play a recording instead of contacting a service', completes: 'file'},
  {name: 'speed', value: 'FACTOR', help: 'playback speed: a factor such as 1 (the default) or 10, or max'},
];

/** Which cluster, and which part of it: for `kube`, and with `--kube` for the commands that print. */
const clusterFlags: readonly FlagSpec[] = [
  {name: 'kube-context', value: 'NAME', help: 'use this context of the kubeconfig', completes: 'kube-context'},
  {name: 'kubeconfig', value: 'FILE', help: 'read this kubeconfig instead of those of kubectl', completes: 'file'},
];

const workloadFlags: readonly FlagSpec[] = [
  {name: 'selector', short: 'l', value: 'SELECTOR', help: 'only workloads with these labels, such as app=shop'},
  {name: 'branch-label', value: 'LABEL', help: 'each value of this label is a branch, not each workload'},
];

const namespaceFlag: FlagSpec = {
  name: 'namespace',
  short: 'n',
  value: 'NAMESPACE',
  help: 'the namespace; by default that of the kubeconfig context',
  completes: 'namespace',
};

const kubeSwitch: FlagSpec = {name: 'kube', help: 'SITE is a Kubernetes namespace; see branchlog help kube'};

const onlyWithKube = (flags: readonly FlagSpec[]): readonly FlagSpec[] =>
  flags.map(flag => ({...flag, onlyWith: kubeSwitch.name}));

/** For every command that opens the terminal UI. */
const screenReaderFlag: FlagSpec = {
  name: 'screen-reader',
  help: 'print sentences for a screen reader instead of drawing screens; same as INK_SCREEN_READER=true',
};

/** Values of `--format` for lists. */
export const listFormats = ['table', 'json', 'ndjson'] as const;

/** Values of `--format` for `logs`. */
export const logFormats = ['text', 'json', 'raw'] as const;

/** Values of `--timestamps` for `logs`. */
export const timestampForms = ['local', 'utc', 'short', 'none'] as const;

/** Values of `--format` for `doctor`. */
export const doctorFormats = ['text', 'json', 'role'] as const;

/** Shells that have a completion script. */
export const shells = ['bash', 'zsh', 'fish'] as const;

const listFormatFlag: FlagSpec = {
  name: 'format',
  value: 'FORMAT',
  help: 'table (the default), json: one array, ndjson: one object per line',
  choices: listFormats,
};

const listFieldsFlag: FlagSpec = {
  name: 'fields',
  value: 'NAMES',
  help: 'only these fields, in this order, such as id,name',
};

/**
 * Maximum number of branches followed at once. The client keeps the last body of that many logs, people cannot tell
 * more colours apart, and each branch costs one request per interval.
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
      'SITE is an id or a configured name, BRANCH an id or a name. Without a terminal, `branchlog SITE BRANCH` is the same as `branchlog logs SITE BRANCH --follow`.',
      'In place of SITE you can give a link, SITE/BRANCH@TIME, which opens the log at that time. On the log screen, `c` copies one.',
    ],
    flags: [...recordingFlags, screenReaderFlag],
    examples: ['branchlog', 'branchlog shop', 'branchlog shop master', 'branchlog shop/master@2026-11-21T14:02:11Z'],
  },
  {
    name: 'demo',
    word: 'demo',
    isWithoutService: true,
    operands: [{name: 'SCENARIO', isOptional: true, completes: 'scenario'}],
    summary: 'try branchlog offline, on sample sites',
    details: ['Starts the built-in service with sample sites on a loopback port and opens the terminal UI on it.'],
    flags: [
      {name: 'no-numbers', help: 'serve lines without numbers and sources, as the interface describes'},
      screenReaderFlag,
    ],
    examples: ['branchlog demo', 'branchlog demo burst'],
  },
  {
    name: 'kube',
    word: 'kube',
    isWithoutService: true,
    operands: [
      {name: 'NAMESPACE', isOptional: true, completes: 'namespace'},
      {name: 'BRANCH', isOptional: true, completes: 'branch'},
    ],
    summary: 'watch the logs of a Kubernetes cluster',
    details: [
      'Opens the terminal UI on the cluster of your kubeconfig. Namespaces are the sites; Deployments and StatefulSets are the branches, or with --branch-label the values of a label. Nothing is installed in the cluster, nothing is written to it, and no config file is needed.',
      'Without NAMESPACE, the UI lists the namespaces, or opens that of the kubeconfig context if you may not list them. A link such as NAMESPACE/BRANCH@TIME, which `c` copies on the log screen, opens the log at that time.',
      'The cluster is the one that kubectl would use: the current context of the files in KUBECONFIG or of ~/.kube/config, or in a pod the ServiceAccount. Certificates, tokens and exec plugins such as those of EKS, GKE, AKS and kubelogin work. `branchlog doctor --kube` says what does not, and which permissions are missing.',
      'Scripts use `branchlog branches --kube` and `branchlog logs --kube NAMESPACE BRANCH`, with the same flags.',
    ],
    flags: [
      {...namespaceFlag, help: 'another way to name the namespace, that of kubectl'},
      ...workloadFlags,
      ...clusterFlags,
      screenReaderFlag,
    ],
    examples: [
      'branchlog kube',
      'branchlog kube -n shop -l app.kubernetes.io/part-of=shop',
      'branchlog kube shop web --kube-context prod-eu',
      'branchlog kube -n shop --branch-label app.kubernetes.io/instance',
    ],
  },
  {
    name: 'serve',
    word: 'serve',
    isWithoutService: true,
    operands: [{name: 'CONFIG', completes: 'file'}],
    summary: 'serve your own logs over the same interface',
    details: [
      "CONFIG is a TOML file with the address to listen on, the sites, their branches, and where the lines of each come from: files, commands, systemd's journal, or a Kubernetes cluster. branchlog-serve(5) describes it.",
      'Warnings are written to stderr, one JSON object per line. SIGHUP reloads CONFIG and the tokens.',
    ],
    flags: [{name: 'log-requests', help: 'write every request to stderr, too'}],
    examples: ['branchlog serve serve.toml', 'branchlog serve serve.toml --log-requests'],
  },
  {
    name: 'sites',
    word: 'sites',
    operands: [],
    summary: 'list the configured sites',
    details: ['Prints the sites in the config file. The service itself cannot list sites.'],
    flags: [listFormatFlag, listFieldsFlag],
    examples: ['branchlog sites', 'branchlog sites --format json'],
  },
  {
    name: 'branches',
    word: 'branches',
    operands: [{...site, isOptionalWith: 'kube'}],
    summary: "list a site's branches",
    details: [
      'SITE is an id or a configured name. In JSON a branch has id, name, status, type, hostname and updatedAt; a field that the service does not send is null. JSON keeps the order of the service; the table lists branches that are not built out last.',
      'With --kube, SITE is a namespace of a Kubernetes cluster; by default that of the kubeconfig context.',
    ],
    flags: [
      {name: 'deployed', help: 'only deployed branches'},
      listFormatFlag,
      listFieldsFlag,
      {name: 'full', help: 'in JSON, the whole record with secrets masked'},
      kubeSwitch,
      ...onlyWithKube([...workloadFlags, ...clusterFlags]),
    ],
    examples: [
      'branchlog branches shop',
      'branchlog branches shop --deployed --format json',
      'branchlog branches shop --format ndjson --fields name,status',
      'branchlog branches --kube shop',
    ],
  },
  {
    name: 'logs',
    word: 'logs',
    operands: [
      {...site, isOptionalWith: 'replay'},
      {name: 'BRANCH', countMax: branchesMax, isOptionalWith: 'replay', completes: 'branch'},
    ],
    summary: 'print or follow the log of one or more branches',
    details: [
      'SITE is an id or a configured name, BRANCH an id or a name. The service returns a window of the log: its newest lines. Without --follow, one window is printed.',
      'With --follow, overlapping windows are joined into one log without losing or repeating lines. Where lines may be missing, a gap marker gives the reason: on stderr for text and raw, as a record for json. An open gap can grow: text and raw report its start and its end, json prints a record with "grows":true and the whole range at each step. Once the first request has succeeded, errors do not stop it: it retries, and reports on stderr when an error begins, changes or ends.',
      'A log is whole only if the service numbers its lines, as branchlog serve and --kube do. Without numbers, branchlog joins the windows and marks the gaps that it sees, but cannot prove that there are no others: such a log is joined. --require-proof ends with 7 as soon as the log of any branch is not whole in this sense, after printing what came; a message on stderr says why. A gap does not end it: --fail-on-gap does. In json, a gap and the record of --summary have "proof": counted, said (the service or the config says how windows are cut) or inferred.',
      'A branch that is not built out has no log. A message on stderr says so, and the exit code is 0, with --follow too; with --until it is 4, because nothing can be waited for.',
      "BRANCH may be a pattern with * and ?, such as 'feature/*': all branches whose names match and that are built out.",
      `Up to ${branchesMax} branches are merged into one log, ordered by timestamp. A line is held until every other branch has been polled again, for at most one interval, so that older lines can be printed first. A line that arrives after that is printed at once, and is marked late only if it is late in its own branch. In json, each record has the branch name as "branch"; in text, the name comes before the line, shortened and coloured on a terminal. Markers and errors name their branch, and --fail-on-gap applies to each branch. --tail counts the lines of all first windows together. If the first request for any branch fails, the command fails.`,
      '--record FILE writes every response with its time to a new file that only you can read. It contains no token and no tenant, and secrets in branch records are masked. Log lines are written as received, so review a recording before you share it. --replay FILE plays a recording without config, token or network; --interval has no effect, and --duration and --since use the time of the recording. SITE and BRANCH are optional if it contains only one log.',
      'REGEX uses RE2 syntax, which has no look-around and no backreferences and always runs in linear time. It is matched against the text after the timestamp. Start it with (?i) to ignore case. TIME is written 500ms, 15s, 5m or 2h; a bare number means seconds. Times in messages are UTC.',
      'With --kube, SITE is a namespace of a Kubernetes cluster and BRANCH a Deployment, a StatefulSet, or a value of --branch-label. 401 and 403 of the cluster end the command with 3, an unknown namespace or workload with 4, an unreachable cluster with 5, an unusable kubeconfig with 2.',
    ],
    flags: [
      {name: 'follow', short: 'f', help: 'keep printing new lines as the log grows'},
      {name: 'interval', value: 'TIME', help: 'target delay while following; adapts to the log'},
      {name: 'tail', short: 'n', value: 'N', help: 'only the last N lines of the first window, counted after filters'},
      {
        name: 'since',
        value: 'TIME',
        help: "only lines newer than this: an age by the service's clock, or an RFC 3339 time",
      },
      {
        name: 'grep',
        value: 'REGEX',
        help: 'only lines that match; if repeated, lines that match any',
        isRepeatable: true,
      },
      {
        name: 'exclude',
        value: 'REGEX',
        help: 'hide lines that match; if repeated, lines that match any',
        isRepeatable: true,
      },
      {
        name: 'level',
        value: 'LEVEL',
        help: 'only lines of at least this level, with their stack traces',
        choices: levelNames,
      },
      {
        name: 'format',
        value: 'FORMAT',
        help: 'text: safe for a terminal (the default), json: NDJSON, raw: as received',
        choices: logFormats,
      },
      {
        name: 'timestamps',
        value: 'FORM',
        help: 'in text: local, utc, short (the local clock) or none; by default as received',
        choices: timestampForms,
      },
      {name: 'highlight', value: 'REGEX', help: 'in text: highlight matches in colour', isRepeatable: true},
      {name: 'duration', value: 'TIME', help: 'stop following after this time: exit code 0, or 8 with --until'},
      {
        name: 'until',
        value: 'REGEX',
        help: 'stop at the first matching new line, even if the filters hide it; without --follow or with --since, at any line',
      },
      {name: 'summary', help: 'in json: end with a record of the reason and the counts'},
      {name: 'fail-on-gap', help: 'exit with code 7 at the first gap; with --duration, at its end'},
      {
        name: 'require-proof',
        help: 'exit with code 7 if the lines are not numbered',
      },
      ...recordingFlags,
      kubeSwitch,
      ...onlyWithKube([...workloadFlags, ...clusterFlags]),
    ],
    examples: [
      'branchlog logs shop master --tail 100',
      'branchlog logs shop master --follow --level error',
      "branchlog logs shop master --follow --until 'ready' --duration 5m",
      'branchlog logs shop master --follow --format json | jq -r .text',
      'branchlog logs shop master staging --follow',
      'branchlog logs shop master --follow --record night.ndjson',
      'branchlog logs --replay night.ndjson --follow --speed 10',
      'branchlog logs --kube shop web --follow',
    ],
  },
  {
    name: 'init',
    word: 'init',
    operands: [],
    summary: 'set up a service: ask, check, write the config',
    details: [
      'Asks for the address, the tenant, the auth mode, the file with the token and a site, checks each answer as doctor does, and adds them as a context to the config file, which is created if it is missing. Nothing that is in the file is changed. The token itself is never asked for and never written.',
      'The flags and the environment are suggested as answers. Without a terminal they are the answers; then the address, the tenant, the auth mode and the token file are required. --context is the name of the new context, the name of the host if it is left out.',
    ],
    flags: [
      {name: 'site', value: 'ID', help: 'id of a site'},
      {name: 'site-name', value: 'NAME', help: 'a name for that site'},
      {
        name: 'ca-file',
        value: 'PATH',
        help: "certificate of the service's own authority, PEM",
        completes: 'file',
      },
    ],
    examples: ['branchlog init', 'branchlog init --context staging --base-url https://staging.example.com/dev-v1'],
  },
  {
    name: 'doctor',
    word: 'doctor',
    operands: [],
    summary: 'check the setup and suggest fixes',
    details: [
      'Checks the config, the token, the network, TLS, the clocks, access to each configured site, and the responses of the service. Each check prints one row: ok, warn, FAIL or skip, and below a warning or failure what to do. The exit code is that of the first failure. In JSON, each check has status, subject, words and action.',
      'With --kube, checks the kubeconfig, the connection to the API server, the clocks, and each permission that branchlog needs in the namespace, by requests that only read. If any is missing, the Role and RoleBinding that grant them follow the rows; --format role prints nothing else.',
    ],
    flags: [
      {
        name: 'format',
        value: 'FORMAT',
        help: 'text: rows (the default), json: one array, role: with --kube, the missing permissions as YAML',
        choices: doctorFormats,
      },
      {name: 'kube', help: 'check access to a Kubernetes cluster instead'},
      ...onlyWithKube([namespaceFlag, ...clusterFlags]),
    ],
    examples: [
      'branchlog doctor',
      'branchlog doctor --context prod',
      'branchlog doctor --format json',
      'branchlog doctor --kube -n shop',
      'branchlog doctor --kube -n shop --format role | kubectl apply -f -',
    ],
  },
  {
    name: 'help',
    word: 'help',
    isWithoutService: true,
    operands: [{name: 'COMMAND', isOptional: true, completes: 'command'}],
    summary: 'show the help of branchlog or of a command',
    details: [],
    flags: [],
    examples: ['branchlog help', 'branchlog help logs'],
  },
  {
    name: 'version',
    word: 'version',
    isWithoutService: true,
    operands: [],
    summary: 'show the version',
    details: [],
    flags: [],
    examples: ['branchlog version'],
  },
  {
    name: 'completion',
    word: 'completion',
    isWithoutService: true,
    operands: [{name: 'SHELL', choices: shells}],
    summary: 'print a completion script for a shell',
    details: [
      'The script completes commands, flags and their values, contexts, sites, branches (from the last listing), scenarios, and files. It never contacts the service and never reads the token.',
    ],
    flags: [],
    examples: [
      'source <(branchlog completion bash)',
      `branchlog completion zsh > "\${fpath[1]}/_branchlog"`,
      'branchlog completion fish > ~/.config/fish/completions/branchlog.fish',
    ],
  },
];

/** Returns the command with this name. */
export const findCommand = (name: CommandName): CommandSpec => {
  const command = commands.find(candidate => candidate.name === name);
  if (!command) {
    throw new Error(`the table of commands lacks ${name}`);
  }
  return command;
};
