import {copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {openStepwise} from './open-stepwise.ts';

const numbered = (from: number, to: number): string =>
  Array.from({length: to - from}, (_, index) => `line ${from + index} ${'.'.repeat(40)}\n`).join('');

const numbersOf = (texts: readonly string[]): readonly number[] => texts.map(text => Number(text.split(' ')[1]));

const range = (from: number, to: number): readonly number[] =>
  Array.from({length: to - from}, (_, index) => from + index);

test.each(['a.log', 'a.log*'])(
  'goes on in a file that replaces its own copy with more in it, with %s',
  async pattern => {
    const {folder, path, open} = await openStepwise({web: [pattern]});
    folder.append('a.log', numbered(0, 30));
    const service = await open();
    await service.look();
    // rsync and sed -i write a file of another name and put it in place.
    writeFileSync(path('.a.log.x'), `${readFileSync(path('a.log'), 'utf8')}${numbered(30, 35)}`);
    renameSync(path('.a.log.x'), path('a.log'));
    expect(numbersOf(await service.look())).toEqual(range(0, 35));
    folder.append('a.log', numbered(35, 40));
    expect(numbersOf(await service.look())).toEqual(range(0, 40));
    expect(folder.warnings).toEqual([]);
  },
);

test('goes on in a file that was replaced by its own copy with more in it while the service was down', async () => {
  const {folder, path, open} = await openStepwise({web: ['a.log']});
  folder.append('a.log', numbered(0, 30));
  const first = await open();
  await first.look();
  await first.close();
  writeFileSync(path('x'), `${readFileSync(path('a.log'), 'utf8')}${numbered(30, 35)}`);
  renameSync(path('x'), path('a.log'));
  const second = await open();
  expect(numbersOf(await second.look())).toEqual(range(0, 35));
  expect(folder.warnings).toEqual([]);
});

test('waits for the rest of a file that is being written anew in place', async () => {
  const {folder, path, open} = await openStepwise({web: ['a.log']});
  folder.append('a.log', numbered(0, 30));
  const service = await open();
  await service.look();
  writeFileSync(path('a.log'), '');
  await service.lookAgain();
  folder.append('a.log', numbered(0, 20));
  expect(numbersOf(await service.lookAgain())).toEqual(range(0, 30));
  folder.append('a.log', numbered(20, 33));
  expect(numbersOf(await service.lookAgain())).toEqual(range(0, 33));
  expect(folder.warnings).toEqual([]);
});

test('tells of a loss where a file was emptied and no copy of it is found', async () => {
  const {folder, path, open} = await openStepwise({web: ['a.log']});
  folder.append('a.log', numbered(0, 30));
  const service = await open();
  await service.look();
  truncateSync(path('a.log'));
  folder.append('a.log', numbered(50, 52));
  expect(numbersOf(await service.look())).toEqual([...range(0, 30), 50, 51]);
  truncateSync(path('a.log'));
  folder.append('a.log', numbered(60, 61));
  expect(numbersOf(await service.look())).toEqual([...range(0, 30), 50, 51, 60]);
  // Each loss is told, however alike they are.
  const warning = `${path('a.log')} was truncated or rewritten, and no copy of its old content was found: lines may be missing, and readers see a gap.`;
  expect(folder.warnings).toEqual([warning, warning]);
});

test('goes on at the end of a file that was written anew with lines taken out', async () => {
  const {folder, path, open} = await openStepwise({web: ['a.log']});
  folder.append('a.log', numbered(0, 30));
  const service = await open();
  await service.look();
  writeFileSync(path('a.log'), `${numbered(0, 15)}${numbered(17, 30)}`);
  await service.look();
  expect(numbersOf(await service.look())).toEqual(range(0, 30));
  folder.append('a.log', numbered(30, 32));
  expect(numbersOf(await service.look())).toEqual(range(0, 32));
});

test('joins the pieces of a line over a rotation', async () => {
  const {folder, path, open} = await openStepwise({web: ['0.log']});
  folder.append('0.log', '2024-01-01T00:00:01Z stdout F one\n2024-01-01T00:00:02Z stdout P be\n');
  const service = await open();
  expect(await service.look()).toEqual(['one']);
  renameSync(path('0.log'), path('0.log.20240101-000002'));
  folder.append('0.log', '2024-01-01T00:00:03Z stdout F gin\n');
  expect(await service.look()).toEqual(['one', 'begin']);
  expect(await service.look()).toEqual(['one', 'begin']);
});

test('joins the pieces of a line over rotations while the service was down, and over copying', async () => {
  const {folder, path, open} = await openStepwise({web: ['0.log']});
  folder.append('0.log', '2024-01-01T00:00:01Z stdout F one\n2024-01-01T00:00:02Z stdout P a\n');
  const first = await open();
  await first.look();
  await first.close();
  writeFileSync(path('0.log.20240101-000002.gz'), gzipSync(readFileSync(path('0.log'))));
  rmSync(path('0.log'));
  writeFileSync(path('0.log.20240101-000003'), '2024-01-01T00:00:03Z stdout P b\n');
  writeFileSync(path('0.log'), '2024-01-01T00:00:04Z stdout P c\n');
  const second = await open();
  expect(await second.look()).toEqual(['one']);
  copyFileSync(path('0.log'), path('0.log.20240101-000004'));
  truncateSync(path('0.log'));
  folder.append('0.log', '2024-01-01T00:00:05Z stdout F d\n');
  expect(await second.look()).toEqual(['one', 'abcd']);
});

test('passes over files that are no text, with a sentence each', async () => {
  const {folder, path, open} = await openStepwise({web: ['a.log*']});
  folder.append('a.log', 'one\n');
  folder.append('a.log.1.gz', gzipSync(numbered(0, 30)));
  const service = await open();
  expect(await service.look()).toEqual(['one']);
  folder.append('a.log.2.xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0x0a, 0x0a]));
  folder.append('a.log.3.bz2', Buffer.concat([Buffer.from('BZh91AY&SY'), Buffer.from('\nx\n')]));
  folder.append('a.log.4.zst', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x0a, 0x0a]));
  folder.append('a.log.db', Buffer.from('abc\0def\nghi\n'));
  folder.append('a.log.5', 'BZh is text\n');
  expect((await service.look()).toSorted()).toEqual(['BZh is text', 'one']);
  await service.look();
  expect(folder.warnings.toSorted()).toEqual([
    `${path('a.log.1.gz')} is not text (gzip): pod web is served without it.`,
    `${path('a.log.2.xz')} is not text (xz): pod web is served without it.`,
    `${path('a.log.3.bz2')} is not text (bzip2): pod web is served without it.`,
    `${path('a.log.4.zst')} is not text (zstd): pod web is served without it.`,
    `${path('a.log.db')} is not text (binary): pod web is served without it.`,
  ]);
});

