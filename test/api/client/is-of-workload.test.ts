import {expect, test} from 'vitest';
import {isOfWorkload} from '#api/client/answer.ts';

test.each([
  ['web', true],
  ['deployment/web', true],
  ['deploy/web', true],
  ['sts/web', false],
  ['sts/db', true],
  ['we', false],
  ['no name', false],
  ['unheard-of/web', false],
])('a branch of deployment/web and statefulset/db is of %s: %s', (word, isOf) => {
  expect(isOfWorkload({workloads: ['odd one', 'deployment/web', 'statefulset/db']}, word)).toBe(isOf);
});

test('what names no kind is no workload', () => {
  expect(isOfWorkload({workloads: ['web', '???']}, 'web')).toBe(false);
  expect(isOfWorkload({workloads: []}, 'web')).toBe(false);
});
