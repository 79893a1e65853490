import type {NamedCommand} from './command-spec.ts';
import {clusterFlags, kubeSwitch, namespaceWordFlag, onlyWithKube, workloadFlags} from './shared-flags.ts';

/** Values of `--format` for `incident`. */
export const incidentFormats = ['text', 'json'] as const;

export const incidentCommand: NamedCommand = {
  name: 'incident',
  operands: [
    {name: 'SITE', completes: 'site'},
    {name: 'BRANCH', completes: 'branch'},
  ],
  summary: 'say what is wrong with a branch, and since when',
  details: [
    'Reads one window of the log and compares what is now with what was before: errors, requests, statuses and messages that came more often, took longer, stopped or came in masses, each with its onset; then what changed around that: the branch, its pods, fields such as version that hold another value, rare lines. It claims no cause. On the log screen, `I` shows the same.',
    'The exit code is 0 if something was found, 9 if all is calm, 7 if nothing was found but nobody can tell: the log has no lines, or some of it could not be read. Findings that may be chance ("confidence":"weak") and mere changes are printed, but do not count. Other codes are those of logs.',
    'In json, the first record has "kind":"held": from when to when lines are held ("from", "to"), on what it rests ("proof"), possible gaps and errors in it, and "onset". Each other record is a finding: "what" is rise, new, slower, stopped, gone, storm, changed or restart; "by" is errors, kind (what errors say), failed (their request and status), pod, status, request, message, source or field; "before" and "now" are values of "unit" (per minute, ms: the 95th percentile, share), null where nothing older is held; "of" is all lines per minute, or of ms and share the requests measured. "since" and "until" are its beginning and end, "from" and "to" the times of its first and last line, "line" the first one. "mayBeOlder" says that it may have begun before the log held; "only" who wrote all of it.',
    'With --compare, the window of another branch of the site is read too, and each finding, but for changes and pods, has "elsewhere": "now" in the same time there, in "unit", whether that is as wrong ("holds": true, false or "unknown"), and "gaps", times of which lines may be missing or none are held. Rates are compared as shares of all lines. "unknown" is where gaps may hide it, or where so few lines came that none of it says nothing.',
    '--notify-command names a program, without a shell; each further one is an argument of it: --notify-command ./page --notify-command=--urgent. If the exit code will be 0, it runs once, when the findings have been printed, and gets each finding as a record in json on its standard input; what looks like a secret in lines is masked. It has 20 s, and no BRANCHLOG_TOKEN. If it fails, a sentence on stderr says so; the exit code stays.',
    "TIME is an age such as 15m, by the service's clock, or an RFC 3339 time. Older lines are still what it is compared with.",
  ],
  flags: [
    {name: 'since', value: 'TIME', help: 'only what began at or after this time'},
    {name: 'to', value: 'TIME', help: 'only what began at or before this time'},
    {
      name: 'format',
      value: 'FORMAT',
      help: 'text (the default), json: NDJSON, one record per finding',
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
      help: 'run a program if something was found, with the findings on its standard input; repeated: its arguments',
      isRepeatable: true,
    },
    kubeSwitch,
    ...onlyWithKube([namespaceWordFlag, ...workloadFlags, ...clusterFlags]),
  ],
  examples: [
    'branchlog incident shop master',
    'branchlog incident shop master --since 10m --format json',
    'branchlog incident shop master --compare staging',
    'branchlog incident --kube shop web',
  ],
};
