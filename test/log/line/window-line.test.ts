import {expect, test} from 'vitest';
import {parseInstant} from '../../../src/log/line/instant.ts';
import {readLine, readWindow} from '../../../src/log/line/window-line.ts';
import {eachLine, type WindowLines} from '../../../src/log/line/window-lines.ts';
import {finishWork} from '../../../src/log/work/work.ts';

const listOf = (lines: WindowLines) => [...eachLine(lines)].map(([, line]) => line);

const minute = parseInstant('2026-11-21T14:02:00Z') ?? 0n;
const stamp = (second: number): string => `2026-11-21T14:02:${String(second).padStart(2, '0')}.000000000Z`;
const instant = (second: number): bigint => minute + BigInt(second) * 1_000_000_000n;
const nowhere = (): readonly bigint[] => [];

test('the text is all after the first space, as received', () => {
  const line = readLine(`${stamp(1)}  two spaces `);
  expect(line?.raw.slice(line.textIndex)).toBe(' two spaces ');
  expect(line?.at).toBe(instant(1));
});

test('a line that is nothing but its timestamp has an empty text', () => {
  const line = readLine(stamp(1));
  expect(line?.raw.slice(line.textIndex)).toBe('');
  expect(line?.key).toBe(readLine(`${stamp(1)} `)?.key);
});

test('the identity is the same however the timestamp is written, and another where the time or the text is', () => {
  const key = (raw: string): string | undefined => readLine(raw)?.key;
  const canonical = key('2026-11-21T14:02:11.100000000Z GET /');
  expect(key('2026-11-21T14:02:11.1Z GET /')).toBe(canonical);
  expect(key('2026-11-21T14:02:11.1+00:00 GET /')).toBe(canonical);
  expect(key('2026-11-21T16:02:11.1+02:00 GET /')).toBe(canonical);
  expect(key('2026-11-21t14:02:11.100000000z GET /')).toBe(canonical);
  expect(key('2026-11-21T14:02:11.100000001Z GET /')).not.toBe(canonical);
  expect(key('2026-11-21T14:02:11.100000000Z GET  /')).not.toBe(canonical);
});

test('a leap second and the second after it are one identity', () => {
  expect(readLine('2016-12-31T23:59:60.000000000Z a')?.key).toBe(readLine('2017-01-01T00:00:00.000000000Z a')?.key);
});

test.each(['', 'no timestamp here', '2026-11-21 14:02:11 a', '\t2026-11-21T14:02:11Z a', '2026-02-30T14:02:11Z a'])(
  'answers that the timestamp of "%s" can not be read',
  raw => {
    expect(readLine(raw)).toBeUndefined();
  },
);

test('an unreadable line takes the time of the line before it and stays right after it, in an unsorted window too', () => {
  const window = finishWork(
    readWindow([`${stamp(3)} c`, '\tat c', '\tat main', `${stamp(1)} a`, '\tat a', `${stamp(3)} d`], nowhere),
  );
  expect(listOf(window.lines).map(({raw}) => raw)).toEqual([
    `${stamp(1)} a`,
    '\tat a',
    `${stamp(3)} c`,
    '\tat c',
    '\tat main',
    `${stamp(3)} d`,
  ]);
  expect(listOf(window.lines).map(line => line.at)).toEqual([1, 1, 3, 3, 3, 3].map(instant));
  expect(window.cameSorted).toBe(false);
  expect(listOf(window.received).map(({raw}) => raw)).toEqual(window.raws);
});

test('equal timestamps keep the order of the window', () => {
  const raws = ['b', 'a', 'c', 'a'].map(text => `${stamp(1)} ${text}`);
  const window = finishWork(readWindow(raws, nowhere));
  expect(listOf(window.lines).map(({raw}) => raw)).toEqual(raws);
  expect(window.cameSorted).toBe(true);
});

test('timestamps are compared as integers: .1Z comes before .15Z though it is the greater text', () => {
  const raws = [
    '2026-11-21T14:02:11.15Z late',
    '2026-11-21T14:02:11.1Z early',
    '2026-11-21T15:02:11.05+01:00 earliest',
  ];
  expect(listOf(finishWork(readWindow(raws, nowhere)).lines).map(({raw}) => raw.split(' ')[1])).toEqual([
    'earliest',
    'early',
    'late',
  ]);
});

test('unreadable lines at the front take the times that they are given', () => {
  const window = finishWork(
    readWindow(['\tat a', '\tat main', `${stamp(2)} b`], (front, first) => {
      expect(front).toEqual(['\tat a', '\tat main']);
      expect(first?.raw).toBe(`${stamp(2)} b`);
      return [instant(1), instant(2)];
    }),
  );
  expect(listOf(window.lines).map(line => line.at)).toEqual([1, 2, 2].map(instant));
});

test('lines that are known are not read again, and an unreadable line after them takes the time of the last', () => {
  const {lines} = finishWork(readWindow([`${stamp(1)} a`, '\tat a'], nowhere));
  const window = finishWork(readWindow(['\tat a', '\tat main', `${stamp(2)} b`], nowhere, {known: {lines, from: 1}}));
  expect(listOf(window.lines).map(line => line.at)).toEqual([1, 1, 2].map(instant));
  expect(window.lines.get(0)).toEqual(lines.get(1));
});
