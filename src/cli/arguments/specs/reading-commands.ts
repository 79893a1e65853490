import type {NamedCommand} from '../command-spec.ts';
import {
  clusterFlags,
  incidentCommand,
  incidentFormats,
  jsonWord,
  kubeSwitch,
  namespaceWordFlag,
  onlyWithKube,
  openedFlags,
  replayFlag,
  workloadFlags,
} from '../shared-flags.ts';

/** For commands that read a log once: what it is read from. */
const readingFlags = [
  ...openedFlags,
  replayFlag,
  kubeSwitch,
  ...onlyWithKube([namespaceWordFlag, ...workloadFlags, ...clusterFlags]),
];

const readOperands: NamedCommand['operands'] = [
  {name: 'SITE', isOptional: true, completes: 'site'},
  {name: 'BRANCH', isOptional: true, countMax: Number.POSITIVE_INFINITY, completes: 'branch'},
];

export const exportCommand: NamedCommand = {
  name: 'export',
  operands: readOperands,
  operandWords: 'SITE BRANCH|FILE…',
  afterDashes: 'COMMAND…',
  summary: 'save a log for somebody else to open',
  details: [
    'Reads the log once, from anything that incident reads, and writes all that is held of it to one compressed file: lines, gaps and the proof, the record of the branch, and what incident finds. On the log screen, `s` and a name that ends in .branchlog saves the same with filters, marks, notes and the place of the cursor.',
    'branchlog FILE opens it as it was saved, read only, also on a machine without config; FILE#NUMBER opens it at one of its entries. branchlog open FILE --format json, incident FILE and export FILE read it like any other log. What looks like a secret is masked everywhere in the file, and tokens are never in it. A checksum of each part is checked before anything is shown: a changed file is refused, and the changed part is named.',
    'The path is printed. Without --file, the name is made from the site, the branch and the time. An existing file is never overwritten.',
  ],
  flags: [
    {name: 'file', value: 'FILE', help: 'write to this file, whose name ends in .branchlog', completes: 'file'},
    ...readingFlags,
  ],
  examples: [
    'branchlog export shop master',
    'branchlog export shop master staging --file outage.branchlog',
    'branchlog export app.log --file outage.branchlog',
    'branchlog export --kube shop web',
    'branchlog outage.branchlog',
  ],
};

export const guardCommand: NamedCommand = {
  name: 'guard',
  operandWords: 'SITE [BRANCH…]|FILE…',
  operands: [
    {name: 'SITE', isOptionalWith: 'kube', completes: 'site'},
    {name: 'BRANCH', isOptional: true, countMax: Number.POSITIVE_INFINITY, completes: 'branch'},
  ],
  summary: 'watch logs without a screen, and page somebody',
  details: [
    'Reads the logs of the branches of a SITE in turn, those with trouble more often, until it is stopped; without BRANCH, those of all branches that are built out. If files are named, as with open, they are watched as one log. It sends the service at most --requests-per-minute requests a minute.',
    'It reports an incident that is certain (errors, ends of processes, requests that slowed down, something that stopped) once, however long it lasts, and reports when it is over. It reports when it has not been able to see a log for a minute (no answer, pods that cannot be read, a source that fell silent), and when everything can be seen again. It reports ten minutes before the token expires.',
    'The notify command is that of [notify], unless --notify-command names one. It gets one record in json on its standard input; what looks like a secret is masked. It has 20 s. If it fails, a sentence on stderr says so, and it is run again, at most six times, with pauses of 10 s and more.',
    'Reports are kept in the state folder: a restarted guard reports no incident twice, and says from when to when no guard was running, and for which branches the log of that time is no longer held. Run one guard per site.',
    'With --silence, it only saves that there are no pages about a branch, given by name or id, for this time, and ends; a running guard reads that within seconds. An incident that is still open when the time is over is paged then. BRANCH=0s ends a silence.',
    'In json, each record has "kind":"guard" and "what": found, more (about an incident, at the earliest a quarter of an hour later), ended, blind, sees, token, renewed, away, unseen. "branch" is null for the whole service. "from" and "to" say when; "text", "basis", "proof" and "comparedWith" are those of incident; "findings" has those with confidence sure; "link" opens the log there. "id" is the same if a record is sent twice.',
  ],
  flags: [
    {name: 'requests-per-minute', value: 'N', help: 'send the service at most N requests; 60 by default'},
    {
      name: 'notify-command',
      value: 'PROGRAM',
      help: 'run a program with each record on its standard input; repeat for its arguments',
      isRepeatable: true,
    },
    {
      name: 'silence',
      value: 'BRANCH=TIME',
      help: 'send no pages about a branch for this time, and end',
      isRepeatable: true,
    },
    {
      name: 'format',
      value: 'FORMAT',
      help: 'text (the default), json: NDJSON, one record per report',
      choices: incidentFormats,
      choiceOf: jsonWord,
    },
    kubeSwitch,
    ...onlyWithKube([namespaceWordFlag, ...workloadFlags, ...clusterFlags]),
  ],
  examples: [
    'branchlog guard shop',
    "branchlog guard shop master 'release/*' --notify-command ./page",
    'branchlog guard shop --silence master=2h',
    'branchlog guard --kube shop',
    'branchlog guard /var/log/app.log',
  ],
};

