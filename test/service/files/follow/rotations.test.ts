import {expect, test} from 'vitest';
import {describeOutcome, followAll, type states} from '../follow-rotations.ts';
import {lossyWays, orderlyWays, type Rotate} from '../rotate.ts';

type Case = readonly [way: string, state: (typeof states)[number]];

const wayOf = (ways: Readonly<Record<string, Rotate>>, name: string): Rotate =>
  ways[name] ?? expect.unreachable(`no way ${name}`);

// All ways, in all states, are in ../truth.test.ts.
test.each<Case>([
  ['create', 'running'],
  ['create, compress with zstd', 'stopped'],
  ['copytruncate', 'running'],
  ['copytruncate, compress', 'killed'],
  ['nocreate, compress', 'stopped'],
  ['as the kubelet does', 'running'],
])('loses, doubles and marks nothing: %s, while it is %s', async (way, state) => {
  const outcomes = await followAll(wayOf(orderlyWays, way), state);
  const wrong = outcomes.filter(each => each.lost.length + each.doubled.length + each.gaps > 0);
  expect(wrong.map(describeOutcome)).toEqual([]);
});

test.each<Case>([
  ['create, rotate 1', 'running'],
  ['create, rotate 0', 'stopped'],
  ['removed and made anew', 'killed'],
])('marks what it loses, and doubles nothing: %s, while it is %s', async (way, state) => {
  const outcomes = await followAll(wayOf(lossyWays, way), state);
  expect(outcomes.some(({lost}) => lost.length > 0)).toBe(true);
  const wrong = outcomes.filter(each => each.doubled.length > 0 || (each.lost.length > 0 && each.gaps === 0));
  expect(wrong.map(describeOutcome)).toEqual([]);
});
