import {chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {readRecentSites, rememberSite} from '#config/memory/recent-sites.ts';
import {stateWritten} from '#config/memory/state-file.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('recent');
});
afterEach(() => folder.remove());

const site = (siteId: string, openedAtMs: number, contextName = 'prod') => ({
  contextName,
  siteId,
  name: undefined,
  openedAtMs,
});
const state = (): string => join(folder.path, 'state/branchlog');
const file = (): string => join(state(), 'recent-sites.json');

test('nothing is remembered at first, without a word', async () => {
  expect(await readRecentSites(state())).toEqual({sites: [], notice: undefined});
});

test('the site opened last comes first, and each stands there once for its context', async () => {
  for (const item of [site('a', 1), site('b', 2), site('a', 3), site('a', 4, 'stage')]) {
    expect(await rememberSite(state(), item)).toBeUndefined();
  }
  const {sites} = await readRecentSites(state());
  expect(sites).toEqual([site('a', 4, 'stage'), site('a', 3), site('b', 2)]);
});

test('sites opened one right after the other are all there once writing is waited for', async () => {
  void rememberSite(state(), site('a', 1));
  void rememberSite(state(), site('b', 2));
  await stateWritten();
  expect((await readRecentSites(state())).sites).toEqual([site('b', 2), site('a', 1)]);
});

test('the file is for its owner alone, and nothing else is left in the folder', async () => {
  await rememberSite(state(), {...site('a', 1), name: 'shop'});
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readdirSync(state())).toEqual(['recent-sites.json']);
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual([
    {contextName: 'prod', siteId: 'a', name: 'shop', openedAtMs: 1},
  ]);
});

test('fifty are kept', async () => {
  for (let index = 0; index < 53; index += 1) {
    await rememberSite(state(), site(`s${index}`, index));
  }
  const {sites} = await readRecentSites(state());
  expect([sites.length, sites[0]?.siteId, sites.at(-1)?.siteId]).toEqual([50, 's52', 's3']);
});

test.each(['', '{', '{}', '"x"'])('the damaged file %j is told of, and mended by the next site', async content => {
  mkdirSync(state(), {recursive: true});
  writeFileSync(file(), content);
  const {sites, notice} = await readRecentSites(state());
  expect([sites, notice?.includes(file())]).toEqual([[], true]);
  expect(await rememberSite(state(), site('a', 1))).toBeUndefined();
  expect((await readRecentSites(state())).sites).toEqual([site('a', 1)]);
});

test('items that are none are left out', async () => {
  mkdirSync(state(), {recursive: true});
  writeFileSync(file(), JSON.stringify([null, 1, {}, {contextName: 'c', siteId: 5, openedAtMs: 1}, site('ok', 1)]));
  expect((await readRecentSites(state())).sites).toEqual([site('ok', 1)]);
});

test('a folder that cannot be written gives a notice and leaves nothing behind', async () => {
  writeFileSync(join(folder.path, 'state'), 'a file where the folder should be');
  const notice = await rememberSite(state(), site('a', 1));
  expect(notice).toMatch(/^cannot remember the site \((ENOTDIR|EEXIST)\): .*recent-sites\.json$/);
  // A folder of the list's own name: the temporary file is written and cannot be renamed.
  const other = join(folder.path, 'other');
  mkdirSync(join(other, 'recent-sites.json/x'), {recursive: true});
  chmodSync(other, 0o700);
  expect(await rememberSite(other, site('a', 1))).toMatch(/^cannot remember the site/);
  expect(readdirSync(other)).toEqual(['recent-sites.json']);
});

test('without a home folder nothing is remembered, and that is said', async () => {
  const notice = 'no home folder: recently opened sites are not remembered';
  expect(await readRecentSites(undefined)).toEqual({sites: [], notice});
  expect(await rememberSite(undefined, site('a', 1))).toBe(notice);
});
