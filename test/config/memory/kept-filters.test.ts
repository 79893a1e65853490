import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {keepFilters, readKeptFilters} from '#config/memory/kept-filters.ts';
import {stateWritten} from '#config/memory/state-file.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchlog-'));
});

afterEach(() => rm(folder, {recursive: true}));

test('filters are kept by a name, replaced and forgotten', async () => {
  expect(await readKeptFilters(folder)).toEqual({kept: [], notice: undefined});
  expect(await keepFilters(folder, {name: 'noise', filters: ['-health']})).toBeUndefined();
  expect(await keepFilters(folder, {name: 'pay', filters: ['+payment']})).toBeUndefined();
  expect(await keepFilters(folder, {name: 'noise', filters: ['-ready']})).toBeUndefined();
  expect((await readKeptFilters(folder)).kept).toEqual([
    {name: 'pay', filters: ['+payment']},
    {name: 'noise', filters: ['-ready']},
  ]);
  expect(await keepFilters(folder, {name: 'pay', filters: []})).toBeUndefined();
  expect((await readKeptFilters(folder)).kept).toEqual([{name: 'noise', filters: ['-ready']}]);
});

test('filters kept one right after the other are all kept, and there once writing is waited for', async () => {
  void keepFilters(folder, {name: 'noise', filters: ['-health']});
  void keepFilters(folder, {name: 'pay', filters: ['+payment']});
  await stateWritten();
  expect((await readKeptFilters(folder)).kept.map(({name}) => name)).toEqual(['noise', 'pay']);
});

test('a hundred names are kept, and the oldest is forgotten for another', async () => {
  const names = Array.from({length: 150}, (_, index) => ({name: `n${index}`, filters: ['-health']}));
  await writeFile(join(folder, 'filters.json'), JSON.stringify(names), {mode: 0o600});
  const namesKept = async () => (await readKeptFilters(folder)).kept.map(({name}) => name);
  expect(await namesKept()).toEqual(names.slice(0, 100).map(({name}) => name));
  await keepFilters(folder, {name: 'new', filters: ['-ready']});
  expect(await namesKept()).toEqual([...names.slice(1, 100).map(({name}) => name), 'new']);
  expect(JSON.parse(await readFile(join(folder, 'filters.json'), 'utf8'))).toHaveLength(100);
});

test('a file that is no list of filters is told, and left as it is', async () => {
  const path = join(folder, 'filters.json');
  await writeFile(path, '{"noise": 1', {mode: 0o600});
  const notice = `cannot read the saved filters (it is not JSON): ${path}`;
  expect(await readKeptFilters(folder)).toEqual({kept: [], notice});
  expect(await keepFilters(folder, {name: 'noise', filters: ['-health']})).toBe(notice);
  expect(await readFile(path, 'utf8')).toBe('{"noise": 1');
});

test('without a home folder nothing is kept, and that is said', async () => {
  expect(await readKeptFilters(undefined)).toEqual({kept: [], notice: undefined});
  expect(await keepFilters(undefined, {name: 'noise', filters: ['-health']})).toBe(
    'no home folder: filters are kept until you quit',
  );
  expect(await keepFilters(undefined, {name: 'noise', filters: []})).toBeUndefined();
});
