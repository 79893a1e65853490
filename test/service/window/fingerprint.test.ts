import {type FileHandle, open} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {
  advanceFingerprint,
  compareContent,
  emptyFingerprint,
  isTelling,
  matchesFingerprint,
  takeFingerprint,
} from '#service/window/fingerprint.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const openWith = async (text: string): Promise<FileHandle> => {
  const folder = createTempFolder('fingerprint');
  const handle = await open(join(folder.path, 'a.log'), 'w+');
  onTestFinished(async () => {
    await handle.close();
    folder.remove();
  });
  await handle.write(text, 0);
  return handle;
};

const numbers = Array.from({length: 400}, (_, index) => `${index}\n`).join('');

test('keeps the first and the last bytes that were read', async () => {
  const print = await takeFingerprint(await openWith(numbers), 1_000);
  expect(print).toEqual({
    position: 1_000,
    head: Buffer.from(numbers.slice(0, 512)),
    tail: Buffer.from(numbers.slice(488, 1_000)),
  });
  expect(await takeFingerprint(await openWith('abc'), 2)).toEqual({
    position: 2,
    head: Buffer.from('ab'),
    tail: Buffer.from('ab'),
  });
});

test.each([
  ['the same', numbers, true, 'same'],
  ['the same and more', `${numbers}more`, true, 'same'],
  ['another beginning', `x${numbers.slice(1)}`, false, 'other'],
  ['another end of what was read', numbers.slice(0, 999) + 'x'.repeat(100), false, 'other'],
  ['only a front', numbers.slice(0, 999), false, 'prefix'],
  ['a front of what is kept of the beginning', numbers.slice(0, 5), false, 'prefix'],
  ['a front and then something else', `${numbers.slice(0, 511)}x`, false, 'other'],
  ['nothing', '', false, 'prefix'],
])('compares a file with what was read of another: %s', async (_, text, isSame, compared) => {
  const print = await takeFingerprint(await openWith(numbers), 1_000);
  const handle = await openWith(text);
  expect([await matchesFingerprint(handle, print), await compareContent(handle, print)]).toEqual([isSame, compared]);
});

test('what was read between the first and the last bytes is not remembered', async () => {
  const other = await openWith(`${numbers.slice(0, 512)}x${numbers.slice(513)}`);
  expect(await compareContent(other, await takeFingerprint(await openWith(numbers), 1_025))).toBe('same');
  expect(await compareContent(other, await takeFingerprint(await openWith(numbers), 1_024))).toBe('other');
});

test('a file of which nothing was read matches every file', async () => {
  const handle = await openWith('anything');
  expect([await matchesFingerprint(handle, emptyFingerprint), await compareContent(handle, emptyFingerprint)]).toEqual([
    true,
    'same',
  ]);
});

test.each([
  ['', false],
  ['same\n', false],
  ['same\nsame\n', false],
  ['same\nsame\nnot whole', false],
  ['same\nother\n', true],
  ['x'.repeat(511), false],
  ['x'.repeat(512), true],
])('whether a beginning tells its file from others: %j', (text, telling) => {
  expect(isTelling({position: text.length, head: Buffer.from(text), tail: Buffer.alloc(0)})).toBe(telling);
});

test.each([1, 100, 511, 512, 513, 1_000])('reading on by %i bytes at a time remembers the same', async step => {
  let print = emptyFingerprint;
  for (let from = 0; from < numbers.length; from += step) {
    const bytes = Buffer.from(numbers.slice(from, from + step));
    // What follows the bytes that were used is not read yet.
    print = advanceFingerprint(print, Buffer.concat([bytes, Buffer.from('more')]), bytes.length);
  }
  expect(print).toEqual(await takeFingerprint(await openWith(numbers), numbers.length));
});
