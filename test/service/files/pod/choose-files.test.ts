import {type FileHandle, open} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {type FoundFile, findFile, identifyFile} from '#service/files/disk/find-files.ts';
import {
  chooseFiles,
  completePassed,
  createCrowdNote,
  createFoundNames,
  createKnownFiles,
  followedFilesMax,
  noteFoundNames,
  openFilesMax,
  passOver,
} from '#service/files/pod/choose-files.ts';
import {createFileOpenings, createTroubledFiles} from '#service/files/pod/file-openings.ts';
import {findFirstPosition} from '#service/files/pod/first-position.ts';
import {createFollowedFile, storeFile} from '#service/files/pod/followed-file.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';

const found = (inode: number, parts: Partial<FoundFile> = {}): FoundFile => ({
  path: `/logs/${inode}.log`,
  device: 1n,
  inode: BigInt(inode),
  sizeBytes: 10,
  modifiedMs: inode,
  bornNs: 5n,
  ...parts,
});

const byIdentity = (files: readonly FoundFile[]): ReadonlyMap<string, FoundFile> =>
  new Map(files.map(file => [identifyFile(file), file]));

test('files with something unread come first, the longest waiting before others, and of those read the latest', () => {
  const sizes: Readonly<Record<string, number>> = {'1:1': 10, '1:3': 9, '1:4': 10};
  const files = [found(4), found(2), found(3), found(1), found(5, {sizeBytes: 0})];
  expect([...chooseFiles(byIdentity(files), identity => sizes[identity])]).toEqual(['1:2', '1:3', '1:5', '1:4', '1:1']);
});

test('files of one time come by name', () => {
  const files = [found(2, {modifiedMs: 1}), found(1)];
  expect([...chooseFiles(byIdentity(files), () => undefined)]).toEqual(['1:1', '1:2']);
});

test('1,024 files are followed, and three times as many may be open', () => {
  const files = Array.from({length: 1_025}, (_, index) => found(index + 1));
  const chosen = chooseFiles(byIdentity(files), () => undefined);
  expect([chosen.size, chosen.has('1:1025'), followedFilesMax, openFilesMax]).toEqual([1_024, false, 1_024, 3_072]);
});

test('that files are not followed is told once, and again when they are more than twice as many', () => {
  const told: string[] = [];
  const note = createCrowdNote('web', message => told.push(message));
  for (const count of [1_024, 1_025, 1_026, 1_027, 1_029, 1_030]) {
    note(count, 1_024);
  }
  expect(told).toEqual([
    'web has 1025 files: only 1024 are followed at a time, the other 1 once they are written again.',
    'web has 1027 files: only 1024 are followed at a time, the other 3 once they are written again.',
  ]);
});

const openWith = async (text: string): Promise<{readonly handle: FileHandle; readonly path: string}> => {
  const folder = createTempFolder('pod');
  const path = join(folder.path, 'a.log');
  const handle = await open(path, 'w+');
  onTestFinished(async () => {
    await handle.close();
    folder.remove();
  });
  await handle.write(text, 0);
  return {handle, path};
};

test('a file that was passed over is known from its last whole line on, once it is opened', async () => {
  const {handle} = await openWith('one\ntwo\nthr');
  const passed = passOver(7, 2, found(1, {sizeBytes: 11}));
  expect(passed).toMatchObject({
    key: 7,
    podKey: 2,
    path: '/logs/1.log',
    device: 1n,
    inode: 1n,
    isFollowed: false,
    print: {position: 11},
  });
  expect((await completePassed(handle, passed)).print).toEqual({
    position: 8,
    head: Buffer.from('one\ntwo\n'),
    tail: Buffer.from('one\ntwo\n'),
  });
  const shorter = passOver(7, 2, found(1, {sizeBytes: 12}));
  expect(await completePassed(handle, shorter)).toBe(shorter);
  const unread = passOver(7, 2, found(1, {sizeBytes: 0}));
  expect(await completePassed(handle, unread)).toBe(unread);
  const known = {...passed, print: {position: 8, head: Buffer.from('x'), tail: Buffer.from('x')}};
  expect(await completePassed(handle, known)).toBe(known);
});

test('names are noted as they were found: those that went, were changed, or are no longer wanted', async () => {
  const {handle} = await openWith('');
  const follow = (inode: number) => createFollowedFile({key: inode, podKey: 1}, found(inode), handle);
  const [same, renamed, gone] = [follow(1), follow(2), follow(3)];
  const renamesSince = async () => [];
  const note = (files: readonly FoundFile[], wanted: readonly string[], nowMs: number) =>
    noteFoundNames([same, renamed, gone], byIdentity(files), new Set(wanted), {nowMs, renamesSince});
  note([found(1), found(2, {path: '/logs/2.log.1'})], ['1:1'], 9);
  expect(same).toMatchObject({isNamed: true, isRenamed: false, isCrowdedOut: false, changedAtMs: 0, renamesSince});
  expect(renamed).toMatchObject({
    isNamed: true,
    isRenamed: true,
    isCrowdedOut: true,
    changedAtMs: 9,
    renamesSince: undefined,
  });
  expect(gone).toMatchObject({
    isNamed: false,
    isRenamed: false,
    isCrowdedOut: false,
    changedAtMs: 9,
    renamesSince: undefined,
  });
  note([found(1), found(2, {path: '/logs/2.log.1'}), found(3)], [], 20);
  expect([renamed.changedAtMs, gone.changedAtMs, gone.isNamed, same.isCrowdedOut]).toEqual([9, 20, true, true]);
});

