import type {NamedCommand} from '../command-spec.ts';
import {incidentCommand, jsonWord} from '../shared-flags.ts';

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
