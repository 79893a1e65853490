import {expect, test} from 'vitest';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {line, short} from '../../simulation/lines-at.ts';
import {linesOf} from '../../simulation/subject.ts';

const empty = createBranchLog(1e6);

const take = (log: BranchLog, texts: readonly string[]) => takeWindow(log, {lines: texts.map(line), pods: []});
const held = (log: BranchLog): readonly string[] => linesOf(log).map(({raw}) => short(raw));

/** What is held after windows, one after the other. */
const merge = (...windows: readonly (readonly string[])[]): readonly string[] =>
  held(windows.reduce((log, texts) => take(log, texts).log, empty));

test.each([
  {
    what: 'windows that overlap make one log',
    windows: [
      ['1 a', '2 b', '3 c'],
      ['2 b', '3 c', '4 d'],
    ],
    expected: ['1 a', '2 b', '3 c', '4 d'],
  },
  {
    what: 'a true repeat is kept: equal text at another time, and a copy at the same time',
    windows: [
      ['1 a', '1 a', '2 a'],
      ['1 a', '2 a', '3 a', '3 a'],
    ],
    expected: ['1 a', '1 a', '2 a', '3 a', '3 a'],
  },
  {
    what: 'of copies the larger count is kept',
    windows: [['1 x', '1 x'], ['1 x'], ['1 x', '1 x', '1 x']],
    expected: ['1 x', '1 x', '1 x'],
  },
  {
    what: 'a late line goes in its place, not to the end and not away',
    windows: [
      ['1 a', '3 c', '4 d'],
      ['1 a', '2 late', '3 c', '4 d'],
    ],
    expected: ['1 a', '2 late', '3 c', '4 d'],
  },
  {
    what: 'a late line that stands at the end of the window goes in its place too',
    windows: [
      ['1 a', '3 c', '4 d'],
      ['3 c', '4 d', '2 late', '5 e'],
    ],
    expected: ['1 a', '2 late', '3 c', '4 d', '5 e'],
  },
  {
    what: 'equal timestamps keep the order of the window',
    windows: [
      ['1 z', '1 a', '1 m'],
      ['1 a', '1 m', '1 b'],
    ],
    expected: ['1 z', '1 a', '1 m', '1 b'],
  },
  {
    what: 'a new line between ties goes before the next one that is held',
    windows: [
      ['1 a', '1 c', '2 e'],
      ['1 a', '1 b', '1 b2', '1 c', '1 d', '2 e'],
    ],
    expected: ['1 a', '1 b', '1 b2', '1 c', '1 d', '2 e'],
  },
  {
    what: 'a new line in front of all ties goes in front',
    windows: [
      ['2 b', '2 c'],
      ['2 a', '2 b', '2 c'],
    ],
    expected: ['2 a', '2 b', '2 c'],
  },
  {
    what: 'an older answer changes nothing, and the next one goes on',
    windows: [
      ['1 a', '2 b', '3 c'],
      ['2 b', '3 c', '4 d'],
      ['1 a', '2 b', '3 c'],
      ['3 c', '4 d', '5 e'],
    ],
    expected: ['1 a', '2 b', '3 c', '4 d', '5 e'],
  },
  {
    what: 'an empty window takes nothing away',
    windows: [['1 a', '2 b'], [], ['2 b', '3 c']],
    expected: ['1 a', '2 b', '3 c'],
  },
  {
    what: 'unreadable lines stay after the line before them',
    windows: [
      ['1 a', '\tat a', '2 b'],
      ['2 b', '\tat b', '\tat main', '3 c'],
    ],
    expected: ['1 a', '\tat a', '2 b', '\tat b', '\tat main', '3 c'],
  },
  {
    what: 'an unreadable line at the front is the one that is held there',
    windows: [
      ['1 a', '\tat a', '2 b'],
      ['\tat a', '2 b', '3 c'],
    ],
    expected: ['1 a', '\tat a', '2 b', '3 c'],
  },
  {
    what: 'a new unreadable line after known ones at the front stays right after them',
    windows: [
      ['1 a', '\tat a'],
      ['\tat a', '\tat main', '5 b'],
      ['1 a', '\tat a', '\tat main', '5 b', '6 c'],
    ],
    expected: ['1 a', '\tat a', '\tat main', '5 b', '6 c'],
  },
  {
    what: 'a new unreadable line at the front goes before the next readable one, and is known again',
    windows: [
      ['\tat x', '5 b'],
      ['\tat x', '5 b', '6 c'],
      ['5 b', '6 c'],
    ],
    expected: ['\tat x', '5 b', '6 c'],
  },
  {
    what: 'the same unreadable text after two lines is two lines, in an older answer too',
    windows: [
      ['1 a', '\tat x', '2 b', '\tat x', '3 c'],
      ['2 b', '\tat x', '3 c'],
      ['\tat x', '2 b', '\tat x'],
    ],
    expected: ['1 a', '\tat x', '2 b', '\tat x', '3 c'],
  },
  {
    what: 'an unreadable line at the front after a gap is not taken for an old one of the same text',
    windows: [
      ['1 a', '\tat x', '2 b'],
      ['\tat x', '9 z'],
    ],
    expected: ['1 a', '\tat x', '2 b', '\tat x', '9 z'],
  },
  {
    what: 'lines without any timestamp are held as they came',
    windows: [
      ['one', 'two', 'three'],
      ['two', 'three', 'four'],
    ],
    expected: ['one', 'two', 'three', 'four'],
  },
])('$what', ({windows, expected}) => {
  expect(merge(...windows)).toEqual(expected);
});

