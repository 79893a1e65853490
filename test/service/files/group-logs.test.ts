import {expect, test} from 'vitest';
import {groupLogs} from '#service/files/file-source.ts';

const group = (...paths: readonly string[]) =>
  groupLogs(paths.map(path => ({path}))).map(files => files.map(({path}) => path));

test('reads logs that have nothing to do with each other at the same time', () => {
  expect(group('/log/b.log', '/log/a.log', '/other/c.log')).toEqual([['/log/a.log'], ['/log/b.log'], ['/other/c.log']]);
});

test('keeps a log and what was rotated or copied from it in order', () => {
  expect(group('/log/a.log.1', '/log/b.log', '/log/a-20250101.log', '/log/a.log', '/log/a.log.bak')).toEqual([
    ['/log/a.log.1', '/log/a-20250101.log', '/log/a.log', '/log/a.log.bak'],
    ['/log/b.log'],
  ]);
});
