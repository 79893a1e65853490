import {mkdirSync, truncateSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, onTestFinished, test} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import type {Arrivals} from '#log/window/window-claims.ts';
import type {Backend} from '#service/backend/backend.ts';
import {createFollowedFile} from '#service/files/pod/followed-file.ts';
import {createLineSink} from '#service/window/line-sink.ts';
import {openStateStore, type StateStore} from '#service/window/state-store.ts';
import {createTempFolder} from '../../support/temp-folder.ts';
import {waitFor} from '../../support/wait-for.ts';
import {createLogFolder, readOpened, readTexts, testNowMs, waitForTexts} from '../files/pod-backend.ts';

/** Waits until so many lines have arrived. */
const readArrivals = (backend: Backend, last: number): Promise<Arrivals> =>
  waitFor(
    async () => {
      const arrivals = (await readOpened(backend, 'b'))?.arrivals;
      return arrivals !== undefined && arrivals.last >= last && arrivals;
    },
    {what: `line ${last}`},
  );

const texts = (lines: readonly string[]): readonly string[] => lines.map(line => line.slice(31));

test('the first window misses nothing, and a burst longer than the window shows what left before it was shown', async () => {
  const folder = createLogFolder();
  folder.append('a.log', 'one\ntwo\n');
  const backend = await folder.open({web: ['a.log']}, {windowLines: 3});
  const first = await readArrivals(backend, 2);
  expect(first).toEqual({series: expect.stringMatching(/^[0-9a-f]{16}$/), last: 2, dropped: 0});
  folder.append('a.log', '3\n4\n5\n');
  expect(await readArrivals(backend, 5)).toEqual({series: first.series, last: 5, dropped: 2});
  folder.append('a.log', '6\n7\n8\n9\n');
  expect(await readArrivals(backend, 9)).toEqual({series: first.series, last: 9, dropped: 6});
});

test('where pods are cut on their own, a line of any pod that left counts', async () => {
  const folder = createLogFolder();
  folder.append('a.log', '1\n');
  folder.append('b.log', 'b\n');
  const backend = await folder.open({web: ['a.log'], php: ['b.log']}, {windowLines: 2, windowPerPod: true});
  folder.append('a.log', '2\n3\n4\n');
  await readArrivals(backend, 5);
  expect(await readTexts(backend)).toEqual(['b', '3', '4']);
  const window = await readOpened(backend, 'b');
  expect([window?.cut, window?.arrivals?.last, window?.arrivals?.dropped]).toEqual(['pod', 5, 3]);
});

test('two branches have series of their own', async () => {
  const folder = createLogFolder();
  const store = openStateStore(join(folder.path, 'state'));
  const [one, two] = [store.findOrAddBranch('s', '1', '', 0), store.findOrAddBranch('s', '2', '', 0)];
  expect(one.series).not.toBe(two.series);
  expect(store.findOrAddBranch('s', '1', '', 0).series).toBe(one.series);
  store.keepOnly(new Set([two.key]), new Set());
  // Its numbers begin anew, so they must not be compared with the old ones.
  expect(store.findOrAddBranch('s', '1', '', 0).series).not.toBe(one.series);
  store.close();
});

test('a restart goes on with the same series and numbers', async () => {
  const folder = createLogFolder();
  folder.append('a.log', '1\n2\n3\n4\n');
  const first = await folder.open({web: ['a.log']}, {windowLines: 2});
  const before = await readArrivals(first, 2);
  await first.close();
  const second = await folder.open({web: ['a.log']}, {windowLines: 2});
  expect(await readArrivals(second, 2)).toEqual(before);
  folder.append('a.log', '5\n');
  expect(await readArrivals(second, 3)).toEqual({...before, last: before.last + 1, dropped: before.last - 1});
});

