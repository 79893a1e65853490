import {describe, expect, test} from 'vitest';
import {compareWindows, type Departure} from '#log/ingest/completeness/departure.ts';
import {readWindow} from '#log/window/window-line.ts';
import {finishWork} from '#log/work.ts';
import {line, nanos} from '../../simulation/lines-at.ts';

const read = (texts: readonly string[]) => finishWork(readWindow(texts.map(line), () => []));

const compare = (
  before: readonly string[],
  now: readonly string[],
  {overlap = 0, banners = []}: {readonly overlap?: number; readonly banners?: readonly string[]} = {},
): Departure => finishWork(compareWindows(read(before), read(now), overlap, new Set(banners.map(line))));

test('what left is counted by identity, with its newest', () => {
  expect(compare(['1 a', '1 a', '2 b', '3 c'], ['1 a', '3 c', '4 d'])).toEqual({
    leftCount: 2,
    newestLeft: nanos(2),
    keptNone: false,
    hasHole: true,
    taken: {last: line('2 b'), after: {lines: 1, characters: 32}, olderCount: 1},
    isMixed: false,
    copiesInDoubt: 0,
  });
});

test('where the end stands again at the front, only the front can have left', () => {
  expect(compare(['1 a', '2 b', '3 c'], ['3 c', '4 d'], {overlap: 1})).toEqual({
    leftCount: 2,
    newestLeft: nanos(2),
    keptNone: false,
    hasHole: false,
    taken: undefined,
    isMixed: false,
    copiesInDoubt: 0,
  });
});

test('where no readable line stayed, none was kept', () => {
  expect(compare(['1 a', '}', '2 b'], ['}', '8 h'])).toMatchObject({
    keptNone: true,
    leftCount: 3,
  });
});

test('of lines of which none has a timestamp each is evidence', () => {
  expect(compare(['x quiet', 'x b', 'x c'], ['x quiet', 'x c', 'x d'])).toMatchObject({hasHole: true, keptNone: false});
  expect(compare(['x a', 'x b', 'x c'], ['x b', 'x c', 'x d'])).toMatchObject({hasHole: false, keptNone: false});
  expect(compare(['x quiet', 'x b', 'x c'], ['x quiet', 'x c', '4 d'])).toMatchObject({hasHole: false, keptNone: true});
});

test.each([
  {what: 'left between lines that stayed', before: ['1 quiet', '2 b', '3 c'], now: ['1 quiet', '3 c', '4 d']},
  {what: 'left after the only line that stayed', before: ['1 quiet', '2 b', '3 c'], now: ['1 quiet', '4 d', '5 e']},
  {
    what: 'left though it came, older, after one that stayed',
    before: ['5 a', '2 b', '6 c'],
    now: ['5 a', '6 c', '7 d'],
  },
])('a hole: it $what', ({before, now}) => {
  expect(compare(before, now).hasHole).toBe(true);
});

test.each([
  {what: 'left from the front', before: ['1 a', '2 b', '3 c'], now: ['2 late', '3 c', '4 d']},
  {what: 'shares its time with the first that stayed', before: ['1 a', '1 b', '3 c'], now: ['1 b', '2 late', '3 c']},
  {what: 'is newer, but came ahead of what stayed', before: ['9 ahead', '1 a', '2 b'], now: ['1 a', '2 b', '3 c']},
  {what: 'is a copy: another may stand further back', before: ['1 x', '2 b', '1 x'], now: ['1 x', '3 c']},
  {what: 'has no timestamp', before: ['1 a', '}', '2 b'], now: ['1 a', '2 b', '3 c']},
])('no hole: what left $what', ({before, now}) => {
  expect(compare(before, now).hasHole).toBe(false);
});