export const mcpCommand: NamedCommand = {
  name: 'mcp',
  operands: [],
  summary: 'serve logs to an agent, read only',
  details: [
    'A Model Context Protocol server on standard input and output, started by an agent. Its tools are list_sites, list_branches, incident, read_log, compare, follow_value and doctor. It reads only what the flags name: the configured service, or a cluster with --kube, or containers with --docker or --podman; and files below each FOLDER of --files. Links that lead out of a FOLDER are refused. It changes nothing, and writes nothing to disk except the compile cache of Node for the program itself.',
    'Every answer has its basis, the times that it covers, and what was left out, with the call that returns it. An answer is never larger than maxBytes of the call: 4 KB for a log, 8 for a list, unless the agent asks for more. Text that others wrote is in the field foreign, made safe, with what looks like a secret masked: it is data, whatever it says.',
    'A log that was read is kept: a file until it changes, other logs for 15 seconds, or until the agent asks with "fresh":true.',
  ],
  flags: [
    {
      name: 'files',
      value: 'FOLDER',
      help: 'also files below this folder; repeatable',
      isRepeatable: true,
      completes: 'file',
    },
    ...openedFlags
      .filter(({name}) => name !== 'rotated')
      .map(flag => ({
        ...flag,
        help: `read ${flag.name === 'docker' ? 'Docker' : 'Podman'}: a site is a project, a branch a service or container`,
      })),
    {...kubeSwitch, help: 'read a Kubernetes cluster: a site is a namespace'},
    ...onlyWithKube([...workloadFlags, ...clusterFlags]),
  ],
  examples: [
    'branchlog mcp',
    'branchlog mcp --files /var/log',
    'branchlog mcp --kube --kube-context prod',
    'branchlog mcp --docker',
  ],
};

export const timelineCommand: NamedCommand = {
  ...incidentCommand,
  name: 'timeline',
  summary: 'write down what happened, for a post-mortem',
  details: [
    'Reads the logs as incident does, and writes one table in Markdown, by time: onsets and ends of what incident finds, deployments and changes of the branch, restarts, pods that came and went, gaps, times that cannot be judged, what the guard reported on this machine, and the lines that you marked, with your notes. Each row has its basis, and the command that opens the log there. Above the table are the range, the clock of the times and how far it is from the clock of this machine, and what is held of each log.',
    'Each branch is judged for itself; all share one table. What looks like a secret is masked. Times of files are those in their lines. If there are more than 1,000 rows, the newest are written and the others counted.',
    'In json, the first record has "kind":"timeline": "from", "to", "clock" (service, machine or lines), "aheadMs" (how far the clock of the service is ahead of that of this machine, null if unknown), "branches", each with its "basis", and "leftOut". Each other record has "kind":"row": "what" is onset, end, change, restart, pod, gap, blind, guard or mark; "at" and "until" (null for a moment, and for what is still happening), "branch", "text", "basis", and "link", null if there is none.',
    "TIME is an age such as 15m, by the service's clock, or a time. Without --since, the range begins with the oldest line held.",
  ],
  flags: [
    {name: 'since', value: 'TIME', help: 'only the time from then on'},
    {name: 'to', value: 'TIME', help: 'only the time up to then'},
    {
      name: 'format',
      value: 'FORMAT',
      help: 'markdown (the default), json: NDJSON, the range and one record per row',
      choices: ['markdown', 'json'],
      choiceOf: jsonWord,
    },
    ...incidentCommand.flags.filter(
      ({name}) => !['since', 'to', 'format', 'compare', 'notify-command', 'max-bytes', 'max-lines'].includes(name),
    ),
  ],
  examples: [
    'branchlog timeline shop master > timeline.md',
    'branchlog timeline shop master release/4.2 --since 2h',
    'branchlog timeline --kube shop web --format json',
    'branchlog timeline app.log --since 1h',
  ],
};
