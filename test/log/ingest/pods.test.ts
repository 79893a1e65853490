import {expect, test} from 'vitest';
import {comparePods} from '#log/ingest/pods.ts';

const pod = (name: string, createdAt?: string) => ({name, createdAt});

test('pods that came and went are told by name, their order means nothing', () => {
  expect(comparePods([pod('a', '1'), pod('b', '1')], [pod('c', '2'), pod('a', '1')])).toEqual({
    appeared: [pod('c', '2')],
    gone: [pod('b', '1')],
  });
  expect(comparePods([pod('a', '1'), pod('b', '1')], [pod('b', '1'), pod('a', '1')])).toEqual({appeared: [], gone: []});
});

test('a pod of the same name that was created later is another one', () => {
  expect(comparePods([pod('web-0', '14:00')], [pod('web-0', '14:05')])).toEqual({
    appeared: [pod('web-0', '14:05')],
    gone: [pod('web-0', '14:00')],
  });
});

test('without a creation time the name alone tells', () => {
  expect(comparePods([pod('a')], [pod('a')])).toEqual({appeared: [], gone: []});
  expect(comparePods([], [pod('a')])).toEqual({appeared: [pod('a')], gone: []});
});