describe('what a count cannot have pushed out from among lines that stayed', () => {
  test('is told with what followed the last of it, and how many lines are older than that', () => {
    const before = ['1 a', '2 a', '3 gone', '4 a', '5 gone', '6 a', '7 aa'];
    expect(compare(before, ['1 a', '2 a', '4 a', '6 a', '7 aa', '8 new']).taken).toEqual({
      last: line('5 gone'),
      after: {lines: 2, characters: 32 + 33},
      olderCount: 3,
    });
  });

  test('is none where lines left from the front alone', () => {
    expect(compare(['1 a', '2 b', '3 c'], ['2 late', '3 c', '4 d']).taken).toBeUndefined();
  });

  test('is none where only what stood ahead of all stayed: a banner has up to four lines', () => {
    const banner = ['1 =', '2 =', '3 =', '4 ='];
    expect(compare([...banner, '5 gone', '6 gone', '7 a'], [...banner, '7 a', '8 b']).taken).toBeUndefined();
    const five = [...banner, '5 ='];
    expect(compare([...five, '6 gone', '7 a'], [...five, '7 a', '8 b']).taken).toMatchObject({olderCount: 5});
  });

  test('is no line that the service stamps anew, though that left too', () => {
    const lines = ['2 b', '3 c', '4 d', '5 e', '6 f'];
    const departure = compare([...lines, '7 == log =='], [...lines, '9 == log =='], {banners: ['7 == log ==']});
    expect([departure.leftCount, departure.newestLeft, departure.taken]).toEqual([1, undefined, undefined]);
  });

  test.each([
    {
      order: 'by time',
      before: ['2 a', '4 a', '6 a', '8 a', '9 a', '1 b', '3 gone', '5 b'],
      after: {lines: 5, characters: 5 * 32},
    },
    {
      order: 'as received',
      before: ['1 a', '2 a', '3 a', '4 a', '5 a', '8 gone', '9 a', '6 b', '7 b'],
      after: {lines: 3, characters: 3 * 32},
    },
  ])('is followed by the more lines, here $order, where the order received may be one of parts', ({before, after}) => {
    expect(
      compare(
        before,
        before.filter(text => !text.endsWith('gone')),
      ).taken?.after,
    ).toEqual(after);
  });

  test('is none where what stayed has no timestamp', () => {
    expect(compare(['1 x', '}', '2 gone', '3 b'], ['1 y', '}', '3 b', '4 c']).taken).toBeUndefined();
  });

  test('is none of an equal time, unless lines came in order and nothing new stands among those that stayed', () => {
    const before = ['1 gone', '5 a', '5 gone', '6 b'];
    expect(compare(before, ['5 a', '6 b', '7 c']).taken).toMatchObject({olderCount: 0, after: {lines: 1}});
    expect(compare(before, ['5 a', '5 new', '6 b']).taken).toBeUndefined();
  });

  test('is unknown where parts stand one after the other and nothing older stayed', () => {
    // `5 gone` may have been the front of its part.
    expect(compare(['3 gone', '8 q', '5 gone', '9 a'], ['8 q', '9 a', '10 a']).taken).toBeUndefined();
  });
});

describe('where new lines stand before lines that stayed, and times go back', () => {
  test('parts follow one another, or the order is odd', () => {
    expect(compare(['1 a', '2 b'], ['1 a', '3 a', '2 b']).isMixed).toBe(true);
    expect(compare(['1 a', '3 b'], ['1 a', '2 late', '3 b']).isMixed).toBe(false);
    expect(compare(['1 a', '2 b'], ['1 a', '2 b', '1 late']).isMixed).toBe(false);
  });

  test('a hole is only what left though older lines stayed', () => {
    // `1 a` left from the front of its part; in the order received it stood after nothing that stayed.
    const before = ['2 b', '5 b', '1 a', '6 a'];
    expect(compare(before, ['2 b', '5 b', '7 b', '6 a', '8 a'])).toMatchObject({isMixed: true, hasHole: false});
    expect(compare(before, ['2 b', '5 b', '7 b', '1 a', '8 a'])).toMatchObject({isMixed: true, hasHole: true});
    // Nothing is told by lines without a timestamp that stayed.
    expect(compare(['5 a', '}', '6 b'], ['4 c', '5 x', '}', '1 d'])).toMatchObject({isMixed: true, hasHole: false});
  });
});

test('copies of the newest time may be others than those that were there', () => {
  expect(compare(['1 a', '5 x', '5 x', '5 y'], ['5 x', '5 x', '5 y', '6 b']).copiesInDoubt).toBe(2);
  expect(compare(['1 a', '5 x', '6 y'], ['5 x', '5 x', '6 y']).copiesInDoubt).toBe(0);
  expect(compare(['1 a', '5 x'], ['1 a', '5 x', '6 x', '6 x']).copiesInDoubt).toBe(0);
  expect(compare(['1 a', '5 x', '}', '}'], ['5 x', '}', '}', '6 y']).copiesInDoubt).toBe(0);
});

test('lines of one time that stand ahead of others, though they are newer, show an order by source', () => {
  const tied = compare(['1 a', '5 x', '5 y', '5 z'], ['5 new', '5 x', '5 y', '5 z']);
  expect([tied.isMixed, tied.hasHole, tied.taken]).toEqual([true, false, undefined]);
  expect(compare(['1 a', '5 x'], ['4 late', '5 x']).isMixed).toBe(false);
});

test('a banner is no older line that stays', () => {
  const before = ['0 banner', '5 x', '3 gone', '4 a', '6 gone', '7 b', '8 c'];
  expect(compare(before, ['0 banner', '7 b', '8 c', '9 d']).taken).toBeUndefined();
});
