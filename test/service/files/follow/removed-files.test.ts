import {renameSync, rmSync, writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {follow, numbered, range} from '../follow-log.ts';

type Log = Awaited<ReturnType<typeof follow>>;

const ways = [
  [
    'removed and made anew',
    (log: Log) => {
      rmSync(log.path);
      writeFileSync(log.path, '');
    },
  ],
  [
    'logrotate, rotate 0',
    (log: Log) => {
      renameSync(log.path, log.beside('a.log.1'));
      writeFileSync(log.path, '');
      rmSync(log.beside('a.log.1'));
    },
  ],
  [
    'replaced',
    (log: Log) => {
      writeFileSync(log.beside('.tmp'), '');
      renameSync(log.beside('.tmp'), log.path);
    },
  ],
] as const;

test.each(ways)('marks nothing where a log that was read to its end is removed: %s', async (_name, rotate) => {
  const log = await follow(numbered(0, 20));
  await log.look();
  log.append(numbered(20, 30));
  rotate(log);
  log.append(numbered(30, 35));
  expect(await log.look()).toEqual(range(0, 35));
  expect(await log.losses()).toEqual([]);
});

test.each(ways)('tells of a loss where that happened twice between two looks: %s', async (_name, rotate) => {
  const log = await follow(numbered(0, 20));
  await log.look();
  rotate(log);
  log.append(numbered(20, 30));
  rotate(log);
  log.append(numbered(30, 35));
  expect(await log.look()).toEqual([...range(0, 20), ...range(30, 35)]);
  expect(await log.losses()).toHaveLength(1);
});
