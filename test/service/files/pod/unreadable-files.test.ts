import {execFileSync} from 'node:child_process';
import {chmodSync, chownSync, mkdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {createNamedFiles} from '#service/files/disk/named-files.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';
import {follow, numbered, range} from '../follow-log.ts';

const isRoot = process.getuid?.() === 0;

/**
 * Takes the right to read a file from the service, or gives it back. Root may read all, but not what another put into a
 * folder where others may write.
 */
const permit = (path: string, isPermitted: boolean): void => {
  if (isRoot) {
    chmodSync(dirname(path), 0o775);
    chownSync(path, isPermitted ? 0 : 4242, 0);
  } else {
    chmodSync(path, isPermitted ? 0o600 : 0);
  }
};

const failReads = async (path: string, count: number): Promise<void> => {
  const probe = await open(path);
  const read = vi.spyOn(Object.getPrototypeOf(probe), 'read');
  await probe.close();
  onTestFinished(() => read.mockRestore());
  for (let fault = 0; fault < count; fault += 1) {
    read.mockRejectedValueOnce(Object.assign(new Error('ESTALE: stale file handle, read'), {code: 'ESTALE'}));
  }
};

/** Replaces the log with one that may not be read, as a rotation with a wrong mode does. */
const rotateUnreadable = (log: Awaited<ReturnType<typeof follow>>, text: string): void => {
  renameSync(log.path, log.beside('a.log.1'));
  writeFileSync(log.path, text);
  permit(log.path, false);
};

/** Removes the rotated log, and puts a file with its inode that may not be read in place of the log, if it can. */
const reuseInode = (log: Awaited<ReturnType<typeof follow>>, inode: number, text: string): boolean => {
  const {birthtimeNs} = statSync(log.beside('a.log.1'), {bigint: true});
  const probes = Array.from({length: 2_000}, (_, index) => log.beside(`probe ${index}`));
  rmSync(log.beside('a.log.1'));
  const found = probes.find(probe => {
    writeFileSync(probe, text);
    return statSync(probe).ino === inode;
  });
  if (found !== undefined && statSync(found, {bigint: true}).birthtimeNs > birthtimeNs) {
    renameSync(log.path, log.beside('a.log.1'));
    renameSync(found, log.path);
    permit(log.path, false);
  }
  for (const probe of probes) {
    rmSync(probe, {force: true});
  }
  return statSync(log.path).ino === inode;
};

/**
 * Puts another file in place of the log, perhaps with the same inode: the two are told apart by when they were made,
 * which the kernel knows to a tick of its clock.
 */
const replaceByAnother = (log: Awaited<ReturnType<typeof follow>>, text: string): void => {
  const bornNs = (path: string): bigint => statSync(path, {bigint: true}).birthtimeNs;
  const [before, probe] = [bornNs(log.path), log.beside('probe')];
  do {
    rmSync(probe, {force: true});
    writeFileSync(probe, '');
  } while (bornNs(probe) === before);
  rmSync(probe);
  rmSync(log.path);
  writeFileSync(log.path, text);
};

test('a log that may not be read for a while is told as unreadable, and nothing of it is lost', async () => {
  const log = await follow(numbered(0, 20));
  await log.look();
  log.append(numbered(20, 25));
  rotateUnreadable(log, numbered(25, 40));
  expect(await log.look()).toEqual(range(0, 25));
  const told = await log.unreadable();
  expect(told).toMatchObject({pods: 1, of: 1, why: expect.stringMatching(/^a\.log cannot be read \(/)});
  // The same object as long as nothing changes: bodies are formatted once.
  await log.look();
  expect(await log.unreadable()).toBe(told);
  permit(log.path, true);
  expect(await log.look()).toEqual(range(0, 40));
  expect(await log.unreadable()).toBeUndefined();
  expect(await log.losses()).toEqual([]);
});

test('a log whose name leads to no file is not quiet, once a rotation would be over', async () => {
  const log = await follow(numbered(0, 20));
  await log.look();
  rmSync(log.path);
  await log.lookAgain();
  expect(await log.unreadable()).toBeUndefined();
  await log.look();
  await log.look();
  expect(await log.unreadable()).toEqual({pods: 1, of: 1, why: 'there is no file a.log'});
  mkdirSync(log.path);
  await log.look();
  expect(await log.unreadable()).toEqual({pods: 1, of: 1, why: 'a.log is a folder, not a file'});
  rmdirSync(log.path);
  execFileSync('mkfifo', [log.path]);
  await log.look();
  expect(await log.unreadable()).toEqual({pods: 1, of: 1, why: 'a.log is a FIFO, not a file'});
  rmSync(log.path);
  writeFileSync(log.path, numbered(20, 30));
  expect(await log.look()).toEqual(range(0, 30));
  expect(await log.unreadable()).toBeUndefined();
});

test('of several names, those that never led to a file are not missed, unless none does', async () => {
  let nowMs = 0;
  const {path: folder, remove} = createTempFolder();
  onTestFinished(remove);
  const [log, errors] = ['a.log', 'error-*.log'].map(name => join(folder, name)) as [string, string];
  writeFileSync(log, '');
  const faultOf = async (files: readonly string[]) => {
    const names = createNamedFiles(
      {name: 'web', without: '', files},
      () => undefined,
      () => nowMs,
    );
    await names.find();
    nowMs += 4_999;
    const early = names.fault();
    nowMs += 1;
    return [early, names.fault()];
  };
  expect(await faultOf([log, errors])).toEqual([undefined, undefined]);
  expect(await faultOf([errors])).toEqual([undefined, 'there is no file error-*.log']);
});

test('a log that could not be read until it was gone is a loss, in its place', async () => {
  const log = await follow(numbered(0, 20));
  await log.look();
  rotateUnreadable(log, numbered(20, 25));
  await log.look();
  replaceByAnother(log, numbered(25, 30));
  expect(await log.look()).toEqual([...range(0, 20), ...range(25, 30)]);
  expect(await log.losses()).toMatchObject([{number: 21}]);
  expect(await log.unreadable()).toBeUndefined();
});

test('a log that could not be read until it was gone is a loss without a successor, too', async () => {
  const log = await follow(numbered(0, 20));
  await log.look();
  rotateUnreadable(log, numbered(20, 25));
  await log.look();
  rmSync(log.path);
  await log.look();
  expect(await log.losses()).toHaveLength(1);
});

test('a rotated log that may be read later is read before its successor', async () => {
  const log = await follow(numbered(0, 20));
  await log.look();
  rotateUnreadable(log, numbered(20, 25));
  await log.look();
  renameSync(log.beside('a.log.1'), log.beside('a.log.2'));
  renameSync(log.path, log.beside('a.log.1'));
  permit(log.beside('a.log.1'), true);
  writeFileSync(log.path, numbered(25, 30));
  expect(await log.look()).toEqual(range(0, 30));
  expect(await log.losses()).toEqual([]);
});

test('a read error is no loss where all is read later', async () => {
  const log = await follow(numbered(0, 5));
  await log.look();
  log.append(numbered(5, 7));
  await failReads(log.path, 2);
  await log.look();
  expect(await log.unreadable()).toMatchObject({why: 'a.log cannot be read (stale file handle)'});
  await log.look();
  expect(await log.look()).toEqual(range(0, 7));
  expect(await log.losses()).toEqual([]);
  expect(await log.unreadable()).toBeUndefined();
});

test('a read error is a loss where the file is gone before it can be read', async () => {
  const log = await follow(numbered(0, 5));
  await log.look();
  log.append(numbered(5, 7));
  await failReads(log.path, 1);
  await log.look();
  rmSync(log.path);
  await log.look();
  await log.look();
  expect(await log.losses()).toHaveLength(1);
  expect(await log.unreadable()).toMatchObject({why: 'there is no file a.log'});
});

test('each loss of a log is told, however many there were before', async () => {
  const log = await follow(numbered(0, 20));
  await log.look();
  for (const first of [20, 30, 40]) {
    rotateUnreadable(log, numbered(first, first + 5));
    await log.look();
    replaceByAnother(log, numbered(first + 5, first + 10));
    await log.look();
  }
  expect(await log.look()).toEqual([...range(0, 20), ...range(25, 30), ...range(35, 40), ...range(45, 50)]);
  expect(await log.losses()).toMatchObject([{number: 21}, {number: 26}, {number: 31}]);
  expect(log.warnings.filter(warning => warning.includes('lines may be missing'))).toHaveLength(3);
});

test('a log that cannot be read is told, also if it has the inode of one that was read and is gone', async () => {
  const log = await follow(numbered(0, 20));
  await log.look();
  const {ino} = statSync(log.path);
  renameSync(log.path, log.beside('a.log.1'));
  writeFileSync(log.path, numbered(20, 25));
  await log.look();
  await log.look();
  if (!reuseInode(log, ino, numbered(25, 30))) {
    // This file system does not use them again at once.
    return;
  }
  await log.look();
  expect(await log.unreadable()).toMatchObject({why: expect.stringMatching(/^a\.log cannot be read \(/)});
  // In place of it, not after it: with an inode of its own.
  writeFileSync(log.beside('new'), numbered(30, 35));
  renameSync(log.beside('new'), log.path);
  await log.look();
  expect(await log.look()).toEqual([...range(0, 25), ...range(30, 35)]);
  expect(await log.losses()).toMatchObject([{number: 26}]);
});

test('a log that may not be read again is told again, and again nothing of it is lost', async () => {
  const log = await follow(numbered(0, 20));
  await log.look();
  for (const first of [20, 30]) {
    rotateUnreadable(log, numbered(first, first + 10));
    await log.look();
    expect(await log.unreadable()).toMatchObject({pods: 1, why: expect.stringMatching(/^a\.log cannot be read \(/)});
    permit(log.path, true);
    expect(await log.look()).toEqual(range(0, first + 10));
    expect(await log.unreadable()).toBeUndefined();
    rmSync(log.beside('a.log.1'));
  }
  expect(await log.losses()).toEqual([]);
});

test('a read error that comes again is told again, and is a loss once the file is gone', async () => {
  const log = await follow(numbered(0, 5));
  await log.look();
  for (const first of [5, 7]) {
    log.append(numbered(first, first + 2));
    await failReads(log.path, 1);
    await log.look();
    expect(await log.unreadable()).toMatchObject({why: 'a.log cannot be read (stale file handle)'});
    expect(await log.look()).toEqual(range(0, first + 2));
    expect(await log.unreadable()).toBeUndefined();
  }
  log.append(numbered(9, 11));
  await failReads(log.path, 1);
  await log.look();
  rmSync(log.path);
  await log.look();
  await log.look();
  expect(await log.losses()).toHaveLength(1);
});
