import type {ClusterFamily} from './random-cluster.ts';
import type {Trait} from './traits.ts';

type NotYetHeld = {readonly trait: Trait; readonly families: readonly ClusterFamily[]; readonly what: string};

const copies = 'equal lines that only numbers tell apart are one, or held once more where their neighbours change';

/** What no service of a family of the suite has yet, since logs of services that have it go wrong too often. `npm run false-gaps` draws it. */
const notYetHeld: readonly NotYetHeld[] = [
  {trait: 'replicas', families: ['said', 'inferred'], what: 'a line in another form is another line now and then'},
  {trait: 'copies', families: ['counted'], what: copies},
  {trait: 'same-texts', families: ['counted'], what: copies},
  {trait: 'equal-frames', families: ['counted'], what: copies},
  {trait: 'long-traces', families: ['counted'], what: copies},
  {trait: 'braces', families: ['counted'], what: copies},
  {trait: 'unstamped', families: ['counted'], what: copies},
  {trait: 'unstamped-anywhere', families: ['counted'], what: copies},
  {trait: 'from-one', families: ['counted'], what: 'a series that begins anew in each answer is believed'},
  {trait: 'set-back', families: ['counted'], what: 'a counter that is set back is believed'},
];

export const notYetHeldBy = (family: ClusterFamily): readonly Trait[] =>
  notYetHeld.flatMap(({trait, families}) => (families.includes(family) ? [trait] : []));
