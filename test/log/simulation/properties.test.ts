import fc from 'fast-check';
import {expect, test} from 'vitest';
import {sliceEntries} from '#log/buffer/buffer.ts';
import {mergeBuffers} from '#log/view/log-view.ts';
import {following, oneRowPane, pause, visibleEntries} from '#log/view/viewport.ts';
import {runsOf} from '../../support/thorough.ts';

import {arbitraryScenario} from './arbitrary-scenario.ts';
import {judgeScenario} from './judge-scenario.ts';
import {notYetHeldBy} from './not-yet-held.ts';
import {anything, clusterProperties, clusterScenarios, clusterScenariosSeed, properties} from './properties.ts';
import {drawCluster} from './random-cluster.ts';
import {simulate} from './simulate.ts';
import type {ServiceLine} from './simulated-service.ts';
import {createSubject, identityOf, linesOf} from './subject.ts';
import {watchLooks} from './watch-looks.ts';

for (const {sentence, allowed, findFaults, keepsLateLines, runs} of properties) {
  test(sentence, () => {
    fc.assert(
      fc.property(arbitraryScenario(allowed), scenario => {
        const subject = createSubject({...scenario, keepsLateLines});
        expect(findFaults(simulate(scenario, subject), subject.log().buffer.evictedThrough)).toEqual([]);
      }),
      {numRuns: runsOf(runs)},
    );
  });
}

/** The first of them in `npm test`. */
const judgedScenarios = runsOf(clusterScenarios);

for (const {sentence, family, known} of clusterProperties) {
  test(sentence, () => {
    const found = Array.from({length: judgedScenarios}, (_, index) => index + 1).flatMap(scenario => {
      const {cluster} = drawCluster(clusterScenariosSeed, family, scenario, {without: notYetHeldBy(family)});
      const {faults, falseGaps} = judgeScenario(watchLooks(cluster, createSubject({bufferBytesMax: 1e9})));
      const [fault] = [...faults, ...falseGaps];
      return fault === undefined ? [] : [`${scenario}: ${fault.split(' ').slice(0, 4).join(' ')}`];
    });
    expect(found).toEqual(known.filter(fault => Number.parseInt(fault, 10) <= judgedScenarios));
  });
}

test('the same windows give the same log, a window that comes twice changes nothing, and two branches never mix', () => {
  fc.assert(
    fc.property(
      // Of a line without a timestamp whose window begins after its first line nobody can know where it belongs.
      arbitraryScenario({...anything, unreadableLines: false, eventCountMax: 120}),
      arbitraryScenario({...anything, eventCountMax: 120}),
      (one, other) => {
        const [alone, twice, mixed, second] = [one, one, one, other].map(scenario => createSubject(scenario));
        const trace = simulate(one, alone ?? createSubject(one));
        const otherTrace = simulate(other, createSubject(other));
        for (const [index, {shown, pods}] of trace.looks.entries()) {
          const window = {lines: shown.map(({raw}) => raw), pods};
          twice?.take(window);
          expect(twice?.take(window)).toEqual([]);
          mixed?.take(window);
          const otherLook = otherTrace.looks[index];
          second?.take({lines: otherLook?.shown.map(({raw}) => raw) ?? [], pods: otherLook?.pods ?? []});
        }
        expect(mixed?.log()).toEqual(alone?.log());
        // The same lines; holes are remembered for so many polls, so that a marker more may take a number.
        expect(twice?.lines().map(({raw, at, late}) => ({raw, at, late}))).toEqual(
          alone?.lines().map(({raw, at, late}) => ({raw, at, late})),
        );
      },
    ),
    {numRuns: runsOf(8)},
  );
});

test('windows cut from one log give the same lines in whichever order they come', () => {
  const cutOf = (lines: readonly ServiceLine[]) =>
    fc
      .tuple(fc.nat(lines.length), fc.integer({min: 1, max: 60}))
      .map(([start, count]) => lines.slice(start, start + count));
  fc.assert(
    fc.property(
      // One tick is one line or one burst of copies, since of ties that no window shows together nobody can know the
      // order.
      arbitraryScenario({
        ...anything,
        cuts: ['count'],
        tickNanos: [1n],
        lateLines: false,
        unreadableLines: false,
      }).chain(scenario => {
        const {arrived} = simulate(scenario, createSubject(scenario));
        const windows = fc.array(cutOf(arrived), {minLength: 20, maxLength: 40, size: 'max'});
        return windows.chain(cuts =>
          fc.record({
            arrived: fc.constant(arrived),
            cuts: fc.constant(cuts),
            shuffled: fc.shuffledSubarray(cuts, {minLength: cuts.length}),
          }),
        );
      }),
      ({arrived, cuts, shuffled}) => {
        const merged = [cuts, shuffled].map(windows => {
          const subject = createSubject({bufferBytesMax: 1e9});
          for (const window of windows) {
            subject.take({lines: window.map(({raw}) => raw), pods: []});
          }
          return linesOf(subject.log()).map(identityOf);
        });
        expect(merged[1]).toEqual(merged[0]);
        expect(merged[0]?.filter(identity => !arrived.some(line => line.identity === identity))).toEqual([]);
        expect(merged[0]?.length).toBeLessThanOrEqual(arrived.length);
      },
    ),
    {numRuns: runsOf(15)},
  );
});

test('while the reader has scrolled up, no merge moves the top row', () => {
  fc.assert(
    fc.property(
      arbitraryScenario(anything),
      fc.constantFrom(1e9, 1500),
      fc.nat(30),
      fc.nat(20),
      (scenario, bufferBytesMax, pausedAt, rows) => {
        const subject = createSubject({...scenario, bufferBytesMax});
        let viewport = following;
        let top: {readonly id: number; readonly at: bigint} | undefined;
        let count = 0;
        simulate({...scenario, bufferBytesMax}, subject, () => {
          const {buffer} = subject.log();
          if (count === pausedAt) {
            viewport = pause(following, mergeBuffers([buffer]), oneRowPane(rows + 1));
            top = visibleEntries(viewport, mergeBuffers([buffer]), oneRowPane(rows + 1))[0]?.entry;
          } else if (top !== undefined) {
            const first = visibleEntries(viewport, mergeBuffers([buffer]), oneRowPane(rows + 1))[0]?.entry;
            const isHeld = sliceEntries(buffer, 0, buffer.entryCount).some(({id}) => id === top?.id);
            expect(isHeld ? first?.id : first?.at).toBe(isHeld ? top.id : sliceEntries(buffer, 0, 1)[0]?.at);
          }
          count += 1;
        });
        expect(count).toBeGreaterThan(0);
      },
    ),
    {numRuns: runsOf(15)},
  );
});
