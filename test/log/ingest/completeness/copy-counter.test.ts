import {describe, expect, test} from 'vitest';
import {compareWindows} from '#log/ingest/completeness/departure.ts';
import {createCopyCounter, createSeenCounter} from '#log/ingest/completeness/find-front.ts';
import {decimalsLost, learnTicks, tickIn} from '#log/ingest/completeness/learned.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {readLine, readWindow} from '#log/window/window-line.ts';
import {eachLine, type WindowLine} from '#log/window/window-lines.ts';
import {finishWork} from '#log/work.ts';
import {pausesIn} from '../../pauses-in.ts';
import {line} from '../../simulation/lines-at.ts';

const read = (texts: readonly string[]) => finishWork(readWindow(texts.map(line), () => []));

const lineOf = (text: string): WindowLine => {
  const found = readLine(line(text));
  if (found === undefined) {
    throw new Error(`${text} has no timestamp`);
  }
  return found;
};

const window = read(['1 a', '2 b', '2 b', '2 c', '3 d', '5 e', '7 f', '8 g', '9 h', '10 i', '11 j', '11 j']);

describe('copies of a line are counted', () => {
  test.each([
    ['1 a', 1],
    ['1 b', 0],
    ['2 b', 2],
    ['2 c', 1],
    ['2 x', 0],
    ['4 d', 0],
    ['0 a', 0],
    ['11 j', 2],
    ['12 j', 0],
  ])('of %s there are %d', (text, count) => {
    expect(createCopyCounter(window)(lineOf(text))).toBe(count);
  });

  test('in whatever order they are asked for', () => {
    const count = createCopyCounter(window);
    const asked = ['1 a', '11 j', '2 b', '2 c', '2 b', '3 d', '4 x', '5 e', '12 j', '0 a', '7 f', '10 i', '7 x', '1 a'];
    expect(asked.map(text => count(lineOf(text)))).toEqual([1, 2, 2, 1, 2, 1, 0, 1, 0, 0, 1, 1, 0, 1]);
  });

  test('with few looks if they are neighbours, and with a search else', () => {
    const texts = Array.from({length: 1000}, (_, index) => `${index + 1} a`);
    const {lines, ...rest} = read(texts);
    let looks = 0;
    const watched = Object.assign(Object.create(lines), {
      timeAt: (index: number) => {
        looks += 1;
        return lines.timeAt(index);
      },
    });
    const count = createCopyCounter({...rest, lines: watched});
    const cost = (text: string): number => {
      looks = 0;
      expect(count(lineOf(text))).toBe(1);
      return looks;
    };
    cost('1 a');
    expect([cost('2 a'), cost('3 a'), cost('3 a')].every(each => each <= 6)).toBe(true);
    expect(cost('900 a')).toBeLessThan(30);
    expect(cost('5 a')).toBeLessThan(30);
  });
});

describe('of lines that were handed out', () => {
  const [newer, older] = [read(['5 a', '6 b']), read(['3 a', '5 a', '5 a'])];

  test('the most copies that one of the last windows shows are known', () => {
    const count = createSeenCounter([newer, older], false);
    expect(['3 a', '5 a', '6 b', '7 c', '4 x'].map(text => count(lineOf(text)))).toEqual([1, 2, 1, 0, 0]);
    expect(createSeenCounter([], false)(lineOf('3 a'))).toBe(0);
  });

  test('any are known that are older than the last window, where a pod went away', () => {
    const count = createSeenCounter([newer, older], true);
    expect(['4 x', '5 a', '5 x'].map(text => count(lineOf(text)))).toEqual([Number.POSITIVE_INFINITY, 2, 0]);
    expect(createSeenCounter([], true)(lineOf('3 a'))).toBe(0);
  });
});

describe('the step of the clock', () => {
  const stampedAt = (...fractions: readonly string[]) =>
    finishWork(
      readWindow(
        fractions.map(fraction => `2026-11-21T14:02:11${fraction}Z a`),
        () => [],
      ),
    );
  const entriesOf = (lines: ReturnType<typeof stampedAt>): readonly LineEntry[] =>
    [...eachLine(lines.received)].map(([id, {at, raw, textIndex}]) => ({
      kind: 'line',
      id,
      at,
      raw,
      textIndex,
      late: false,
    }));

  test.each([
    [['', ''], 1_000_000_000n],
    [['', '.5'], 1_000_000n],
    [['.123', '.5', ''], 1_000_000n],
    [['.123456', ''], 1000n],
    [['', '.123456789'], 1n],
    [['.000000001'], 1n],
    [[], 1_000_000_000n],
  ])('of stamps with the decimals %j is %d ns', (fractions, tick) => {
    expect(tickIn(stampedAt(...fractions))).toBe(tick);
  });

  test('what is lost with decimals is all but one nanosecond of a step', () => {
    const [fine, coarse] = [stampedAt('.123'), stampedAt('', '')];
    expect(decimalsLost(fine, entriesOf(coarse))).toBe(999_999_999n);
    expect(decimalsLost(coarse, entriesOf(fine))).toBe(0n);
    expect(decimalsLost(fine, entriesOf(fine))).toBe(0n);
    expect(decimalsLost(stampedAt('.123456789'), entriesOf(stampedAt('.123456789')))).toBe(0n);
    expect(decimalsLost(undefined, entriesOf(coarse))).toBe(0n);
  });

  test('is found ahead in windows of 16,384 lines, with pauses', () => {
    const many = (count: number) => stampedAt(...Array.from({length: count}, () => ''));
    expect(pausesIn(learnTicks(many(16_384), [])).pauses).toBe(32);
    expect(pausesIn(learnTicks(many(16_383), [])).pauses).toBe(0);
    const [few, long] = [many(1), many(16_384)];
    expect(pausesIn(learnTicks(few, entriesOf(long))).pauses).toBe(32);
    expect(tickIn(long)).toBe(1_000_000_000n);
    // Once a stamp has all decimals, no other matters.
    const fine = stampedAt('.000000001', ...Array.from({length: 16_384}, () => '.5'));
    expect(pausesIn(learnTicks(fine, [])).pauses).toBe(0);
  });
});

test('comparing windows pauses each 512 lines', () => {
  const texts = (from: number) => Array.from({length: 1025}, (_, index) => `${from + index} a`);
  const pauses = (overlap: number) =>
    pausesIn(compareWindows(read(texts(1)), read(texts(500)), overlap, new Set())).pauses;
  // All lines of both are gone through a few times, or only those that can have left.
  expect(pauses(0)).toBeGreaterThanOrEqual(8);
  expect(pauses(0)).toBeLessThanOrEqual(24);
  expect(pauses(526)).toBeLessThanOrEqual(pauses(0));
});
