import {mkdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createNamedFiles} from '#service/files/disk/named-files.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';

const name = (...files: readonly string[]) => {
  const folder = createTempFolder('named');
  onTestFinished(folder.remove);
  const at = (file: string): string => join(folder.path, file);
  const warnings: string[] = [];
  let nowMs = 1_000_000;
  const pod = {name: 'web', without: 'pod web is served without it', files: files.map(at)};
  const named = createNamedFiles(
    pod,
    message => warnings.push(message.replaceAll(`${folder.path}/`, '')),
    () => nowMs,
  );
  const namesFound = async () => {
    const found = await named.find();
    return found && [...found.values()].map(({path}) => path.slice(folder.path.length + 1)).toSorted();
  };
  const wait = (ms: number): void => {
    nowMs += ms;
  };
  return {at, named, namesFound, warnings, wait};
};

test('finds each file once, however many paths lead to it', async () => {
  const {at, named, namesFound, warnings} = name('a.log', '*.log', 'a*');
  writeFileSync(at('a.log'), '');
  writeFileSync(at('b.log'), '');
  expect([await namesFound(), warnings, named.fault()]).toEqual([['a.log', 'b.log'], [], undefined]);
  const keys = [...((await named.find()) ?? new Map()).keys()];
  expect(keys.every(key => /^\d+:\d+$/.test(key))).toBe(true);
});

test('a pod without any file is at fault once a rotation would be over', async () => {
  const {at, named, namesFound, warnings, wait} = name('a.log');
  expect([await namesFound(), named.fault()]).toEqual([[], undefined]);
  expect(warnings).toEqual(['a.log is missing: pod web is served without it until it appears.']);
  wait(4_999);
  await namesFound();
  expect(named.fault()).toBeUndefined();
  wait(1);
  expect(named.fault()).toBe('there is no file a.log');
  writeFileSync(at('a.log'), '');
  expect([await namesFound(), named.fault()]).toEqual([['a.log'], undefined]);
  rmSync(at('a.log'));
  await namesFound();
  wait(4_999);
  expect(named.fault()).toBeUndefined();
});

test('beside other files, one is missed only if it was there', async () => {
  const {at, named, namesFound, wait} = name('a.log', 'b.log');
  writeFileSync(at('a.log'), '');
  await namesFound();
  wait(60_000);
  expect(named.fault()).toBeUndefined();
  writeFileSync(at('b.log'), '');
  await namesFound();
  renameSync(at('b.log'), at('c.log'));
  await namesFound();
  wait(5_000);
  expect(named.fault()).toBe('there is no file b.log');
});

test('a name that leads to something else says to what', async () => {
  const {at, named, namesFound, warnings, wait} = name('a.log');
  mkdirSync(at('a.log'));
  expect(await namesFound()).toEqual([]);
  expect(warnings).toEqual(['a.log is a folder, not a file: pod web is served without it until a file is there.']);
  wait(5_000);
  expect(named.fault()).toBe('a.log is a folder, not a file');
});

test('where a path cannot be examined nothing is known, until it can be', async () => {
  const long = 'x'.repeat(300);
  const {named, namesFound, warnings} = name('a.log', long);
  expect([await namesFound(), named.fault()]).toEqual([undefined, `${long} cannot be examined (name too long)`]);
  expect(warnings.at(-1)).toBe(
    `${long} cannot be examined (name too long): what is new there is not read until it can be.`,
  );
});
