import {describe, expect, test} from 'vitest';
import {type Described, type DescribedLoss, describeNumbers} from '#log/ingest/describe-numbers.ts';
import {
  internSources,
  lastNumberOf,
  type Numbered,
  numbersOf,
  readUpTo,
  sourceIndexesOf,
} from '#log/ingest/numbered.ts';
import type {SourceName} from '#log/line/entry.ts';
import type {Numbering} from '#log/window/window-claims.ts';

const web: SourceName = {pod: 'web'};
const db: SourceName = {pod: 'db'};

const numbering = (more: Partial<Numbering> = {}): Numbering => ({
  ...{series: 'a', first: 1, runs: [], sources: [], losses: [], ...more},
});

test('what a reader has is told by the series and the last number', () => {
  expect(readUpTo(undefined)).toBeUndefined();
  expect(readUpTo({series: 'a', last: 7} as Numbered)).toEqual({series: 'a', last: 7});
});

describe('the numbers of an answer', () => {
  test('count up from the first, or are told as runs', () => {
    expect([...numbersOf(numbering({first: 5}), 3)]).toEqual([5, 6, 7]);
    expect([
      ...numbersOf(
        numbering({
          numbers: [
            [9, 1],
            [5, 2],
          ],
        }),
        3,
      ),
    ]).toEqual([9, 5, 6]);
    // A run that is longer than the answer, and one that is shorter.
    expect([
      ...numbersOf(
        numbering({
          numbers: [
            [5, 9],
            [20, 1],
          ],
        }),
        3,
      ),
    ]).toEqual([5, 6, 7]);
    expect([...numbersOf(numbering({numbers: [[5, 1]]}), 3)]).toEqual([5, 0, 0]);
    expect([...numbersOf(numbering(), 0)]).toEqual([]);
  });

  test('have a highest one', () => {
    expect(lastNumberOf({first: 5}, 3)).toBe(7);
    expect(lastNumberOf({first: 5}, 0)).toBe(0);
    expect(
      lastNumberOf(
        {
          first: 5,
          numbers: [
            [9, 2],
            [5, 2],
          ],
        },
        4,
      ),
    ).toBe(10);
    expect(lastNumberOf({first: 5, numbers: [[5, 1]]}, 0)).toBe(5);
  });
});

test('the sources of lines are told as runs; who wrote the others is not known', () => {
  expect([
    ...sourceIndexesOf(
      numbering({
        runs: [
          [1, 2],
          [0, 1],
        ],
      }),
      5,
    ),
  ]).toEqual([1, 1, 0, -1, -1]);
  expect([...sourceIndexesOf(numbering({runs: [[0, 9]]}), 2)]).toEqual([0, 0]);
  expect([...sourceIndexesOf(numbering(), 2)]).toEqual([-1, -1]);
});

describe('each source of a log is one object', () => {
  test('whichever answer named it', () => {
    const first = internSources(new Map(), numbering({sources: [web, db]}));
    expect(first.named).toEqual([web, db]);
    const second = internSources(first.sources, numbering({sources: [{...db}, {pod: 'new'}]}));
    expect(second.named[0]).toBe(db);
    expect([second.sources.size, first.sources.size]).toEqual([3, 2]);
    expect(internSources(second.sources, numbering({sources: [{...web}]})).sources).toBe(second.sources);
  });

  test('and one without a name is none', () => {
    expect(internSources(new Map(), numbering({sources: [{}]}))).toEqual({sources: new Map(), named: [undefined]});
  });

  test('of twenty thousand; those that come later have no name', () => {
    const many = (count: number) => Array.from({length: count}, (_, index): SourceName => ({pod: `${index}`}));
    const {sources, named} = internSources(new Map(), numbering({sources: many(20_001)}));
    expect([sources.size, named[19_999], named[20_000]]).toEqual([20_000, {pod: '19999'}, undefined]);
    expect(internSources(sources, numbering({sources: [{pod: '7'}, {pod: 'new'}]})).named).toEqual([
      {pod: '7'},
      undefined,
    ]);
  });
});

