import type {NamedCommand} from './command-spec.ts';
import {
  clusterFlags,
  kubeSwitch,
  namespaceWordFlag,
  onlyWithKube,
  openedFlags,
  replayFlag,
  workloadFlags,
} from './shared-flags.ts';

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
    'Reads the log once and compares what is now with what was before: errors, requests, statuses and messages that came more often, took longer, stopped or came in masses, each with its onset; lines that tell of the end of a process or a node; then what changed around that: the branch, its pods, fields such as version that hold another value, rare lines. It claims no cause. On the log screen, `I` shows the same.',
    'The log is that of a BRANCH of a SITE, or of several as one; or what open takes: a FILE, a pattern in quotes, a folder, - for standard input, a COMMAND, with --docker or --podman containers, with --replay a recording. A configured site wins over a file of the same name. Of more than buffer_mb, the newest lines are read. A command or a pipe is read to its end, so it must not follow: kubectl logs web --timestamps, without -f.',
    'There are three verdicts. Found (exit code 0): something is wrong, or was within the time asked; what goes on counts, whenever it began. Calm (9): nothing is, all of the time asked is covered, and it is no other than a time before, which is held, too. Cannot tell (7): nothing was found, but part of the time asked is not covered, or nothing before it is held to compare with. Not covered is what is older than what is held, gaps, losses that the service tells of, pods that cannot be read, a service that does not answer, items that are no lines, and silence: a source that wrote steadily and writes no more. Text, records and exit code never disagree, and the second row of the text is what the verdict rests on. Weak findings and mere changes are printed, but do not count. Other exit codes are those of logs.',
    'In json, the first record has "kind":"verdict": "verdict" is found, calm or unknown, and "why" the first reason of the last: older, unread, gap, loss, quiet (windows without lines), silence, unreadable, outage, notLines, noLines, noBaseline, or with --since deploy tooShort or noDeployment. Then its basis: "asked", the time that is judged; "covered" and "uncovered", its parts; "comparedWith", null where no calm time is held; "proof" and "gaps". "text" and "basis" say that in words; "errors" counts them, "onset" is the beginning, "from" and "to" are the times of the oldest and newest line. Each other record is a finding: "what" is rise, new, slower, stopped, gone, storm, fatal, changed or restart; "by" is errors, kind (what errors say), failed (their request and status), pod, status, request, message, source or field; "before" and "now" are values of "unit" (per minute, ms: the 95th percentile, share), null where nothing older is held; "of" is all lines per minute, or of ms and share the requests measured. "confidence" is sure, likely or weak. "since" and "until" are its beginning and end, "until" null where it goes on; "from" and "to" are the times of its first and last line, "line" the first one. "mayBeOlder" says that it may have begun before the log held; "only" who wrote all of it; "who" fields whose value these lines mostly have, with their "share" and that of the "others"; "waves" how often it came and went.',
    'With --compare, the window of another branch of the site is read too, and each finding, but for changes and pods, has "elsewhere": "now" in the same time there, in "unit", whether that is as wrong ("holds": true, false or "unknown"), and "gaps", times of which lines may be missing or none are held. Rates are compared as shares of all lines. "unknown" is where gaps may hide it, or where so few lines came that none of it says nothing.',
    '--notify-command names a program, without a shell; each further one is an argument of it: --notify-command ./page --notify-command=--urgent. If the exit code will be 0, it runs once, when the findings have been printed, and gets the verdict and each finding as records in json on its standard input; what looks like a secret in lines is masked. It has 20 s, and no BRANCHLOG_TOKEN. If it fails, a sentence on stderr says so; the exit code stays.',
    '--since deploy compares what is since the last deployment, as the record of the branch, its pods or a version in the log tell of it, with at most an hour before: kinds of errors and messages that are new, more, fewer or none any more, requests that are slower, and tokens that changed in lines that are else the same (pool 50 -> 5). Found (0) if anything is for the worse or changed, 9 if not, 7 if lines may be missing on either side, or if no deployment is known ("why":"noDeployment"). The first record has "deployment", and "what" may be fewer. With --compare, each is also told of the other branch.',
    "TIME is an age such as 15m, by the service's clock, or a time. Older lines are still what it is compared with. Without --since, the time asked begins with the oldest line held; it ends now, or with the newest line of files, pipes and commands, unless --since or --to is given.",
  ],
  flags: [
    {
      name: 'since',
      value: 'TIME',
      help: 'ask of the time from then on, what goes on included; deploy: what is other since the deployment',
    },
    {name: 'to', value: 'TIME', help: 'ask of the time up to then'},
    {
      name: 'format',
      value: 'FORMAT',
      help: 'text (the default), json: NDJSON, the verdict and one record per finding',
      choices: incidentFormats,
    },
    {
      name: 'compare',
      value: 'BRANCH2',
      completes: 'branch',
      help: 'say of each finding how the same does in another branch',
    },
    {
      name: 'notify-command',
      value: 'PROGRAM',
      help: 'run a program if something was found, with the verdict and the findings on its standard input; repeated: its arguments',
      isRepeatable: true,
    },
    ...openedFlags,
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
