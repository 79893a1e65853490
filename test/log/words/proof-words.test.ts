import {expect, test} from 'vitest';
import type {Proof} from '#log/line/proof.ts';
import {type CutSaid, proofWords, sinceWord} from '#log/words/proof-words.ts';

test('only a log whose lines are numbered is whole', () => {
  expect((['counted', 'said', 'inferred'] as const).map(sinceWord)).toEqual(['whole', 'joined', 'joined']);
});

const arrivals = {series: 'a', last: 3, dropped: 0};

test.each<[Proof, CutSaid, string]>([
  ['counted', {cut: 'pod', arrivals}, 'its lines are numbered'],
  ['said', {cut: 'branch'}, 'the service cuts the branch as one, it says so itself'],
  ['said', {cut: 'pod', saidBy: 'context'}, 'the service cuts each pod on its own, the context says so'],
  ['said', {cut: 'pod', saidBy: 'recording'}, 'the service cuts each pod on its own, the recording says so'],
  ['said', {cut: 'source', sources: 4}, 'the service cuts each source of a pod on its own, it says so itself'],
  // What the log rests on is the weakest of its answers.
  ['said', {cut: 'branch', arrivals}, 'not every response numbers its lines'],
  ['inferred', {}, 'this service does not say how it cuts its windows'],
  ['inferred', {cut: 'source'}, 'the number of sources in a pod is not known: set sources = N'],
  ['inferred', {cut: 'source', sources: 4}, 'not every response says how its window was cut'],
  ['inferred', {cut: 'pod'}, 'not every response says how its window was cut'],
  ['inferred', {cut: 'pod', arrivals}, 'not every response says how its window was cut'],
])('a log that is %s, whose last response had %j', (proof, said, words) => {
  expect(proofWords(proof, said)).toBe(words);
  // With "joined: " before them they fit a terminal of 80 columns.
  expect(words.length).toBeLessThanOrEqual(80 - ' joined: '.length);
});
