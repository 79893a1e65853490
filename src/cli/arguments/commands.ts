/**
 * The table of all commands and flags. The parser, every `--help`, the tables in docs/commands.md and the completion
 * scripts are built from it, so a flag cannot exist in only one of them.
 */
import type {CommandName, CommandSpec, FlagSpec, NamedCommand, OperandSpec} from './command-spec.ts';
import {
  clusterFlags,
  eventsFlag,
  filterFlags,
  followFlag,
  incidentCommand,
  incidentFormats,
  jsonWord,
  kubectlFlags,
  kubeSwitch,
  limitFlags,
  namespaceFlag,
  namespaceWordFlag,
  onlyWithKube,
  openedFlags,
  previousFlag,
  printFlags,
  recordingFlags,
  screenReaderFlag,
  workloadFlags,
} from './shared-flags.ts';
import {exportCommand, guardCommand, mcpCommand, timelineCommand} from './specs/reading-commands.ts';

/** Values of `--format` for lists. */
export const listFormats = ['table', 'json', 'json-array'] as const;

/** Values of `--format` for `doctor`. */
export const doctorFormats = ['text', 'json', 'json-array', 'role'] as const;

/** Shells that have a completion script. */
export const shells = ['bash', 'zsh', 'fish'] as const;

const listFormatFlag: FlagSpec = {
  name: 'format',
  value: 'FORMAT',
  help: 'table (the default), json or ndjson: one object per line, json-array: one array, in this version only',
  choices: ['table', 'json', 'ndjson', 'json-array'],
  choiceOf: jsonWord,
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

/** A shell writes out a pattern: what to do with so many files is said where they are looked for. */
const openedMax = Number.POSITIVE_INFINITY;

const site: OperandSpec = {name: 'SITE', completes: 'site'};

const table: readonly NamedCommand[] = [
  {
    name: 'browse',
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
    name: 'open',
    isWithoutService: true,
    operands: [{name: 'FILE', isOptional: true, countMax: openedMax, completes: 'file'}],
    afterDashes: 'COMMAND…',
    summary: 'open log files, a pipe, a command, or containers',
    details: [
      'FILE is a log, a folder (its *.log), a pattern in quotes, or - for standard input. COMMAND is a program and its arguments. Several become one log in order of time, each line with its source. Files compressed with gzip or zstd are read, and those compressed with xz or bzip2 if that program is installed. Nothing needs to be configured, nothing is served, and nothing is left behind. `branchlog FILE` is the same, unless FILE is also the name of a site.',
      'In the terminal UI, a file is opened at its end and followed, also when it is rotated or emptied; --since and --tail say how far back it is read. A marker at the beginning of the log says what was not read. With a pipe, keys are read from the terminal. The end of a pipe and the exit code of a command are shown as markers. As a pager (PAGER=branchlog), it reads standard input.',
      'With --docker, a NAME is a container, an id or the beginning of one, a service or project of Compose, or a pattern of names in quotes; several become one log, each line with its container and its stream. Without a NAME, the terminal UI lists projects and their services; where lines are printed, all running containers are one log. The logs are read from the socket of the engine (DOCKER_HOST, or /var/run/docker.sock) and followed through restarts and recreated containers. An exit is a marker with its code. --podman does the same with Podman (CONTAINER_HOST, or its socket). Environment variables of containers are never read.',
      'Without a terminal, or with a flag for printing such as --level, --grep or --format, it prints as `branchlog logs` does: all lines, as they were written, until the end, and with --follow also new ones. Up to 32 files and archives are put in order as they are read. Everything else is put in order in memory: more files, a folder, what is followed, and files together with a command or a pipe. If that is more than buffer_mb, only the newest lines are printed, and a message on stderr says since when. Lines without a time get that of the line before, or of their arrival. --level, --grep, --until and the other flags are those of logs.',
      'A file or a pipe is printed as it is read, up to 32 files and archives in order of time: text has whole lines, however long, and raw has their bytes. Commands, containers, json, --follow, flags that need times, and lines around a match in several files need lines as text: a line of more than 64 KB is then printed in pieces, each a line (in json, each but the last has "part":true), and raw ends lines with LF and has U+FFFD for bytes that are not UTF-8.',
    ],
    flags: [
      ...openedFlags,
      {name: 'quit-if-one-screen', short: 'F', help: 'print what fits on the screen, and end'},
      followFlag,
      ...filterFlags,
      ...printFlags,
      screenReaderFlag,
    ],
    examples: [
      'branchlog open /var/log/nginx/access.log',
      'branchlog open --docker web',
      'branchlog open --docker --since 1h --level error --format json',
      'kubectl logs -f web-0 | branchlog open -',
      "branchlog open '/var/log/*.log' --since 1h",
      'branchlog open app.log --rotated',
      'branchlog open app.log --level error --format json',
    ],
  },
  {
    name: 'kube',
    isWithoutService: true,
    operands: [
      {name: 'NAMESPACE', isOptional: true, completes: 'namespace'},
      {name: 'BRANCH', isOptional: true, completes: 'branch'},
    ],
    summary: 'watch the logs of a Kubernetes cluster',
    details: [
      'Opens the terminal UI on the cluster of your kubeconfig. Namespaces are the sites; workloads are the branches (Deployments, StatefulSets, DaemonSets, CronJobs, Jobs, Rollouts of Argo Rollouts, and pods that none of these made), or with --branch-label the values of a label. BRANCH may be written as in kubectl: deploy/web, ds/agent, pod/web-0. Nothing is installed in the cluster, nothing is written to it, and no config file is needed.',
      'Without NAMESPACE, the UI lists the namespaces, or opens that of the kubeconfig context if you may not list them. A link such as NAMESPACE/BRANCH@TIME, which `c` copies on the log screen, opens the log at that time.',
      'The cluster is the one that kubectl would use: the current context of the files in KUBECONFIG or of ~/.kube/config, or in a pod the ServiceAccount. Certificates, tokens and exec plugins such as those of EKS, GKE, AKS and kubelogin work. `branchlog doctor --kube` says what does not work, and which permissions are missing.',
      'With several --context, or --all-contexts, the namespaces of these contexts are listed side by side, each named by its context: NAMESPACE may then be written prod-eu/shop. A context that cannot be reached is reported; the others are still read.',
      'Scripts use `branchlog branches --kube` and `branchlog logs --kube NAMESPACE BRANCH`, with the same flags.',
    ],
    flags: [
      ...kubectlFlags,
      ...workloadFlags,
      previousFlag,
      {name: 'no-events', help: 'show no events of pods and workloads'},
      ...clusterFlags,
      screenReaderFlag,
    ],
    examples: [
      'branchlog kube -n shop -l app.kubernetes.io/part-of=shop',
      'branchlog kube --context prod-eu --context prod-us',
    ],
  },
  {
    name: 'serve',
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
    operands: [],
    summary: 'list the configured sites',
    details: ['Prints the sites in the config file. The service itself cannot list sites.'],
    flags: [listFormatFlag, listFieldsFlag, ...limitFlags],
    examples: ['branchlog sites', 'branchlog sites --format json'],
  },
  {
    name: 'branches',
    operands: [{...site, isOptionalWith: 'kube'}],
    summary: "list a site's branches",
    details: [
      'SITE is an id or a configured name. In JSON, a branch has id, name, status, type, hostname and updatedAt; a field that the service does not send is null. If the service says what keeps the pods of a branch from working, as --kube does, the table shows it next to the status, and JSON has it as troubles. JSON keeps the order of the service; the table lists branches that are not built out last.',
      'With --kube, SITE is a namespace of a Kubernetes cluster; the default is that of the kubeconfig context. --namespace NAMESPACE and --context NAME are those of kubectl.',
    ],
    flags: [
      {name: 'deployed', help: 'only deployed branches'},
      listFormatFlag,
      listFieldsFlag,
      ...limitFlags,
      {name: 'full', help: 'in JSON, the whole record with secrets masked'},
      kubeSwitch,
      ...onlyWithKube([namespaceWordFlag, ...workloadFlags, ...clusterFlags]),
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
    operands: [
      {...site, isOptionalWith: 'replay'},
      {name: 'BRANCH', countMax: branchesMax, isOptionalWith: 'replay', completes: 'branch'},
    ],
    summary: 'print or follow the log of one or more branches',
    details: [
      'SITE is an id or a configured name, BRANCH an id or a name. The service returns a window of the log: its newest lines. Without --follow, one window is printed.',
      'With --follow, overlapping windows are joined into one log without losing or repeating lines. Where lines may be missing, a gap marker gives the reason: on stderr for text and raw, as a record for json. An open gap can grow: text and raw report its start and its end, json prints a record with "grows":true and the whole range at each step. Once the first request has succeeded, errors do not end the command: it retries, and reports on stderr when an error begins, changes or ends.',
      'A log is whole only if the service numbers its lines, as branchlog serve and --kube do. Without numbers, branchlog joins the windows and marks the gaps that it sees, but cannot prove that there are no others: such a log is joined. With --require-proof, the command prints what has come and ends with 7 as soon as the log of any branch is not whole in this sense; a message on stderr says why. Gaps do not matter to it: that is what --fail-on-gap is for. In json, a gap and the record of --summary have "proof": counted, said (the service or the config says how windows are cut) or inferred.',
      'A branch that is not built out has no log. A message on stderr says so. If no other branch is printed, the exit code is 4, as for a branch that does not exist. With --until it is always 4, because there is nothing to wait for.',
      "BRANCH may be a pattern with * and ?, such as 'feature/*': it means all branches that match and are built out.",
      `Up to ${branchesMax} branches are merged into one log, ordered by timestamp. A line is held until every other branch has been polled again, for at most one interval, so that older lines can be printed first. A line that arrives after that is printed at once, and is marked late only if it is late in its own branch. In json, each record has the branch name as "branch"; in text, the name comes before the line, shortened and coloured on a terminal. Markers and errors name their branch, and --fail-on-gap applies to each branch. --tail counts the lines of all first windows together, after filters. If the first request for any branch fails, the command fails.`,
      '--record FILE writes every response with its time to a new file that only you can read. It contains no token and no tenant, and secrets in branch records are masked. Log lines are written as received, so review a recording before you share it. --replay FILE plays a recording without config, token or network; --interval has no effect, and --duration and --since use the time of the recording. SITE and BRANCH are optional if it contains only one log.',
      'With --pod, --container, --exclude-pod or --exclude-container, only the lines of these pods and containers are read: --tail, --level and --until ignore all others. A gap or a pod that certainly concerns only others is not reported and does not count for --fail-on-gap; a gap of unknown source does. REGEX matches anywhere in the name: ^web- matches its beginning, ^php$ all of it. These flags need a service that reports sources, as branchlog serve and --kube do: with any other, the command ends with 6. If only some lines have no pod or container, --pod and --container leave them out, --exclude-pod and --exclude-container keep them, and a message on stderr says so once. In text, --prefix begins each line with its pod and container, such as [web-1/php]; in json, lines and gaps have "pod", "container" and "stream" if the service reports them. A gap has "missing", the number of lines, if line numbers show it, and "why", the words of the service.',
      'With --max-bytes or --max-lines, nothing is printed until all lines have come; with --follow, --duration or --until says when that is. Lines that do not fit are folded: one line of each kind stands for the others, the worst kinds first ("like" and "until" in json: how many there are, and the time of the last); then come the newest errors and the newest lines, in order of time. Lines are cut after 1,000 characters. In json, the end record has "leftOut"; its counts, and those of "like", are for the whole log.',
      'If the service holds less than --since asks for, `held from …` on stderr, and in json a record of kind held, say since when and why; with --require-proof or --fail-on-gap, the exit code is 7.',
      'serve and --kube return a line of more than 64 KB in pieces, each a line; in json, each piece but the last has "part":true. raw prints lines as the service returns them: as text, so that bytes that are not UTF-8 are already U+FFFD, and without CR at the end.',
      'REGEX uses RE2 syntax, which has no look-around and no backreferences and always runs in linear time. It is matched against the text after the timestamp. Start it with (?i) to ignore case. TIME as a length is written 500ms, 15s, 5m, 1h30m, 2d or 1w; a bare number means seconds. --since and --to take a length as an age, and also a clock time (20:20, the latest one), yesterday, a date (2026-11-21 14:02, in the zone of this machine), RFC 3339 or @SECONDS. Times in messages are UTC. By default, timestamps are printed as received; --timestamps short is the local clock. --duration ends with exit code 0, or with 8 if --until is given and no line matched. --until checks new lines, even if the filters hide them; without --follow, or with --since, it checks all lines.',
      '--until-gone REGEX --for TIME ends with 0 once no line has matched for that time and none can be missing. It counts by when lines come, whatever their timestamps say: the time begins with the first answer, whose lines were there before. The pods and containers of lines that matched must still write when the time is up, unless their pods are gone. If --duration ends before that, the exit code is 8 if lines still matched, and 7 if it cannot tell: too little time passed, there was a gap, a source that wrote steadily has stopped, or the service could not be reached. If something may have been lost since the last match, it ends with 7 when the time is up, and never with 0: at a gap, if a pod could not be read, or if an answer has no numbers or proves less than the one before. If the service does not number its lines, only the gaps that are seen count; --require-proof asks for more. Filters do not affect it.',
      'With --kube, SITE is a namespace of a Kubernetes cluster and BRANCH a workload, or a value of --branch-label. --namespace NAMESPACE, or -n, can replace SITE (-n with a number is --tail), and --context NAME is that of the kubeconfig, as in kubectl. . is the namespace of the kubeconfig context.',
      'With --kube, BRANCH may be a regular expression, as in stern (. for all), which is searched for in names; without SITE, or with -l and no BRANCH, the namespace is that of the context. BRANCH may be written as in kubectl: deployment/web, sts/db, ds/agent, job/import, cronjob/backup, rollout/web, or pod/web-0 for one pod alone. A plain name is first that of a branch, then of a workload, then of a release of Helm, Argo CD or Flux. A name that means several branches ends the command with 2 and lists them. If pods of BRANCH do not work, a message on stderr says why.',
      'With --kube, 401 and 403 of the cluster end the command with 3, an unknown namespace, workload or pod with 4, as does --previous if nothing restarted, an unreachable cluster with 5, an unusable kubeconfig with 2. --since and --tail reach as far back as the nodes\' log files and kube_buffer_mb allow: if that is less, a message on stderr and "reachesBackTo" of --summary say since when the log is complete.',
    ],
    flags: [
      followFlag,
      {name: 'interval', value: 'TIME', help: 'target delay while following; adapts to the log'},
      ...filterFlags,
      {name: 'pod', value: 'REGEX', help: 'only lines of pods that match; repeatable', isRepeatable: true},
      {
        name: 'container',
        short: 'c',
        value: 'REGEX',
        help: 'only lines of containers that match; repeatable',
        isRepeatable: true,
      },
      {name: 'exclude-pod', value: 'REGEX', help: 'hide lines of pods that match; repeatable', isRepeatable: true},
      {
        name: 'exclude-container',
        value: 'REGEX',
        help: 'hide lines of containers that match; repeatable',
        isRepeatable: true,
      },
      ...printFlags,
      {name: 'until-gone', value: 'REGEX', help: 'stop when no more match; see help logs'},
      {name: 'for', value: 'TIME', help: 'how long no line may match --until-gone', onlyWith: 'until-gone'},
      {
        name: 'require-proof',
        help: 'exit with code 7 if the lines are not numbered',
      },
      ...recordingFlags,
      kubeSwitch,
      ...onlyWithKube([previousFlag, eventsFlag, namespaceWordFlag, ...workloadFlags, ...clusterFlags]),
    ],
    examples: [
      'branchlog logs shop master --tail 100',
      'branchlog logs shop master --follow --level error',
      "branchlog logs shop master --follow --until 'ready' --duration 5m",
      'branchlog logs shop master --follow --until-gone refused --for 5m',
      'branchlog logs shop master --follow --format json | jq -r .text',
      'branchlog logs shop master staging --follow',
      'branchlog logs shop master --follow --record night.ndjson',
      'branchlog logs --replay night.ndjson --follow --speed 10',
      'branchlog logs --kube shop web --follow',
      'branchlog logs --kube shop web --events --level warn',
      'branchlog logs --kube shop web --previous --tail 100',
      "branchlog logs --kube shop web --prefix --pod '^web-1' -c php",
    ],
  },
  incidentCommand,
  timelineCommand,
  exportCommand,
  {
    name: 'init',
    operands: [],
    summary: 'set up a service: ask, check, write the config',
    details: [
      'Asks for the address, the tenant, the auth mode, the file with the token and a site, checks each answer as doctor does, and adds them as a context to the config file, which is created if it is missing. Existing settings are not changed. The token itself is never asked for and never written.',
      'The flags and the environment are suggested as answers. Without a terminal, they are the answers; then the address, the tenant, the auth mode and the token file are required. --context names the new context; by default it has the name of the host.',
    ],
    flags: [
      {name: 'site', value: 'ID', help: 'id of a site'},
      {name: 'site-name', value: 'NAME', help: 'a name for that site'},
      {name: 'ca-file', value: 'PATH', help: "certificate of the service's own authority, PEM", completes: 'file'},
    ],
    examples: ['branchlog init', 'branchlog init --context staging --base-url https://staging.example.com/dev-v1'],
  },
  {
    name: 'doctor',
    operands: [],
    summary: 'check the setup and suggest fixes',
    details: [
      'Checks the config, the token, the network, TLS, the clocks, access to each configured site, and the responses of the service. Each check prints one row: ok, warn, FAIL or skip; a warning or failure is followed by what to do. The exit code is that of the first failure. In JSON, each check has status, subject, words and action.',
      'With --conformance, also checks the service against "Lines with numbers and sources" in docs/serve.md, with about fifteen requests for one log, spread over a few seconds: the field branchlog has the right form and is consistent; branchlog-after returns what follows, with nothing twice and nothing missing, and the whole window for values that match nothing; no number is used twice; losses and the tag of the pods are as described; and plain requests are answered as before. Each rule that is broken is one failure, with the request, the answer, and the rule; the exit code is 6, also if the service does not offer the field. Rules that the log gave no occasion to check are rows with skip.',
      'With --kube, checks the kubeconfig, the connection to the API server, the clocks, and each permission that branchlog needs in the namespace, with requests that only read. If permissions are missing, the rows are followed by the Role and RoleBinding that grant them; --format role prints only these.',
    ],
    flags: [
      {
        name: 'format',
        value: 'FORMAT',
        help: 'text: rows (the default), json or ndjson: one object per line, json-array: one array, in this version only, role: with --kube, the missing permissions as YAML',
        choices: doctorFormats,
        choiceOf: jsonWord,
      },
      ...limitFlags,
      {name: 'conformance', help: 'check how the service numbers lines, too'},
      {name: 'kube', help: 'check access to a Kubernetes cluster instead'},
      ...onlyWithKube([namespaceFlag, ...clusterFlags]),
    ],
    examples: [
      'branchlog doctor',
      'branchlog doctor --context prod',
      'branchlog doctor --format json',
      'branchlog doctor --conformance',
      'branchlog doctor --kube -n shop',
      'branchlog doctor --kube -n shop --format role | kubectl apply -f -',
    ],
  },
  guardCommand,
  mcpCommand,
  {
    name: 'help',
    isWithoutService: true,
    operands: [{name: 'COMMAND', isOptional: true, completes: 'command'}],
    summary: 'show the help of branchlog or of a command',
    details: [],
    flags: [
      {
        name: 'format',
        value: 'FORMAT',
        help: 'text (the default), json: one object per command, with its flags, and per exit code',
        choices: incidentFormats,
        choiceOf: jsonWord,
      },
    ],
    examples: ['branchlog help', 'branchlog help logs', 'branchlog help --format json'],
  },
  {
    name: 'version',
    isWithoutService: true,
    operands: [],
    summary: 'show the version',
    details: [],
    flags: [],
    examples: ['branchlog version'],
  },
  {
    name: 'completion',
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

export const commands: readonly CommandSpec[] = table.map(command => ({
  ...command,
  word: command.name === 'browse' ? undefined : command.name,
}));

/** Returns the command with this name. */
export const findCommand = (name: CommandName): CommandSpec => {
  const command = commands.find(candidate => candidate.name === name);
  if (!command) {
    throw new Error(`the table of commands lacks ${name}`);
  }
  return command;
};
