import type {ClusterFamily} from './random-cluster.ts';
import type {Trait} from './traits.ts';

type NotYetHeld = {readonly trait: Trait; readonly families: readonly ClusterFamily[]; readonly what: string};

const all = ['numbered', 'counted', 'said', 'inferred'] as const;
const withNumbers = ['numbered', 'counted'] as const;
const copies = 'equal lines that only numbers tell apart are one, or held once more where their neighbours change';

/** What no service of a family of the suite has yet, since logs of services that have it go wrong too often. `npm run false-gaps` draws it. */
const notYetHeld: readonly NotYetHeld[] = [
  {trait: 'told-losses', families: ['counted'], what: 'the range ends at the newest line, not at the service’s time'},
  {trait: 'replicas', families: ['counted', 'said', 'inferred'], what: 'a line in another form is another line'},
  {trait: 'commas', families: all, what: 'stamps with a comma are not read'},
  {trait: 'unreadable', families: all, what: 'a log without readable stamps is whole since 1970'},
  {trait: 'forged', families: all, what: 'a stamp that is no clock’s bounds a gap'},
  {trait: 'copies', families: ['counted'], what: copies},
  {trait: 'same-texts', families: ['counted'], what: copies},
  {trait: 'equal-frames', families: ['counted'], what: copies},
  {trait: 'long-traces', families: ['counted'], what: copies},
  {trait: 'braces', families: ['counted'], what: copies},
  {trait: 'unstamped', families: ['counted'], what: copies},
  {trait: 'unstamped-anywhere', families: ['counted'], what: copies},
  {trait: 'local-hour', families: ['counted'], what: 'the range ends at the newest line, not at the service’s time'},
  {trait: 'from-one', families: withNumbers, what: 'a series that begins anew in each answer is believed'},
  {trait: 'set-back', families: withNumbers, what: 'a counter that is set back is believed'},
  {trait: 'old-replica', families: withNumbers, what: 'an older answer of an older series is a loss once more'},
  {trait: 'hidden-lines', families: ['numbered'], what: 'holes of access rules are markers of their own too often'},
];

export const notYetHeldBy = (family: ClusterFamily): readonly Trait[] =>
  notYetHeld.flatMap(({trait, families}) => (families.includes(family) ? [trait] : []));
