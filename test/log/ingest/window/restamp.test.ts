import {describe, expect, test} from 'vitest';
import {findHeldStamps, noHeldStamps, restampLines} from '#log/ingest/window/restamp.ts';
import {finishWork} from '#log/work.ts';

/** `05.25 a` is a line at 14:02:05.25. */
const lines = (...texts: readonly string[]): readonly string[] =>
  texts.map(text => text.replace(/^(\d\d\S*) /, '2026-11-21T14:02:$1Z '));
const short = (raw: string): string => raw.replace(/^2026-11-21T14:02:(\S*)Z /, '$1 ');

/** How the lines of a window are held, as shown and as they were in the one before. */
const pairs = (before: readonly string[], now: readonly string[]): readonly (readonly [string, readonly string[]])[] =>
  [...finishWork(findHeldStamps(lines(...before), lines(...now)))].map(([raw, held]) => [short(raw), held.map(short)]);

describe('a line that is shown with other decimals is the one held', () => {
  test.each([
    {
      what: 'if a few texts differ, though more lines left',
      before: ['05.1 a', '05 b', '05 c', '05 d', '05 left', '05 left 2', '05 left 3', '05 left 4'],
      now: ['05.1 a', '05.123456 b', '05.223456 c', '05.323456 d', '06 e'],
      expected: [
        ['05.123456 b', ['05 b']],
        ['05.223456 c', ['05 c']],
        ['05.323456 d', ['05 d']],
      ],
    },
    {
      what: 'with fewer',
      before: ['05.123456789 a', '06.123456789 b'],
      now: ['05.123 a', '06.123 b', '07.5 c'],
      expected: [
        ['05.123 a', ['05.123456789 a']],
        ['06.123 b', ['06.123456789 b']],
      ],
    },
    {
      what: 'with more',
      before: ['05.123 a', '06.123 b'],
      now: ['06.123456789 b', '07.500000000 c'],
      expected: [['06.123456789 b', ['06.123 b']]],
    },
    {
      what: 'with none',
      before: ['05.9 a', '06.9 b'],
      now: ['05 a', '06 b'],
      expected: [
        ['05 a', ['05.9 a']],
        ['06 b', ['06.9 b']],
      ],
    },
    {
      what: 'with zeros at the end',
      before: ['05.12 a', '06.5 b'],
      now: ['05.120 a', '06.500 b'],
      expected: [
        ['05.120 a', ['05.12 a']],
        ['06.500 b', ['06.5 b']],
      ],
    },
    {
      what: 'and its copies in order',
      before: ['05.111 x', '05.222 x'],
      now: ['05 x', '05 x', '06 y'],
      expected: [['05 x', ['05.111 x', '05.222 x']]],
    },
  ])('$what', ({before, now, expected}) => {
    expect(pairs(before, now)).toEqual(expected);
  });
});

describe('it is another line', () => {
  test.each([
    {what: 'of another text', before: ['05.123 a', '06.123 b'], now: ['05.12 x', '06.12 y']},
    {what: 'of another time', before: ['05.123 a', '06.123 b'], now: ['05.13 a', '06.13 b']},
    {what: 'of another second', before: ['05.123 a', '06.123 b'], now: ['07.12 a', '08.12 b']},
    {what: 'where all stamps are as long as before', before: ['05.123 a', '06.123 b'], now: ['05.123 a', '06.456 b']},
    {what: 'without a timestamp', before: ['} a', '} b'], now: ['}  a', '}  b']},
    {
      what: 'that was there before, too',
      before: ['07.123 c', '07.123456 c', '08.123456 d'],
      now: ['07.123456 c', '08.123456 d', '09.123456 e'],
    },
    {
      what: 'alone, though two may have been it: that may be chance',
      before: ['04.123 k', '05.111 x', '05.112 x'],
      now: ['04.123 k', '05.11 x'],
    },
    {
      what: 'alone: that may be chance',
      before: ['05.12 a', '06.123 b', '07.123 c'],
      now: ['06.123 b', '07.123 c', '05.123 a'],
    },
    {
      what: 'where most of what should still be there is gone',
      before: ['04.123 z', '05.12 a', '06.12 b', '07.12 c', '08.12 d', '09.12 e'],
      now: ['04.123 z', '05.123 a', '06.123 b'],
    },
  ])('$what', ({before, now}) => {
    expect(pairs(before, now)).toEqual([]);
  });
});

