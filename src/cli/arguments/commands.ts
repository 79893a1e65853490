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
import {exportCommand} from './specs/export-command.ts';
import {guardCommand} from './specs/guard-command.ts';
import {mcpCommand} from './specs/mcp-command.ts';
import {timelineCommand} from './specs/timeline-command.ts';

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
      'FILE is a log, a folder (its *.log), a pattern in quotes, or - for standard input. COMMAND is a program and its arguments. Several become one log in order of time, each line with its source. Files compressed by gzip or zstd are read, and those of xz and bzip2 where these programs are installed. Nothing is configured, served, or left behind. `branchlog FILE` is the same, unless FILE is also the name of a site.',
      'In the terminal UI, a file is opened at its end and followed, also when it is rotated or emptied; --since and --tail say how far back it is read. A marker at the beginning of the log says what was not read. From a pipe, keys come from the terminal. The end of a pipe and the exit code of a command are reported as markers. As a pager (PAGER=branchlog), it takes what it is given on standard input.',
      'With --docker, a NAME is a container, an id or the beginning of one, a service or project of Compose, or a pattern of names in quotes; several become one log, each line with its container and its stream. Without a NAME, the terminal UI lists projects and their services, and otherwise what runs is one log. The logs are read from the socket of the engine (DOCKER_HOST, or /var/run/docker.sock) and followed over restarts, and over containers that are made anew. An exit is a marker with its code. --podman does the same with Podman (CONTAINER_HOST, or its socket). Environment variables of containers are never read.',
      'Without a terminal, or with a flag of printing such as --level, --grep or --format, it prints as `branchlog logs` does: all lines, each as it was written, until the end, or with --follow from then on. Up to 32 files and archives are put in order as they are read. --tail, more files, a folder, and files beside a command or a pipe are put in order in memory; of more than buffer_mb, the newest lines are printed, and a message on stderr says since when. Lines without a time take that of the line before, or of their arrival. --level, --grep, --until and the other flags are those of logs.',
      'A file or a pipe is printed as it is read, up to 32 files and archives in order of time: text has whole lines, however long, and raw has their bytes. Commands, containers, json, --follow and flags that need times, or lines around a match in several files, hold lines as text: a line of more than 64 KB is printed in pieces, each a line, of which each but the last has "part":true in json, and raw ends lines with LF and has U+FFFD for what is not UTF-8.',
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
      'Opens the terminal UI on the cluster of your kubeconfig. Namespaces are the sites; workloads are the branches (Deployments, StatefulSets, DaemonSets, CronJobs, Jobs, Rollouts of Argo Rollouts, and pods that none of these made), or with --branch-label the values of a label. BRANCH may be written as for kubectl: deploy/web, ds/agent, pod/web-0. Nothing is installed in the cluster, nothing is written to it, and no config file is needed.',
      'Without NAMESPACE, the UI lists the namespaces, or opens that of the kubeconfig context if you may not list them. A link such as NAMESPACE/BRANCH@TIME, which `c` copies on the log screen, opens the log at that time.',
      'The cluster is the one that kubectl would use: the current context of the files in KUBECONFIG or of ~/.kube/config, or in a pod the ServiceAccount. Certificates, tokens and exec plugins such as those of EKS, GKE, AKS and kubelogin work. `branchlog doctor --kube` says what does not, and which permissions are missing.',
      'With --context given several times, or --all-contexts, the namespaces of these contexts stand side by side, each named by its context: NAMESPACE may then be written prod-eu/shop. A context that cannot be reached is reported, and keeps no other from being read.',
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
      'SITE is an id or a configured name. In JSON a branch has id, name, status, type, hostname and updatedAt; a field that the service does not send is null. Where the service says what keeps the pods of a branch from working, as --kube does, the table has it beside the status, JSON as troubles. JSON keeps the order of the service; the table lists branches that are not built out last.',
      'With --kube, SITE is a namespace of a Kubernetes cluster; by default that of the kubeconfig context. --namespace NAMESPACE and --context NAME are those of kubectl.',
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
      'With --follow, overlapping windows are joined into one log without losing or repeating lines. Where lines may be missing, a gap marker gives the reason: on stderr for text and raw, as a record for json. An open gap can grow: text and raw report its start and its end, json prints a record with "grows":true and the whole range at each step. Once the first request has succeeded, errors do not stop it: it retries, and reports on stderr when an error begins, changes or ends.',
      'A log is whole only if the service numbers its lines, as branchlog serve and --kube do. Without numbers, branchlog joins the windows and marks the gaps that it sees, but cannot prove that there are no others: such a log is joined. --require-proof ends with 7 as soon as the log of any branch is not whole in this sense, after printing what came; a message on stderr says why. A gap does not end it: --fail-on-gap does. In json, a gap and the record of --summary have "proof": counted, said (the service or the config says how windows are cut) or inferred.',
      'A branch that is not built out has no log. A message on stderr says so. If no other branch is printed, the exit code is 4, as of a branch that does not exist; with --until always, because nothing can be waited for.',
      "BRANCH may be a pattern with * and ?, such as 'feature/*': all branches whose names match and that are built out.",
      `Up to ${branchesMax} branches are merged into one log, ordered by timestamp. A line is held until every other branch has been polled again, for at most one interval, so that older lines can be printed first. A line that arrives after that is printed at once, and is marked late only if it is late in its own branch. In json, each record has the branch name as "branch"; in text, the name comes before the line, shortened and coloured on a terminal. Markers and errors name their branch, and --fail-on-gap applies to each branch. --tail counts the lines of all first windows together, after filters. If the first request for any branch fails, the command fails.`,
      '--record FILE writes every response with its time to a new file that only you can read. It contains no token and no tenant, and secrets in branch records are masked. Log lines are written as received, so review a recording before you share it. --replay FILE plays a recording without config, token or network; --interval has no effect, and --duration and --since use the time of the recording. SITE and BRANCH are optional if it contains only one log.',
      'With --pod, --container, --exclude-pod or --exclude-container, only the lines of these pods and containers are read: --tail, --level and --until look at no others. A gap or a pod that certainly concerns only others is not reported and does not count for --fail-on-gap; a gap of unknown source is. REGEX matches anywhere in the name: ^web- is its beginning, ^php$ all of it. They need a service that reports sources, as branchlog serve and --kube do: with another one, the command ends with 6. Where only some lines have no pod or container, --pod and --container leave these out, --exclude-pod and --exclude-container keep them, and a message on stderr says so once. --prefix precedes each line in text with its pod and container, such as [web-1/php]; in json, lines and gaps have "pod", "container" and "stream", only where the service reports them. A gap has "missing" (lines), where numbers tell, and "why", the words of the service.',
      'With --max-bytes or --max-lines, nothing is printed until all has come. What does not fit is folded: one line of each kind stands for the others, the worst kinds first ("like" and "until" in json: how many there are, and the time of the last), then come the newest errors and the newest lines, in order of time. Of a line of more than 1,000 characters the beginning is printed. In json, the end record has "leftOut"; its counts, and those of "like", are of the whole log. With --follow, --duration or --until says when that is.',
      'Where less is held than --since asks for, `held from …` on stderr, and in json a record of kind held, say from when on and why; with --require-proof or --fail-on-gap, the exit code is 7.',
      'branchlog serve cuts a line of more than 64 KB into pieces, each a line; in json, each but the last has "part":true. raw prints lines as the service gives them: as text, so that a byte that is not UTF-8 is U+FFFD already, and without CR at their end. serve and --kube give more than 64 KB of a line in pieces, each a line.',
      'REGEX uses RE2 syntax, which has no look-around and no backreferences and always runs in linear time. It is matched against the text after the timestamp. Start it with (?i) to ignore case. TIME as a length is written 500ms, 15s, 5m, 1h30m, 2d or 1w; a bare number means seconds. --since and --to take that as an age, and also a clock time (20:20, the latest one), yesterday, a date (2026-11-21 14:02, in the zone of this machine), RFC 3339 or @SECONDS. Times in messages are UTC. --timestamps prints as received by default; short is the local clock. --duration ends with exit code 0, with --until and no matching line with 8. --until looks at new lines, even if the filters hide them; without --follow, or with --since, at any line.',
      '--until-gone REGEX --for TIME ends with 0 when no line matched for that time and none can be missing. It counts from when lines come, whatever their timestamps say: the time begins with the first answer, the lines in it were there before, and the pods and containers of lines that matched must still write when the time is up, unless their pods are gone. When --duration ends before that, the exit code is 8 if it was still there, and 7 if nobody can tell: too little time passed, there was a gap, somebody who wrote steadily writes no more, or the service could not be reached. Once something may have been lost since the last match, it ends with 7 when the time is up, and never with 0: at a gap, when a pod could not be read, when an answer has no numbers or proves less than the one before. Where the service does not number its lines, it rests on the gaps that are seen; --require-proof asks for more. Filters have no influence on it.',
      'With --kube, SITE is a namespace of a Kubernetes cluster and BRANCH a workload, or a value of --branch-label. --namespace NAMESPACE stands for SITE, and --context NAME is that of the kubeconfig, as for kubectl; so does -n, while -n with a number is --tail. . is the namespace of the kubeconfig context. BRANCH may be a regular expression, as for stern (. for all), which is searched for in names; alone, or with -l and no BRANCH at all, it is of the namespace of the context. BRANCH may be written as for kubectl: deployment/web, sts/db, ds/agent, job/import, cronjob/backup, rollout/web, or pod/web-0 for one pod alone; a name alone is first that of a branch, then of a workload, then of a release of Helm, Argo CD or Flux. A name that means several branches ends the command with 2 and lists them. If pods of BRANCH do not work, a message on stderr says why. 401 and 403 of the cluster end the command with 3, an unknown namespace, workload or pod with 4, as does --previous where nothing restarted, an unreachable cluster with 5, an unusable kubeconfig with 2. --since and --tail reach as far back as the nodes\' log files and kube_buffer_mb allow: where that is less, a message on stderr and "reachesBackTo" of --summary say from when on the log is complete.',
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
      'Asks for the address, the tenant, the auth mode, the file with the token and a site, checks each answer as doctor does, and adds them as a context to the config file, which is created if it is missing. Nothing that is in the file is changed. The token itself is never asked for and never written.',
      'The flags and the environment are suggested as answers. Without a terminal they are the answers; then the address, the tenant, the auth mode and the token file are required. --context is the name of the new context, the name of the host if it is left out.',
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
      'Checks the config, the token, the network, TLS, the clocks, access to each configured site, and the responses of the service. Each check prints one row: ok, warn, FAIL or skip, and below a warning or failure what to do. The exit code is that of the first failure. In JSON, each check has status, subject, words and action.',
      'With --conformance, checks the service against "Lines with numbers and sources" in docs/serve.md, too, by some fifteen requests for one log, spread over a few seconds: that the field branchlog has its form and adds up, that branchlog-after gives what follows, nothing twice and nothing missing, and the whole window for values that fit nothing, that no number is given twice, that losses and the tag of the pods are as described, and that plain requests are answered as before. Each rule that an answer deviates from is one failure, with what was asked, what came, and the rule; the exit code is 6, also if the service does not offer the field. What the log gave no occasion to check is a row with skip.',
      'With --kube, checks the kubeconfig, the connection to the API server, the clocks, and each permission that branchlog needs in the namespace, by requests that only read. If any is missing, the Role and RoleBinding that grant them follow the rows; --format role prints nothing else.',
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
