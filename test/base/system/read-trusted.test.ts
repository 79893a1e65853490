import {execFileSync, spawnSync} from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {openChecked} from '#base/system/open-regular.ts';
import {findProgramFault} from '#base/system/programs.ts';
import {openTrusted, readTrusted} from '#base/system/trusted-files.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

const isRoot = process.geteuid?.() === 0;
const userId = process.geteuid?.() ?? 0;
const stranger = 12_345;
const megabyte = 1024 * 1024;

let folder: TempFolder;

beforeEach(() => {
  folder = createTempFolder('trust');
  return () => folder.remove();
});

const at = (...parts: readonly string[]): string => join(folder.path, ...parts);

const write = (name: string, mode = 0o600, text = 'text'): string => {
  writeFileSync(at(name), text);
  chmodSync(at(name), mode);
  return at(name);
};

const makeFolder = (name: string, mode: number): string => {
  mkdirSync(at(name));
  chmodSync(at(name), mode);
  return at(name);
};

const link = (target: string, name: string): string => {
  symlinkSync(target, at(name));
  return at(name);
};

/** The content, or the words of the refusal. The test's folder is `/T` in them. */
const read = async (path: string, bytesMax = megabyte, isSecret = false): Promise<string> => {
  try {
    return (await readTrusted(path, bytesMax, {userId, isSecret})).toString();
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll(folder.path, '/T') : String(error);
  }
};

test.each([0o600, 0o400, 0o640, 0o644, 0o755])('a file of mode %o is read', async mode => {
  expect(await read(write('config', mode))).toBe('text');
});

test.each([0o666, 0o622, 0o602, 0o620, 0o664])('a file of mode %o is refused with what to run', async mode => {
  expect(await read(write('config', mode))).toBe('may be written by others: run chmod go-w /T/config');
});

test('the command in the message works for a path with a blank and a quotation mark', async () => {
  const path = write(`it's mine`, 0o666);
  const message = await read(path);
  execFileSync('sh', ['-c', message.slice(message.indexOf('chmod')).replaceAll('/T', folder.path)]);
  expect(await read(path)).toBe('text');
});

test('a secret that everybody may read is refused, one that its group may use is not', async () => {
  expect(await read(write('a', 0o660), megabyte, true)).toBe('text');
  expect(await read(write('b', 0o604), megabyte, true)).toBe('is open to every user: run chmod 600 /T/b');
  expect(await read(write('c', 0o602), megabyte, true)).toBe('is open to every user: run chmod 600 /T/c');
});

test('what is no file is refused at once, by its name', async () => {
  execFileSync('mkfifo', ['-m', '600', at('fifo')]);
  const server = createServer().listen(at('socket'));
  await new Promise(resolve => server.once('listening', resolve));
  expect(await read(at('fifo'))).toBe('is a FIFO, not a file');
  expect(await read(folder.path)).toBe('is a folder, not a file');
  expect(await read('/dev/zero')).toBe('is a device, not a file');
  expect(await read('/dev/null')).toBe('is a device, not a file');
  expect(await read(at('socket'))).toBe('is a socket or a device, not a file');
  expect(await read(link(at('fifo'), 'link'))).toBe('is a FIFO, not a file');
  server.close();
});

test('a file as large as allowed is read, and one byte more is not', async () => {
  const path = write('large');
  truncateSync(path, megabyte);
  expect((await read(path)).length).toBe(megabyte);
  truncateSync(path, megabyte + 1);
  expect(await read(path)).toBe('is larger than 1 MB');
  truncateSync(path, 1024 * megabyte);
  expect(await read(path)).toBe('is larger than 1 MB');
  expect(await read(path, 16 * 1024)).toBe('is larger than 16 KB');
});

test.runIf(process.platform === 'linux')('a file that says it is empty is read, but not past the limit', async () => {
  expect(await read('/proc/self/maps', megabyte)).toContain('[stack]');
  expect(await read('/proc/self/maps', 1024)).toBe('is larger than 1 KB');
});

test('errors of the file system pass as they are', async () => {
  await expect(readTrusted(at('missing'), megabyte)).rejects.toMatchObject({code: 'ENOENT'});
  await expect(readTrusted(join(write('file'), 'below'), megabyte)).rejects.toMatchObject({code: 'ENOTDIR'});
});

