import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {findOpened, shortNames} from '#service/files/find-opened.ts';
import {createOpenedBackend, openedId} from '#service/files/opened-backend.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('names');
});
afterEach(() => {
  if (existsSync(path('logs'))) {
    chmodSync(path('logs'), 0o700);
  }
  folder.remove();
});

const find = (words: readonly string[], command: readonly string[] = []) =>
  findOpened({words, command, withRotated: false, stdin: Readable.from([])});
const path = (...parts: readonly string[]): string => join(folder.path, ...parts);

test.each([
  [['/var/log/app.log'], ['app.log']],
  [
    ['/srv/web1/app.log', '/srv/web2/app.log', '/srv/web2/error.log'],
    ['web1/app.log', 'web2/app.log', 'error.log'],
  ],
  [
    ['/a/x/app.log', '/b/x/app.log'],
    ['a/x/app.log', 'b/x/app.log'],
  ],
  [
    ['stdin', 'stdin'],
    ['stdin', 'stdin 2'],
  ],
])('names are as short as tells %j apart', (paths, names) => {
  expect(shortNames(paths)).toEqual(names);
});

test('a file that is named twice is opened once, a folder means its logs, a pattern those that match', async () => {
  mkdirSync(path('logs'));
  for (const name of ['a.log', 'b.log', 'c.txt']) {
    writeFileSync(path('logs', name), 'text\n');
  }
  const names = async (...words: readonly string[]) => (await find(words)).map(({name}) => name);
  expect(await names(path('logs', 'a.log'), path('logs', '..', 'logs', 'a.log'))).toEqual(['a.log']);
  expect(await names(path('logs'))).toEqual(['logs']);
  expect((await names(path('logs', '*.*'))).toSorted()).toEqual(['a.log', 'b.log', 'c.txt']);
});

test('a pattern of more files than can be sources of their own is one source; so many names are refused', async () => {
  const names = Array.from({length: 1025}, (_, index) => path(`${index}.log`));
  for (const name of names) {
    writeFileSync(name, 'text\n');
  }
  expect((await find([path('*.log')])).map(({name, kind}) => [name, kind])).toEqual([['*.log', 'files']]);
  await expect(find(names)).rejects.toThrow(
    'These are more than 1024 files: name their folder, or put their pattern in quotes.',
  );
});

test('what cannot be opened is refused with what to do', async () => {
  mkdirSync(path('empty'));
  mkdirSync(path('texts'));
  writeFileSync(path('texts', 'notes.txt'), 'text\n');
  writeFileSync(path('binary'), Buffer.from('ELF\0\0\0 text\n'));
  await expect(find([path('missing.log')])).rejects.toThrow(`There is no file ${path('missing.log')}.`);
  await expect(find([path('*.log')])).rejects.toThrow(`No file matches ${path('*.log')}.`);
  await expect(find([path('empty')])).rejects.toThrow('has no file *.log: it is empty.');
  await expect(find([path('texts')])).rejects.toThrow(
    `has no file *.log: give a pattern, such as ${path('texts', '*')}.`,
  );
  await expect(find([path('binary')])).rejects.toThrow('is not text (binary): there are no lines to show.');
  await expect(find(['/dev/zero'])).rejects.toThrow('/dev/zero is a device: branchlog opens files, folders, FIFOs');
  await expect(find([], ['no-such-program'])).rejects.toThrow('there is no program no-such-program.');
});

test.skipIf(process.geteuid?.() === 0)('a file without permission is refused', async () => {
  writeFileSync(path('secret.log'), 'text\n');
  chmodSync(path('secret.log'), 0o000);
  await expect(find([path('secret.log')])).rejects.toThrow('No permission to read');
});

test.skipIf(process.geteuid?.() === 0)(
  'a file without permission does not keep the others from being read',
  async () => {
    writeFileSync(path('app.log'), 'text\n');
    writeFileSync(path('secret.log'), 'text\n', {mode: 0o000});
    expect((await find([path('*.log')])).map(({name}) => name).toSorted()).toEqual(['app.log', 'secret.log']);
  },
);

