import fc from 'fast-check';
import {expect, test} from 'vitest';
import {arbitraryScenario, everyClock} from './arbitrary-scenario.ts';
import {
  findDisorder,
  findDoubled,
  findFalseGaps,
  findForgotten,
  findGaps,
  findLost,
  findUnmarked,
} from './find-faults.ts';
import {simulate} from './simulate.ts';
import {createSubject} from './subject.ts';

const growing = {
  cuts: ['count'],
  tickNanos: everyClock,
  lateLines: false,
  unreadableLines: true,
  podChanges: false,
  lag: false,
  keepsOverlap: true,
} as const;

test('a log that only grows, seen in overlapping windows, is put together without a line lost, doubled or out of order', () => {
  fc.assert(
    fc.property(arbitraryScenario(growing), scenario => {
      const subject = createSubject(scenario);
      const trace = simulate(scenario, subject);
      expect([...findLost(trace), ...findDoubled(trace), ...findDisorder(trace), ...findGaps(trace)]).toEqual([]);
    }),
    {numRuns: 60},
  );
});

test('late lines that the window shows are held in their place, whatever the replica and whichever polls fail', () => {
  fc.assert(
    fc.property(
      arbitraryScenario({...growing, lateLines: true, byArrivalOnly: true, unreadableLines: false, lag: true}),
      scenario => {
        const trace = simulate(scenario, createSubject(scenario));
        expect([...findLost(trace), ...findDoubled(trace), ...findDisorder(trace), ...findGaps(trace)]).toEqual([]);
      },
    ),
    {numRuns: 60},
  );
});

test('one global window: lost lines are in the range of a marker, and a gap means that nothing joins', () => {
  fc.assert(
    fc.property(
      arbitraryScenario({
        cuts: ['count', 'time'],
        tickNanos: everyClock,
        lateLines: true,
        unreadableLines: false,
        podChanges: true,
        lag: true,
        keepsOverlap: false,
      }),
      scenario => {
        const trace = simulate(scenario, createSubject(scenario));
        expect([
          ...findForgotten(trace, undefined),
          ...findUnmarked(trace),
          ...findDoubled(trace),
          ...findDisorder(trace),
          ...findFalseGaps(trace),
        ]).toEqual([]);
      },
    ),
    {numRuns: 120},
  );
});

test('windows cut for each pod: lost lines are in the range of a marker', () => {
  fc.assert(
    fc.property(
      arbitraryScenario({
        cuts: ['pod'],
        tickNanos: everyClock,
        lateLines: true,
        unreadableLines: false,
        podChanges: true,
        lag: true,
        keepsOverlap: false,
      }),
      scenario => {
        const trace = simulate(scenario, createSubject(scenario));
        expect([
          ...findForgotten(trace, undefined),
          ...findUnmarked(trace),
          ...findDoubled(trace),
          ...findDisorder(trace),
        ]).toEqual([]);
      },
    ),
    {numRuns: 120},
  );
});
