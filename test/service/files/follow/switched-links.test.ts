import {appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync} from 'node:fs';
import {dirname} from 'node:path';
import {expect, test} from 'vitest';
import {follow, numbered, range} from '../follow-log.ts';

type Log = Awaited<ReturnType<typeof follow>>;

/** As `ln -sfn` switches a link. */
const replaceLink = (log: Log, target: string, name = 'a.log'): void => {
  symlinkSync(target, log.beside('tmp'));
  renameSync(log.beside('tmp'), log.beside(name));
};

/** As `rm` and `ln -s` do. */
const remakeLink = (log: Log, target: string): void => {
  rmSync(log.path);
  symlinkSync(target, log.path);
};

const write = (log: Log, name: string, text: string): void => {
  mkdirSync(dirname(log.beside(name)), {recursive: true});
  appendFileSync(log.beside(name), text);
};

const ways = [
  ['replaced', replaceLink],
  ['removed and made anew', remakeLink],
] as const;

test.each(ways)('reads the file that a link led to between two looks: %s', async (_name, switchTo) => {
  const log = await follow(numbered(0, 20), {link: 'app-1.log'});
  await log.look();
  log.append(numbered(20, 25));
  switchTo(log, 'app-2.log');
  log.append(numbered(25, 60));
  switchTo(log, 'app-3.log');
  log.append(numbered(60, 70));
  expect(await log.look()).toEqual(range(0, 70));
  expect(await log.losses()).toEqual([]);
});

test.each(ways)('tells of a loss where that file is not found: %s', async (_name, switchTo) => {
  const log = await follow(numbered(0, 20), {link: 'app-1.log'});
  await log.look();
  switchTo(log, 'app-2.log');
  log.append(numbered(20, 55));
  switchTo(log, 'app-3.log');
  log.append(numbered(55, 60));
  rmSync(log.beside('app-2.log'));
  expect(await log.look()).toEqual([...range(0, 20), ...range(55, 60)]);
  expect(await log.losses()).toHaveLength(1);
});

test('reads no file that is not told by its name, and tells of a loss', async () => {
  const log = await follow(numbered(0, 20), {link: 'north.log'});
  await log.look();
  replaceLink(log, 'south.log');
  log.append(numbered(20, 55));
  replaceLink(log, 'west.log');
  log.append(numbered(55, 60));
  expect(await log.look()).toEqual([...range(0, 20), ...range(55, 60)]);
  expect(await log.losses()).toHaveLength(1);
});

test.each(ways)('marks nothing where a link was switched once: %s', async (_name, switchTo) => {
  const log = await follow(numbered(0, 20), {link: 'app-1.log'});
  await log.look();
  // Of another log, and written to meanwhile.
  write(log, 'app-7.log', numbered(900, 910));
  log.append(numbered(20, 25));
  switchTo(log, 'app-2.log');
  log.append(numbered(25, 30));
  expect(await log.look()).toEqual(range(0, 30));
  expect(await log.losses()).toEqual([]);
});

test('reads what was written between two looks below a folder that is a link', async () => {
  const log = await follow(numbered(0, 20), {link: 'current/app.log'});
  rmSync(log.beside('current'), {recursive: true});
  for (const release of [1, 2, 3]) {
    mkdirSync(log.beside(`releases/${release}`), {recursive: true});
  }
  symlinkSync('releases/1', log.beside('current'));
  log.append(numbered(20, 30));
  await log.look();
  await log.look();
  const known = (await log.losses()).length;
  replaceLink(log, 'releases/2', 'current');
  log.append(numbered(30, 65));
  replaceLink(log, 'releases/3', 'current');
  log.append(numbered(65, 70));
  expect(await log.look()).toEqual(range(0, 70));
  replaceLink(log, 'releases/1', 'current');
  log.append(numbered(70, 75));
  expect(await log.look()).toEqual(range(0, 75));
  expect(await log.losses()).toHaveLength(known);
});

test.each(ways)('tells of a loss where a link was switched away and back: %s', async (_name, switchTo) => {
  const log = await follow(numbered(0, 20), {link: 'app-1.log'});
  await log.look();
  switchTo(log, 'app-2.log');
  log.append(numbered(20, 55));
  switchTo(log, 'app-1.log');
  log.append(numbered(55, 60));
  expect(await log.look()).toEqual([...range(0, 20), ...range(55, 60)]);
  expect(await log.losses()).toHaveLength(1);
  log.append(numbered(60, 65));
  await log.look();
  expect(await log.losses()).toHaveLength(1);
});

test.each(ways)('marks nothing where a link was made anew and leads to the same file: %s', async (_name, switchTo) => {
  const log = await follow(numbered(0, 20), {link: 'app-1.log'});
  await log.look();
  switchTo(log, 'app-1.log');
  log.append(numbered(20, 25));
  expect(await log.look()).toEqual(range(0, 25));
  expect(await log.losses()).toEqual([]);
});
