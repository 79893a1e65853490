import {expect, test} from 'vitest';
import {countLost} from '../../support/kubernetes/truth/judge-lines.ts';
import {runTruth} from './run-truth.ts';

const seed = Number(process.env.SEED ?? 62_737_150);

/** What a reader may not see, whatever happened. */
const spotless = {lost: 0, lostAtStart: 0, lostAtEnd: 0, doubled: 0, changed: [], foreign: []};

test('streams that break, end, restart and roll over lose no line without a word, and double none', async () => {
  const {verdict} = await runTruth({
    seed,
    durationMs: 3_000,
    settleMs: 1_200,
    lastLinesMsMax: 15_000,
    pods: 2,
    containers: 2,
    linesPerSecond: 50,
    stderrLateMs: 4,
    // Half-open streams are found after 15 s: the long runs have them.
    faults: [
      'cut streams',
      'end streams',
      'end streams in a line',
      'restart once',
      'restart twice',
      'roll out',
      'rotate and cut',
      'cut the watches',
      'error text',
      'go away',
    ],
  });
  expect({
    seed,
    lost: countLost(verdict.lost),
    lostAtStart: countLost(verdict.lostAtStart),
    lostAtEnd: countLost(verdict.lostAtEnd),
    doubled: verdict.doubled,
    changed: verdict.changed,
    foreign: verdict.foreign,
  }).toEqual({seed, ...spotless});
  expect(verdict.linesSeen).toBeGreaterThan(200);
});
