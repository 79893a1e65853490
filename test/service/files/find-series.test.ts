import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {findSeries, findSiblingFiles} from '#service/files/rotated-files.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const createFiles = (...names: readonly string[]): string => {
  const folder = createTempFolder('series');
  onTestFinished(folder.remove);
  for (const name of names) {
    mkdirSync(join(folder.path, name, '..'), {recursive: true});
    writeFileSync(join(folder.path, name), '');
  }
  return folder.path;
};
const namesOf = (folder: string, files: readonly {readonly path: string}[]): readonly string[] =>
  files.map(({path}) => path.slice(folder.length + 1)).toSorted();

test('files of one series differ in one part of their path, by a number, a date or a hash', async () => {
  const folder = createFiles('16/app.log', '17/app.log', '18/app.log', '18/other.log', 'current/app.log');
  const found = await findSeries(join(folder, '17/app.log'), join(folder, '18/app.log'));
  expect(namesOf(folder, found)).toEqual(['16/app.log', '17/app.log', '18/app.log']);
});

test('where the earlier file is not known, or differs in more, the series lies beside the new one', async () => {
  const folder = createFiles('app-1.log', 'app-2.log', 'app-error.log', 'a1b2c3d/app-3.log');
  const to = join(folder, 'app-2.log');
  expect(namesOf(folder, await findSeries(undefined, to))).toEqual(['app-1.log', 'app-2.log']);
  expect(namesOf(folder, await findSeries(join(folder, 'a1b2c3d/app-3.log'), to))).toEqual(['app-1.log', 'app-2.log']);
});

test('a name without a number has no series, and a folder that is gone has none', async () => {
  const folder = createFiles('app.log', 'app.err');
  expect(await findSeries(undefined, join(folder, 'app.log'))).toEqual([]);
  expect(await findSeries(undefined, join(folder, 'gone/app-1.log'))).toEqual([]);
});

test('of a folder, 4,096 names are looked at', async () => {
  const folder = createFiles(...Array.from({length: 4097}, (_, index) => `app-${index}.log`));
  expect(await findSeries(undefined, join(folder, 'app-1.log'))).toHaveLength(4096);
});

test('files beside others are found once each', async () => {
  const folder = createFiles('a/1.log', 'a/2.log', 'b/3.log', 'b/deep/4.log');
  const paths = ['a/1.log', 'a/2.log', 'b/3.log', 'gone/5.log'].map(name => join(folder, name));
  expect(namesOf(folder, await findSiblingFiles(paths))).toEqual(['a/1.log', 'a/2.log', 'b/3.log']);
});
