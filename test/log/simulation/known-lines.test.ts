import fc from 'fast-check';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {runsOf} from '../../support/thorough.ts';
import {arbitraryScenario} from './arbitrary-scenario.ts';
import {anything} from './properties.ts';
import {type Scenario, simulate} from './simulate.ts';

let subjects: typeof import('./subject.ts');
const merging = {knowsLines: true, knownLines: 0};

beforeAll(async () => {
  vi.doMock(import('#log/ingest/merge/merge.ts'), async importOriginal => {
    const original = await importOriginal();
    return {
      ...original,
      mergeLines: input => {
        merging.knownLines += input.knownCount;
        return original.mergeLines(merging.knowsLines ? input : {...input, knownCount: 0});
      },
    };
  });
  // Test files share what they import.
  vi.resetModules();
  subjects = await import('./subject.ts');
});

afterAll(() => {
  vi.doUnmock('#log/ingest/merge/merge.ts');
  vi.resetModules();
});

/** Everything of a log but the numbers of its entries. `knowsLines`: lines of the window before are not merged again. */
const withoutIds = (scenario: Scenario & {readonly bufferBytesMax: number}, knowsLines: boolean) => {
  merging.knowsLines = knowsLines;
  const subject = subjects.createSubject(scenario);
  const trace = simulate(scenario, subject);
  const {buffer, wholeSince, gapCount} = subject.log();
  return {
    entries: subjects.entriesOf(subject.log()).map(entry => ({...entry, id: 0})),
    added: trace.looks.map(({added}) => added.map(entry => ({...entry, id: 0}))),
    counted: [
      buffer.tooLateLines,
      buffer.evictedLines,
      buffer.evictedThrough,
      buffer.bytes,
      buffer.lineCount,
      gapCount,
    ],
    wholeSince,
  };
};

test('a window whose known lines are skipped gives the same buffer as one that is merged line by line', () => {
  fc.assert(
    fc.property(arbitraryScenario(anything), fc.constantFrom(1e9, 1500), (scenario, bufferBytesMax) => {
      expect(withoutIds({...scenario, bufferBytesMax}, true)).toEqual(withoutIds({...scenario, bufferBytesMax}, false));
    }),
    {numRuns: runsOf(12)},
  );
  expect(merging.knownLines).toBeGreaterThan(0);
});
