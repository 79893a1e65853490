import {type FileHandle, open} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createReadMarks} from '#service/files/read-marks.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const openWith = async (text: string): Promise<FileHandle> => {
  const folder = createTempFolder('marks');
  const handle = await open(join(folder.path, 'a.log'), 'w+');
  onTestFinished(async () => {
    await handle.close();
    folder.remove();
  });
  await handle.write(text, 0);
  return handle;
};

const mark = (...pieces: readonly string[]) => {
  const marks = createReadMarks();
  for (const piece of pieces) {
    marks.add(marks.end(), Buffer.from(piece));
  }
  return marks;
};

test.each([
  ['the same', 'one\ntwo\nthree\n', {end: 14, resume: 14, isDiverged: false}],
  ['the same and more', 'one\ntwo\nthree\nfour', {end: 14, resume: 14, isDiverged: true}],
  ['its front, whole lines', 'one\ntwo\n', {end: 8, resume: 8, isDiverged: false}],
  ['its front, and a part of a line', 'one\ntwo\nth', {end: 8, resume: 8, isDiverged: false}],
  ['its front, and a shorter line', 'one\ntwo\nx\n', {end: 8, resume: 8, isDiverged: true}],
  ['another second line', 'one\ntwx\nthree\n', {end: 4, resume: 4, isDiverged: true}],
  ['another first line', 'onx\ntwo\nthree\n', {end: 0, resume: 0, isDiverged: true}],
  ['nothing', '', {end: 0, resume: 0, isDiverged: false}],
])('compares a file with what was read: %s', async (_, text, compared) => {
  const handle = await openWith(text);
  expect(await mark('one\ntwo\nthree\n').compare(handle)).toEqual(compared);
  expect(await mark('one\n', 'two\nthree\n').compare(handle)).toEqual(compared);
});

test('the end of what was read may be a piece of a line', async () => {
  const marks = mark('one\ntw');
  expect(marks.end()).toBe(6);
  expect(await marks.compare(await openWith('one\ntwo\n'))).toEqual({end: 6, resume: 6, isDiverged: true});
});

test('without marks nothing is compared', async () => {
  expect(await createReadMarks().compare(await openWith('one\n'))).toBeUndefined();
  const late = createReadMarks();
  late.add(4, Buffer.from('two\n'));
  expect([late.end(), await late.compare(await openWith('one\ntwo\n'))]).toEqual([0, undefined]);
});

test('bytes that do not follow leave the file without marks, and its first ones begin anew', async () => {
  const marks = mark('one\n', 'two\n');
  marks.add(9, Buffer.from('x\n'));
  expect(marks.end()).toBe(0);
  marks.add(0, Buffer.from('new\n'));
  expect(await marks.compare(await openWith('new\n'))).toEqual({end: 4, resume: 4, isDiverged: false});
  marks.add(0, Buffer.from('other\n'));
  expect(await marks.compare(await openWith('other\n'))).toEqual({end: 6, resume: 6, isDiverged: false});
});

/** Lines of eight bytes. */
const linesOf = (count: number, from = 0): string =>
  Array.from({length: count}, (_, index) => `${String(from + index).padStart(7, '0')}\n`).join('');

test('4,096 lines are marked each; past that, of the first half of them every other one', async () => {
  const differingAt = (text: string, line: number): string => `${text.slice(0, line * 8)}x${text.slice(line * 8 + 1)}`;
  const all = linesOf(4_096);
  const more = linesOf(4_097);
  const compareAt = async (text: string, line: number) =>
    await mark(text).compare(await openWith(differingAt(text, line)));
  expect(await compareAt(all, 10)).toEqual({end: 80, resume: 80, isDiverged: true});
  // Lines 10 and 11 are marked together.
  expect(await compareAt(more, 10)).toEqual({end: 80, resume: 96, isDiverged: true});
  expect(await compareAt(more, 11)).toEqual({end: 80, resume: 96, isDiverged: true});
  expect(await compareAt(more, 2_047)).toEqual({end: 2_046 * 8, resume: 2_048 * 8, isDiverged: true});
  expect(await compareAt(more, 2_049)).toEqual({end: 2_049 * 8, resume: 2_049 * 8, isDiverged: true});
  expect(await compareAt(more, 4_096)).toEqual({end: 4_096 * 8, resume: 4_096 * 8, isDiverged: true});
});

test('a file that ends where lines are marked together is the old one up to its end, for all that is known', async () => {
  const marks = mark(linesOf(4_097));
  expect(await marks.compare(await openWith(linesOf(11)))).toEqual({end: 80, resume: 88, isDiverged: false});
});

test('a file of more than a block is compared to its end', async () => {
  const text = linesOf(40_000);
  expect(await mark(text).compare(await openWith(text))).toEqual({end: 320_000, resume: 320_000, isDiverged: false});
  const other = `${text.slice(0, 300_000)}x${text.slice(300_001)}`;
  expect(await mark(text).compare(await openWith(other))).toMatchObject({isDiverged: true});
});