test('a followed file begins with nothing, or with what is known of it under its first name', async () => {
  const {handle, path} = await openWith('one\n');
  const file = await findFile(path);
  const fresh = createFollowedFile({key: 1, podKey: 2}, file ?? expect.unreachable(), handle);
  expect(fresh).toMatchObject({
    path,
    isText: false,
    isProven: false,
    isRenamed: false,
    isNamed: true,
    bornNs: file?.bornNs,
  });
  const stored = {
    ...storeFile(fresh, true),
    path: '/logs/first.log',
    print: {position: 4, head: Buffer.from('one\n'), tail: Buffer.from('one\n')},
  };
  expect(createFollowedFile({key: 1, podKey: 2}, file ?? expect.unreachable(), handle, stored)).toMatchObject({
    path: '/logs/first.log',
    names: {file: 'first.log'},
    print: {position: 4},
    isText: true,
    isProven: true,
    isRenamed: true,
  });
  const unread = {...stored, path, print: {...stored.print, position: 0}};
  expect(createFollowedFile({key: 1, podKey: 2}, file ?? expect.unreachable(), handle, unread)).toMatchObject({
    isText: false,
    isProven: true,
    isRenamed: false,
  });
});

test('files that cannot be read are told together, and those that are gone are forgotten', () => {
  let nowMs = 5;
  const troubles = createTroubledFiles(() => nowMs);
  expect(troubles.describe(() => true)).toBeUndefined();
  troubles.note(found(1), {why: 'permission denied'});
  nowMs = 9;
  troubles.note(found(1), {predecessorKey: 4});
  troubles.note(found(2), {why: 'i/o error', sinceMs: 1});
  expect(troubles.find(found(1))).toEqual({
    path: '/logs/1.log',
    why: 'permission denied',
    sinceMs: 5,
    bornNs: undefined,
    predecessorKey: 4,
    stored: undefined,
  });
  expect(troubles.describe(() => true)).toBe('1.log and 1 more cannot be read (permission denied)');
  expect(troubles.describe(({sinceMs}) => sinceMs < 5)).toBe('2.log cannot be read (i/o error)');
  expect(troubles.takeGone(byIdentity([found(2)])).map(({path}) => path)).toEqual(['/logs/1.log']);
  expect([troubles.find(found(1)), troubles.find(found(2))?.why]).toEqual([undefined, 'i/o error']);
  troubles.forget(found(2));
  expect(troubles.describe(() => true)).toBeUndefined();
});

