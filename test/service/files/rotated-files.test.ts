import {mkdirSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {findFile} from '#service/files/disk/find-files.ts';
import {findBetween, findNeighbours, listWay, sortRotated} from '#service/files/rotated-files.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

/** A folder with files, each with the second in which it was modified. */
const createFiles = (files: Readonly<Record<string, number>>) => {
  const folder = createTempFolder('rotated');
  onTestFinished(folder.remove);
  const at = (name: string): string => join(folder.path, name);
  for (const [name, seconds] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), {recursive: true});
    writeFileSync(at(name), name);
    utimesSync(at(name), seconds, seconds);
  }
  const namesOf = (found: readonly {readonly path: string}[]): readonly string[] =>
    found.map(({path}) => path.slice(folder.path.length + 1));
  return {at, namesOf};
};

test('files beside a log and in the folders below are its neighbours, if their names begin as its own', async () => {
  const {at, namesOf} = createFiles({
    'app.log': 1,
    'app.log.1': 1,
    'app.log.2.gz': 1,
    'app-20250102.log': 1,
    'app.log.bak': 1,
    'other.log': 1,
    'old/app.log.3': 1,
    'old/other.log.1': 1,
    'old/deep/app.log.4': 1,
  });
  const found = await findNeighbours(at('app.log'));
  const told = found.map(({found: {path}, rotated, isCopy}) => [namesOf([{path}])[0], rotated?.kind, isCopy]);
  expect(told.toSorted()).toEqual([
    ['app-20250102.log', 'dated', true],
    ['app.log', undefined, false],
    ['app.log.1', 'numbered', true],
    ['app.log.2.gz', 'numbered', true],
    ['app.log.bak', undefined, true],
    ['old/app.log.3', 'numbered', true],
  ]);
});

test('what is sought and not among them is looked for under any name', async () => {
  const {at, namesOf} = createFiles({'app.log': 1, 'app.log.1': 1, 'moved.txt': 1, 'old/else': 1});
  const isNamed = (name: string) => (found: {readonly path: string}) => found.path === at(name);
  const seek = async (name: string) =>
    namesOf((await findNeighbours(at('app.log'), isNamed(name))).map(({found}) => found)).toSorted();
  expect(await seek('app.log.1')).toEqual(['app.log', 'app.log.1']);
  expect(await seek('old/else')).toEqual(['app.log', 'app.log.1', 'moved.txt', 'old/else']);
});

test('of a log that is a link, the files beside the link and beside what it leads to are neighbours', async () => {
  const {at, namesOf} = createFiles({'data/real.log': 1, 'data/real.log.1': 1, 'logs/app.log.2': 1});
  symlinkSync(at('data/real.log'), at('logs/app.log'));
  const found = await findNeighbours(at('logs/app.log'));
  const names = namesOf(found.map(each => each.found)).toSorted();
  // The link and its target are one file.
  expect(names).toHaveLength(3);
  expect(namesOf(sortRotated(found).map(each => each.found)).toSorted()).toEqual(['data/real.log.1', 'logs/app.log.2']);
});

test('a link to a rotated file does not hide the name that rotation gave it', async () => {
  const {at, namesOf} = createFiles({'app.log.1': 1});
  symlinkSync(at('app.log.1'), at('app-latest'));
  symlinkSync(at('app.log.1'), at('app.log-last'));
  const found = await findNeighbours(at('app.log'));
  expect(namesOf(found.map(each => each.found))).toEqual(['app.log.1']);
});

test('a folder that changes is listed again', async () => {
  const {at} = createFiles({'app.log': 1});
  utimesSync(at('.'), 1_000, 1_000);
  expect(await findNeighbours(at('app.log'))).toHaveLength(1);
  writeFileSync(at('app.log.1'), '');
  expect(await findNeighbours(at('app.log'))).toHaveLength(2);
  utimesSync(at('.'), 2_000, 2_000);
  expect(await findNeighbours(at('app.log'))).toHaveLength(2);
  expect(await findNeighbours(at('gone/app.log'))).toEqual([]);
});

test('thirty-two of the folders beside a log are searched', async () => {
  const names = Array.from({length: 33}, (_, index) => `${index}/app.log.${index + 1}`);
  const countOf = async (count: number): Promise<number> => {
    const {at} = createFiles(Object.fromEntries(['app.log', ...names.slice(0, count)].map(name => [name, 1])));
    return (await findNeighbours(at('app.log'))).filter(({rotated}) => rotated !== undefined).length;
  };
  expect([await countOf(31), await countOf(32), await countOf(33)]).toEqual([31, 32, 32]);
});

test('the way of a path has its links and what it leads to, even if that is not there', async () => {
  const {at} = createFiles({'data/real.log': 1});
  mkdirSync(at('logs'));
  symlinkSync('../data/real.log', at('logs/app.log'));
  symlinkSync('logs', at('link'));
  symlinkSync('gone.log', at('dangling.log'));
  expect(await listWay(at('data/real.log'))).toEqual([at('data/real.log')]);
  expect(await listWay(at('missing.log'))).toEqual([at('missing.log')]);
  expect(await listWay(at('link/app.log'))).toEqual([at('data/real.log'), at('link'), at('logs/app.log')]);
  expect((await listWay(at('dangling.log')))[0]).toBe(at('gone.log'));
});

