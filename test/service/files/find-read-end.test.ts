import {type FileHandle, open} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createReadMarks, findReadEnd, findResumePlace} from '#service/files/read-marks.ts';
import {takeFingerprint} from '#service/window/fingerprint.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const openWith = async (text: string, offset = 0): Promise<FileHandle> => {
  const folder = createTempFolder('read-end');
  const handle = await open(join(folder.path, 'a.log'), 'w+');
  onTestFinished(async () => {
    await handle.close();
    folder.remove();
  });
  await handle.write(text, offset);
  return handle;
};

const printOf = async (text: string) => takeFingerprint(await openWith(text), Buffer.byteLength(text));

/** Lines of 64 bytes with their ends, so that two of them prove where reading ended: their newlines before count, too. */
const line = (number: number): string => `${String(number).padEnd(63, '.')}\n`;
const lines = (...numbers: readonly number[]): string => numbers.map(line).join('');
const range = (from: number, to: number): string =>
  lines(...Array.from({length: to - from + 1}, (_, index) => from + index));

test.each<readonly [what: string, text: string, end: number | undefined]>([
  ['the first ones taken out', `${range(5, 8)}new\n`, 4 * 64],
  ['some between taken out', `${lines(1, 6, 8)}new\n`, 3 * 64],
  ['the last one taken out', `${lines(1, 6, 7)}new\n`, 3 * 64],
  ['one of them left, which is too little', `${lines(8)}new\n`, undefined],
  ['two of them left', lines(7, 8), 2 * 64],
  ['none left', 'new\n', undefined],
  ['the last one there twice', `${lines(6, 7, 8)}new\n${lines(8)}`, 2 * 64],
  ['in another order, only those that stand before the last count', lines(8, 7, 6), undefined],
  ['a line that only ends like one', `x${lines(7)}y${lines(8)}`, undefined],
])('finds where reading ended in a file with other lines: %s', async (_, text, end) => {
  expect(await findReadEnd(await openWith(text), await printOf(range(1, 8)))).toBe(end);
});

test('two lines of 64 bytes prove it, with the newline before each; a byte less does not', async () => {
  const short = (bytes: number) => `${'a'.repeat(bytes)}\n${'b'.repeat(62)}\n`;
  const find = async (text: string) => findReadEnd(await openWith(`new\n${text}`), await printOf(text));
  expect([await find(short(62)), await find(short(61))]).toEqual([4 + 126, undefined]);
});

test('lines that were read twice prove nothing', async () => {
  const print = await printOf(lines(1, 2, 2, 3, 3));
  expect(await findReadEnd(await openWith(`new\n${lines(2, 3)}`), print)).toBeUndefined();
});

test('what is remembered begins amid a line, which is none', async () => {
  const print = await printOf(`${'x'.repeat(1_000)}${'y'.repeat(200)}\n`);
  expect(await findReadEnd(await openWith(`new\n${'y'.repeat(200)}\n`), print)).toBeUndefined();
});

test('a file whose front became a hole is read on where it was', async () => {
  const text = range(1, 20);
  const print = await printOf(text);
  const holed = `${'\0'.repeat(700)}${text.slice(700)}new\n`;
  expect(await findReadEnd(await openWith(holed), print)).toBe(text.length);
  // Also where the last lines alone would prove nothing.
  const long = `${range(1, 20)}${'x'.repeat(600)}\n`;
  const longHoled = `${'\0'.repeat(700)}${long.slice(700)}new\n`;
  expect(await findReadEnd(await openWith(longHoled), await printOf(long))).toBe(long.length);
  const partly = `${'\0'.repeat(100)}${text.slice(100)}`;
  expect(await findReadEnd(await openWith(partly), print)).toBe(text.length);
});

test('the last 16 MB of a file are searched', async () => {
  const searched = 16 * 1024 * 1024;
  const print = await printOf(lines(1, 2, 3));
  const found = await openWith(lines(2, 3), 1);
  await found.write('x', 1 + searched - 1);
  expect(await findReadEnd(found, print)).toBe(1 + 128);
  await found.write('x', 2 + searched - 1);
  expect(await findReadEnd(found, print)).toBeUndefined();
});

const marksOf = (text: string) => {
  const marks = createReadMarks();
  marks.add(0, Buffer.from(text));
  return marks;
};

const resume = async (
  old: string,
  text: string,
  {likeness = 'other' as 'prefix' | 'other', marks = marksOf(old)} = {},
) => findResumePlace(await openWith(text), {print: await printOf(old), marks}, likeness);

test('goes on after the last lines read, whatever else is there', async () => {
  const place = await resume(range(1, 8), `${lines(7, 8)}new\n`, {likeness: 'prefix'});
  expect(place).toEqual({position: 128, isWhole: true});
});

test('goes on after a front of what was read, whether or not something else follows', async () => {
  const old = range(1, 20);
  const front = old.slice(0, 10 * 64);
  expect(await resume(old, front, {likeness: 'prefix'})).toEqual({position: 640, isWhole: false});
  expect(await resume(old, `${front}new\n`, {likeness: 'prefix'})).toEqual({position: 640, isWhole: false});
});

test.each([
  ['512 bytes in common are the same log', 512, 512],
  ['fewer are the words with which a program begins', 511, 0],
])('%s', async (_, common, position) => {
  const old = `${'x'.repeat(common - 1)}\n${'y'.repeat(100)}\n`;
  const place = await resume(old, `${'x'.repeat(common - 1)}\nnew\n`);
  expect(place).toEqual({position, isWhole: false});
});

test('where lines are marked together, reading goes on after the first place at which nothing old can follow', async () => {
  const old = range(1, 4_097);
  const place = await resume(old, `${lines(1, 2, 3)}${'z'.repeat(63)}\n${'z'.repeat(63)}\n`);
  expect(place).toEqual({position: 256, isWhole: false});
});

test('without marks, a shortened file of 512 bytes is read on from its end, and any other anew', async () => {
  const old = `${'x'.repeat(511)}\n${'y'.repeat(600)}\n`;
  const shortened = {likeness: 'prefix', marks: createReadMarks()} as const;
  expect(await resume(old, old.slice(0, 512), shortened)).toEqual({position: 512, isWhole: false});
  expect(await resume(old, old.slice(0, 511), shortened)).toEqual({position: 0, isWhole: false});
  expect(await resume(old, old.slice(0, 600), shortened)).toEqual({position: 512, isWhole: false});
  expect(await resume(old, old.slice(0, 600), {marks: createReadMarks()})).toEqual({position: 0, isWhole: false});
});
