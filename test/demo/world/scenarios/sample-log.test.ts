import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createSampleWorld} from '#demo/world/sample-backend.ts';
import type {ScenarioName} from '#demo/world/scenario-names.ts';
import {runsOf} from '../../../support/thorough.ts';
import {startMs} from '../../open-sample.ts';

const masterLog = (scenario: ScenarioName) => {
  const log = createSampleWorld({scenario, seed: 3, startMs})[0]?.branches[0]?.log;
  if (!log) {
    throw new Error(`no branch in ${scenario}`);
  }
  return log;
};

// A window's thousand lines, the rest of the second that its oldest line lies in and of the one that is not over, and
// the seconds before it whose lines may have arrived later.
test.each([
  ['day', 1, 100, 1000, 1140],
  ['day', 3600, 86_400, 1000, 1140],
  ['burst', 1, 60, 1000, 11_100],
  ['perpod', 1, 60, 2000, 2600],
] satisfies [ScenarioName, number, number, number, number][])(
  '%s: read every %i s for %i s, it never holds more than a window and its ends',
  (scenario, stepSeconds, seconds, windowLines, heldMax) => {
    const log = masterLog(scenario);
    let [longest, held] = [0, 0];
    for (let second = 0; second < seconds; second += stepSeconds) {
      longest = Math.max(longest, log.readWindow(startMs + second * 1000).lines.length);
      held = Math.max(held, log.countHeldLines());
    }
    expect(longest).toBe(windowLines);
    expect(held).toBeLessThanOrEqual(heldMax);
  },
);

test('after a night without a reader it writes the newest window, not the night', () => {
  const log = masterLog('burst');
  log.readWindow(startMs);
  expect(log.readWindow(startMs + 8 * 3_600_000).lines.length).toBe(1000);
  expect(log.countHeldLines()).toBeLessThan(11_100);
});

test('a clock that is set back shows the log as it was', () => {
  const log = masterLog('day');
  const before = log.readWindow(startMs + 5000);
  log.readWindow(startMs + 50_000);
  expect(log.readWindow(startMs + 5000)).toEqual(before);
});

// A window of `perpod` reaches back 20 minutes, of 200 lines a second.
test.each([
  ['day', 5],
  ['perpod', 2],
  ['burst', 4],
  ['late', 10],
  ['pods', 5],
] satisfies [ScenarioName, number][])(
  '%s: the numbers say exactly when the last line arrived that a window leaves out',
  (scenario, numRuns) => {
    fc.assert(
      fc.property(fc.integer({min: 0, max: 120_000}), demoMs => {
        const log = masterLog(scenario);
        const nowMs = startMs + demoMs;
        const {lines, arrivals} = log.readWindow(nowMs);
        const oldestMs = Date.parse(`${lines[0]?.slice(0, 23)}Z`);
        const leftToSee = new Map<string, number>();
        for (const line of lines) {
          leftToSee.set(line, (leftToSee.get(line) ?? 0) + 1);
        }
        // The newest copies are in the window.
        const leftOut = log
          .listEmitted(oldestMs - 30_000, nowMs + 1)
          .filter(({arrivesAtMs}) => arrivesAtMs <= nowMs)
          .toReversed()
          .filter(({line}) => {
            const left = leftToSee.get(line) ?? 0;
            leftToSee.set(line, left - 1);
            return left <= 0;
          });
        expect(leftOut.length).toBeGreaterThan(0);
        const leftOutAtMs = leftOut.reduce((latestMs, {arrivesAtMs}) => Math.max(latestMs, arrivesAtMs), 0);
        expect(arrivals.last - arrivals.dropped).toBe(nowMs - leftOutAtMs);
        // Whatever arrives after this window has a higher number than its last.
        expect(log.readWindow(nowMs + 1).arrivals).toMatchObject({series: arrivals.series, last: arrivals.last + 1});
      }),
      {numRuns: runsOf(numRuns)},
    );
  },
);

test('nothing is dropped while the window holds all that there was', () => {
  expect(masterLog('quiet').readWindow(startMs + 5000).arrivals.dropped).toBe(0);
});