const lines = (...kept: readonly (readonly [number, SourceName?])[]): readonly Described[] =>
  kept.map(([sequence, source]) => ({sequence, source}));

const describeAll = (kept: readonly Described[], losses: readonly DescribedLoss[] = [], before?: Numbering) =>
  describeNumbers('a', kept, losses, 99, before);

describe('lines are described', () => {
  test('by their first number alone, if no number is left out', () => {
    expect(describeAll(lines([5, web], [6, web], [7, db]))).toEqual({
      ...{
        series: 'a',
        first: 5,
        runs: [
          [0, 2],
          [1, 1],
        ],
        sources: [web, db],
        losses: [],
      },
    });
    expect(describeAll([])).toEqual({series: 'a', first: 99, runs: [], sources: [], losses: []});
  });

  test('by runs of numbers else', () => {
    expect(describeAll(lines([5], [6], [8], [3], [4]))).toMatchObject({
      first: 5,
      numbers: [
        [5, 2],
        [8, 1],
        [3, 2],
      ],
      runs: [],
    });
    expect(describeAll(lines([0], [1]))).not.toHaveProperty('numbers');
  });

  test('with runs of sources, of which those of one line are one object', () => {
    const {runs} = describeAll(lines([1, web], [2, db], [3, web], [4, db], [5, db], [6, web]));
    expect(runs).toEqual([
      [0, 1],
      [1, 1],
      [0, 1],
      [1, 2],
      [0, 1],
    ]);
    expect(runs[0]).toBe(runs[2]);
    expect(runs[4]).toBe(runs[0]);
  });

  test('and lines of no source take no run', () => {
    expect(describeAll(lines([1, web], [2], [3], [4, web])).runs).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });
});

test('a loss names its source by index, and has nothing that is not known', () => {
  const losses: readonly DescribedLoss[] = [
    {number: 7, why: 'rotated away'},
    {source: db, after: 1n, before: 2n, number: 8, why: 'too long', lines: 0, isNoLine: true},
  ];
  expect(describeAll(lines([5, web]), losses)).toEqual({
    ...{series: 'a', first: 5, runs: [[0, 1]], sources: [web, db]},
    losses: [
      {number: 7, why: 'rotated away'},
      {source: 1, after: 1n, before: 2n, number: 8, why: 'too long', lines: 0, isNoLine: true},
    ],
  });
});

describe('after an answer before', () => {
  const before = describeAll(lines([5, web], [6, db], [9, web], [12, db], [15, web], [18, db], [21, db]));

  test('sources keep their indexes', () => {
    expect(describeAll(lines([22, db], [23, web], [24, {pod: 'new'}]), [], before)).toMatchObject({
      runs: [
        [1, 1],
        [0, 1],
        [2, 1],
      ],
      sources: [web, db, {pod: 'new'}],
    });
  });

  test('until one has no line any more', () => {
    expect(describeAll(lines([22, db]), [], before)).toMatchObject({runs: [[0, 1]], sources: [db]});
    // A loss of it is as good as a line.
    const losses = [{source: web, number: 23, why: 'x'}];
    expect(describeAll(lines([22, db]), losses, before).sources).toEqual([web, db]);
  });

  test('runs of numbers are the same objects, as far as they are the same', () => {
    const again = describeAll(lines([9, web], [12, db], [15, web], [18, db], [21, db], [22, db]), [], before);
    expect(again.numbers).toEqual([
      [9, 1],
      [12, 1],
      [15, 1],
      [18, 1],
      [21, 2],
    ]);
    expect(again.numbers?.map(run => before.numbers?.includes(run))).toEqual([true, true, true, true, false]);
  });

  test('also after a few that are gone: up to four are looked at', () => {
    const kept = (...numbers: readonly number[]) =>
      describeAll(lines(...numbers.map(number => [number, web] as const)), [], before).numbers?.map(run =>
        before.numbers?.includes(run),
      );
    // 9, 12 and 15 are gone.
    expect(kept(5, 6, 18)).toEqual([true, true]);
    expect(kept(5, 6, 21)).toEqual([true, false]);
  });
});
