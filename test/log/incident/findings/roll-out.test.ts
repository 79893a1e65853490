import {describe, expect, test} from 'vitest';
import {successorOf, workloadOf} from '#log/incident/findings/roll-out.ts';
import {eventsOf, linesEvery, type TimedLine} from '../events-of.ts';

test.each([
  ['web-7d9f8c6b5-x2x9z', 'web'],
  ['shop-checkout-6c9f7d5b8-bbbbb app', 'shop-checkout app'],
  ['web-jt2wqh6rbs-n4zrm', 'web'],
  ['db-0', 'db'],
  ['shop_web_2', 'shop_web'],
  ['agent-x2x9z', 'agent'],
  ['app-4f1b2c3d4e5f', 'app'],
  ['mail-worker-queue', 'mail-worker-queue'],
  ['backend', 'backend'],
])('%s is one of %s', (name, workload) => {
  expect(workloadOf(name)).toBe(workload);
});

describe('who took the place of a pod', () => {
  const writes = (name: string, from: number, to: number): readonly TimedLine[] =>
    linesEvery(2, from, to, 'INFO order stored', {pod: name});
  const old = {key: 'web-7d9f8c6b5-x2x9z'};
  const db = writes('db-0', 0, 1200);
  const successor = (
    lines: readonly TimedLine[],
    podNames: readonly string[] = [],
    activities: readonly number[] = [],
  ) => successorOf(eventsOf([...db, ...writes(old.key, 0, 600), ...lines]), old, 598, {podNames, activities});

  test('is another replica that began to write about then', () => {
    expect(successor(writes('web-5f6c8d9b7-k4k4k', 590, 1200))).toBe('web-5f6c8d9b7-k4k4k');
    expect(successor(writes('web-5f6c8d9b7-k4k4k', 0, 1200))).toBeUndefined();
    expect(successor(writes('api-5f6c8d9b7-k4k4k', 590, 1200))).toBeUndefined();
  });

  test('is any other one after something was done with the branch', () => {
    expect(successor(writes('frontend-5f6c8d9b7-k4k4k', 590, 1200), [], [580])).toBe('frontend-5f6c8d9b7-k4k4k');
  });

  test('is a replica that goes on, if the pod is not listed any more', () => {
    const other = writes('web-7d9f8c6b5-k4k4k', 0, 1200);
    expect(successor(other, ['db-0', 'web-7d9f8c6b5-k4k4k'])).toBe('web-7d9f8c6b5-k4k4k');
    expect(successor(other, ['db-0', 'web-7d9f8c6b5-k4k4k', old.key])).toBeUndefined();
  });

  test('is nobody where none is like it', () => {
    expect(successor([], ['db-0'])).toBeUndefined();
  });
});