test('one line is enough where every stamp is longer or shorter than all before', () => {
  expect(pairs(['05.1234 a'], ['05.12 a', '06.12 b'])).toEqual([['05.12 a', ['05.1234 a']]]);
  expect(pairs(['05.12 a'], ['05.1234 a', '06.1234 b'])).toEqual([['05.1234 a', ['05.12 a']]]);
  expect(pairs(['05.12 a'], ['05.1234 a', '06.12 b'])).toEqual([]);
});

test('one line is enough that has the decimals of a common clock: none, milliseconds or microseconds', () => {
  for (const stamp of ['07', '07.123', '07.123456']) {
    const whole = '07.123456789 c';
    expect(pairs(['06.123456789 b', `${stamp} c`], ['06.123456789 b', whole])).toEqual([[whole, [`${stamp} c`]]]);
    expect(pairs(['06.123456789 b', whole], ['06.123456789 b', `${stamp} c`])).toEqual([[`${stamp} c`, [whole]]]);
  }
});

test('one line is enough of a service that was seen to change its decimals', () => {
  const before = lines('05.123456 a', '06.123 b', '06.123 c', '06.123 d');
  const now = lines('05.123456 a', '06.123456 d');
  expect([...finishWork(findHeldStamps(before, now))]).toEqual([]);
  expect([...finishWork(findHeldStamps(before, now, true))]).toEqual([[now[1], [before[3]]]]);
});

test('a line stands in the same place whatever lines without a timestamp stand around it', () => {
  expect(pairs(['05.12 a', '}', '06.12 b', '}'], ['06 b', '}', '07 c', '}'])).toEqual([['06 b', ['06.12 b']]]);
});

test('what left ahead of all that stayed is not missed, nor what is older than all that came', () => {
  const left = ['05.12 a', '05.12 b', '05.12 c', '05.456 kept', '05.12 d', '05.12 e'];
  expect(pairs(left, ['05.456 kept', '05.120 d', '05.120 e'])).toHaveLength(2);
  const older = ['09.456 kept', '01.12 a', '02.12 b', '03.12 c', '08.12 d', '08.12 e'];
  expect(pairs(older, ['09.456 kept', '08.120 d', '08.120 e'])).toHaveLength(2);
});

describe('a line is swallowed that is another,', () => {
  // Zeros at the end are decimals too, and 120 ms are not 121.
  test('where the one that left ended with a zero', () => {
    expect(pairs(['05.120 tick', '06.123456 b'], ['05.121 tick', '06.123456 b'])).toEqual([]);
  });

  // One that is shown with other decimals stands in the same place.
  test('where it stands after lines that stayed, and the one that left stood ahead of them', () => {
    expect(pairs(['05 tick', '05.25 a', '05.5 b'], ['05.25 a', '05.5 b', '05.75 tick'])).toEqual([]);
  });
});

test('lines get the stamps with which they are held, copy by copy, and what is needed no more is forgotten', () => {
  const stamps = new Map([
    [lines('05 x')[0] ?? '', lines('05.111 x', '05.222 x')],
    [lines('06 y')[0] ?? '', lines('06.5 y')],
  ]);
  const {raws, stamps: needed} = finishWork(restampLines(stamps, lines('05 x', '05 x', '05 x', '07 z')));
  expect([Array.from(raws, short), needed.size]).toEqual([['05.111 x', '05.222 x', '05 x', '07 z'], 1]);
  expect(finishWork(restampLines(noHeldStamps, lines('05 x')))).toEqual({raws: lines('05 x'), stamps: noHeldStamps});
});
