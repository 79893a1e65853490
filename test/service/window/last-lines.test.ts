import {type FileHandle, open} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {findLastLines, readRange} from '#service/window/fingerprint.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const openWith = async (...pieces: readonly (readonly [offset: number, text: string])[]): Promise<FileHandle> => {
  const folder = createTempFolder('last-lines');
  const handle = await open(join(folder.path, 'a.log'), 'w+');
  onTestFinished(async () => {
    await handle.close();
    folder.remove();
  });
  for (const [offset, text] of pieces) {
    await handle.write(text, offset);
  }
  return handle;
};

test.each([
  ['inside the file', 1, 3, 'bc'],
  ['past its end', 4, 9, 'ef'],
  ['behind its end', 6, 9, ''],
  ['from a place after its own end', 3, 1, ''],
])('reads a range %s', async (_, from, to, text) => {
  expect(String(await readRange(await openWith([0, 'abcdef']), from, to))).toBe(text);
});

test.each([
  ['two of three lines', 'one\ntwo\nthree\n', 2, {offset: 4, lineCount: 2}],
  ['as many as there are', 'one\ntwo\nthree\n', 3, {offset: 0, lineCount: 3}],
  ['more than there are', 'one\ntwo\nthree\n', 4, {offset: 0, lineCount: 3}],
  ['those before a line without its end', 'one\ntwo\nthr', 1, {offset: 4, lineCount: 1}],
  ['none', 'one\ntwo\nthr', 0, {offset: 8, lineCount: 0}],
  ['empty lines', '\n\n\n', 2, {offset: 1, lineCount: 2}],
  ['nothing of an empty file', '', 2, {offset: 0, lineCount: 0}],
  ['nothing of a line without its end', 'one', 2, {offset: 0, lineCount: 0}],
])('finds the last lines: %s', async (_, text, count, found) => {
  expect(await findLastLines(await openWith([0, text]), text.length, count)).toEqual(found);
});

test('finds lines of more than a block, and none that came after the size was taken', async () => {
  // The newline after "two" is the first byte of the last block that is read.
  const text = `one\ntwo\n${'x'.repeat(64 * 1024 - 2)}\n`;
  const handle = await openWith([0, `${text}later\n`]);
  const found = await Promise.all([1, 2, 3].map(count => findLastLines(handle, text.length, count)));
  expect(found).toEqual([
    {offset: 8, lineCount: 1},
    {offset: 4, lineCount: 2},
    {offset: 0, lineCount: 3},
  ]);
});

test('reads back as many bytes as a window has: a line that began before is left out', async () => {
  const bytesMax = 24 * 1024 * 1024;
  const end = 'ne\ntwo\n';
  const whole = await openWith([bytesMax - end.length, end]);
  expect(await findLastLines(whole, bytesMax, 5)).toEqual({offset: 0, lineCount: 2});
  const cut = await openWith([0, 'aoo'], [bytesMax + 2 - end.length, end]);
  expect(await findLastLines(cut, bytesMax + 2, 5)).toEqual({offset: bytesMax + 2 - 'two\n'.length, lineCount: 1});
  // A hole at the bound: the line after it is whole.
  const hole = await openWith([0, 'a'], [bytesMax + 2 - end.length, end]);
  expect(await findLastLines(hole, bytesMax + 2, 5)).toEqual({offset: 2, lineCount: 2});
});

test('finds no line where the bytes of a window are the inside of one', async () => {
  const bytesMax = 24 * 1024 * 1024;
  expect(await findLastLines(await openWith([0, 'ab'], [bytesMax, 'c']), bytesMax + 1, 5)).toEqual({
    offset: 1,
    lineCount: 0,
  });
});