test('leaves out a file in UTF-16 even if it is named, and says so', async () => {
  const {folder, path, open} = await openStepwise({web: ['a.log', 'little.log', 'big.log', 'bare.log']});
  const text = Buffer.from('one in UTF-16\nline\n', 'utf16le');
  folder.append('a.log', 'one\n');
  folder.append('little.log', Buffer.concat([Buffer.from([0xff, 0xfe]), text]));
  folder.append('big.log', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text).swap16()]));
  folder.append('bare.log', text);
  const service = await open();
  expect(await service.look()).toEqual(['one']);
  expect(folder.warnings.toSorted()).toEqual(
    ['bare.log', 'big.log', 'little.log'].map(
      name =>
        `${path(name)} is text in UTF-16, not in UTF-8: \`iconv -f UTF-16 -t UTF-8\` converts it: pod web is served without it.`,
    ),
  );
});

test('tells of a loss where the numbers say that a rotated file is missing', async () => {
  const {folder, path, open} = await openStepwise({web: ['a.log']});
  folder.append('a.log', numbered(0, 30));
  const service = await open();
  await service.look();
  // Rotated twice, and what lay between is removed.
  renameSync(path('a.log'), path('a.log.2'));
  folder.append('a.log', numbered(50, 52));
  expect(numbersOf(await service.look())).toEqual([...range(0, 30), 50, 51]);
  expect(folder.warnings).toEqual([
    `${path('a.log')} was rotated more than once, and one of the rotated files is gone: lines may be missing, and readers see a gap.`,
  ]);
});

test('a log that got its first line after it was rotated itself is not taken for one that is missing', async () => {
  const {folder, path, open} = await openStepwise({web: ['a.log']});
  folder.append('a.log', numbered(0, 30));
  const service = await open();
  await service.look();
  renameSync(path('a.log'), path('a.log.1'));
  folder.append('a.log', '');
  await service.look();
  // Rotated while it was empty; then its writer is told to open the new one, and says so in the old one.
  writeFileSync(path('a.log.2.gz'), gzipSync(readFileSync(path('a.log.1'))));
  rmSync(path('a.log.1'));
  renameSync(path('a.log'), path('a.log.1'));
  folder.append('a.log', '');
  folder.append('a.log.1', numbered(30, 32));
  await service.look();
  folder.append('a.log', numbered(32, 34));
  expect(numbersOf(await service.look())).toEqual(range(0, 34));
  expect(folder.warnings).toEqual([]);
});