const between = async (files: Readonly<Record<string, number>>, holder: string, current = 'app.log') => {
  const {at, namesOf} = createFiles(files);
  const found = await findFile(at(holder));
  if (!found) {
    throw new Error(`no ${holder}`);
  }
  const {between: later, isComplete} = findBetween(
    await findNeighbours(at('app.log')),
    found,
    ({path}) => path === at(current),
  );
  return [namesOf(later), isComplete];
};

test.each<readonly [what: string, files: Readonly<Record<string, number>>, holder: string, later: unknown]>([
  [
    'lower numbers are later, oldest first',
    {'app.log': 9, 'app.log.1': 5, 'app.log.2': 4, 'app.log.3': 3, 'app.log.4': 2},
    'app.log.3',
    [['app.log.2', 'app.log.1'], true],
  ],
  ['a number that is missing is told', {'app.log.1': 5, 'app.log.3': 3}, 'app.log.3', [['app.log.1'], false]],
  [
    'one that is missing above is not',
    {'app.log.1': 5, 'app.log.2': 4, 'app.log.5': 1},
    'app.log.2',
    [['app.log.1'], true],
  ],
  ['a log that counts from three misses nothing', {'app.log.3': 5, 'app.log.4': 4}, 'app.log.4', [['app.log.3'], true]],
  ['one that counts from two misses the first', {'app.log.2': 5, 'app.log.3': 4}, 'app.log.3', [['app.log.2'], false]],
  [
    'a lower number that is older by more than a rounded second is none',
    {'app.log.1': 3, 'app.log.2': 5},
    'app.log.2',
    [[], true],
  ],
  ['by a second it is one', {'app.log.1': 4, 'app.log.2': 5}, 'app.log.2', [['app.log.1'], true]],
  [
    'numbers that ascend are read by their times, and begin anew without one that is missing',
    {'app.log.2230': 1, 'app.log.2330': 4, 'app.log.0030': 8},
    'app.log.2230',
    [['app.log.2330', 'app.log.0030'], true],
  ],
  [
    'a file that was compressed late does not make numbers ascend',
    {'app.log.1': 3, 'app.log.2.gz': 9, 'app.log.3.gz': 1},
    'app.log.3.gz',
    [['app.log.2.gz', 'app.log.1'], true],
  ],
  [
    'folders for days have the log under its own name',
    {'20261120/app.log': 1, '20261121/app.log': 2, 'other/app.log': 3},
    '20261120/app.log',
    [['20261121/app.log'], true],
  ],
  [
    'words tell what came last',
    {'app.log.old': 3, 'app.log.older': 3, 'app.log.oldest': 3},
    'app.log.oldest',
    [['app.log.older', 'app.log.old'], true],
  ],
  [
    'dates decide whatever the times',
    {'app.log-20250102': 9, 'app.log-20250103': 5, 'app.log-20250104.gz': 1},
    'app.log-20250102',
    [['app.log-20250103', 'app.log-20250104.gz'], true],
  ],
  [
    'where names tell nothing, the times do',
    {'app.log-20250102': 5, 'app.log.1': 6, 'app.log.2': 4},
    'app.log-20250102',
    [['app.log.1'], true],
  ],
  [
    'after a file without a rotated name, the times do',
    {'app.log.bak': 5, 'app.log.1': 6, 'app.log.2': 5},
    'app.log.bak',
    [['app.log.1'], true],
  ],
  [
    'while one is compressed, the plain file is whole',
    {'app.log.1.gz': 5, 'app.log.1': 5, 'app.log.2': 4},
    'app.log.2',
    [['app.log.1'], true],
  ],
])('files rotated after another: %s', async (_, files, holder, later) => {
  expect(await between(files, holder)).toEqual(later);
});

test('the current log is not among them, though its number counts', async () => {
  expect(await between({'app.log.1': 5, 'app.log.2': 4}, 'app.log.2', 'app.log.1')).toEqual([[], true]);
});

test('a file that is not there any more has none', async () => {
  const {at} = createFiles({'app.log': 1, 'app.log.1': 2});
  const other = await findFile(createFiles({x: 1}).at('x'));
  expect(other && findBetween(await findNeighbours(at('app.log')), other, () => false)).toEqual({
    between: [],
    isComplete: true,
  });
});

test('rotated files come oldest first: by their names, or else by their times', async () => {
  const {at, namesOf} = createFiles({'app.log': 9, 'app.log.1': 1, 'app.log.2': 2, 'app.log.bak': 3});
  const sorted = sortRotated(await findNeighbours(at('app.log')));
  expect(namesOf(sorted.map(({found}) => found))).toEqual(['app.log.2', 'app.log.1']);
  const mixed = createFiles({'app.log-20250102': 5, 'app.log.1': 6, 'app.log': 1});
  const byTime = sortRotated(await findNeighbours(mixed.at('app.log')));
  expect(mixed.namesOf(byTime.map(({found}) => found))).toEqual(['app.log-20250102', 'app.log.1']);
});
