import type {NamedCommand} from '../command-spec.ts';
import {
  clusterFlags,
  incidentFormats,
  jsonWord,
  kubeSwitch,
  namespaceWordFlag,
  onlyWithKube,
  workloadFlags,
} from '../shared-flags.ts';

export const guardCommand: NamedCommand = {
  name: 'guard',
  operandWords: 'SITE [BRANCH…]|FILE…',
  operands: [
    {name: 'SITE', isOptionalWith: 'kube', completes: 'site'},
    {name: 'BRANCH', isOptional: true, countMax: Number.POSITIVE_INFINITY, completes: 'branch'},
  ],
  summary: 'watch logs without a screen, and page somebody',
  details: [
    'Reads the logs of the branches of a SITE in turn, those with trouble more often, until it is ended; without BRANCH, those of all branches that are built out. Where files are named, as for open, they are watched as one log. It asks the service at most --requests-per-minute times a minute. It tells of an incident that is sure and is of errors, ends of processes, requests that slowed down, or what stopped; once, however long it lasts, and when it is over. It tells when nobody can see what goes on for a minute: no answer, pods that cannot be read, a source that fell silent; and when all can be seen again. It tells ten minutes before the token expires.',
    'The notify command, that of [notify] unless --notify-command names one, gets one record as json on its standard input; what looks like a secret is masked. It has 20 s. If it fails, a sentence on stderr says so, and it is run again, six times at most, with pauses from 10 s on.',
    'What was told is kept in the state folder: a guard that starts anew tells no incident twice, and says from when to when nobody watched, and of which branches the log of that time is no longer held. One guard is for one site.',
    'With --silence, it only writes down that a branch, by name or id, pages nobody for so long, and ends; a guard that runs reads that within seconds. What still goes on when the time is over is told then. BRANCH=0s ends a silence.',
    'In json, each record has "kind":"guard" and "what": found, more (of an incident, a quarter of an hour later at least), ended, blind, sees, token, renewed, away, unseen. "branch" is null for the whole service. "from" and "to" say when, "text", "basis", "proof" and "comparedWith" are those of incident, "findings" what is sure, "link" opens the log there. "id" is the same for whatever is told twice.',
  ],
  flags: [
    {name: 'requests-per-minute', value: 'N', help: 'ask the service at most so often: 60 by default'},
    {
      name: 'notify-command',
      value: 'PROGRAM',
      help: 'run a program with each record on its standard input; repeated: its arguments',
      isRepeatable: true,
    },
    {name: 'silence', value: 'BRANCH=TIME', help: 'page nobody of a branch for this time, and end', isRepeatable: true},
    {
      name: 'format',
      value: 'FORMAT',
      help: 'text (the default), json: NDJSON, one record each',
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
