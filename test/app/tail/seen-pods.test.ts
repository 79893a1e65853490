import {expect, test} from 'vitest';
import type {PodRecord} from '#api/client/answer.ts';
import {followSeenPods, type SeenPod, withImage} from '#app/tail/branch-changes.ts';

const pod = (name: string, createdAt = '2026-11-21T14:00:00Z', resourceVersion = '1'): PodRecord => ({
  name,
  resourceVersion,
  metadata: {},
  createdAt,
});

const follow = (...answers: readonly (readonly PodRecord[])[]): readonly SeenPod[] =>
  answers.reduce<readonly SeenPod[]>(
    (pods, listed, index) => followSeenPods(pods, listed, {nowMs: 1000 * (index + 1), isFirst: index === 0}),
    [],
  );

const wordsOf = (pods: readonly SeenPod[]): readonly string[] =>
  pods.map(({pod: {name}, cameAtMs, wentAtMs}) => `${name} came ${cameAtMs ?? 'before'} went ${wentAtMs ?? 'not'}`);

test('pods that went stay, the latest first, after those that run', () => {
  expect(wordsOf(follow([pod('a'), pod('b'), pod('c')], [pod('a'), pod('c')], [pod('d'), pod('c')]))).toEqual([
    'd came 3000 went not',
    'c came before went not',
    'a came before went 3000',
    'b came before went 2000',
  ]);
});

test('a pod that is listed again runs again; one of the same name that was created later is another', () => {
  expect(wordsOf(follow([pod('a')], [], [pod('a')]))).toEqual(['a came before went not']);
  expect(wordsOf(follow([pod('a')], [pod('a', '2026-11-21T14:05:00Z')]))).toEqual([
    'a came 2000 went not',
    'a came before went 2000',
  ]);
});

test('the record is the last one listed, and the same object while its version is the same', () => {
  const [first] = follow([pod('a')]);
  const later = {...pod('a'), metadata: {labels: {x: '1'}}};
  expect(followSeenPods(first ? [first] : [], [later], {nowMs: 2, isFirst: false})[0]).toBe(first);
  const changed = {...later, resourceVersion: '2'};
  expect(followSeenPods(first ? [first] : [], [changed], {nowMs: 2, isFirst: false})[0]?.pod).toBe(changed);
});

test('of a thousand pods that went, a hundred stay', () => {
  const pods = follow(...Array.from({length: 1000}, (_, index) => [pod(`a-${index}`)]));
  expect(pods).toHaveLength(101);
  expect(pods.at(-1)?.pod.name).toBe('a-899');
});

test('a pod that came takes the image of the next record and keeps it', () => {
  const pods = withImage(withImage(follow([pod('old')], [pod('old'), pod('new')]), 'php:2'), 'php:3');
  expect(pods.map(({pod: {name}, image}) => [name, image])).toEqual([
    ['old', undefined],
    ['new', 'php:2'],
  ]);
});
