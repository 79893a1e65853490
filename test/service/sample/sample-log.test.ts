import {expect, test} from 'vitest';
import type {ScenarioName} from '../../../src/service/sample/plan/scenario-names.ts';
import {createSampleWorld} from '../../../src/service/sample/sample-world.ts';
import {startMs} from './open-sample.ts';

const masterLog = (scenario: ScenarioName) => {
  const log = createSampleWorld({scenario, seed: 3, startMs})[0]?.branches[0]?.log;
  if (!log) {
    throw new Error(`no branch in ${scenario}`);
  }
  return log;
};

// A window's thousand lines, and the rest of the second that its oldest line lies in and of the one that is not over.
test.each([
  ['day', 1, 1200, 1000, 1060],
  ['day', 60, 86_400, 1000, 1060],
  ['burst', 1, 1200, 1000, 11_100],
  ['perpod', 1, 1200, 2000, 2600],
] satisfies [ScenarioName, number, number, number, number][])(
  '%s: read every %i s for %i s, it never holds more than a window and its ends',
  (scenario, stepSeconds, seconds, windowLines, heldMax) => {
    const log = masterLog(scenario);
    let [longest, held] = [0, 0];
    for (let second = 0; second < seconds; second += stepSeconds) {
      longest = Math.max(longest, log.readWindow(startMs + second * 1000).length);
      held = Math.max(held, log.countHeldLines());
    }
    expect(longest).toBe(windowLines);
    expect(held).toBeLessThanOrEqual(heldMax);
  },
);

test('after a night without a reader it writes the newest window, not the night', () => {
  const log = masterLog('burst');
  log.readWindow(startMs);
  expect(log.readWindow(startMs + 8 * 3_600_000).length).toBe(1000);
  expect(log.countHeldLines()).toBeLessThan(11_100);
});

test('a clock that is set back shows the log as it was', () => {
  const log = masterLog('day');
  const before = log.readWindow(startMs + 5000);
  log.readWindow(startMs + 50_000);
  expect(log.readWindow(startMs + 5000)).toEqual(before);
});
