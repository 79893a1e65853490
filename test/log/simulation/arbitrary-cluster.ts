import fc from 'fast-check';
import {createStepRandom} from './random.ts';
import {type ClusterFamily, createRandomCluster} from './random-cluster.ts';
import type {Cluster} from './simulated-cluster.ts';
import type {Trait} from './traits.ts';

const stepsMax = 60;

/** Services of a family with all that happens to them. A seed has no smaller neighbour; what shrinks is how much happens. */
export const arbitraryCluster = (family: ClusterFamily, without: Iterable<Trait> = []): fc.Arbitrary<Cluster> =>
  fc
    .record({seed: fc.noShrink(fc.integer({min: 1, max: 2 ** 31 - 1})), stepCount: fc.integer({min: 4, max: stepsMax})})
    .map(({seed, stepCount}) => createRandomCluster(createStepRandom(seed, 1), family, stepCount, {without}).cluster);
