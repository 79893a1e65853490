import {existsSync, mkdirSync, rmSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import {createLogFolder, readLines, readOpened, readTexts, testNowMs, waitForTexts} from '../pod-backend.ts';

const numbered = (from: number, to: number): string =>
  Array.from({length: to - from}, (_, index) => `line ${from + index} ${'.'.repeat(40)}\n`).join('');

const numbersOf = (texts: readonly string[]): readonly number[] => texts.map(text => Number(text.split(' ')[1]));

const range = (from: number, to: number): readonly number[] =>
  Array.from({length: to - from}, (_, index) => from + index);

test('shows the same lines with the same stamps after a restart, and those written meanwhile', async () => {
  const folder = createLogFolder();
  folder.append('a.log', 'one\ntwo\npart');
  const first = await folder.open({web: ['a.log']});
  const before = await readLines(first);
  await first.close();
  folder.append('a.log', 'ial\nthree\n');
  const second = await folder.open({web: ['a.log']});
  expect(await readLines(second)).toEqual([
    ...before,
    '2025-01-01T00:00:00.000000002Z partial',
    '2025-01-01T00:00:00.000000003Z three',
  ]);
});

test('keeps container pieces that wait for their rest over a restart', async () => {
  const folder = createLogFolder();
  folder.append('a.log', '2024-01-01T00:00:01Z stdout P be\n2024-01-01T00:00:02Z stderr F other\n');
  const first = await folder.open({web: ['a.log']});
  await first.close();
  folder.append('a.log', '2024-01-01T00:00:03Z stdout F gin\n');
  const second = await folder.open({web: ['a.log']});
  expect(await readTexts(second)).toEqual(['begin', 'other']);
});

test('refuses a state folder that is in use, in a sentence', async () => {
  const folder = createLogFolder();
  await folder.open({web: ['a.log']});
  await expect(folder.open({web: ['a.log']})).rejects.toThrow(
    `The state folder ${join(folder.path, 'state')} is in use by another process: stop that process, or choose another state folder.`,
  );
});

const database = 'state/lines.sqlite';

/** Ways in which a state can be found, and why it is said not to be read. */
const damages: Readonly<Record<string, {readonly damage: (path: string) => void; readonly why: string}>> = {
  'that is garbage': {
    damage: path => writeFileSync(path, 'x'.repeat(10_000)),
    why: 'file is not a database',
  },
  'that was cut': {
    damage: path => truncateSync(path, Math.floor(statSync(path).size / 2 / 4096) * 4096),
    why: 'database disk image is malformed',
  },
  'in whose place is a folder': {
    damage: path => {
      rmSync(path);
      mkdirSync(path);
      writeFileSync(join(path, 'file'), '');
    },
    why: 'it is not a file',
  },
  'without its tables': {
    damage: path => {
      const db = new DatabaseSync(path);
      db.exec('DROP TABLE pod');
      db.close();
    },
    why: 'no such table: pod',
  },
  'with a loss that is no JSON': {
    damage: path => {
      const db = new DatabaseSync(path);
      db.exec("UPDATE branch SET losses = 'oops'");
      db.close();
    },
    why: 'Unexpected token \'o\', "oops" is not valid JSON',
  },
  'of a version to come': {
    damage: path => {
      const db = new DatabaseSync(path);
      db.exec('PRAGMA user_version = 99');
      db.close();
    },
    why: 'another version of the program wrote it',
  },
};

test.each(Object.entries(damages))(
  'a state %s is moved aside, and the window is read from the files into a new series, behind a loss',
  async (_what, {damage, why}) => {
    const folder = createLogFolder();
    folder.append('a.log', 'one\ntwo\n');
    const first = await folder.open({web: ['a.log']});
    const before = await readOpened(first, 'b');
    await first.close();
    const path = join(folder.path, database);
    damage(path);
    const second = await folder.open({web: ['a.log']});
    expect(folder.warnings).toEqual([
      `The state in ${folder.path}/state cannot be read (${why}): it is moved aside there, as *.damaged, and the service begins a new one with what the logs have; readers see a gap.`,
    ]);
    const after = await readOpened(second, 'b');
    expect(after?.lines.map(line => line.slice(31))).toEqual(['one', 'two']);
    expect(after?.numbering?.series).not.toBe(before?.numbering?.series);
    expect(after?.numbering?.losses).toHaveLength(1);
    expect(existsSync(`${path}.damaged`)).toBe(true);
    await second.close();
    const third = await folder.open({web: ['a.log']});
    expect(folder.warnings).toHaveLength(1);
    expect((await readOpened(third, 'b'))?.numbering?.series).toBe(after?.numbering?.series);
  },
);

test('where no state can be written, lines are numbered in memory', async () => {
  const folder = createLogFolder();
  folder.append('a.log', 'one\n');
  writeFileSync(join(folder.path, 'state'), '');
  const backend = await folder.open({web: ['a.log']});
  expect(await readTexts(backend)).toEqual(['one']);
  expect(folder.warnings).toEqual([
    `The state in ${folder.path}/state cannot be used (file already exists): the service starts without it and numbers lines in memory; readers see a gap.`,
  ]);
});

test('keeps the state to itself, and keeps no more lines than a window has', async () => {
  const folder = createLogFolder();
  const first = await folder.open({web: ['a.log']}, {windowLines: 10});
  folder.append('a.log', numbered(0, 500));
  expect(numbersOf(await waitForTexts(first, 10))).toEqual(range(490, 500));
  await first.close();
  expect((statSync(join(folder.path, 'state/lines.sqlite')).mode & 0o777).toString(8)).toBe('600');
  const second = await folder.open({web: ['a.log']}, {windowLines: 1000});
  expect(numbersOf(await readTexts(second))).toEqual(range(490, 500));
});

test('shows a smaller window after a restart with fewer lines', async () => {
  const folder = createLogFolder();
  folder.append('a.log', numbered(0, 50));
  await (await folder.open({web: ['a.log']})).close();
  await (await folder.open({web: ['a.log']}, {windowLines: 5})).close();
  const third = await folder.open({web: ['a.log']}, {windowLines: 100});
  expect(numbersOf(await readTexts(third))).toEqual(range(45, 50));
});

test('a pod keeps the time at which it was first known', async () => {
  const folder = createLogFolder();
  const first = await folder.open({web: ['a.log']});
  const before = (await first.readWindow('s', 'b'))?.pods;
  await first.close();
  const second = await folder.open({web: ['a.log']}, {now: () => instantFromMs(testNowMs + 5_000)});
  expect((await second.readWindow('s', 'b'))?.pods).toEqual(before);
  expect(before?.[0]?.metadata.creationTimestamp).toBe('2025-01-01T00:00:00.000Z');
});
