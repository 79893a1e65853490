import {appendFileSync, mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createFolderWatch} from '#service/served/watch-folders.ts';
import {createTempFolder} from '../../support/temp-folder.ts';
import {waitFor} from '../../support/wait-for.ts';

const prepare = () => {
  const folder = createTempFolder('watch');
  let changes = 0;
  const watch = createFolderWatch(() => {
    changes += 1;
  });
  onTestFinished(() => {
    watch.close();
    folder.remove();
  });
  const waitForChange = async (): Promise<void> => {
    const before = changes;
    await waitFor(() => changes > before, {what: 'a notification'});
  };
  return {path: folder.path, watch, waitForChange};
};

test('tells that a file of a watched folder was written', async () => {
  const {path, watch, waitForChange} = prepare();
  expect(await watch.update(new Set([path]))).toBe(true);
  const told = waitForChange();
  appendFileSync(join(path, 'a.log'), 'one\n');
  await told;
});

test('watches a folder again that was removed and made anew', async () => {
  const {path, watch, waitForChange} = prepare();
  const inner = join(path, 'log');
  mkdirSync(inner);
  expect(await watch.update(new Set([inner]))).toBe(true);
  rmSync(inner, {recursive: true});
  expect(await watch.update(new Set([inner]))).toBe(false);
  mkdirSync(inner);
  expect(await watch.update(new Set([inner]))).toBe(true);
  const told = waitForChange();
  appendFileSync(join(inner, 'a.log'), 'one\n');
  await told;
});

test('does not vouch for more folders than it watches', async () => {
  const {path, watch} = prepare();
  const folders = Array.from({length: 65}, (_, index) => join(path, `${index}`));
  for (const folder of folders) {
    mkdirSync(folder);
  }
  expect(await watch.update(new Set(folders))).toBe(false);
});
