import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {LogWindow} from '#log/ingest/branch-log.ts';
import {type Anchor, anchorOf, mergeBuffers} from '#log/view/log-view.ts';
import {following, oneRowPane, pause, scrollBy, visibleEntries} from '#log/view/viewport.ts';
import {runsOf} from '../../support/thorough.ts';
import {arbitraryScenario} from './arbitrary-scenario.ts';
import {anything} from './properties.ts';
import {type Scenario, simulate} from './simulate.ts';
import {createSubject} from './subject.ts';

/** The answers that a branch's polls get in a scenario. */
const windowsOf = (scenario: Scenario): readonly LogWindow<readonly string[]>[] =>
  simulate(scenario, createSubject(scenario)).looks.map(({shown, pods}) => ({lines: shown.map(({raw}) => raw), pods}));

const arbitraryBranches = fc.array(
  arbitraryScenario({...anything, cuts: ['count', 'time', 'pod'], unreadableLines: true}),
  {minLength: 2, maxLength: 4, size: 'max'},
);

/** Which branch is answered next; each keeps the order of its own answers. */
const arbitraryTurns = fc.array(fc.nat(), {minLength: 60, maxLength: 60, size: 'max'});

const isBefore = (a: Anchor, b: Anchor): boolean => a.at < b.at || (a.at === b.at && a.source < b.source);

test('while the reader has scrolled up in several branches, no window of any of them moves the top row', () => {
  fc.assert(
    fc.property(
      arbitraryBranches,
      arbitraryTurns,
      fc.constantFrom(1e9, 1500),
      fc.nat(30),
      fc.nat(20),
      fc.nat(10),
      (scenarios, turns, bufferBytesMax, pausedAt, rows, up) => {
        const windows = scenarios.map(scenario => [...windowsOf(scenario)]);
        const subjects = scenarios.map(scenario => createSubject({...scenario, bufferBytesMax}));
        let viewport = following;
        let top: Anchor | undefined;
        for (const [count, turn] of turns.entries()) {
          const source = turn % scenarios.length;
          const next = windows[source]?.shift();
          if (next !== undefined) {
            subjects[source]?.take(next);
          }
          const view = mergeBuffers(subjects.map(subject => subject.log().buffer));
          const all = view.slice(0, view.entryCount).map(anchorOf);
          expect(all.filter((anchor, index) => isBefore(anchor, all[index - 1] ?? anchor))).toEqual([]);
          const [first] = visibleEntries(viewport, view, oneRowPane(rows + 1));
          if (count === pausedAt) {
            viewport = scrollBy(pause(following, view, oneRowPane(rows + 1)), view, oneRowPane(rows + 1), -up);
            top = viewport.kind === 'paused' ? viewport.top : undefined;
          } else if (top !== undefined) {
            const anchor = top;
            const isHeld = all.some(each => each.source === anchor.source && each.id === anchor.id);
            // Where it has left its buffer the first that is later stands there, or the last of all.
            const later = all.find(each => isBefore(anchor, each)) ?? all.at(-1);
            expect(first && anchorOf(first)).toEqual(isHeld ? anchor : later);
          }
        }
      },
    ),
    {numRuns: runsOf(16)},
  );
});
