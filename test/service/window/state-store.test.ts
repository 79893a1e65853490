import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, onTestFinished, test} from 'vitest';
import {createPassingState} from '#service/files/opened/passing-state.ts';
import type {KeptLine} from '#service/window/line-window.ts';
import {openStateStore, type StateBatch, type StateStore} from '#service/window/state-store.ts';
import type {StoredFile} from '#service/window/stored-state.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const makeFolder = (): string => {
  const folder = createTempFolder('state');
  onTestFinished(folder.remove);
  return folder.path;
};

const closeTwice = (store: StateStore) => () => {
  try {
    store.close();
  } catch {
    // The test has closed it.
  }
};

const open = (folder: string, isInMemory = false): StateStore => {
  const store = openStateStore(folder, isInMemory ? 'inMemory' : 'kept');
  onTestFinished(closeTwice(store));
  return store;
};

const line = (sequence: number, podKey = 1): KeptLine => ({
  sequence,
  podKey,
  source: {pod: 'web', stream: 'stderr'},
  stamp: 1_700_000_000_000_000_000n + BigInt(sequence),
  line: `line ${sequence}`,
});

const batchOf = (branchKey: number, parts: Partial<StateBatch> = {}): StateBatch => ({
  branchKey,
  clock: {last: 1_700_000_000_000_000_001n, highest: 1_700_000_000_000_000_009n},
  series: 'abc',
  past: {last: 0, dropped: 0, lossCount: 0, losses: []},
  changes: {added: [], removed: []},
  files: [],
  forgottenFileKeys: [],
  startedPodKeys: [],
  cursors: [],
  allLines: undefined,
  ...parts,
});

const sequences = (store: StateStore, branchKey: number) => store.readLines(branchKey).map(({sequence}) => sequence);

/** A batch that cannot be written. */
const breakLines = {changes: {added: [{...line(1), line: null as unknown as string}], removed: []}};

test('a branch keeps its key and its times; a record that changed has another time', () => {
  const folder = makeFolder();
  const store = open(folder);
  const first = store.findOrAddBranch('shop', 'master', '{"a":1}', 100);
  expect(first).toEqual({
    key: 1,
    createdAtMs: 100,
    updatedAtMs: 100,
    clock: {last: 0n, highest: 0n},
    series: expect.stringMatching(/^[0-9a-f]{16}$/),
    lastSequence: 0,
    dropped: 0,
    lossCount: 0,
    losses: [],
  });
  expect(store.findOrAddBranch('shop', 'master', '{"a":1}', 200)).toEqual(first);
  expect(store.findOrAddBranch('shop', 'master', '{"a":2}', 300)).toEqual({...first, updatedAtMs: 300});
  expect(store.findOrAddBranch('shop', 'master', '{"a":2}', 400)).toEqual({...first, updatedAtMs: 300});
  const others = [store.findOrAddBranch('shop', 'other', '', 500), store.findOrAddBranch('blog', 'master', '', 500)];
  expect(others.map(({key}) => key)).toEqual([2, 3]);
  expect(new Set([first, ...others].map(({series}) => series)).size).toBe(3);
});

test('a pod is new until its first window was looked for', () => {
  const folder = makeFolder();
  const store = open(folder);
  expect(store.findOrAddPod(1, 'web', 100)).toEqual({key: 1, createdAtMs: 100, isNew: true});
  expect(store.findOrAddPod(1, 'web', 200)).toEqual({key: 1, createdAtMs: 100, isNew: true});
  expect(store.findOrAddPod(2, 'web', 300)).toEqual({key: 2, createdAtMs: 300, isNew: true});
  store.write(batchOf(1, {startedPodKeys: [1], cursors: [{podKey: 1, cursor: 'at 5'}]}));
  store.close();
  const later = open(folder);
  expect(later.findOrAddPod(1, 'web', 400)).toEqual({key: 1, createdAtMs: 100, isNew: false});
  expect(later.findOrAddPod(2, 'web', 400)).toEqual({key: 2, createdAtMs: 300, isNew: true});
  expect([1, 2, 3].map(later.readCursor)).toEqual(['at 5', undefined, undefined]);
});

test('what was written is read again after a restart', () => {
  const folder = makeFolder();
  const store = open(folder);
  const {key} = store.findOrAddBranch('shop', 'master', '', 100);
  const losses = [
    {
      number: 3,
      count: 2,
      source: {pod: 'web'},
      podKey: 1,
      after: 1_700_000_000_000_000_002n,
      before: 1_700_000_000_000_000_003n,
      lines: 5,
      why: 'gone',
    },
    {
      number: 4,
      count: 1,
      why: 'open',
      source: undefined,
      podKey: undefined,
      after: undefined,
      before: undefined,
      lines: undefined,
    },
  ];
  const past = {last: 7, dropped: 2, lossCount: 3, losses};
  store.write(batchOf(key, {past, changes: {added: [line(2), line(1)], removed: []}}));
  store.close();
  const later = open(folder);
  expect(later.isAnew).toBe(false);
  expect(later.findOrAddBranch('shop', 'master', '', 200)).toEqual({
    key,
    createdAtMs: 100,
    updatedAtMs: 100,
    clock: {last: 1_700_000_000_000_000_001n, highest: 1_700_000_000_000_000_009n},
    series: 'abc',
    lastSequence: 7,
    dropped: 2,
    lossCount: 3,
    losses,
  });
  const [first, second] = later.readLines(key);
  expect([first, second]).toEqual([line(1), line(2)]);
  expect(first?.source).toBe(second?.source);
});

