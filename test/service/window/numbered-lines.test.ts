import {expect, test} from 'vitest';
import {createLineWindow, type KeptLine} from '#service/window/line-window.ts';
import {createLineNumbers} from '#service/window/numbered-lines.ts';

const [web, php] = [{pod: 'web'}, {pod: 'php', stream: 'stderr'}];

const line = (sequence: number, stamp: number, source: KeptLine['source'] = web): KeptLine => ({
  sequence,
  podKey: 1,
  source,
  stamp: BigInt(stamp),
  line: `${sequence}`,
});

const open = (lines: readonly KeptLine[], linesMax = 4) => {
  const window = createLineWindow({linesMax, bytesMax: 1_000, isPerPod: false});
  for (const each of lines) {
    window.add(each);
  }
  return {window, numbers: createLineNumbers(window)};
};

test('a whole window comes by stamp, with runs of numbers only where they are not consecutive', () => {
  const {window, numbers} = open([line(1, 1), line(2, 2, php), line(3, 3, php)]);
  expect(numbers.show('s')).toEqual({
    lines: ['1', '2', '3'],
    numbering: {
      series: 's',
      first: 1,
      runs: [
        [0, 1],
        [1, 2],
      ],
      sources: [web, php],
      losses: [],
    },
  });
  window.add(line(4, 0));
  expect(numbers.show('s').numbering).toMatchObject({
    first: 4,
    numbers: [
      [4, 1],
      [1, 3],
    ],
    runs: [
      [0, 2],
      [1, 2],
    ],
  });
});

test('sources keep their indexes in the next window, until one has no line any more', () => {
  const {window, numbers} = open([line(1, 1), line(2, 2, php), line(3, 3), line(4, 4)]);
  expect(numbers.show('s').numbering.sources).toEqual([web, php]);
  window.add(line(5, 5));
  const moved = numbers.show('s').numbering;
  expect(moved.sources).toEqual([web, php]);
  expect(moved.runs).toEqual([
    [1, 1],
    [0, 3],
  ]);
  window.add(line(6, 6));
  expect(numbers.show('s').numbering).toMatchObject({sources: [web], runs: [[0, 4]]});
  window.noteLoss({source: php, why: 'it ended'});
  expect(numbers.show('s').numbering).toMatchObject({sources: [web, php], losses: [{source: 1}]});
});

test('a run of numbers that goes on is told as it is now', () => {
  const {window, numbers} = open([line(1, 5), line(2, 6), line(3, 1)]);
  expect(numbers.show('s').numbering.numbers).toEqual([
    [3, 1],
    [1, 2],
  ]);
  window.add(line(4, 2));
  expect(numbers.show('s').numbering.numbers).toEqual([
    [3, 2],
    [1, 2],
  ]);
});

test('a reader gets what follows its place in order of arrival, and losses after it', () => {
  const {window, numbers} = open([line(1, 1), line(2, 9)]);
  window.noteLoss({source: php, why: 'it ended'});
  const quiet = numbers.show('s', {series: 's', last: 2});
  expect(quiet).toEqual({
    lines: [],
    numbering: {
      series: 's',
      first: 3,
      runs: [],
      sources: [php],
      losses: [{source: 0, number: 3, why: 'it ended'}],
    },
  });
  expect(numbers.show('s', {series: 's', last: 2})).toBe(quiet);
  window.add(line(3, 5));
  window.add(line(4, 4));
  expect(numbers.show('s', {series: 's', last: 2})).toMatchObject({lines: ['3', '4'], numbering: {first: 3}});
  expect(numbers.show('s', {series: 's', last: 3})).toMatchObject({lines: ['4'], numbering: {first: 4, losses: []}});
});

test('a place of another series, or one that was never given, gets the whole window', () => {
  const {numbers} = open([line(1, 1), line(2, 2)]);
  const whole = numbers.show('s');
  expect(numbers.show('s', {series: 'other', last: 1})).toBe(whole);
  expect(numbers.show('s', {series: 's', last: 3})).toBe(whole);
  expect(numbers.show('t').numbering.series).toBe('t');
});

test('a reader whose lines left is told how many, and where they were', () => {
  const {numbers} = open([line(1, 1), line(2, 7), line(3, 3), line(4, 4), line(5, 5)], 2);
  expect(numbers.show('s', {series: 's', last: 1}).numbering).toEqual({
    series: 's',
    first: 4,
    runs: [[0, 2]],
    sources: [web],
    losses: [{number: 4, after: 1n, before: 7n, lines: 2, why: 'these lines left the window before they were read'}],
  });
});

test('the same lines stay one array when only a loss was added', () => {
  const {window, numbers} = open([line(1, 1)]);
  const before = numbers.show('s');
  window.noteLoss({why: 'gone'});
  const after = numbers.show('s');
  expect([after.lines === before.lines, after.numbering.losses]).toEqual([true, [{after: 1n, number: 2, why: 'gone'}]]);
});
