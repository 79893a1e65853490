import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {recallBranchNames, rememberBranchNames} from '#config/memory/branch-names.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('branch-names');
});
afterEach(() => folder.remove());

const stored = () => JSON.parse(readFileSync(join(folder.path, 'branch-names.json'), 'utf8'));

const site = (siteId: string, contextName = 'prod') => ({contextName, siteId});

test('of each site of each context the last listing counts', async () => {
  await rememberBranchNames(folder.path, site('a'), ['old']);
  await rememberBranchNames(folder.path, site('a', 'stage'), ['other']);
  await rememberBranchNames(folder.path, site('a'), ['master', 'qa']);
  expect(await recallBranchNames(folder.path, site('a'))).toEqual(['master', 'qa']);
  await rememberBranchNames(folder.path, site('b'), []);
  expect(await recallBranchNames(folder.path, site('a'))).toEqual(['master', 'qa']);
  expect(await recallBranchNames(folder.path, site('a', 'stage'))).toEqual(['other']);
  expect(stored()).toHaveLength(3);
});

test('the site listed longest ago goes first, and of a listing so many names are kept', async () => {
  const names = Array.from({length: 301}, (_, index) => `branch-${index}`);
  await rememberBranchNames(folder.path, site('first'), ['x'.repeat(121), ...names]);
  expect(await recallBranchNames(folder.path, site('first'))).toEqual(names.slice(0, 300));
  expect(stored()[0].names).toHaveLength(300);
  for (let index = 0; index < 20; index += 1) {
    await rememberBranchNames(folder.path, site(`later-${index}`), ['master']);
  }
  expect(await recallBranchNames(folder.path, site('first'))).toEqual([]);
  expect(await recallBranchNames(folder.path, site('later-0'))).toEqual(['master']);
});

test('a damaged file is nothing, and is replaced by the next listing', async () => {
  writeFileSync(join(folder.path, 'branch-names.json'), '{"half": ');
  expect(await recallBranchNames(folder.path, site('a'))).toEqual([]);
  await rememberBranchNames(folder.path, site('a'), ['master']);
  expect(await recallBranchNames(folder.path, site('a'))).toEqual(['master']);
});
