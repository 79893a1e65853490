import {writeFileSync} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {parseInstant} from '#log/line/instant.ts';
import {findLineAt, seekTime} from '#service/files/seek-time.ts';
import {readRange} from '#service/window/fingerprint.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('seek');
});
afterEach(() => folder.remove());

const lineCount = 40_000;
const timeOf = (index: number): string => new Date(Date.UTC(2026, 10, 21) + index * 1_000).toISOString();

test('the place of a time is found in a few reads, at the beginning of a line, whatever stands between the times', async () => {
  const path = join(folder.path, 'app.log');
  const trace = `  at ${'x'.repeat(40)}\n`.repeat(3);
  writeFileSync(
    path,
    Array.from({length: lineCount}, (_, index) => `${timeOf(index)} line ${index}\n${trace}`).join(''),
  );
  const file = await open(path);
  let read = 0;
  const readTime = (line: string) => {
    read += 1;
    return parseInstant(line.split(' ')[0] ?? '');
  };
  try {
    const {size} = await file.stat();
    for (const index of [0, 1, 12_345, lineCount - 1, lineCount + 10]) {
      const since = parseInstant(timeOf(index)) ?? 0n;
      const {offset, blockOffset, order} = await seekTime(file, size, since, readTime);
      const before = await readRange(file, Math.max(0, offset - 1), offset);
      const text = (await readRange(file, offset, size)).toString();
      const first = parseInstant(text.split(' ')[0] ?? '');
      expect(before.toString(), 'a line begins here').toMatch(/^\n?$/);
      expect([order, blockOffset <= offset]).toEqual(['kept', true]);
      expect(index >= lineCount || text.includes(`line ${index}\n`), `line ${index} is not left out`).toBe(true);
      expect(index >= lineCount || first === since, 'it is the first line since then').toBe(true);
    }
    expect(read).toBeLessThan(lineCount / 2);
  } finally {
    await file.close();
  }
});

const readMinute = (line: string) => {
  const minutes = /^(\d+)m/.exec(line)?.[1];
  return minutes === undefined ? undefined : BigInt(minutes) * 60_000_000_000n;
};
const minute = (count: number): bigint => BigInt(count) * 60_000_000_000n;

const withFile = async <Value>(text: string, use: (file: FileHandle) => Promise<Value>): Promise<Value> => {
  const path = join(folder.path, 'app.log');
  writeFileSync(path, text);
  const file = await open(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
};

const seek = (text: string, since: bigint) => withFile(text, file => seekTime(file, text.length, since, readMinute));

test.each([
  ['before all', '1m a\n2m b\n3m c\n', minute(0), {offset: 0, blockOffset: 0, order: 'kept'}],
  ['the first', '1m a\n2m b\n3m c\n', minute(1), {offset: 0, blockOffset: 0, order: 'kept'}],
  ['between two', '1m a\n2m b\n3m c\n', minute(1) + 1n, {offset: 5, blockOffset: 0, order: 'kept'}],
  ['the last', '1m a\n2m b\n3m c\n', minute(3), {offset: 10, blockOffset: 0, order: 'kept'}],
  ['after all', '1m a\n2m b\n3m c\n', minute(4), {offset: 15, blockOffset: 0, order: 'kept'}],
  ['the first of equal ones', '1m a\n2m b\n2m c\n', minute(2), {offset: 5, blockOffset: 0, order: 'kept'}],
  ['after lines without a time', 'x\n1m a\n  at\n2m b\n', minute(2), {offset: 12, blockOffset: 0, order: 'kept'}],
  ['among lines without a time', 'x\ny\n', minute(2), {offset: 4, blockOffset: 0, order: 'none'}],
  ['in an empty file', '', minute(2), {offset: 0, blockOffset: 0, order: 'none'}],
])('finds a time %s', async (_, text, since, sought) => {
  expect(await seek(text, since)).toEqual(sought);
});

/** A line of some kilobytes, so that few are more than a block. */
const long = (minutes: number): string => `${minutes}m ${'x'.repeat(60_000)}\n`;

test.each([
  ['a minute out of order is several threads', [10, 9, 10, 9, 10, 9, 10, 9, 10, 9, 10, 9], 'kept'],
  ['more is no order: before the first', [10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 'broken'],
  ['or after a later one', [1, 1, 1, 1, 10, 10, 8, 8, 8, 8, 8, 8], 'broken'],
  ['a minute after a later one is order', [1, 1, 1, 1, 9, 9, 9, 8, 8, 8, 8, 8], 'kept'],
])('whether times are in order: %s', async (_, minutes, order) => {
  expect((await seek(minutes.map(long).join(''), minute(8))).order).toBe(order);
});

test.each([
  ['at its beginning', 'one\n2m two\nthree\n', 4, {offset: 4, at: minute(2)}],
  ['amid it', 'one\n2m two\nthree\n', 7, {offset: 4, at: minute(2)}],
  ['at its end', 'one\n2m two\nthree\n', 10, {offset: 4, at: minute(2)}],
  ['the first', 'one\n2m two\n', 0, {offset: 0, at: undefined}],
  ['one without a time has that of a line before', '1m a\nx\ny\n', 8, {offset: 7, at: minute(1)}],
  ['the last of several', '1m a\n2m b\nx\n3m c\n', 10, {offset: 10, at: minute(2)}],
  ['one without its end', '1m a\n2m b', 8, {offset: 5, at: minute(2)}],
])('finds the line at an offset: %s', async (_, text, offset, found) => {
  expect(await withFile(text, file => findLineAt(file, offset, readMinute))).toEqual(found);
});

test('a line that began more than 64 KB before is cut', async () => {
  const bound = 64 * 1024;
  const text = `1m a\n${'x'.repeat(3 * bound)}\n`;
  const find = (offset: number) => withFile(text, file => findLineAt(file, offset, readMinute));
  expect(await find(bound)).toEqual({offset: 5, at: minute(1)});
  expect(await find(bound + 4)).toEqual({offset: 5, at: undefined});
  expect(await find(bound + 5)).toEqual({offset: bound + 5, at: undefined});
});
