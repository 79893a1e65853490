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
