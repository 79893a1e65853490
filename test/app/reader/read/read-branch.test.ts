import {expect, test} from 'vitest';
import {countBranches} from '#app/reader/read/read-branch.ts';
import type {BranchesState} from '#app/state/state.ts';
import {decode} from '../../../support/play.ts';

const deployed = 'DEPLOY_APPLICATION_SUCCESS';

test.each<readonly [statuses: readonly (string | null)[], words: string]>([
  [[], '0 branches, 0 deployed'],
  [[null], '1 branch, not deployed'],
  [[deployed], '1 branch, deployed'],
  [[deployed, 'BUILD_FAILED'], '2 branches, 1 deployed'],
])('branches are counted in words: %j', (statuses, words) => {
  const branches = decode(...statuses.map((status, index) => ({_id: `${index}`, name: `b${index}`, status})));
  expect(countBranches({branches} as unknown as BranchesState)).toBe(words);
});
