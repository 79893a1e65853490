import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {recallListedSites} from '#config/memory/branch-names.ts';
import {decodeBranchState} from '#config/memory/branch-state.ts';
import {readKeptFilters} from '#config/memory/kept-filters.ts';
import {readRecentSites} from '#config/memory/recent-sites.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const kilobyte = 1024;

const list = <Item>(size: number, item: Item): readonly Item[] => Array.from({length: size}, () => item);

/** A folder with one file of so many bytes, a list of one item. */
const folderWith = (name: string, item: object, bytes: number): string => {
  const folder = createTempFolder('bounds');
  onTestFinished(folder.remove);
  writeFileSync(join(folder.path, name), JSON.stringify([item]).padEnd(bytes), {mode: 0o600});
  return folder.path;
};

// What is read at a bound, and one beyond it.
test.each<readonly [bound: string, read: (size: number) => unknown, at: number, within: unknown, beyond: unknown]>([
  ['filters of a branch', size => decodeBranchState({filters: list(size, '+x')}).filters.length, 50, 50, 50],
  [
    'chosen sources of a branch',
    size => decodeBranchState({sourcePick: {kind: 'hide', names: list(size, {pod: 'a'})}}).sourcePick?.names.length,
    500,
    500,
    500,
  ],
  ['text of a time', size => decodeBranchState({lastSeenAt: 'x'.repeat(size)}).lastSeenAt?.length, 40, 40, undefined],
  ['text of a setting', size => decodeBranchState({timeMode: 'x'.repeat(size)}).timeMode?.length, 30, 30, undefined],
  [
    'file of recent sites',
    async size => {
      const site = {contextName: 'prod', siteId: 'a', openedAtMs: 1};
      return (await readRecentSites(folderWith('recent-sites.json', site, size))).sites.length;
    },
    256 * kilobyte,
    1,
    0,
  ],
  [
    'file of filters with names',
    async size => {
      const filter = {name: 'noise', filters: ['-health']};
      return (await readKeptFilters(folderWith('filters.json', filter, size))).kept.length;
    },
    1024 * kilobyte,
    1,
    0,
  ],
  [
    'file of names of branches',
    async size => {
      const listing = {contextName: 'prod', siteId: 'a', names: ['master']};
      return (await recallListedSites(folderWith('branch-names.json', listing, size), 'prod')).length;
    },
    4096 * kilobyte,
    1,
    0,
  ],
])('%s', async (_, read, at, within, beyond) => {
  expect([await read(at), await read(at + 1)]).toEqual([within, beyond]);
});