test('lines leave one by one and in runs, and all are written anew where asked to', () => {
  const store = open(makeFolder());
  store.write(batchOf(1, {changes: {added: [1, 2, 3, 4, 5, 6, 7, 8].map(number => line(number)), removed: []}}));
  store.write(batchOf(2, {changes: {added: [line(3)], removed: []}}));
  store.write(batchOf(1, {changes: {added: [line(9)], removed: [7, 3, 1, 2]}}));
  expect([sequences(store, 1), sequences(store, 2)]).toEqual([[4, 5, 6, 8, 9], [3]]);
  store.write(batchOf(1, {allLines: [line(8), line(9), line(10)], changes: {added: [line(11)], removed: [8]}}));
  expect([sequences(store, 1), sequences(store, 2)]).toEqual([[8, 9, 10], [3]]);
});

const file = (key: number, parts: Partial<StoredFile> = {}): StoredFile => ({
  key,
  podKey: 1,
  path: '/var/log/a.log',
  device: 2n ** 64n - 1n,
  inode: 2n ** 63n,
  print: {position: 5, head: Buffer.from('head'), tail: Buffer.from('tail')},
  held: {},
  stamps: {format: undefined, last: undefined, isBacklog: false},
  isFollowed: true,
  ...parts,
});

test('files are kept with their numbers of 64 bits, what is held of them, and their stamps', () => {
  const folder = makeFolder();
  const store = open(folder);
  const files = [
    file(store.nextFileKey()),
    file(store.nextFileKey(), {
      held: {stdout: {stamp: 1_700_000_000_000_000_001n, text: 'piece'}},
      stamps: {format: 'container', last: 1_700_000_000_000_000_002n, isBacklog: true},
      isFollowed: false,
    }),
    file(store.nextFileKey(), {
      stamps: {format: 'plain', last: 0n, isBacklog: false},
      held: {stderr: {stamp: 0n, text: ''}},
    }),
    file(store.nextFileKey(), {podKey: 2}),
  ];
  expect(files.map(({key}) => key)).toEqual([1, 2, 3, 4]);
  store.write(batchOf(1, {files}));
  store.close();
  const later = open(folder);
  expect([later.readFiles(1), later.readFiles(2), later.readFiles(3)]).toEqual([files.slice(0, 3), files.slice(3), []]);
  expect(later.nextFileKey()).toBe(5);
  const moved = file(1, {path: '/var/log/b.log'});
  later.write(batchOf(1, {files: [moved], forgottenFileKeys: [2, 3]}));
  expect(later.readFiles(1)).toEqual([moved]);
});

test('a batch that cannot be written leaves nothing', () => {
  const store = open(makeFolder());
  const {key} = store.findOrAddBranch('shop', 'master', '', 100);
  const added = [line(1), {...line(2), line: null as unknown as string}];
  expect(() => store.write(batchOf(key, {changes: {added, removed: []}}))).toThrow('NOT NULL');
  expect(sequences(store, key)).toEqual([]);
  store.write(batchOf(key, {changes: {added: [line(1)], removed: []}}));
  expect(sequences(store, key)).toEqual([1]);
});

test('branches and pods that left the configuration are forgotten with what they had', () => {
  const store = open(makeFolder());
  for (const id of ['a', 'b']) {
    const {key} = store.findOrAddBranch('shop', id, '', 100);
    const pods = ['web', 'php'].map(name => store.findOrAddPod(key, name, 100).key);
    const added = pods.map((pod, index) => line(index + 1, pod));
    store.write(batchOf(key, {changes: {added, removed: []}, files: pods.map(pod => file(pod, {podKey: pod}))}));
  }
  store.keepOnly(new Set([1]), new Set([1, 2, 3]));
  expect([sequences(store, 1), sequences(store, 2)]).toEqual([[1, 2], []]);
  store.keepOnly(new Set([1]), new Set([1]));
  expect([sequences(store, 1), [1, 2, 3, 4].map(pod => store.readFiles(pod).length)]).toEqual([[1], [1, 0, 0, 0]]);
  expect(store.findOrAddPod(1, 'web', 200)).toMatchObject({key: 1, createdAtMs: 100});
  expect(store.findOrAddPod(1, 'php', 200).createdAtMs).toBe(200);
  expect(store.findOrAddBranch('shop', 'b', '', 200).createdAtMs).toBe(200);
});

const marks = (folder: string) => readdirSync(folder).filter(name => name.startsWith('state.'));

