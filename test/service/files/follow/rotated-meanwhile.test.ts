import {copyFileSync, renameSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createLogFolder, readTexts, waitForTexts} from '../pod-backend.ts';

const numbered = (from: number, to: number): string =>
  Array.from({length: to - from}, (_, index) => `line ${from + index} ${'.'.repeat(40)}\n`).join('');

const numbersOf = (texts: readonly string[]): readonly number[] => texts.map(text => Number(text.split(' ')[1]));

const range = (from: number, to: number): readonly number[] =>
  Array.from({length: to - from}, (_, index) => from + index);

test.each(['a.log', 'a.log*'])(
  'loses nothing when the file was rotated by rename meanwhile, with %s',
  async pattern => {
    const folder = createLogFolder();
    folder.append('a.log', numbered(0, 10));
    const first = await folder.open({web: [pattern]});
    await first.close();
    folder.append('a.log', numbered(10, 15));
    renameSync(join(folder.path, 'log/a.log'), join(folder.path, 'log/a.log.1'));
    folder.append('a.log', numbered(15, 20));
    const second = await folder.open({web: [pattern]});
    expect(numbersOf(await waitForTexts(second, 20))).toEqual(range(0, 20));
  },
);

test.each(['a.log', 'a.log*'])(
  'loses nothing when the file was copied and truncated meanwhile, with %s',
  async pattern => {
    const folder = createLogFolder();
    const path = join(folder.path, 'log/a.log');
    folder.append('a.log', numbered(0, 10));
    const first = await folder.open({web: [pattern]});
    await first.close();
    folder.append('a.log', numbered(10, 15));
    copyFileSync(path, `${path}.1`);
    truncateSync(path, 0);
    folder.append('a.log', numbered(15, 40));
    const second = await folder.open({web: [pattern]});
    expect(numbersOf(await waitForTexts(second, 40))).toEqual(range(0, 40));
  },
);

test('says so where the rest of a rotated file is not found', async () => {
  const folder = createLogFolder();
  const path = join(folder.path, 'log/a.log');
  folder.append('a.log', numbered(0, 10));
  const first = await folder.open({web: ['a.log']});
  await first.close();
  renameSync(path, join(folder.path, 'elsewhere'));
  writeFileSync(path, numbered(50, 55));
  const second = await folder.open({web: ['a.log']});
  expect(numbersOf(await readTexts(second))).toEqual([...range(0, 10), ...range(50, 55)]);
  expect((await second.readWindow('s', 'b'))?.numbering?.losses).toMatchObject([
    {number: 11, why: 'a.log was truncated or rewritten, and no copy of its old content was found'},
  ]);
  expect(folder.warnings).toEqual([
    `${path} was truncated or rewritten, and no copy of its old content was found: lines may be missing, and readers see a gap.`,
  ]);
});

test('reads what was rotated meanwhile although the file that was read last is gone, if its lines are later', async () => {
  const folder = createLogFolder();
  const path = join(folder.path, 'log/a.log');
  const timed = (minute: number): string => `2024-12-31T10:0${minute}:00Z line ${minute}\n`;
  writeFileSync(`${path}.3`, timed(1));
  writeFileSync(path, timed(2));
  const first = await folder.open({web: ['a.log']});
  await first.close();
  renameSync(path, join(folder.path, 'elsewhere'));
  writeFileSync(`${path}.2`, timed(4));
  writeFileSync(`${path}.1`, timed(5));
  writeFileSync(path, timed(6));
  const second = await folder.open({web: ['a.log']});
  expect((await readTexts(second)).map(text => text.slice(21))).toEqual(['line 2', 'line 4', 'line 5', 'line 6']);
  expect((await second.readWindow('s', 'b'))?.numbering?.losses).toMatchObject([
    {number: 2, why: 'a.log was truncated or rewritten, and no copy of its old content was found'},
  ]);
});
