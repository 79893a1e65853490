import {expect, test} from 'vitest';
import {type KubeError, planRetry} from '#service/kubernetes/kube-client.ts';

type Fault = Pick<KubeError, 'kind' | 'status' | 'retryAfterMs'>;

/** The shortest and the longest delay, and the failures to count from. */
const plan = (fault: Partial<Fault>, failures = 0) => {
  const error: Fault = {kind: 'status', status: undefined, retryAfterMs: undefined, ...fault};
  const [first, last] = [planRetry(error, {failures, random: 0}), planRetry(error, {failures, random: 1})];
  return [first.delayMs, last.delayMs, last.failures];
};

test('the delay after a failure doubles up to fifteen seconds, of which half is left to chance', () => {
  expect([0, 1, 2, 3, 4, 10].map(failures => plan({status: 500}, failures))).toEqual([
    [500, 1_000, 1],
    [1_000, 2_000, 2],
    [2_000, 4_000, 3],
    [4_000, 8_000, 4],
    [7_500, 15_000, 5],
    [7_500, 15_000, 11],
  ]);
});

test('a missing permission, or an API that is not there, waits for a person and counts as no failure', () => {
  expect([plan({status: 403}, 2), plan({status: 404}, 2)]).toEqual([
    [30_000, 45_000, 2],
    [30_000, 45_000, 2],
  ]);
});

test('a busy server is asked after the time that it names, a second if it names none', () => {
  expect([
    plan({status: 429, retryAfterMs: 7_000}, 2),
    plan({status: 429}, 2),
    plan({status: 503, retryAfterMs: 100}),
  ]).toEqual([
    [7_000, 8_000, 2],
    [1_000, 2_000, 2],
    [100, 1_100, 0],
  ]);
});
