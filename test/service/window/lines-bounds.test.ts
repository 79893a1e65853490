import {writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createLineTally} from '#service/backend/line-tally.ts';
import {takeFingerprint} from '#service/window/fingerprint.ts';
import {createLeftStamps} from '#service/window/left-stamps.ts';
import {createLineWindow} from '#service/window/line-window.ts';
import {createLineNumbers} from '#service/window/numbered-lines.ts';
import {createSourceNames} from '#service/window/source-names.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

/** The earliest stamp that a reader is told of the second of so many blocks of numbers. */
const earliestOf = (blocks: number): bigint | undefined => {
  const left = createLeftStamps(0);
  for (let block = 0; block < blocks; block += 1) {
    left.add(block * 256, BigInt(block));
  }
  return left.after(256).stamps?.earliest;
};

/** Whether the answer to the first of so many readers, each at a place of its own, is still kept. */
const keepsAnswer = (readers: number): boolean => {
  const past = {last: 1_000, dropped: 1_000, lossCount: 0, losses: []};
  const numbers = createLineNumbers(createLineWindow({linesMax: 10, bytesMax: 1_000, isPerPod: false, past}));
  const first = numbers.show('a', {series: 'a', last: 0});
  for (let last = 1; last < readers; last += 1) {
    numbers.show('a', {series: 'a', last});
  }
  return numbers.show('a', {series: 'a', last: 0}) === first;
};

/** How many bytes of a file of so many are kept of its beginning, and of its end. */
const printOf = async (bytes: number): Promise<readonly number[]> => {
  const folder = createTempFolder('bounds');
  onTestFinished(folder.remove);
  writeFileSync(join(folder.path, 'a.log'), 'x'.repeat(bytes));
  const handle = await open(join(folder.path, 'a.log'));
  onTestFinished(() => handle.close());
  const {head, tail} = await takeFingerprint(handle, bytes);
  return [head.length, tail.length];
};

/** How many of so many sources have counts of their own, and how many lines are of others. */
const countedOf = (sources: number): readonly number[] => {
  const tally = createLineTally();
  for (let index = 0; index < sources; index += 1) {
    tally.add({pod: `web-${index}`}, 0n, 1);
  }
  const {lines, otherLines} = tally.totals();
  return [lines.size, otherLines];
};

/** Whether the name of the first of so many sources is still known. */
const keepsName = (count: number): boolean => {
  const names = createSourceNames(new Map());
  const first = names.intern({pod: 'web-0'});
  for (let index = 1; index < count; index += 1) {
    names.intern({pod: `web-${index}`});
  }
  return names.intern({pod: 'web-0'}) === first;
};

// What is read at a bound, and one beyond it.
test.each<readonly [bound: string, read: (size: number) => unknown, at: number, within: unknown, beyond: unknown]>([
  ['blocks of stamps of lines that left', earliestOf, 64, 1n, 0n],
  ['answers to readers with a place', keepsAnswer, 64, true, false],
  ['bytes of a fingerprint', printOf, 512, [512, 512], [512, 512]],
  ['names of sources', keepsName, 1_000, true, false],
  ['sources that are counted', countedOf, 1_000, [1_000, 0], [1_000, 1]],
])('%s', async (_, read, at, within, beyond) => {
  expect([await read(at), await read(at + 1)]).toEqual([within, beyond]);
});
