import {renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {isThorough} from '../../support/thorough.ts';
import {describeOutcome, followAll, states} from './follow-rotations.ts';
import {lossyWays, orderlyWays, otherWays, type Rotate} from './rotate.ts';

const cases = (ways: Readonly<Record<string, Rotate>>) =>
  states.flatMap((state, place) =>
    Object.entries(ways)
      .filter((_, index) => isThorough || index % states.length === place)
      .map(([name, rotate]) => ({name, state, rotate})),
  );

test.each(cases({...orderlyWays, ...otherWays}))(
  'loses, doubles and marks nothing: $name, while it is $state',
  async ({rotate, state}) => {
    const outcomes = await followAll(rotate, state);
    const wrong = outcomes.filter(each => each.lost.length + each.doubled.length + each.gaps > 0);
    expect(wrong.map(describeOutcome)).toEqual([]);
  },
);

test.each(cases(lossyWays))(
  'marks what it loses, and doubles nothing: $name, while it is $state',
  async ({rotate, state}) => {
    const outcomes = await followAll(rotate, state);
    const wrong = outcomes.filter(each => each.doubled.length > 0 || (each.lost.length > 0 && each.gaps === 0));
    expect(wrong.map(describeOutcome)).toEqual([]);
  },
);

test('marks nothing where a rotation keeps nothing, and all was read in time', async () => {
  // Within one tick of the kernel's clock it would not be known what came first.
  const rotate: Rotate = path => {
    renameSync(path, `${path}.1`);
    writeFileSync(path, '');
    const born = statSync(path, {bigint: true}).birthtimeNs;
    const clock = `${path}.clock`;
    do {
      writeFileSync(clock, '');
    } while (statSync(clock, {bigint: true}).ctimeNs <= born + 30_000_000n);
    rmSync(clock);
    rmSync(`${path}.1`);
  };
  const outcomes = await followAll(rotate, 'running');
  expect(outcomes.filter(each => each.name.startsWith('1 ')).map(describeOutcome)).toEqual([
    '1 rotations of a file: lost none, doubled none, gaps 0',
  ]);
});
