import {describe, expect, test} from 'vitest';
import type {Instant} from '#log/line/instant.ts';
import {unreadableLine} from '#log/window/window-line.ts';
import {eachLine, keyOf, type WindowLine, WindowLines} from '#log/window/window-lines.ts';
import {finishWork} from '#log/work.ts';
import {pausesIn} from '../pauses-in.ts';

/** From so many lines on, their times are packed. */
const packedLines = 50_000;

const stamped = (at: Instant, raw: string): WindowLine => ({at, raw, textIndex: 2, key: raw});

const linesOf = (lines: readonly WindowLine[]): WindowLines => {
  const made = new WindowLines(lines.map(({raw}) => raw));
  for (const line of lines) {
    made.add(line);
  }
  return made;
};

const otherForm: WindowLine = {
  at: 0n,
  raw: '1970-01-01T00:00:00Z a',
  textIndex: 21,
  key: '1970-01-01T00:00:00.000000000Z a',
};

const three = [stamped(5n, '5 a'), unreadableLine('\tat a', 5n), otherForm];

test('lines are given back as they were added', () => {
  const lines = linesOf(three);
  expect([0, 1, 2].map(index => lines.get(index))).toEqual(three);
  expect([lines.length, lines.get(3), lines.timeAt(3), lines.timeAt(2)]).toEqual([3, undefined, undefined, 0n]);
  expect([...eachLine(lines)]).toEqual(three.map((line, index) => [index, line]));
  expect([...eachLine(lines, 1, 2)]).toEqual([[1, three[1]]]);
});

test('the identity of a line is known without the line', () => {
  const lines = linesOf(three);
  for (const [index, {key}] of three.entries()) {
    expect([0, 1, 2].map(each => lines.hasKey(each, key))).toEqual([0, 1, 2].map(each => each === index));
  }
  expect(lines.hasKey(2, otherForm.raw)).toBe(false);
  expect(lines.hasKey(3, three[0]?.key ?? '')).toBe(false);
});

test('the identity of a line without a timestamp has the time that it was given', () => {
  expect(keyOf(5n, '\tat a', 0)).toBe('\x005\0\tat a');
  expect(keyOf(5n, '\tat a', 0)).not.toBe(keyOf(6n, '\tat a', 0));
});

test('it is known which lines have a timestamp', () => {
  const lines = linesOf(three);
  expect([lines.areStamped(), linesOf([otherForm]).areStamped(), linesOf([]).areStamped()]).toEqual([
    false,
    true,
    true,
  ]);
  expect([lines.hasStamp(), lines.hasStamp(1, 2), lines.hasStamp(1), lines.hasStamp(0, 1)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect([...lines.stampedTimes()]).toEqual([5n, 0n]);
  expect([...lines.stampedTimes(1)]).toEqual([0n]);
  expect([...lines.stampedTimes(3)]).toEqual([]);
});

describe('times are packed from 50,000 lines on', () => {
  const many = (count: number, atOf: (index: number) => Instant): WindowLines =>
    linesOf(Array.from({length: count}, (_, index) => stamped(atOf(index), `${index} a`)));

  test('and not one line before', () => {
    expect(many(packedLines - 1, BigInt).times).toBeInstanceOf(Array);
    expect(many(packedLines, BigInt).times).toBeInstanceOf(BigInt64Array);
    expect(many(packedLines, BigInt).timeAt(packedLines - 1)).toBe(BigInt(packedLines - 1));
  });

  test.each([
    ['the last before 2263', 2n ** 63n - 1n, true],
    ['after it', 2n ** 63n, false],
    ['the first of 1677', -(2n ** 63n), true],
    ['before it', -(2n ** 63n) - 1n, false],
  ])('unless one does not fit: %s', (_, at, isPacked) => {
    const lines = many(packedLines, index => (index === 3 ? at : 7n));
    expect(lines.times instanceof BigInt64Array).toBe(isPacked);
    expect([0, 3, 4, packedLines - 1].map(index => lines.timeAt(index))).toEqual([7n, at, 7n, 7n]);
  });

  test.each([
    [packedLines, packedLines, true],
    [packedLines, 10, false],
    [10, packedLines, false],
    [10, 10, false],
  ])('and go from a window of %d lines into one of %d', (count, nextCount, isPacked) => {
    const before = many(count, BigInt);
    const taken = count - 4;
    const next = new WindowLines(Array.from({length: nextCount}, () => '9 z'));
    next.add(stamped(1n, '9 z'));
    next.addFrom(before, taken);
    expect(next.length).toBe(5);
    expect([0, 1, 2, 3, 4, 5].map(index => next.timeAt(index))).toEqual([
      1n,
      ...[0, 1, 2, 3].map(index => BigInt(taken + index)),
      undefined,
    ]);
    expect(next.get(4)).toMatchObject({textIndex: 2, key: '9 z'});
    expect(next.times instanceof BigInt64Array).toBe(isPacked);
  });
});

test('lines are ordered by time, equal times as they came; those in order are left as they are', () => {
  const sorted = linesOf([stamped(1n, '1 a'), stamped(1n, '1 b'), stamped(2n, '2 c')]);
  expect(finishWork(sorted.sorted())).toBe(sorted);
  expect(finishWork(linesOf([]).sorted()).length).toBe(0);
  const mixed = [stamped(2n, '2 c'), stamped(1n, '1 b'), unreadableLine('\tat b', 1n), stamped(1n, '1 a'), otherForm];
  const ordered = finishWork(linesOf(mixed).sorted());
  expect([...eachLine(ordered)].map(([, {raw}]) => raw)).toEqual([otherForm.raw, '1 b', '\tat b', '1 a', '2 c']);
  expect(ordered.get(2)).toEqual(unreadableLine('\tat b', 1n));
  // The last two only.
  const last = finishWork(linesOf([stamped(1n, '1 a'), stamped(3n, '3 c'), stamped(2n, '2 b')]).sorted());
  expect([...eachLine(last)].map(([, {raw}]) => raw)).toEqual(['1 a', '2 b', '3 c']);
});

test('ordering pauses each 512 lines', () => {
  const inOrder = linesOf(Array.from({length: 1025}, (_, index) => stamped(BigInt(index), '0 a')));
  expect(pausesIn(inOrder.sorted()).pauses).toBe(2);
  const reversed = linesOf(Array.from({length: 512}, (_, index) => stamped(BigInt(-index), '0 a')));
  // Once for sorting a piece, once for making the lines.
  expect(pausesIn(reversed.sorted()).pauses).toBe(2);
});
