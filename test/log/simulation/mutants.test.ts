import fc from 'fast-check';
import {expect, test} from 'vitest';
import {arbitraryScenario} from './arbitrary-scenario.ts';
import {mutants} from './mutants.ts';
import {properties} from './properties.ts';
import {simulate} from './simulate.ts';
import {createSubject} from './subject.ts';

const isFoundOutBy = (
  create: typeof createSubject | (typeof mutants)[number]['create'],
  property: (typeof properties)[number],
): boolean =>
  fc.check(
    fc.property(arbitraryScenario({...property.allowed, eventCountMax: 160}), scenario => {
      const subject = create({...scenario, keepsLateLines: property.keepsLateLines});
      // The floor is that of the engine proper: what a mutant forgets must not excuse it.
      const engine = createSubject({...scenario, keepsLateLines: property.keepsLateLines});
      simulate(scenario, engine);
      return property.findFaults(simulate(scenario, subject), engine.log().buffer.evictedThrough).length === 0;
    }),
    {numRuns: 40, seed: 20261121, endOnFailure: true},
  ).failed;

test.each(mutants.map(({name, create}) => ({name, create})))('finds out: $name', ({create}) => {
  expect(properties.find(property => isFoundOutBy(create, property))?.sentence).toBeDefined();
});

test('finds nothing in the engine as it is', () => {
  expect(properties.filter(property => isFoundOutBy(createSubject, property)).map(({sentence}) => sentence)).toEqual(
    [],
  );
});
