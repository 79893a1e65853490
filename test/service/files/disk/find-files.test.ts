import {mkdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {
  findFile,
  findFiles,
  findReadable,
  fixedFolder,
  identifyFile,
  isSameFile,
  namesOfPath,
  pathOf,
} from '#service/files/disk/find-files.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';

const createFiles = (...names: readonly string[]) => {
  const folder = createTempFolder('find');
  onTestFinished(folder.remove);
  const at = (name: string): string => join(folder.path, name);
  for (const name of names) {
    mkdirSync(dirname(at(name)), {recursive: true});
    writeFileSync(at(name), name);
  }
  const namesOf = async (pattern: string): Promise<readonly string[]> =>
    (await findFiles(at(pattern))).map(({path}) => path.slice(folder.path.length + 1)).toSorted();
  return {at, namesOf};
};

test.each([
  ['a.log', ['a.log']],
  ['*.log', ['a.log', 'b.log']],
  ['?.log', ['a.log', 'b.log']],
  ['a*', ['a.log', 'a.log.1']],
  ['*/c.log', ['one/c.log', 'two/c.log']],
  ['*/*.log', ['one/c.log', 'two/c.log', 'two/d.log']],
  ['t?o/c.log', ['two/c.log']],
  ['.h*', ['.hidden.log']],
  ['gone.log', []],
  ['gone/*.log', []],
  ['a.log/*.log', []],
  ['one', []],
])('finds the files of %s', async (pattern, names) => {
  const {namesOf} = createFiles('a.log', 'b.log', 'a.log.1', '.hidden.log', 'one/c.log', 'two/c.log', 'two/d.log');
  expect(await namesOf(pattern)).toEqual(names);
});

test('tells what a file is, behind a link too', async () => {
  const {at} = createFiles('a.log');
  symlinkSync('a.log', at('link'));
  const {dev, ino, size, mtimeMs, birthtimeNs} = statSync(at('a.log'), {bigint: true});
  const found = await findFile(at('a.log'));
  expect(found).toEqual({
    path: at('a.log'),
    device: dev,
    inode: ino,
    sizeBytes: Number(size),
    modifiedMs: Number(mtimeMs),
    bornNs: birthtimeNs,
  });
  const link = await findFile(at('link'));
  expect(link).toEqual({...found, path: at('link')});
  expect(found && identifyFile(found)).toBe(`${dev}:${ino}`);
});

test('a folder, a link that leads nowhere or to itself, and a name below a file are no files', async () => {
  const {at} = createFiles('a.log', 'folder/b.log');
  symlinkSync('gone', at('dangling'));
  symlinkSync('loop', at('loop'));
  const found = await Promise.all(['folder', 'dangling', 'loop', 'a.log/x', 'gone'].map(name => findFile(at(name))));
  expect(found).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

test('a name that cannot be examined is an error, and makes files among others none', async () => {
  const {at} = createFiles('a.log');
  const long = at('x'.repeat(300));
  await expect(findFile(long)).rejects.toThrow('ENAMETOOLONG');
  expect(await findReadable([at('a.log'), at('gone')])).toHaveLength(1);
  expect(await findReadable([at('a.log'), long])).toEqual([]);
});

test.each([
  ['/var/log/a.log', '/var/log'],
  ['/var/log/*.log', '/var/log'],
  ['/var/*/a.log', '/var'],
  ['/var/log/?/b*', '/var/log'],
  ['/*', '/'],
  ['/a.log', '/'],
])('files that match %s appear in or below %s', (path, folder) => {
  expect(fixedFolder(path)).toBe(folder);
});

test('a file has the configured name where that leads to it', async () => {
  const {at} = createFiles('a.log', 'b.log');
  const [a, b] = [await findFile(at('a.log')), await findFile(at('b.log'))];
  if (!a || !b) {
    throw new Error('no files');
  }
  const moved = {...a, path: at('moved.log')};
  expect([pathOf(moved, a), pathOf(a, b), pathOf(a, undefined)]).toEqual([at('a.log'), at('a.log'), at('a.log')]);
  const sameElsewhere = {...a, device: a.device + 1n};
  expect([isSameFile(a, moved), isSameFile(a, b), isSameFile(a, sameElsewhere)]).toEqual([true, false, false]);
});

const uid = '0123abcd-0123-0123-0123-0123456789ab';

test.each([
  ['/var/log/nginx/access.log', {file: 'access.log'}],
  [`/var/log/pods/shop_web-0_${uid}/php/0.log`, {container: 'php'}],
  [`/var/log/pods/shop_web-0_${uid.replaceAll('-', '')}/php/12.log`, {container: 'php'}],
  [`/var/log/pods/shop_web-0_${uid}/php/0.log.20250102-101112`, {file: '0.log.20250102-101112'}],
  [`/var/log/pods/web-0_${uid}/php/0.log`, {file: '0.log'}],
  [`/var/log/containers/web-0_shop_php-fpm-${'0a'.repeat(32)}.log`, {container: 'php-fpm'}],
  [`/var/log/containers/web-0_shop_php-${'0a'.repeat(31)}.log`, {file: `web-0_shop_php-${'0a'.repeat(31)}.log`}],
])('what a path says of who wrote the log: %s', (path, names) => {
  expect(namesOfPath(path)).toEqual(names);
});
