import type {Random} from './random.ts';
import type {ClusterFamily} from './random-cluster.ts';

/** What may happen to a service beside a trickle of lines and polls, or how it differs from a plain one. */
const common = [
  // How its windows are cut, and in which order they come.
  'span',
  'shared',
  'bytes',
  'shrinking',
  'reversed',
  'other-order',
  'banner',
  'fragment',
  // Who writes, and when.
  'many-sources',
  'unlisted-pods',
  'pod-changes',
  'scaled',
  'restarts',
  'late',
  'batches',
  'resent',
  'resent-runs',
  'ingested',
  'empty-start',
  'outages',
  // What the stamps say.
  'skew-small',
  'skew-hour',
  'skew-far',
  'clock-steps',
  'local-hour',
  'forged',
  'precision',
  'commas',
  'unreadable',
  // What the lines look like.
  'unstamped',
  'braces',
  'unstamped-anywhere',
  'long-traces',
  'equal-frames',
  'same-texts',
  'latin-1',
  'torn',
  'no-strings',
  // What else an answer may be.
  'stale',
  'replicas',
] as const;

/** What no service does that numbers its lines. */
const ofUncounted = ['lag', 'blanks'] as const;
const ofSaid = ['headerless'] as const;
const ofInferred = ['wrong-list'] as const;
const ofCounted = [
  'headerless',
  'new-series',
  'old-replica',
  'cleared',
  'skipped-numbers',
  'told-losses',
  'copies',
  'set-back',
  'from-one',
] as const;

/** What a service that gives each line a number on its arrival has, too. */
const isOfNumbered = (trait: (typeof common)[number]): boolean =>
  // A number stands for one text, whole and always the same.
  !['banner', 'fragment', 'torn', 'precision', 'replicas'].includes(trait);
const ofNumbered = [
  'bursts',
  ...common.filter(isOfNumbered),
  'new-series',
  'old-replica',
  'cleared',
  'headerless',
  'told-losses',
  'told-losses',
  'told-far-times',
  'copies',
  'set-back',
  'from-one',
  'hidden-lines',
] as const;

export type Trait =
  | 'bursts'
  | (
      | typeof common
      | typeof ofUncounted
      | typeof ofSaid
      | typeof ofInferred
      | typeof ofCounted
      | typeof ofNumbered
    )[number];

const traitsOf: {readonly [family in ClusterFamily]: readonly [Trait, ...Trait[]]} = {
  numbered: ofNumbered,
  counted: [...common, ...ofCounted],
  said: [...common, ...ofUncounted, ...ofSaid],
  inferred: [...common, ...ofUncounted, ...ofInferred],
};

const unstampedTraits: readonly Trait[] = [
  'unstamped',
  'braces',
  'unstamped-anywhere',
  'unreadable',
  'long-traces',
  'equal-frames',
];

const unnumbering: readonly Trait[] = ['new-series', 'old-replica', 'from-one', 'set-back'];

/** Traits of which a service has one only. */
const exclusive: readonly (readonly Trait[])[] = [
  ['span', 'shared', 'bytes'],
  ['reversed', 'other-order'],
  ['banner', 'fragment'],
  // Bytes are cut off the oldest end, which comes last where the newest lines come first.
  ['reversed', 'fragment'],
  ['skew-small', 'skew-hour', 'skew-far'],
  ['unstamped', 'braces', 'unstamped-anywhere', 'unreadable'],
  // Cut stamps tell lines of one text no longer apart.
  ['precision', 'replicas', 'same-texts'],
  ['precision', 'replicas', 'copies'],
  ['same-texts', 'copies'],
  // A number that no line of the branch took hides how many copies came, of lines without a stamp, too.
  ['skipped-numbers', 'copies', 'same-texts'],
  ...(['braces', 'unstamped-anywhere', 'equal-frames', 'long-traces'] as const).map(
    trait => ['skipped-numbers', trait] as const,
  ),
  ['skew-small', 'skew-hour', 'skew-far', 'local-hour'],
  // A series that lies is one of its kind.
  [
    'from-one',
    'set-back',
    'new-series',
    'old-replica',
    'hidden-lines',
    'told-losses',
    'told-far-times',
    'skipped-numbers',
  ],
  ['told-losses', 'told-far-times'],
  ['commas', 'unreadable'],
  // Lines of one text that have no stamps are the same to everybody.
  ['unreadable', 'same-texts'],
  ['pod-changes', 'scaled', 'unlisted-pods', 'wrong-list'],
];

/** The traits of a service: mostly one or two, since the fewer at once, the nearer a fault is to its cause. */
export const chooseTraits = (
  random: Random,
  family: ClusterFamily,
  without: Iterable<Trait> = [],
): ReadonlySet<Trait> => {
  const excluded = new Set(without);
  const traits = new Set<Trait>(random.chance(0.8) ? ['bursts'] : []);
  for (let left = random.pick([0, 1, 1, 1, 2, 2, 2, 3, 4, 8]); left > 0; left--) {
    const trait = random.pick(traitsOf[family]);
    // Where a number tells nothing any more, nothing tells lines without a timestamp apart.
    const isUntold =
      family === 'numbered' && unnumbering.includes(trait) && unstampedTraits.some(each => traits.has(each));
    if (excluded.has(trait)) {
      continue;
    }
    const isUntellable =
      family === 'numbered' && unnumbering.some(each => traits.has(each)) && unstampedTraits.includes(trait);
    if (isUntold || isUntellable) {
      continue;
    }
    const rivals = exclusive.filter(group => group.includes(trait)).flat();
    if (!rivals.some(rival => traits.has(rival))) {
      traits.add(trait);
    }
  }
  return traits;
};
