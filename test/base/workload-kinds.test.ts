import {expect, test} from 'vitest';
import {formatWorkload, meansWorkload, parseWorkload} from '#base/workload-kinds.ts';

test.each([
  ['deployment/web', 'deployment', 'web'],
  ['deployments/web', 'deployment', 'web'],
  ['deploy/web', 'deployment', 'web'],
  ['Deployment.apps/web', 'deployment', 'web'],
  ['deployments.apps/web', 'deployment', 'web'],
  ['rollout.argoproj.io/web', 'rollout', 'web'],
  ['job/web-1.a', 'job', 'web-1.a'],
  ['po/web', 'pod', 'web'],
  ['web', undefined, 'web'],
  ['a', undefined, 'a'],
])('%s is the %s %s', (text, kind, name) => {
  expect(parseWorkload(text)).toEqual({kind, name});
});

test.each([
  ...['', '/', 'web/', '/web', 'service/web', 'deployment.batch/web', 'pod.v1/web', 'undefined/web', 'a/b/c'],
  ...['Web', 'web_1', '-web', 'web-', 'deployment/Web', 'x'.repeat(254)],
])('%s names no workload', text => {
  expect(parseWorkload(text)).toBeUndefined();
});

test('a name has 253 characters at most', () => {
  expect(parseWorkload('x'.repeat(253))?.name).toHaveLength(253);
});

test('a word means a workload of its name, and of its kind if it has one', () => {
  const web = {kind: 'deployment', name: 'web'} as const;
  expect(meansWorkload({kind: undefined, name: 'web'}, web)).toBe(true);
  expect(meansWorkload({kind: 'deployment', name: 'web'}, web)).toBe(true);
  expect(meansWorkload({kind: 'job', name: 'web'}, web)).toBe(false);
  expect(meansWorkload({kind: undefined, name: 'db'}, web)).toBe(false);
  expect([formatWorkload(web), formatWorkload({kind: undefined, name: 'web'})]).toEqual(['deployment/web', 'web']);
});
