import {expect, test} from 'vitest';
import {parseInstant} from '#log/line/instant.ts';
import {readLine, readWindow} from '#log/window/window-line.ts';
import {eachLine, type WindowLines} from '#log/window/window-lines.ts';
import {finishWork} from '#log/work.ts';
import {pausesIn} from '../pauses-in.ts';

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

test('a line in the usual form is read at once, and one that only looks like it is not', () => {
  expect(readLine(`${stamp(1)} a`)).toEqual({
    at: instant(1),
    raw: `${stamp(1)} a`,
    textIndex: stamp(1).length + 1,
    key: `${stamp(1)} a`,
  });
  // Nine digits, but a letter among them; and no space after the stamp.
  expect(readLine('2026-11-21T14:02:01.00000000xZ a')).toBeUndefined();
  expect(readLine(`${stamp(1)}a`)).toBeUndefined();
});

const runs = [
  {raws: ['\tat a', '\tat b', `${stamp(2)} b`], place: {after: undefined, next: `${stamp(2)} b`, isAtFront: true}},
  {raws: [`${stamp(1)} a`, '\tat a'], place: {after: `${stamp(1)} a`, next: undefined, isAtFront: false}},
  {raws: [`${stamp(2)} a`, '\tat a', `${stamp(2)} b`], place: {next: `${stamp(2)} b`, isAtFront: false}},
  // The next source begins with an older line.
  {raws: [`${stamp(3)} a`, '\tat a', `${stamp(2)} b`], place: {next: `${stamp(2)} b`, isAtFront: true}},
];

test.each(runs)('where a run without timestamps is, is told of $raws', ({raws, place}) => {
  const places: unknown[] = [];
  finishWork(
    readWindow(raws, nowhere, {
      matchRun: function* (run, where) {
        yield;
        places.push(where);
        expect(run).toEqual(raws.filter(raw => raw.startsWith('\t')));
        return {times: [], guessedCount: 0};
      },
    }),
  );
  expect(places).toMatchObject([place]);
});

test('lines without timestamps that are known keep their times; new ones stay after them, or are placed before', () => {
  const read = (times: readonly (bigint | undefined)[]) =>
    finishWork(
      readWindow(
        ['\tat a', '\tat b', '\tat c', `${stamp(9)} d`, '\tat e'],
        front => front.map((_, index) => instant(index + 1)),
        {
          matchRun: function* (run) {
            yield;
            return {times: run.length === 3 ? times : [], guessedCount: run.length};
          },
          fragment: 'the end of a line',
        },
      ),
    );
  const secondsOf = (times: readonly (bigint | undefined)[]) =>
    listOf(read(times).received).map(({at}) => Number((at - minute) / 1_000_000_000n));
  expect(secondsOf([])).toEqual([1, 2, 3, 9, 9]);
  expect(secondsOf([undefined, instant(5)])).toEqual([1, 5, 5, 9, 9]);
  expect(secondsOf([instant(5), undefined, instant(6)])).toEqual([5, 5, 6, 9, 9]);
  const window = read([]);
  expect([window.guessedCount, window.fragment, window.cameSorted]).toEqual([4, 'the end of a line', true]);
});

test('lines at the front that nobody places are of the first time', () => {
  const window = finishWork(readWindow(['\tat a'], nowhere));
  expect(listOf(window.lines)).toMatchObject([{at: 0n}]);
  expect(window.guessedCount).toBe(0);
});

test('reading pauses each 512 lines, with timestamps and without', () => {
  const stampedLines = Array.from({length: 1024}, () => `${stamp(1)} a`);
  // Twice while reading, once while the order is checked.
  expect(pausesIn(readWindow(stampedLines, nowhere)).pauses).toBe(3);
  const others = Array.from({length: 1024}, () => '\tat a');
  // They are looked at, and then placed.
  expect(pausesIn(readWindow(others, nowhere)).pauses).toBe(5);
  expect(pausesIn(readWindow([...others.slice(0, 510), `${stamp(1)} a`], nowhere)).pauses).toBe(0);
});
