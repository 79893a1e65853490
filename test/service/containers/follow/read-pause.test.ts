import {expect, test} from 'vitest';
import {type ReadTrouble, readPauseMs} from '#service/containers/follow/read-pause.ts';
import {KubeError} from '#service/kubernetes/kube-client.ts';

/** The pauses before the first three reads and the hundredth, without chance. */
const pausesOf = (trouble: ReadTrouble): readonly number[] =>
  [0, 1, 2, 100].map(tries => readPauseMs(trouble, tries, 1));

const refused = (status: number): KubeError => new KubeError('status', 'no', {status});

test('a pause doubles from its first to its last, by the trouble', () => {
  expect(pausesOf('ended')).toEqual([200, 400, 800, 30_000]);
  expect(pausesOf('fault')).toEqual([1_000, 2_000, 4_000, 30_000]);
  expect(pausesOf(refused(500))).toEqual([200, 400, 800, 30_000]);
  expect(pausesOf(refused(404))).toEqual([1_000, 2_000, 4_000, 10_000]);
  // A pod without a node.
  expect(pausesOf(refused(204))).toEqual([1_000, 2_000, 4_000, 10_000]);
  expect(pausesOf(refused(403))).toEqual([5_000, 10_000, 20_000, 60_000]);
});

test('chance takes up to half of a pause, but never of the first', () => {
  expect([0, 1, 2, 100].map(tries => readPauseMs('ended', tries, 0))).toEqual([200, 200, 400, 15_000]);
});

test('a server that names a time is asked then, or up to a quarter later', () => {
  const busy = new KubeError('status', 'busy', {status: 429, retryAfterMs: 8_000});
  expect([readPauseMs(busy, 9, 0), readPauseMs(busy, 9, 1)]).toEqual([8_000, 10_000]);
});
