import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {sleep} from '#cli/io/io.ts';
import {recordOf} from '#cli/logs/guard/state.ts';
import {openGuardFiles} from '#cli/logs/guard-files.ts';
import {createTempFolder, type TempFolder} from '../../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('guard-files');
});
afterEach(() => folder.remove());

const clock = {nowMs: Date.now, monotonicMs: () => performance.now(), sleep};
const open = () => openGuardFiles(folder.path, {contextName: 'prod', siteId: 'shop'}, clock);

const told = (what: 'found' | 'ended' | 'blind' | 'away', branch: string | null, second: number) => {
  const atMs = Date.UTC(2026, 10, 21, 14) + 1000 * second;
  const from = new Date(atMs).toISOString();
  return recordOf({what, site: 'shop', branch, from, text: String(second)}, {atMs, monoMs: 0});
};

test('trouble that was told is unseen until somebody looks at the branch', async () => {
  const files = open();
  expect(await files.readUnseen([])).toEqual(new Map());
  await files.addHistory([told('found', 'main', 1), told('ended', 'main', 2), told('blind', 'main', 3)]);
  await files.addHistory([told('found', 'other', 4), told('away', null, 5), told('blind', null, 6)]);
  expect(await open().readUnseen([])).toEqual(
    new Map([
      ['main', 2],
      ['other', 1],
    ]),
  );
  expect(await open().readUnseen(['main'])).toEqual(new Map([['other', 1]]));
  await files.addHistory([told('found', 'main', 7)]);
  expect(await open().readUnseen([])).toEqual(
    new Map([
      ['main', 1],
      ['other', 1],
    ]),
  );
});

test('the newest 500 records are kept, in one file', async () => {
  const files = open();
  await files.addHistory(Array.from({length: 300}, (_, second) => told('found', 'main', second)));
  await files.addHistory(Array.from({length: 300}, (_, second) => told('found', 'main', 300 + second)));
  const records = await files.readHistory();
  expect([records.length, records[0]?.text, records.at(-1)?.text]).toEqual([500, '100', '599']);
  expect(readdirSync(join(folder.path, 'guard'))).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.history$/)]);
});