test('a restart with a smaller window, or without a pod, tells that lines are gone', async () => {
  const folder = createLogFolder();
  folder.append('a.log', '1\n2\n');
  folder.append('b.log', '3\n4\n');
  const first = await folder.open({web: ['a.log'], php: ['b.log']}, {});
  await readArrivals(first, 4);
  await first.close();
  const third = await folder.open({web: ['a.log'], php: ['b.log']}, {windowLines: 3});
  expect(await readArrivals(third, 4)).toMatchObject({last: 4, dropped: 1});
  await third.close();
  const fourth = await folder.open({web: ['a.log']}, {windowLines: 3});
  expect(await readArrivals(fourth, 4)).toMatchObject({last: 4, dropped: 4});
});

const createSink = (store: StateStore, onWarn: (message: string) => void = () => {}) => {
  const branch = store.findOrAddBranch('s', 'b', '', testNowMs);
  const pod = store.findOrAddPod(branch.key, 'web', testNowMs);
  const sink = createLineSink({
    store,
    branch,
    pods: new Map([[pod.key, {name: 'web'}]]),
    windowLines: 10,
    windowPerPod: false,
    now: () => instantFromMs(testNowMs),
    warn: onWarn,
  });
  return {sink, pod, branch};
};

const createState = () => {
  const folder = createTempFolder('state');
  onTestFinished(() => folder.remove());
  return join(folder.path, 'state');
};

const createFile = async (store: StateStore, podKey: number) => {
  const handle = await open('/dev/null');
  onTestFinished(() => handle.close());
  const found = {path: '/a.log', device: 1n, inode: 1n};
  return createFollowedFile({key: store.nextFileKey(), podKey}, found, handle);
};

test('a loss leaves all lines where they are, takes a number of the header, and survives a restart', async () => {
  const state = createState();
  const store = openStateStore(state);
  const {sink, pod, branch} = createSink(store);
  const file = await createFile(store, pod.key);
  sink.take(file, ['one', 'two']);
  expect(texts(sink.show().lines)).toEqual(['one', 'two']);
  sink.take(file, ['three']);
  sink.noteLoss(file, 'it was emptied');
  sink.take(file, ['four']);
  const {lines, arrivals, numbering} = sink.show();
  expect(texts(lines)).toEqual(['one', 'two', 'three', 'four']);
  const loss = {
    source: 0,
    after: instantFromMs(testNowMs) + 2n,
    before: instantFromMs(testNowMs) + 3n,
    number: 4,
    why: 'it was emptied',
  };
  expect(numbering).toEqual({
    series: branch.series,
    first: 1,
    runs: [[0, 4]],
    sources: [{pod: 'web'}],
    losses: [loss],
  });
  expect(arrivals).toEqual({series: branch.series, last: 5, dropped: 4});
  store.close();
  const again = openStateStore(state);
  const restarted = createSink(again).sink;
  expect(restarted.show()).toEqual({lines, arrivals, numbering});
  restarted.noteLoss(file, 'it was emptied again');
  // No line follows yet: its number is the one that the next line will get.
  const after = {series: branch.series, last: 4};
  const open = {source: 0, after: instantFromMs(testNowMs) + 3n, number: 5, why: 'it was emptied again'};
  expect(restarted.show(after).numbering).toMatchObject({first: 5, losses: [open]});
  again.close();
  const third = openStateStore(state);
  const last = createSink(third).sink;
  expect(last.show().arrivals).toEqual({series: branch.series, last: 6, dropped: 6});
  expect(last.show().numbering.losses).toEqual([loss, open]);
  last.take(file, ['five']);
  expect(last.show(after)).toMatchObject({lines: [expect.stringContaining('five')], numbering: {first: 5}});
  third.close();
});

test('a branch that lost its pods and got them back tells that all is gone', async () => {
  const state = createState();
  const store = openStateStore(state);
  const {sink, pod, branch} = createSink(store);
  sink.take(await createFile(store, pod.key), ['one', 'two']);
  store.keepOnly(new Set([branch.key]), new Set());
  expect(createSink(store).sink.show()).toMatchObject({
    lines: [],
    arrivals: {series: branch.series, last: 2, dropped: 2},
  });
  store.close();
});

