import fc from 'fast-check';
import {expect, test} from 'vitest';
import {arbitraryCluster} from './arbitrary-cluster.ts';
import {arbitraryScenario} from './arbitrary-scenario.ts';
import {judgeScenario} from './judge-scenario.ts';
import {mutants} from './mutants.ts';
import {clusterProperties, properties} from './properties.ts';
import {simulate} from './simulate.ts';
import type {Cluster} from './simulated-cluster.ts';
import {createSubject} from './subject.ts';
import {watchLooks} from './watch-looks.ts';

type Create = typeof createSubject | (typeof mutants)[number]['create'];

const seed = 20261121;

const isFoundOutBy = (create: Create, property: (typeof properties)[number], numRuns: number): boolean =>
  fc.check(
    fc.property(arbitraryScenario({...property.allowed, eventCountMax: 160}), scenario => {
      const subject = create({...scenario, keepsLateLines: property.keepsLateLines});
      // The floor is that of the engine proper: what a mutant forgets must not excuse it.
      const engine = createSubject({...scenario, keepsLateLines: property.keepsLateLines});
      simulate(scenario, engine);
      return property.findFaults(simulate(scenario, subject), engine.log().buffer.evictedThrough).length === 0;
    }),
    {numRuns, seed, endOnFailure: true},
  ).failed;

const holds = (create: Create, cluster: Cluster): boolean => {
  const {faults, falseGaps} = judgeScenario(watchLooks(cluster, create({bufferBytesMax: 1e9})));
  return faults.length + falseGaps.length === 0;
};

/** It goes wrong where the engine does not. */
const isFoundOutByCluster = (create: Create, {family}: (typeof clusterProperties)[number], numRuns: number): boolean =>
  fc.check(
    fc.property(arbitraryCluster(family), cluster => holds(create, cluster) || !holds(createSubject, cluster)),
    {numRuns, seed, endOnFailure: true},
  ).failed;

/** Most are found out soon: a few runs of each property come first. */
const findOut = (create: Create): string | undefined =>
  (
    clusterProperties.find(property => isFoundOutByCluster(create, property, 25)) ??
    properties.find(property => isFoundOutBy(create, property, 10)) ??
    clusterProperties.find(property => isFoundOutByCluster(create, property, 600))
  )?.sentence;

for (const {name, create} of mutants) {
  test(`finds out: ${name}`, () => {
    expect(findOut(create)).toBeDefined();
  });
}

test('finds nothing in the engine as it is', () => {
  expect(
    properties.filter(property => isFoundOutBy(createSubject, property, 10)).map(({sentence}) => sentence),
  ).toEqual([]);
});
