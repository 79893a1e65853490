import {execFileSync} from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lchownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createFileOpener, type Roots} from '#service/files/disk/open-file.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';
import {createLogFolder, readTexts} from '../pod-backend.ts';

const [web, other] = [65_534, 65_533];
const isRoot = process.geteuid?.() === 0;

/** `pub` belongs to the user web, `secret` and `logs` to root. */
const createFolders = () => {
  const folder = createTempFolder('trust');
  onTestFinished(() => folder.remove());
  const at = (...parts: readonly string[]): string => join(folder.path, ...parts);
  for (const name of ['pub', 'secret', 'logs']) {
    mkdirSync(at(name));
  }
  chownSync(at('pub'), web, web);
  const write = (path: string, uid: number): string => {
    writeFileSync(path, 'text\n');
    chownSync(path, uid, uid);
    return path;
  };
  const link = (target: string, path: string, uid: number): string => {
    symlinkSync(target, path);
    lchownSync(path, uid, uid);
    return path;
  };
  const openAs = async (path: string, roots: Roots = []) => {
    try {
      const handle = await createFileOpener(roots)(path);
      await handle.close();
      return 'opened';
    } catch (error) {
      return error instanceof Error ? error.message.replaceAll(folder.path, '') : error;
    }
  };
  return {at, write, link, openAs};
};

test('of files within folders, only what lies below them is opened, wherever a link to it was or leads by now', async () => {
  const folder = createTempFolder('within');
  onTestFinished(() => folder.remove());
  const at = (...parts: readonly string[]): string => join(folder.path, ...parts);
  for (const name of ['logs', 'logs/deep', 'logsecret']) {
    mkdirSync(at(name));
    writeFileSync(at(name, 'app.log'), 'text\n');
  }
  symlinkSync(at('logsecret/app.log'), at('logs/out.log'));
  symlinkSync(at('logs/app.log'), at('logsecret/in.log'));
  const open = createFileOpener({within: [at('logs')]});
  const tryToOpen = (path: string) =>
    open(at(path)).then(
      async handle => {
        await handle.close();
        return 'opened';
      },
      (error: unknown) => String(error),
    );
  const refused = 'Error: it lies in no folder that may be read';
  expect(await tryToOpen('logs/deep/app.log')).toBe('opened');
  expect(await tryToOpen('logsecret/in.log')).toBe('opened');
  expect(await tryToOpen('logs/out.log')).toBe(refused);
  expect(await tryToOpen('logsecret/app.log')).toBe(refused);
  renameSync(at('logs/deep'), at('deep'));
  symlinkSync(at('logsecret'), at('logs/deep'));
  expect(await tryToOpen('logs/deep/app.log')).toBe(refused);
});