test('only a first window is put in order by times that lines have of their own', async () => {
  const store = openStateStore(createState());
  const {sink, pod} = createSink(store);
  const old = ['2024-12-30T10:00:00Z old'];
  const isPlaced = (lines: readonly string[]) => sink.isPlacedByTime(pod.key, Buffer.from(lines.join('\n')), lines);
  expect([isPlaced(old), isPlaced(['no time']), isPlaced(['2025-01-01T00:01:00Z ahead'])]).toEqual([
    true,
    false,
    false,
  ]);
  sink.window.endGathering();
  expect(isPlaced(old)).toBe(false);
  store.close();
});

test('numbers go on in a new series while the state cannot be written, which stays once it can', async () => {
  const store = openStateStore(createState());
  const warnings: string[] = [];
  let isBroken = true;
  const write: StateStore['write'] = batch => {
    if (isBroken) {
      throw new Error('disk full');
    }
    store.write(batch);
  };
  const {sink, pod, branch} = createSink({...store, write}, message => warnings.push(message));
  const file = await createFile(store, pod.key);
  sink.take(file, ['one']);
  const {lines, arrivals, numbering} = sink.show();
  expect([texts(lines), arrivals.last, numbering.first, warnings.length]).toEqual([['one'], 1, 1, 1]);
  expect([arrivals.series, numbering.series]).not.toContain(branch.series);
  sink.take(file, ['two']);
  // A reader goes on where it was.
  expect(sink.show({series: arrivals.series, last: 1})).toMatchObject({
    lines: [expect.stringContaining('two')],
    numbering: {series: arrivals.series, first: 2},
  });
  expect(store.findOrAddBranch('s', 'b', '', testNowMs).series).toBe(branch.series);
  isBroken = false;
  sink.take(file, ['three']);
  expect(sink.show().arrivals).toEqual({series: arrivals.series, last: 3, dropped: 0});
  const stored = store.findOrAddBranch('s', 'b', '', testNowMs);
  expect([stored.series, stored.lastSequence]).toEqual([arrivals.series, 3]);
  expect(store.readLines(stored.key)).toHaveLength(3);
  isBroken = true;
  sink.take(file, ['four']);
  expect(sink.show().arrivals.series).not.toBe(arrivals.series);
  store.close();
});

const versionOne = `
  CREATE TABLE branch (
    key INTEGER PRIMARY KEY, site TEXT NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL,
    created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, last_stamp INTEGER NOT NULL, UNIQUE (site, id)
  );
  CREATE TABLE pod (
    key INTEGER PRIMARY KEY, branch INTEGER NOT NULL, name TEXT NOT NULL,
    created_ms INTEGER NOT NULL, is_started INTEGER NOT NULL, UNIQUE (branch, name)
  );
  CREATE TABLE file (
    key INTEGER PRIMARY KEY, pod INTEGER NOT NULL, path TEXT NOT NULL, device TEXT NOT NULL, inode TEXT NOT NULL,
    position INTEGER NOT NULL, head BLOB NOT NULL, tail BLOB NOT NULL, held TEXT NOT NULL, is_followed INTEGER NOT NULL
  );
  CREATE TABLE line (
    sequence INTEGER PRIMARY KEY, branch INTEGER NOT NULL, pod INTEGER NOT NULL, stamp INTEGER NOT NULL, line TEXT NOT NULL
  );
  INSERT INTO branch VALUES (1, 's', 'b', '', 5, 6, 1735689600000000000);
  INSERT INTO pod VALUES (1, 1, 'web', 5, 1);
  INSERT INTO file VALUES (1, 1, '/a.log', '1', '2', 4, x'6f6e650a', x'6f6e650a', '{}', 1);
  INSERT INTO line VALUES (7, 1, 1, 1735689600000000000, '2025-01-01T00:00:00.000000000Z one');
  INSERT INTO line VALUES (8, 2, 2, 1735689600000000000, '2025-01-01T00:00:00.000000000Z of another branch');
  INSERT INTO line VALUES (9, 1, 1, 1735689600000000000, '2025-01-01T00:00:00.000000000Z two');
  PRAGMA user_version = 1;
`;