test('the same instant written in another way is the same line', () => {
  const first = takeWindow(empty, {lines: ['2026-11-21T14:02:11.1Z a', '2026-11-21T14:02:11.100000000Z b'], pods: []});
  const second = takeWindow(first.log, {
    lines: ['2026-11-21T15:02:11.1+01:00 a', '2026-11-21T14:02:11.100+00:00 b'],
    pods: [],
  });
  expect(second.added).toEqual([]);
  expect(second.log.buffer.lineCount).toBe(2);
});

test('only what arrives after newer lines is marked late', () => {
  const first = take(empty, ['3 c', '1 a']);
  const second = take(first.log, ['1 a', '2 late', '3 c', '3 tie', '4 d']);
  expect(linesOf(second.log).map(({raw, late}) => [short(raw), late])).toEqual([
    ['1 a', false],
    ['2 late', true],
    ['3 c', false],
    ['3 tie', false],
    ['4 d', false],
  ]);
});

test('numbers grow with the order in which lines were made, ties too', () => {
  const {added} = take(take(empty, ['1 a', '1 b']).log, ['1 a', '1 b', '1 c', '1 d', '2 e']);
  const numbers = added.map(({id}) => id);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
});

test('late lines below the floor are counted and handed out once, and are in no buffer', () => {
  // Each line takes 45 bytes.
  const full = take(createBranchLog(3 * 45), ['10 aa', '20 bb', '30 cc', '40 dd', '50 ee']);
  expect(held(full.log)).toEqual(['30 cc', '40 dd', '50 ee']);
  const late = take(full.log, ['30 cc', '40 dd', '50 ee', '15 late']);
  expect(late.tooLate.map(({raw, late: isLate}) => [short(raw), isLate])).toEqual([['15 late', true]]);
  expect(late.added).toEqual([]);
  expect(held(late.log)).toEqual(['30 cc', '40 dd', '50 ee']);
  const again = take(late.log, ['40 dd', '50 ee', '15 late']);
  expect(again.tooLate).toEqual([]);
  expect(again.log.buffer.tooLateLines).toBe(1);
});

test('lines below the floor that come again are ignored, from an older answer too', () => {
  const full = take(createBranchLog(3 * 45), ['10 aa', '20 bb', '30 cc', '40 dd', '50 ee']);
  const next = take(full.log, ['30 cc', '40 dd', '50 ee', '60 ff']);
  const older = take(next.log, ['10 aa', '20 bb', '30 cc', '40 dd', '50 ee']);
  expect([older.added, older.tooLate]).toEqual([[], []]);
  expect(older.log.buffer.tooLateLines).toBe(0);
});

test('when a pod goes and older lines of the others take its room, those below the floor are not too late', () => {
  const pods = [
    {name: 'a', createdAt: '1'},
    {name: 'b', createdAt: '1'},
  ];
  const full = takeWindow(createBranchLog(3 * 45), {lines: ['30 cc', '40 dd', '50 ee', '60 ff'].map(line), pods});
  const after = takeWindow(full.log, {lines: ['10 aa', '20 bb', '30 cc', '40 dd'].map(line), pods: pods.slice(0, 1)});
  expect(after.tooLate).toEqual([]);
  expect(after.log.buffer.tooLateLines).toBe(0);
});