describe.runIf(isRoot)('as root', () => {
  test('opens files of root, of the owner of their folder, and in a folder where only root writes, and no others', async () => {
    const {at, write, openAs} = createFolders();
    expect(await openAs(write(at('pub/web.log'), web))).toBe('opened');
    expect(await openAs(write(at('pub/root.log'), 0))).toBe('opened');
    expect(await openAs(write(at('pub/other.log'), other))).toBe(
      `it belongs to user ${other} and its folder to user ${web}: see roots in the documentation`,
    );
    const served = write(at('logs/web.log'), web);
    expect(await openAs(served)).toBe('opened');
    for (const mode of [0o775, 0o1777]) {
      chmodSync(at('logs'), mode);
      expect(await openAs(served)).toMatch(/^it belongs to user/);
    }
    expect(await openAs(served)).toMatch(/^it belongs to user/);
    expect(await openAs(served, [at('logs')])).toBe('opened');
    expect(await openAs(served, [at('log')])).toMatch(/^it belongs to user/);
  });

  test('opens the file of any user for root itself, and a link or second name only if nobody could plant it', async () => {
    const {at, write, link, openAs} = createFolders();
    chmodSync(at('logs'), 0o1777);
    expect(await openAs(write(at('logs/web.log'), web), 'named')).toBe('opened');
    expect(await openAs(write(at('pub/other.log'), other), 'named')).toBe('opened');
    const secret = write(at('secret/shadow'), 0);
    expect(await openAs(link(secret, at('pub/planted.log'), web), 'named')).toBe(
      `it is reached by the link /pub/planted.log of user ${web} to what belongs to user 0: open what it leads to, if you trust it`,
    );
    linkSync(secret, at('pub/hard.log'));
    expect(await openAs(at('pub/hard.log'), 'named')).toMatch(/^it belongs to root and has another name, too: open/);
  });

  test('follows a link that root or the owner of its target made, and no other', async () => {
    const {at, write, link, openAs} = createFolders();
    const secret = write(at('secret/shadow'), 0);
    const own = write(at('pub/real.log'), web);
    expect(await openAs(link(own, at('pub/own.log'), web))).toBe('opened');
    expect(await openAs(link(secret, at('pub/by-root.log'), 0))).toBe('opened');
    const planted = link(secret, at('pub/planted.log'), web);
    expect(await openAs(planted)).toBe(
      `it is reached by the link /pub/planted.log of user ${web} to what belongs to user 0: see roots in the documentation`,
    );
    expect(await openAs(planted, [at('secret')])).toBe('opened');
    expect(await openAs(link(planted, at('logs/chain.log'), 0))).toMatch(
      /^it is reached by the link \/pub\/planted.log of user 65534/,
    );
  });

  test('a link in the middle of the path counts, too', async () => {
    const {at, write, link, openAs} = createFolders();
    write(at('secret/shadow'), 0);
    link('../secret', at('pub/current'), web);
    expect(await openAs(at('pub/current/shadow'))).toMatch(
      /^it is reached by the link \/pub\/current of user 65534 to what/,
    );
    link('../secret', at('pub/by-root'), 0);
    expect(await openAs(at('pub/by-root/../by-root/./shadow'))).toBe('opened');
  });

  test('a second name that the owner of the folder could give to a file of root is refused', async () => {
    const {at, write, openAs} = createFolders();
    linkSync(write(at('secret/shadow'), 0), at('pub/hard.log'));
    expect(await openAs(at('pub/hard.log'))).toBe(
      'it belongs to root and has another name, too: see roots in the documentation',
    );
  });

  test.each(['the name', 'its folder'])('however %s is swapped meanwhile, no secret is ever opened', async what => {
    const {at, write, link} = createFolders();
    writeFileSync(at('secret/shadow'), 'secret\n');
    const open = createFileOpener([]);
    mkdirSync(at('pub/real'));
    chownSync(at('pub/real'), web, web);
    write(at('pub/real/shadow'), web);
    link(at('secret'), at('pub/planted'), web);
    link(at('secret/shadow'), at('pub/real/planted'), web);
    const [good, bad] =
      what === 'the name' ? [at('pub/real/shadow'), at('pub/real/planted')] : [at('pub/real'), at('pub/planted')];
    let isDone = false;
    const swapping = (async () => {
      while (!isDone) {
        renameSync(good, at('pub/x'));
        renameSync(bad, good);
        renameSync(at('pub/x'), bad);
        await new Promise(resolve => setImmediate(resolve));
      }
    })();
    for (let count = 0; count < 300; count += 1) {
      const handle = await open(at('pub/real/shadow')).catch(() => undefined);
      expect(await handle?.readFile('utf8')).not.toBe('secret\n');
      await handle?.close();
    }
    isDone = true;
    await swapping;
  });

  test('what is refused is said once, and the pod is served without it', async () => {
    const folder = createLogFolder();
    writeFileSync(join(folder.path, 'shadow'), 'root:x\n');
    chmodSync(join(folder.path, 'shadow'), 0o600);
    chownSync(join(folder.path, 'log'), web, web);
    folder.append('a.log', 'one\n');
    symlinkSync('../shadow', join(folder.path, 'log/x.log'));
    lchownSync(join(folder.path, 'log/x.log'), web, web);
    const backend = await folder.open({web: ['*.log']});
    expect(await readTexts(backend)).toEqual(['one']);
    folder.append('a.log', 'two\n');
    expect(await readTexts(backend)).toEqual(['one', 'two']);
    expect(folder.warnings).toHaveLength(1);
    expect(folder.warnings[0]).toContain(
      `x.log cannot be read (it is reached by the link ${join(folder.path, 'log/x.log')} of user ${web} to what belongs to user 0`,
    );
  });
});

test('a folder or a pipe in place of a log is not opened', async () => {
  const folder = createTempFolder('trust');
  onTestFinished(() => folder.remove());
  await expect(createFileOpener([], false)(folder.path)).rejects.toThrow('it is a folder, not a file');
  execFileSync('mkfifo', [join(folder.path, 'pipe')]);
  await expect(createFileOpener([])(join(folder.path, 'pipe'))).rejects.toThrow('it is a FIFO, not a file');
});

test('any other user opens whatever the system lets it open', async () => {
  const folder = createTempFolder('trust');
  onTestFinished(() => folder.remove());
  writeFileSync(join(folder.path, 'a.log'), 'text\n');
  symlinkSync('a.log', join(folder.path, 'link.log'));
  const handle = await createFileOpener([], false)(join(folder.path, 'link.log'));
  expect(await handle.readFile('utf8')).toBe(readFileSync(join(folder.path, 'a.log'), 'utf8'));
  await handle.close();
});
