import {appendFileSync, truncateSync, writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createKnownFiles} from '#service/files/pod/choose-files.ts';
import {findFirstPosition, linesOfLastWindow} from '#service/files/pod/first-position.ts';
import {emptyFingerprint} from '#service/window/fingerprint.ts';
import {emptyStreamStamps} from '#service/window/stored-state.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';

const createFolder = () => {
  const folder = createTempFolder('bounds');
  onTestFinished(folder.remove);
  return (...parts: readonly string[]): string => join(folder.path, ...parts);
};

/** How many of so many known files are forgotten. */
const forgottenOf = (count: number): number => {
  const known = createKnownFiles();
  for (let key = 1; key <= count; key += 1) {
    known.remember({
      ...{key, podKey: 1, path: `/${key}`, device: 1n, inode: BigInt(key)},
      ...{print: emptyFingerprint, held: {}, stamps: emptyStreamStamps, isFollowed: false},
    });
  }
  return known.forgetOldest().length;
};

/** Opens a file of so many bytes, of which the last ones are three lines. */
const openLarge = async (bytes: number) => {
  const at = createFolder();
  writeFileSync(at('a.log'), '');
  truncateSync(at('a.log'), bytes - 6);
  appendFileSync(at('a.log'), 'a\nb\nc\n');
  const handle = await open(at('a.log'));
  onTestFinished(() => handle.close());
  return handle;
};

const megabytes64 = 64 * 1024 * 1024;

// What is read at a bound, and one beyond it.
test.each<readonly [bound: string, read: (size: number) => unknown, at: number, within: unknown, beyond: unknown]>([
  ['files that are known', forgottenOf, 32_768, 0, 1],
  [
    'bytes that are read on after a pause',
    async size => linesOfLastWindow(await openLarge(size), 0, 2),
    megabytes64,
    undefined,
    megabytes64 + 1 - 4,
  ],
])('%s', async (_, read, at, within, beyond) => {
  expect([await read(at), await read(at + 1)]).toEqual([within, beyond]);
});

test('the last twenty lines of a file are searched for times', async () => {
  const at = createFolder();
  writeFileSync(at('a.log'), Array.from({length: 300}, (_, index) => `line ${index}\n`).join(''));
  const handle = await open(at('a.log'));
  onTestFinished(() => handle.close());
  let searched: readonly string[] = [];
  const isPlacedByTime = (_: Buffer, lines: readonly string[]): boolean => {
    searched = lines;
    return true;
  };
  await findFirstPosition(handle, {stampedLines: 100, windowLines: 100, isPlacedByTime});
  expect([searched.length, searched[0]]).toEqual([20, 'line 280']);
});