test('a state of the version before is taken over with its lines and files', () => {
  const state = createState();
  mkdirSync(state);
  const database = new DatabaseSync(join(state, 'lines.sqlite'));
  database.exec(versionOne);
  database.close();
  const store = openStateStore(state);
  const {sink, branch, pod} = createSink(store);
  expect(branch.clock).toEqual({last: instantFromMs(testNowMs), highest: instantFromMs(testNowMs)});
  // Lines were numbered over all branches, so they get new numbers in a new series.
  expect(sink.show()).toEqual({
    lines: ['2025-01-01T00:00:00.000000000Z one', '2025-01-01T00:00:00.000000000Z two'],
    arrivals: {series: expect.stringMatching(/^[0-9a-f]{16}$/), last: 2, dropped: 0},
    numbering: {
      series: expect.stringMatching(/^[0-9a-f]{16}$/),
      first: 1,
      runs: [[0, 2]],
      sources: [{pod: 'web'}],
      losses: [],
    },
  });
  expect(store.readFiles(pod.key)).toMatchObject([
    {path: '/a.log', isFollowed: true, stamps: {format: undefined, last: undefined, isBacklog: false}},
  ]);
  expect(store.readCursor(pod.key)).toBeUndefined();
  sink.store({cursors: [{podKey: pod.key, cursor: 's=1;i=2'}]});
  expect(store.readCursor(pod.key)).toBe('s=1;i=2');
  store.close();
});

test('a state of a version to come is refused', () => {
  const state = createState();
  mkdirSync(state);
  const database = new DatabaseSync(join(state, 'lines.sqlite'));
  database.exec('PRAGMA user_version = 99');
  database.close();
  expect(() => openStateStore(state)).toThrow('another version of the program wrote it');
});

test('a reader goes on over a restart, and a rotation is a loss of its own file only', async () => {
  const folder = createLogFolder();
  folder.append('a.log', 'a1\n');
  folder.append('b.log', '');
  const pods = {web: ['a.log', 'b.log']};
  const first = await folder.open(pods);
  await readArrivals(first, 1);
  // Only now: files are read side by side, so which of two lines comes first is up to the disk.
  folder.append('b.log', 'b1\n');
  const {series} = await readArrivals(first, 2);
  await first.close();
  truncateSync(join(folder.path, 'log/a.log'));
  folder.append('a.log', 'other, and longer than before\n');
  const second = await folder.open(pods);
  await readArrivals(second, 3);
  const window = await readOpened(second, 'b', {series, last: 2});
  expect(texts(window?.lines ?? [])).toEqual(['other, and longer than before']);
  expect(window?.numbering).toMatchObject({
    series,
    first: 3,
    sources: [{pod: 'web', stream: 'a.log'}],
    losses: [{source: 0, number: 3, why: 'a.log was truncated or rewritten, and no copy of its old content was found'}],
  });
  expect(await readTexts(second)).toEqual(['a1', 'b1', 'other, and longer than before']);
});

test('container files name their container and the stream of each line', async () => {
  const folder = createLogFolder();
  const log = 'pods/shop_web-1_0f8fad5b-d9cb-469f-a165-70867728950e/nginx';
  mkdirSync(join(folder.path, 'log', log), {recursive: true});
  folder.append(`${log}/0.log`, '2024-12-31T00:00:01Z stdout F one\n2024-12-31T00:00:02Z stderr F two\n');
  const backend = await folder.open({web: [`${log}/0.log`, 'b.log']});
  await waitForTexts(backend, 2);
  const window = await readOpened(backend, 'b');
  expect(window?.numbering).toMatchObject({
    runs: [
      [0, 1],
      [1, 1],
    ],
    sources: [
      {pod: 'web', container: 'nginx', stream: 'stdout'},
      {pod: 'web', container: 'nginx', stream: 'stderr'},
    ],
  });
});
