import {once} from 'node:events';
import {chmodSync, chownSync, lchownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {homedir, tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {findSocketDistrust} from '#base/system/find-distrust.ts';

const isRoot = process.geteuid?.() === 0;
const own = process.geteuid?.() ?? 0;
const stranger = 12_345;

const createFolder = (below = tmpdir()): string => {
  const folder = mkdtempSync(join(below, 'bl-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  return folder;
};

/** `userId`: whose it becomes. */
const listen = async (path: string, userId = own): Promise<string> => {
  const server = createServer().listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  chownSync(path, userId, userId);
  return path;
};

test('a socket of one’s own in a folder of one’s own is used, whatever its mode', async () => {
  const path = await listen(join(createFolder(), 's'));
  chmodSync(path, 0o666);
  expect(await findSocketDistrust(path, own)).toBeUndefined();
});

test('a socket in a folder that everybody may write to is not used, nor one reached by a link there', async () => {
  const folder = createFolder();
  mkdirSync(join(folder, 'open'));
  chmodSync(join(folder, 'open'), 0o777);
  const path = await listen(join(folder, 'open', 's'));
  expect(await findSocketDistrust(path, own)).toBe(
    `lies in ${folder}/open, where others may replace it: run chmod o-w ${folder}/open`,
  );
  const safe = await listen(join(folder, 's'));
  symlinkSync(safe, join(folder, 'open', 'link'));
  expect(await findSocketDistrust(join(folder, 'open', 'link'), own)).toMatch(/^is reached by a link in .*open, where/);
});

test('what is no socket is named', async () => {
  const folder = createFolder();
  writeFileSync(join(folder, 'file'), '');
  await expect(findSocketDistrust(join(folder, 'file'), own)).rejects.toThrow('is a regular file, not a socket');
  await expect(findSocketDistrust(folder, own)).rejects.toThrow('is a folder, not a socket');
});

test.skipIf(!isRoot)('another user’s socket below a folder that everybody may write to is not used', async () => {
  const path = await listen(join(createFolder(), 's'), stranger);
  expect(await findSocketDistrust(path, own)).toMatch(
    /^belongs to user 12345, not to you or root, and lies below .*, where others could have put it$/,
  );
});

test.skipIf(!isRoot)('another user’s socket is used where only that user and root decide what lies there', async () => {
  const folder = createFolder(homedir());
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'run'));
  chownSync(join(folder, 'run'), stranger, stranger);
  const path = await listen(join(folder, 'run', 's'), stranger);
  expect(await findSocketDistrust(path, own)).toBeUndefined();
  symlinkSync(path, join(folder, 'link'));
  expect(await findSocketDistrust(join(folder, 'link'), own)).toBeUndefined();
  lchownSync(join(folder, 'link'), 54_321, 54_321);
  expect(await findSocketDistrust(join(folder, 'link'), own)).toMatch(/reached by a link of yet another user/);
  chownSync(folder, 54_321, 54_321);
  expect(await findSocketDistrust(path, own)).toMatch(new RegExp(`lies below ${folder}, where others could`));
});
