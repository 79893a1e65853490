import {appendFileSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {fileSource, followFiles} from '#service/files/file-source.ts';
import {createTempFolder} from '../../support/temp-folder.ts';
import {createSourceContext} from '../source-context.ts';

const read = (table: Readonly<Record<string, unknown>>) =>
  fileSource.read(
    {
      text: () => undefined,
      texts: key => table[key] as readonly string[] | undefined,
      flag: () => undefined,
      integer: () => undefined,
      choice: (key, words) => words.find(word => word === table[key]),
      raw: key => table[key],
      fail: (key, sentence) => {
        throw new Error(`${key}: ${sentence}`);
      },
      where: key => key,
    },
    {folder: '/srv', roots: ['/data'], resolve: path => (path.startsWith('/') ? path : `/srv/${path}`)},
  );

test('the files of a pod are absolute paths, whose last part may be a pattern', () => {
  expect(read({files: ['a.log', '/var/log/*.log'], format: 'plain'})).toMatchObject({
    kind: 'files',
    files: ['/srv/a.log', '/var/log/*.log'],
    format: 'plain',
    hasFiles: true,
    roots: ['/data'],
  });
});

test.each([
  [['a.log'], false],
  [['a?.log'], true],
  [['a*'], true],
  [['a.log', 'b.log'], true],
])('the files %j may be several: %s', (files, hasFiles) => {
  expect(followFiles(files).hasFiles).toBe(hasFiles);
});

test.each([
  [[], 'files: missing: give the log files of the pod'],
  [undefined, 'files: missing: give the log files of the pod'],
  [['a.log', 'logs/'], 'files[1]: expected a file, got a folder'],
  [['/'], 'files[0]: expected a file, got a folder'],
  [['/var/*/a.log'], 'files[0]: "*" and "?" may stand in the last part of a path only, not in a folder'],
  [['/v?r/a.log'], 'files[0]: "*" and "?" may stand in the last part of a path only, not in a folder'],
])('the files %j are refused', (files, words) => {
  expect(() => read({files})).toThrow(words);
});

const open = async (
  files: Readonly<Record<string, string | Buffer>>,
  {isOpened = false, names = Object.keys(files)} = {},
) => {
  const folder = createTempFolder('source');
  onTestFinished(folder.remove);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder.path, name), content);
  }
  const made = createSourceContext();
  const source = followFiles(names.map(name => join(folder.path, name))).open({...made.context, isOpened});
  onTestFinished(source.close);
  await source.start();
  await source.scan?.();
  const warnings = () => made.warnings.map(warning => warning.replaceAll(`${folder.path}/`, ''));
  return {...made, source, warnings, folder: folder.path};
};

test('turns read what the files have, and write it once', async () => {
  const {source, story, written, warnings} = await open({'a.log': 'one\ntwo\n', 'b.log': 'three\n'});
  expect(await source.turn()).toBe(false);
  expect(story().toSorted()).toEqual(['one', 'three', 'two']);
  expect(written.at(-1)?.files).toHaveLength(2);
  expect([warnings(), source.unreadable?.(), source.isWaiting?.()]).toEqual([[], undefined, false]);
});

test('a line whose end has not come is waited for', async () => {
  const {source} = await open({'a.log': 'one\ntw'});
  await source.turn();
  expect(source.isWaiting?.()).toBe(true);
});

test('a file that grows is read by half a megabyte a turn, and it is said that there is more', async () => {
  const {source, folder, sink} = await open({'a.log': 'first\n'});
  await source.turn();
  appendFileSync(join(folder, 'a.log'), `${'x'.repeat(1_023)}\n`.repeat(1_536));
  const counts: number[] = [];
  let hasMore = true;
  while (hasMore) {
    hasMore = await source.turn();
    counts.push(sink.window.last() - 1);
  }
  // Each file has two turns at most before the next one.
  expect(counts.at(-1)).toBe(1_536);
  expect(counts.length).toBeGreaterThan(1);
});

test('where a file was opened by name, that it has only NUL bytes is told', async () => {
  const nul = Buffer.alloc(5_000);
  const {source, warnings} = await open({'a.log': nul, 'b.log': 'one\n'}, {isOpened: true});
  await source.turn();
  expect(warnings()).toEqual(['a.log has no lines so far, only NUL bytes.']);
  const served = await open({'a.log': nul});
  await served.source.turn();
  expect(served.warnings()).toEqual([]);
  const empty = await open({'a.log': ''}, {isOpened: true});
  await empty.source.turn();
  expect(empty.warnings()).toEqual([]);
});

test('what is left out is told in the words of the service, or of whoever opened it', async () => {
  const {warnings} = await open({}, {names: ['a.log']});
  expect(warnings()).toEqual(['a.log is missing: pod app is served without it until it appears.']);
  const opened = await open({}, {names: ['a.log'], isOpened: true});
  expect(opened.warnings()).toEqual(['a.log is missing: it is left out until it appears.']);
});

test('folders in which something may change are known from the beginning', async () => {
  const {source, folder} = await open({'a.log': 'one\n'});
  mkdirSync(join(folder, 'other'));
  expect([...(source.folders?.() ?? [])]).toEqual([folder]);
});