test.skipIf(process.geteuid?.() === 0)(
  'a folder that can be listed but not entered is refused, if it is alone',
  async () => {
    mkdirSync(path('logs'));
    writeFileSync(path('logs', 'app.log'), 'text\n');
    writeFileSync(path('other.log'), 'text\n');
    chmodSync(path('logs'), 0o400);
    await expect(find([path('logs')])).rejects.toThrow(
      'who may list the folder but not enter it: run it as one who may',
    );
    const names = async (...words: readonly string[]) => (await find(words)).map(({name}) => name);
    expect(await names(path('logs'), path('other.log'))).toEqual(['logs', 'other.log']);
    expect(await names(path('logs', 'app.log'), path('other.log'))).toEqual(['app.log', 'other.log']);
  },
);

test('a rotated name that leads nowhere is passed over', async () => {
  writeFileSync(path('app.log'), 'text\n');
  writeFileSync(path('app.log.2'), 'text\n');
  symlinkSync(path('gone'), path('app.log.1'));
  const found = await findOpened({words: [path('app.log')], command: [], withRotated: true, stdin: Readable.from([])});
  expect(found.map(({name}) => name)).toEqual(['app.log.2', 'app.log']);
});

test('the rotated files of pm2, the kubelet and others are found, also beside what a link leads to', async () => {
  mkdirSync(path('pods'));
  for (const name of ['0.log', '0.log.20261120-101112.gz', 'app.log', 'app__2026-11-20_00-00-00.log', 'app.log.old']) {
    writeFileSync(path('pods', name), 'text\n');
  }
  symlinkSync(path('pods', '0.log'), path('web.log'));
  const rotatedOf = async (word: string) =>
    (await findOpened({words: [word], command: [], withRotated: true, stdin: Readable.from([])})).map(({name}) => name);
  expect(await rotatedOf(path('web.log'))).toEqual(['0.log.20261120-101112.gz', 'web.log']);
  expect((await rotatedOf(path('pods', 'app.log'))).toSorted()).toEqual([
    'app.log',
    'app.log.old',
    'app__2026-11-20_00-00-00.log',
  ]);
});

test.skipIf(process.geteuid?.() === 0)('a folder that may not be listed hides what was rotated', async () => {
  mkdirSync(path('logs'));
  writeFileSync(path('logs', 'app.log'), 'text\n');
  chmodSync(path('logs'), 0o300);
  const word = path('logs', 'app.log');
  const finding = findOpened({words: [word], command: [], withRotated: true, stdin: Readable.from([])});
  await expect(finding).rejects.toThrow('so what was rotated away from app.log is unknown: leave out --rotated');
  expect((await find([word])).map(({name}) => name)).toEqual(['app.log']);
});

test('a FIFO is a stream', async () => {
  execFileSync('mkfifo', [path('fifo')]);
  expect((await find([path('fifo')])).map(({kind}) => kind)).toEqual(['live']);
});

test('what was found within a folder is judged again when it is read: a link that came meanwhile leads nowhere', async () => {
  const logs = path('logs');
  mkdirSync(logs);
  writeFileSync(join(logs, 'app.log'), 'one\n');
  writeFileSync(path('secret.log'), 'secret\n');
  const scope = {within: [logs]};
  const options = {command: [], withRotated: false, stdin: Readable.from([]), scope};
  const sources = await findOpened({words: [join(logs, 'app.log')], ...options});
  rmSync(join(logs, 'app.log'));
  symlinkSync(path('secret.log'), join(logs, 'app.log'));
  const warnings: string[] = [];
  const backend = createOpenedBackend({
    ...{name: 'test', sources, scope, firstBytesMax: 1000, isAllAtOnce: true, follows: false},
    beginsAt: async () => 0,
    now: () => 0n,
    monotonicMs: () => 0,
    warn: message => warnings.push(message),
  });
  await backend.start();
  expect((await backend.readWindow(openedId, openedId))?.lines).toEqual([]);
  await backend.close();
  expect(warnings.join()).toContain('it lies in no folder that may be read');
  await expect(findOpened({words: [join(logs, 'app.log')], ...options})).rejects.toThrow(
    'cannot be opened: it lies in no folder that may be read',
  );
});
