import type {NamedCommand} from '../command-spec.ts';
import {
  clusterFlags,
  kubeSwitch,
  namespaceWordFlag,
  onlyWithKube,
  openedFlags,
  replayFlag,
  workloadFlags,
} from '../shared-flags.ts';

/** What a log is read from, once. */
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