test('a state that lacks what was served says so until everything is written, and is emptied if it ends so', () => {
  const folder = makeFolder();
  const store = open(folder);
  const keys = ['a', 'b'].map(id => store.findOrAddBranch('shop', id, '', 100).key);
  const [first = 0, second = 0] = keys;
  expect(marks(folder)).toEqual(['state.current']);
  for (const key of keys) {
    expect(() => store.write(batchOf(key, breakLines))).toThrow();
  }
  expect(marks(folder)).toEqual(['state.behind']);
  store.write(batchOf(first));
  expect(marks(folder)).toEqual(['state.behind']);
  store.write(batchOf(second, {changes: {added: [line(1)], removed: []}}));
  expect(marks(folder)).toEqual(['state.current']);
  expect(() => store.write(batchOf(first, breakLines))).toThrow();
  store.close();

  const later = open(folder);
  expect([later.isAnew, later.readLines(second)]).toEqual([true, []]);
  // It lacks what was served until the first window of each pod is in it.
  const {key} = later.findOrAddBranch('shop', 'a', '', 200);
  const pods = ['web', 'php'].map(name => later.findOrAddPod(key, name, 200).key);
  later.write(batchOf(key, {startedPodKeys: pods.slice(0, 1)}));
  expect(marks(folder)).toEqual(['state.behind']);
  later.write(batchOf(key, {startedPodKeys: pods.slice(1)}));
  expect(marks(folder)).toEqual(['state.current']);
  later.close();
  expect(open(folder).isAnew).toBe(false);
});

test('what leaves the configuration is not waited for', () => {
  const folder = makeFolder();
  const store = open(folder);
  const {key} = store.findOrAddBranch('shop', 'a', '', 100);
  const gone = store.findOrAddBranch('shop', 'b', '', 100).key;
  expect(() => store.write(batchOf(gone, breakLines))).toThrow();
  store.close();
  const later = open(folder);
  later.findOrAddBranch('shop', 'a', '', 100);
  const pod = later.findOrAddPod(key, 'web', 200).key;
  const leaving = later.findOrAddBranch('shop', 'b', '', 100).key;
  later.findOrAddPod(leaving, 'web', 200);
  expect(() => later.write(batchOf(leaving, breakLines))).toThrow();
  later.keepOnly(new Set([key]), new Set([pod]));
  later.write(batchOf(key, {startedPodKeys: [pod]}));
  expect(marks(folder)).toEqual(['state.current']);
});

test('a state in memory writes nothing but that the one on disk is behind', () => {
  const folder = makeFolder();
  const fresh = open(folder, true);
  expect([fresh.isAnew, marks(folder)]).toEqual([false, ['state.behind']]);
  const {key} = fresh.findOrAddBranch('shop', 'a', '', 100);
  const pod = fresh.findOrAddPod(key, 'web', 100).key;
  fresh.write(batchOf(key, {changes: {added: [line(1)], removed: []}, startedPodKeys: [pod]}));
  expect([sequences(fresh, key), readdirSync(folder)]).toEqual([[1], ['state.behind']]);
  const other = makeFolder();
  open(other).close();
  expect([open(other, true).isAnew, marks(other)]).toEqual([true, ['state.behind']]);
});

test('a state whose values are of another type is refused', () => {
  const folder = makeFolder();
  const store = open(folder);
  const {key} = store.findOrAddBranch('shop', 'a', '', 100);
  store.write(batchOf(key, {files: [file(1)], changes: {added: [line(1)], removed: []}}));
  store.close();
  const refuses = (sql: string, column: string) => {
    const database = new DatabaseSync(join(folder, 'lines.sqlite'));
    database.exec(sql);
    database.close();
    const damaged = openStateStore(folder);
    expect(() => {
      damaged.findOrAddBranch('shop', 'a', '', 100);
      damaged.readFiles(1);
      damaged.readLines(key);
    }).toThrow(`its column ${column} is damaged`);
    damaged.close();
  };
  refuses("UPDATE line SET stamp = 'soon'", 'stamp');
  refuses("UPDATE file SET head = 'text'", 'head');
  refuses("UPDATE file SET path = x'00'", 'path');
  refuses("UPDATE branch SET losses = '{}'", 'losses');
});

test('a state that keeps nothing has keys and series, and nothing to read', () => {
  const state = createPassingState();
  const [first, second] = [state.findOrAddBranch('s', 'a', '', 5), state.findOrAddBranch('s', 'a', '', 6)];
  expect(first).toMatchObject({key: 1, createdAtMs: 5, updatedAtMs: 5, lastSequence: 0, dropped: 0, lossCount: 0});
  expect([first.series, second.series].map(series => /^[0-9a-f]{16}$/.test(series))).toEqual([true, true]);
  expect(first.series).not.toBe(second.series);
  expect(state.findOrAddPod(1, 'web', 7)).toEqual({key: 3, createdAtMs: 7, isNew: true});
  expect([state.isAnew, second.key, state.nextFileKey(), state.nextFileKey()]).toEqual([false, 2, 4, 5]);
  state.write(batchOf(1, {changes: {added: [line(1)], removed: []}, files: [file(1)]}));
  expect([state.readLines(1), state.readFiles(1), state.readCursor(1)]).toEqual([[], [], undefined]);
});
