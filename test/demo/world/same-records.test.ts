import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import {makeSamplePod} from '#demo/world/release-roster.ts';
import {createSampleWorld} from '#demo/world/sample-backend.ts';
import {makeSampleBranch} from '#demo/world/sample-branch.ts';
import type {ScenarioName} from '#demo/world/scenario-names.ts';
import {startMs} from '../open-sample.ts';

const minuteMs = 60_000;

/** The records of all branches and of their pods, as they are at some times after the start. */
const recordsOf = (scenario: ScenarioName, ...demoMs: readonly number[]) =>
  createSampleWorld({scenario, seed: 7, startMs})
    .flatMap(site => site.branches)
    .flatMap(({setting, roster}) =>
      demoMs.map(atMs => ({
        branch: makeSampleBranch(setting, atMs),
        pods: roster(atMs).map(pod => makeSamplePod(setting, pod)),
      })),
    );

test('what branches are and how they change is the same for the same seed and start', () => {
  const times = Array.from({length: 40}, (_, index) => index * 0.75 * minuteMs);
  const told = Object.fromEntries(
    (['day', 'hostile', 'pods'] as const).map(scenario => {
      const records = recordsOf(scenario, ...times, 300 * minuteMs);
      const digest = createHash('sha256').update(JSON.stringify(records)).digest('hex').slice(0, 12);
      const statuses = new Set(records.map(({branch}) => branch.status));
      // Those of the hostile one are no text for a screen.
      return [scenario, scenario === 'hostile' ? digest : [digest, ...statuses]];
    }),
  );
  expect(told).toMatchInlineSnapshot(`
    {
      "day": [
        "a64f1775d7d7",
        "DEPLOY_APPLICATION_SUCCESS",
        "BUILD_APPLICATION_RUNNING",
        "DEPLOY_APPLICATION_RUNNING",
        "DEPLOY_APPLICATION_FAILED",
        null,
        "WAITING_FOR_QUOTA",
        "BUILD_APPLICATION_ERROR",
      ],
      "hostile": "b4ee0fdba9fe",
      "pods": [
        "3eb14370fba4",
        "DEPLOY_APPLICATION_SUCCESS",
        null,
        "DEPLOY_APPLICATION_FAILED",
      ],
    }
  `);
});
