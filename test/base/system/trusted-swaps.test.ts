import {
  chmodSync,
  lchownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {PathError} from '#base/system/open-regular.ts';
import {readTrusted} from '#base/system/trusted-files.ts';
import {type Random, randomOf} from '../../log/incident/simulation/random.ts';
import {runsOf} from '../../support/thorough.ts';

/** Root, on a system that lets it be another user for a moment. */
const canSwitch = process.geteuid?.() === 0 && process.platform === 'linux';
const seed = Number(process.env.SEED ?? 20_261_127);
const stranger = 12_345;

const asStranger = (act: () => void): void => {
  process.setegid?.(stranger);
  process.seteuid?.(stranger);
  try {
    act();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
};

/** What the user may not do, does nothing. */
const attempt = (act: () => void): void => {
  try {
    act();
  } catch {
    // Not permitted.
  }
};

const setOwner = (path: string, random: Random): void => {
  // Not the stranger's group: what a folder's group may rename there is believed, see `describeOpenFolder`.
  lchownSync(path, random.pick([0, 0, 0, stranger]), 0);
};

/** Makes folders below each other, in each a file, and links to the file from other folders. Returns all paths to it. */
const makeTree = (base: string, random: Random): {readonly paths: readonly string[]; readonly folders: string[]} => {
  const folders = [base];
  for (let depth = random.whole(1, 3); depth > 0; depth -= 1) {
    const folder = join(folders.at(-1) ?? base, `d${depth}`);
    mkdirSync(folder);
    folders.push(folder);
  }
  const chain = folders.slice(1);
  const file = join(folders.at(-1) ?? base, 'token');
  writeFileSync(file, 'good');
  writeFileSync(join(folders.at(-1) ?? base, 'decoy'), 'other', {mode: 0o644});
  const paths = [file];
  for (const name of ['l1', 'l2']) {
    const folder = join(base, name);
    const entered = random.pick(chain);
    mkdirSync(folder);
    symlinkSync(random.pick(paths), join(folder, 'link'));
    symlinkSync(entered, join(folder, 'way'));
    paths.push(join(folder, 'link'), join(folder, 'way', file.slice(entered.length + 1)));
    folders.push(folder);
    setOwner(join(folder, 'link'), random);
    setOwner(join(folder, 'way'), random);
  }
  setOwner(file, random);
  chmodSync(file, random.pick([0o600, 0o640, 0o644, 0o646, 0o660, 0o664, 0o666]));
  for (const folder of folders.slice(1)) {
    setOwner(folder, random);
    chmodSync(folder, random.pick([0o755, 0o755, 0o755, 0o775, 0o777, 0o1777]));
  }
  return {paths, folders};
};

/** Tries to put something else where a path leads: each step as far as it may. */
const attack = (base: string, path: string, folders: readonly string[], random: Random): void => {
  const other = join(base, 'other');
  attempt(() => writeFileSync(path, 'evil'));
  for (const folder of folders.toSorted(() => random.next() - 0.5)) {
    // It may have been moved away, or be a file by now.
    const names = statSync(folder, {throwIfNoEntry: false})?.isDirectory() ? readdirSync(folder) : [];
    for (const name of names.filter(each => each !== 'decoy')) {
      const there = join(folder, name);
      const kind = random.pick(['file', 'link', 'hardlink', 'decoy', 'folder']);
      attempt(() => renameSync(there, `${there}.old`));
      attempt(() => {
        if (kind === 'file') {
          writeFileSync(there, 'evil', {flag: 'wx'});
        } else if (kind === 'link') {
          symlinkSync(other, there);
        } else if (kind === 'decoy') {
          renameSync(join(folder, 'decoy'), there);
        } else if (kind === 'hardlink') {
          linkSync(other, there);
        } else {
          mkdirSync(there);
          for (const part of ['token', 'link']) {
            symlinkSync(other, join(there, part));
          }
        }
      });
    }
  }
};

test.runIf(canSwitch)(
  `whatever another user may put in place of a trusted file or of the way to it is not read, SEED=${seed}`,
  async () => {
    const random = randomOf(seed);
    let [readBefore, readAfter, refusedAfter] = [0, 0, 0];
    for (let run = 0; run < runsOf(600); run += 1) {
      const base = mkdtempSync(join(tmpdir(), 'bl-swap-'));
      try {
        chmodSync(base, 0o755);
        writeFileSync(join(base, 'other'), 'other', {mode: 0o644});
        const {paths, folders} = makeTree(base, random);
        const path = random.pick(paths);
        const read = (): Promise<string> =>
          readTrusted(path, 100).then(
            bytes => bytes.toString(),
            (error: unknown) => (error instanceof PathError ? 'refused' : `error ${String(error)}`),
          );
        const before = await read();
        asStranger(() => attack(base, path, [base, ...folders], random));
        const after = await read();
        expect(['good', 'refused'], `run ${run}`).toContain(before);
        // A way that is gone is an error of the file system.
        expect(after, `run ${run}: ${path}`).toMatch(/^(?:good$|refused$|error )/);
        readBefore += before === 'good' ? 1 : 0;
        readAfter += after === 'good' ? 1 : 0;
        refusedAfter += after === 'refused' ? 1 : 0;
      } finally {
        rmSync(base, {recursive: true});
      }
    }
    expect([readBefore > 0, readAfter > 0, refusedAfter > 0]).toEqual([true, true, true]);
  },
);
