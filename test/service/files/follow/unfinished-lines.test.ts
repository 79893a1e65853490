import {copyFileSync, readFileSync, truncateSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createLogFolder, readTexts} from '../pod-backend.ts';

/** A log whose time passes as the test says. */
const openLog = async () => {
  const folder = createLogFolder();
  let nowMs = 0;
  const open = () => folder.open({web: ['a.log']}, {monotonicMs: () => nowMs});
  folder.append('a.log', 'one\n');
  let backend = await open();
  await readTexts(backend);
  return {
    append: (text: string | Buffer) => folder.append('a.log', text),
    path: join(folder.path, 'log/a.log'),
    after: async (ms: number) => {
      await readTexts(backend);
      nowMs += ms;
      return readTexts(backend);
    },
    restart: async () => {
      await backend.close();
      backend = await open();
    },
    numbering: async () => (await backend.readWindow('s', 'b'))?.numbering,
  };
};

test('a line whose end does not come is shown after two seconds, and its rest as a line of its own', async () => {
  const log = await openLog();
  log.append('enter a n');
  expect(await log.after(1_900)).toEqual(['one']);
  // It grows: the wait begins anew.
  log.append('am');
  expect(await log.after(1_900)).toEqual(['one']);
  expect(await log.after(200)).toEqual(['one', 'enter a nam']);
  expect(await log.after(5_000)).toEqual(['one', 'enter a nam']);
  log.append('e: ok\nnext\n');
  expect(await log.after(0)).toEqual(['one', 'enter a nam', 'e: ok', 'next']);
  expect(await log.numbering()).toMatchObject({first: 1, losses: []});
});

test('where only the newline of such a line comes, nothing more is shown of it', async () => {
  const log = await openLog();
  log.append('two\r');
  expect(await log.after(2_000)).toEqual(['one', 'two']);
  log.append('\n\nthree\n');
  expect(await log.after(0)).toEqual(['one', 'two', '', 'three']);
});

test('a character that is cut waits for its rest', async () => {
  const log = await openLog();
  const word = Buffer.from('grün');
  log.append(word.subarray(0, 3));
  expect(await log.after(2_000)).toEqual(['one', 'gr']);
  log.append(word.subarray(3));
  log.append('\n');
  expect(await log.after(0)).toEqual(['one', 'gr', 'ün']);
});

test('reading goes on after such a line, also in a copy and after a restart', async () => {
  const log = await openLog();
  log.append(`${'x'.repeat(600)} two`);
  expect(await log.after(2_000)).toHaveLength(2);
  await log.restart();
  log.append(' and three\n');
  expect((await log.after(0)).slice(2)).toEqual([' and three']);
  log.append('fo');
  expect((await log.after(2_000)).slice(3)).toEqual(['fo']);
  log.append('ur\n');
  copyFileSync(log.path, `${log.path}.1`);
  truncateSync(log.path);
  log.append('five\n');
  expect((await log.after(0)).slice(3)).toEqual(['fo', 'ur', 'five']);
  expect(readFileSync(log.path, 'utf8')).toBe('five\n');
});