describe('the way to a file', () => {
  test('leads through links and folders of the user', async () => {
    makeFolder('inner', 0o755);
    write('inner/real');
    link('inner', 'folder-link');
    expect(await read(link('folder-link/../inner/real', 'link'))).toBe('text');
    expect(await read('/tmp/../etc/passwd')).toContain('root');
  });

  test('may lead through a folder where others may put files but not replace them, as /tmp', async () => {
    makeFolder('shared', 0o1777);
    write('shared/config');
    expect(await read(at('shared/config'))).toBe('text');
    expect(await read(link(at('shared/config'), 'shared/link'))).toBe('text');
  });

  test('may lead through a folder that a group may write to: what its members put there is theirs', async () => {
    makeFolder('staff', 0o775);
    write('staff/config');
    expect(await read(at('staff/config'))).toBe('text');
  });

  test('must not lead through a folder in which others may replace it', async () => {
    makeFolder('open', 0o777);
    write('open/config');
    expect(await read(at('open/config'))).toBe('lies in /T/open, where others may replace it: run chmod o-w /T/open');
    expect(await read(link(at('open/config'), 'link'))).toBe(
      'lies in /T/open, where others may replace it: run chmod o-w /T/open',
    );
    write('config');
    expect(await read(link('../config', 'open/link'))).toBe(
      'is reached by a link in /T/open, where others may replace it: run chmod o-w /T/open',
    );
    makeFolder('inner', 0o755);
    write('inner/config');
    link('../inner', 'open/folder');
    expect(await read(at('open/folder/config'))).toBe(
      'is reached by a link in /T/open, where others may replace it: run chmod o-w /T/open',
    );
  });

  test('may lead through such a folder where it cannot be written to, as a volume of Kubernetes', async () => {
    makeFolder('volume', 0o777);
    write('volume/config', 0o644);
    const script =
      'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" --input-type=module -e ' +
      '"import {readTrusted} from \\"$3\\"; process.stdout.write(await readTrusted(process.argv[1], 9), () => process.exit(3))" "$1/config"';
    const module = join(import.meta.dirname, '../../../src/base/system/trusted-files.ts');
    const {status, stdout, stderr} = spawnSync(
      'unshare',
      ['-rm', 'sh', '-c', script, 'sh', at('volume'), process.execPath, module],
      {encoding: 'utf8'},
    );
    // A machine without namespaces cannot mount.
    if (status !== 3 && /unshare|mount|ENOENT/.test(stderr ?? 'ENOENT')) {
      return;
    }
    expect({stdout, stderr}).toEqual({stdout: 'text', stderr: ''});
  });
});

describe.runIf(isRoot)('with other users', () => {
  test('a file of another user is refused, also behind a link', async () => {
    chownSync(write('config'), stranger, stranger);
    expect(await read(at('config'))).toBe('belongs to user 12345, not to you or root: use a file of your own');
    expect(await read(link(at('config'), 'link'))).toBe(
      'belongs to user 12345, not to you or root: use a file of your own',
    );
  });

  test('a file of root is read by everybody', async () => {
    chmodSync(folder.path, 0o755);
    const {file} = await openTrusted(write('config', 0o644), {userId: stranger});
    await file.close();
  });

  test('a link that another user made is refused, also in a folder such as /tmp', async () => {
    makeFolder('shared', 0o1777);
    write('config');
    lchownSync(link('../config', 'shared/link'), stranger, stranger);
    expect(await read(at('shared/link'))).toBe(
      'is reached by the link /T/shared/link, which belongs to user 12345, not to you or root: name the file itself',
    );
  });

  test('a file or a link in the folder of another user is refused', async () => {
    chownSync(makeFolder('theirs', 0o755), stranger, stranger);
    write('theirs/config');
    write('config');
    const words = '/T/theirs, which belongs to user 12345, not to you or root: use a file in a folder of your own';
    expect(await read(at('theirs/config'))).toBe(`lies in ${words}`);
    expect(await read(link('../config', 'theirs/link'))).toBe(`is reached by a link in ${words}`);
  });
});

describe('a file that is replaced while it is opened', () => {
  test('is opened again', async () => {
    const path = write('token', 0o600, 'old');
    write('next', 0o600, 'new');
    const seen: bigint[] = [];
    const {file} = await openChecked(path, async ({stat, realPath}) => {
      seen.push(stat.ino);
      if (seen.length === 1) {
        renameSync(at('next'), realPath);
        return 'was replaced while it was opened';
      }
      return undefined;
    });
    expect((await file.readFile()).toString()).toBe('new');
    expect(new Set(seen).size).toBe(2);
    await file.close();
  });

  test('is given up after the third time', async () => {
    let count = 0;
    const opening = openChecked(write('token'), async ({realPath}) => {
      count += 1;
      rmSync(realPath);
      write('token');
      return 'was replaced while it was opened';
    });
    await expect(opening).rejects.toThrow('was replaced while it was opened');
    expect(count).toBe(3);
  });
});

describe('a program', () => {
  const fault = async (program: string): Promise<string | undefined> =>
    (await findProgramFault(program, folder.path))?.replaceAll(folder.path, '/T');

  test('that only the user and root may write to is run', async () => {
    write('tool', 0o755);
    expect([await fault('./tool'), await fault(at('tool')), await fault('/bin/sh')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('that others may write to or replace is not', async () => {
    write('tool', 0o775);
    makeFolder('open', 0o777);
    write('open/tool', 0o755);
    expect(await fault('./tool')).toBe('may be written by others: run chmod go-w /T/tool');
    expect(await fault('open/tool')).toBe('lies in /T/open, where others may replace it: run chmod o-w /T/open');
  });

  test('that is looked up in PATH, or is missing, is left to the system', async () => {
    write('tool', 0o777);
    expect([await fault('tool'), await fault('./missing'), await fault('./tool/below')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
