import {expect, test} from 'vitest';
import {labelBranches} from '#app/words/branch-labels.ts';
import {sampleBranches} from '../../support/play.ts';

const [sample] = sampleBranches;

const labelsAt = (columns: number, ...names: readonly string[]) =>
  labelBranches(
    sample === undefined ? [] : names.map((name, index) => ({...sample, _id: `b-${index}`, name})),
    columns,
  );

const labels = (...names: readonly string[]) => labelsAt(20, ...names);

const shortOf = (...names: readonly string[]): readonly string[] => labels(...names).map(({short}) => short);

test('labels take an eighth of the row where the names need it, at 80 columns no more than eight cells, and no more than the names do', () => {
  const shortAt = (columns: number, ...names: readonly string[]): readonly string[] =>
    labelsAt(columns, ...names).map(({short}) => short);
  expect(shortAt(80, 'master', 'staging')).toEqual(['master ', 'staging']);
  expect(shortAt(80, 'feature/cart', 'feature/checkout')).toEqual(['cart    ', 'checkout']);
  expect(shortAt(120, 'feature/cart', 'feature/checkout')).toEqual(['cart    ', 'checkout']);
  expect(shortAt(200, 'feature/cart', 'feature/checkout')).toEqual(['feature/cart    ', 'feature/checkout']);
  expect(shortAt(80, 'release-2026-11-a', 'release-2026-11-b')).toEqual(['…26-11-a', '…26-11-b']);
  expect(shortAt(200, 'release-2026-11-a', 'release-2026-11-b')).toEqual(['release-2026-11-a', 'release-2026-11-b']);
  expect(shortAt(500, 'a'.repeat(40), 'b'.repeat(40)).map(({length}) => length)).toEqual([24, 24]);
});

test('beside the tags of sources they take two cells on a narrow terminal, four at the most, and else a number', () => {
  const tight = (...names: readonly string[]): readonly string[] => {
    const branches = sample === undefined ? [] : names.map((name, index) => ({...sample, _id: `b-${index}`, name}));
    return labelBranches(branches, 80, true).map(({short, isTight}) => `${short.trimEnd()}${isTight ? '/' : ' '}`);
  };
  expect(tight('feature/checkout', 'feature/loyalty')).toEqual(['ch/', 'lo/']);
  expect(tight('checkout', 'christmas', 'qa')).toEqual(['che/', 'chr/', 'qa/']);
  expect(tight('release-a', 'release-b')).toEqual(['…e-a/', '…e-b/']);
  expect(tight('master', 'master')).toEqual(['1/', '2/']);
});

test('where there is little room they are as short as they stay unlike, four cells at the least, all as wide', () => {
  expect(shortOf('master', 'staging')).toEqual(['mast', 'stag']);
  expect(shortOf('master-one', 'master-one-b', 'qa')).toEqual(['…one', '…e-b', 'qa  ']);
  expect(shortOf('release-a-2026', 'release-b-2026')).toEqual(['…a-2026', '…b-2026']);
});

test('what follows the last slash is named first', () => {
  expect(shortOf('feature/cart', 'feature/checkout')).toEqual(['cart', 'chec']);
  expect(shortOf('feature/cart', 'hotfix/cart')).toEqual(['feat', 'hotf']);
});

test('names that begin alike are told by their ends, and equal ones by a number', () => {
  expect(shortOf('a-very-long-name-one', 'a-very-long-name-two')).toEqual(['…one', '…two']);
  expect(shortOf('master', 'master')).toEqual(['1 master', '2 master']);
  expect(shortOf('release-2026', '')).toEqual(['1 release…', '2         ']);
});

test('wide letters count as two cells, and what a terminal would act on is no part of a name', () => {
  expect(shortOf('東京都庁', '大阪')).toEqual(['東京', '大阪']);
  expect(labels('\u001b[31mred', 'blue').map(({name}) => name)).toEqual(['red', 'blue']);
});

test('each of eight has a tone of its own', () => {
  const tones = labels('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h').map(({tone}) => tone);
  expect(new Set(tones).size).toBe(8);
});