test('a known file is found by its identity, its key and its path, until it is forgotten', () => {
  const known = createKnownFiles();
  const stored = (key: number, inode: number, path = '/logs/a.log') => ({...passOver(key, 1, found(inode)), path});
  known.remember(stored(1, 1), {hasEnded: true, bornNs: 5n});
  known.remember(stored(2, 2), {isUnread: true});
  // The inode of the first is used again.
  known.remember(stored(3, 1, '/logs/b.log'));
  expect([known.find(found(1))?.key, known.find(found(2))?.key, known.find(found(9))]).toEqual([3, 2, undefined]);
  expect([known.keysAt('/logs/a.log'), known.keysAt('/logs/x.log'), known.all().length]).toEqual([[1, 2], [], 3]);
  expect([known.hasEnded(1), known.hasEnded(2), known.isUnread(1), known.isUnread(2)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect([known.isOtherThan(found(1), stored(1, 1)), known.isOtherThan(found(1, {bornNs: 6n}), stored(1, 1))]).toEqual([
    false,
    true,
  ]);
  expect(known.isOtherThan(found(1, {bornNs: 6n}), stored(2, 1))).toBe(false);
  known.remember(stored(2, 2));
  expect(known.isUnread(2)).toBe(false);
  known.forget(stored(1, 1));
  expect([known.find(found(1))?.key, known.hasEnded(1), known.withKey(1), known.keysAt('/logs/a.log')]).toEqual([
    3,
    false,
    undefined,
    [2],
  ]);
  expect(known.isOtherThan(found(1, {bornNs: 6n}), stored(1, 1))).toBe(false);
  known.forget(stored(3, 1, '/logs/b.log'));
  expect([known.find(found(1)), known.keysAt('/logs/b.log'), known.forgetOldest()]).toEqual([undefined, [], []]);
});

test('folders are those of the patterns, of the files and of what they lead to', async () => {
  const names = createFoundNames(['/logs/*.log', '/data/a.log'], 1);
  expect([...names.folders()]).toEqual(['/logs', '/data']);
  await names.update(byIdentity([found(1, {path: '/logs/x/1.log'}), found(2, {path: '/logs/y/2.log'})]));
  expect([...names.folders()].toSorted()).toEqual(['/data', '/logs', '/logs/x', '/logs/y']);
  expect([names.has('/logs/x/1.log'), names.has('/logs/1.log')]).toEqual([true, false]);
  const before = names.folders();
  await names.update(byIdentity([found(1, {path: '/logs/x/1.log'}), found(2, {path: '/logs/y/2.log'})]));
  expect(names.folders()).toBe(before);
  await names.update(byIdentity([found(1, {path: '/logs/x/1.log'})]));
  expect([names.folders() === before, names.has('/logs/y/2.log')]).toEqual([false, false]);
  await names.update(byIdentity([found(3, {path: '/logs/x/1.log'})]));
  expect(names.has('/logs/x/1.log')).toBe(true);
});

const openings = () => {
  const log: string[] = [];
  const warnings: string[] = [];
  const troubles = createTroubledFiles(() => 0);
  const handleOf = (path: string) =>
    ({close: async () => void log.push(`closed ${path}`), path}) as unknown as FileHandle;
  const made = createFileOpenings({
    without: 'pod web is served without it',
    openFile: async path => {
      log.push(`opened ${path}`);
      if (path.includes('bad')) {
        throw new Error('EACCES: permission denied, open');
      }
      return handleOf(path);
    },
    troubles,
    warn: message => warnings.push(message),
  });
  return {...made, log, warnings, troubles};
};

test('files are opened ahead of those who take them, and closed where nobody did', async () => {
  const {each, open: openOne, log} = openings();
  const files = [found(1), found(2), found(3)];
  await each(files, async file => {
    log.push(`turn of ${file.inode}`);
    if (file.inode !== 2n) {
      await openOne(file, async () => undefined);
    }
  });
  expect(log).toEqual([
    'opened /logs/1.log',
    'opened /logs/2.log',
    'opened /logs/3.log',
    'turn of 1',
    'turn of 2',
    'closed /logs/2.log',
    'turn of 3',
  ]);
});

test('thirty-two are opened ahead, and none while there is no room', async () => {
  const {each, log} = openings();
  const files = Array.from({length: 33}, (_, index) => found(index + 1));
  const openedAt: number[] = [];
  await each(files, async () => void openedAt.push(log.filter(entry => entry.startsWith('opened')).length));
  expect([openedAt[0], openedAt[31], openedAt[32]]).toEqual([32, 32, 33]);
  const full = openings();
  await full.each(
    files,
    async () => undefined,
    () => true,
  );
  expect(full.log).toEqual([]);
});

test('a file that cannot be opened or begun is told, and stops no other', async () => {
  const {open: openOne, log, warnings, troubles} = openings();
  expect(await openOne(found(1, {path: '/logs/bad.log'}), async () => 'begun')).toBe('unreadable');
  expect(await openOne(found(2), async () => 'begun')).toBe('begun');
  expect(
    await openOne(found(3), async () => {
      throw new Error('EIO: i/o error, read');
    }),
  ).toBe('unreadable');
  expect(warnings).toEqual([
    '/logs/bad.log cannot be read (permission denied): pod web is served without it.',
    '/logs/3.log cannot be read (i/o error): pod web is served without it.',
  ]);
  expect(log.filter(entry => entry.startsWith('closed'))).toEqual(['closed /logs/3.log']);
  expect([troubles.find(found(1))?.why, troubles.find(found(3))?.why]).toEqual(['permission denied', 'i/o error']);
});

test('at the first start, lines with times are read as far as a window goes, and others as far as their share', async () => {
  const {handle} = await openWith('one\ntwo\nthree\nfour\n');
  const heads: string[] = [];
  const isPlacedByTime = (head: Buffer): boolean => heads.push(String(head)) > 0;
  expect(await findFirstPosition(handle, {stampedLines: 1, windowLines: 3, isPlacedByTime})).toEqual({
    position: 4,
    stampedLines: 0,
  });
  expect(heads).toEqual(['one\ntwo\nthree\nfour\n']);
  expect(await findFirstPosition(handle, {stampedLines: 1, windowLines: 3})).toEqual({position: 14, stampedLines: 1});
  expect(await findFirstPosition(handle, {stampedLines: 9, windowLines: 3})).toEqual({position: 0, stampedLines: 4});
  const {handle: empty} = await openWith('');
  expect(await findFirstPosition(empty, {stampedLines: 1, windowLines: 3, isPlacedByTime})).toEqual({
    position: 0,
    stampedLines: 0,
  });
  expect(heads).toHaveLength(1);
});
