import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {gzipSync, zstdCompressSync} from 'node:zlib';

/** Rotates a log once, the `round`-th time from 0, as a tool does it; all in one go, so that no look falls between. */
export type Rotate = (path: string, round: number) => void;

const compressed = {gz: gzipSync, zst: zstdCompressSync} as const;

/** As logrotate does it: the compressed file keeps the time of the plain one, which goes. */
const compress = (path: string, kind: keyof typeof compressed = 'gz', {keepsTime = true} = {}): void => {
  const {atimeMs, mtimeMs} = statSync(path);
  writeFileSync(`${path}.${kind}`, compressed[kind](readFileSync(path)));
  if (keepsTime) {
    utimesSync(`${path}.${kind}`, atimeMs / 1000, mtimeMs / 1000);
  }
  rmSync(path);
};

/** Moves `a.log.1` to `a.log.2` and so on, compressed ones too; what would be `rotate + 1` goes. */
const shift = (path: string, rotate: number, extensions: readonly string[] = ['', '.gz', '.zst']): void => {
  for (let number = rotate; number >= 1; number -= 1) {
    for (const extension of extensions) {
      const from = `${path}.${number}${extension}`;
      if (existsSync(from) && number === rotate) {
        rmSync(from);
      } else if (existsSync(from)) {
        renameSync(from, `${path}.${number + 1}${extension}`);
      }
    }
  }
};

const create = (path: string): void => {
  renameSync(path, `${path}.1`);
  writeFileSync(path, '');
};

const copyTruncate = (path: string, copy: string): void => {
  copyFileSync(path, copy);
  truncateSync(path);
};

const dated = (round: number): string => `2026112${round + 1}`;

/** Every way of rotation after which all that was written still exists: no line may be lost and no gap shown. */
export const orderlyWays: Readonly<Record<string, Rotate>> = {
  create: path => {
    shift(path, 7);
    create(path);
  },
  'create, compress': path => {
    shift(path, 7);
    create(path);
    compress(`${path}.1`);
  },
  'create, compress with zstd': path => {
    shift(path, 7);
    create(path);
    compress(`${path}.1`, 'zst');
  },
  'create, delaycompress': path => {
    if (existsSync(`${path}.1`)) {
      compress(`${path}.1`);
    }
    shift(path, 7);
    create(path);
  },
  'create, addextension': path => {
    shift(path, 7, ['.bak']);
    renameSync(path, `${path}.1.bak`);
    writeFileSync(path, '');
  },
  'create, olddir': path => {
    const old = join(dirname(path), 'old');
    mkdirSync(old, {recursive: true});
    shift(join(old, basename(path)), 7);
    renameSync(path, join(old, `${basename(path)}.1`));
    writeFileSync(path, '');
  },
  'create, dateext': (path, round) => {
    renameSync(path, `${path}-${dated(round)}`);
    writeFileSync(path, '');
  },
  'create, dateext, extension, compress': (path, round) => {
    const rotated = path.replace(/\.log$/, `-${dated(round)}.log`);
    renameSync(path, rotated);
    writeFileSync(path, '');
    compress(rotated);
  },
  nocreate: path => {
    shift(path, 7);
    renameSync(path, `${path}.1`);
  },
  'nocreate, compress': path => {
    shift(path, 7);
    renameSync(path, `${path}.1`);
    compress(`${path}.1`);
  },
  copytruncate: path => {
    shift(path, 7);
    copyTruncate(path, `${path}.1`);
  },
  'copytruncate, compress': path => {
    shift(path, 7);
    copyTruncate(path, `${path}.1`);
    compress(`${path}.1`);
  },
  'copytruncate, delaycompress': path => {
    if (existsSync(`${path}.1`)) {
      compress(`${path}.1`);
    }
    shift(path, 7);
    copyTruncate(path, `${path}.1`);
  },
  'copytruncate, dateext, compress': (path, round) => {
    copyTruncate(path, `${path}-${dated(round)}`);
    compress(`${path}-${dated(round)}`);
  },
  'as the kubelet does': (path, round) => {
    // It compresses the older ones first, which get the time at which that is done.
    for (const name of readdirSync(dirname(path))) {
      if (name.startsWith(`${basename(path)}.2026`) && !name.endsWith('.gz')) {
        compress(join(dirname(path), name), 'gz', {keepsTime: false});
      }
    }
    renameSync(path, `${path}.${dated(round)}-101010`);
    writeFileSync(path, '');
  },
};

/** Moves a log away as it is done long before now: what is rotated next is an hour younger. */
const moveAway = (path: string, rotated: string, round: number): void => {
  mkdirSync(dirname(rotated), {recursive: true});
  renameSync(path, rotated);
  writeFileSync(path, '');
  const seconds = Date.now() / 1000 - 86_400 + round * 3_600;
  utimesSync(rotated, seconds, seconds);
};

/** Names of files in the folder of a log. */
const beside = (path: string, name: string): string => join(dirname(path), name);

/** Other schemes than logrotate's, after which all that was written still exists, too. */
export const otherWays: Readonly<Record<string, Rotate>> = {
  'ascending numbers': (path, round) => moveAway(path, `${path}.${round + 1}`, round),
  'ascending numbers with zeros, compress': (path, round) => {
    const rotated = path.replace(/\.log$/, `-${String(round + 1).padStart(4, '0')}.log`);
    moveAway(path, rotated, round);
    compress(rotated);
  },
  'hour and minute, past midnight': (path, round) =>
    moveAway(path, `${path}.${['2230', '2330', '0030', '0130'][round]}`, round),
  'numbers from 0': (path, round) => {
    shift(path, 7);
    if (existsSync(`${path}.0`)) {
      renameSync(`${path}.0`, `${path}.1`);
    }
    moveAway(path, `${path}.0`, round);
  },
  'as pm2 does': (path, round) => {
    copyTruncate(path, path.replace(/\.log$/, `__2026-11-2${round + 1}_00-00-00.log`));
  },
  'as pm2 does, compress': (path, round) => {
    const rotated = path.replace(/\.log$/, `__2026-11-2${round + 1}_00-00-00.log`);
    copyTruncate(path, rotated);
    compress(rotated);
  },
  'seconds since 1970': (path, round) => moveAway(path, `${path}.${1_795_000_000 + round * 86_400}`, round),
  'a folder for each day': (path, round) => moveAway(path, beside(path, `${dated(round)}/${basename(path)}`), round),
  'an archive, by date': (path, round) =>
    moveAway(path, beside(path, `archive/${basename(path)}.2026-11-2${round + 1}`), round),
  'the date in front': (path, round) => moveAway(path, beside(path, `2026-11-2${round + 1}-${basename(path)}`), round),
  'the date in front, compress': (path, round) => {
    const rotated = beside(path, `2026-11-2${round + 1}-${basename(path)}`);
    moveAway(path, rotated, round);
    compress(rotated);
  },
  'old and older': (path, round) => {
    for (const [from, to] of [
      ['.older', '.oldest'],
      ['.old', '.older'],
    ] as const) {
      if (existsSync(`${path}${from}`)) {
        renameSync(`${path}${from}`, `${path}${to}`);
      }
    }
    moveAway(path, `${path}.old`, round);
  },
};

/** Ways after which lines that were not read in time are gone: the loss must show as a gap. */
export const lossyWays: Readonly<Record<string, Rotate>> = {
  'emptied without a copy': path => truncateSync(path),
  'removed and made anew': path => {
    rmSync(path);
    writeFileSync(path, '');
  },
  'create, rotate 0': path => {
    renameSync(path, `${path}.1`);
    writeFileSync(path, '');
    rmSync(`${path}.1`);
  },
  'create, rotate 1': path => {
    shift(path, 1);
    create(path);
  },
  'copytruncate, rotate 1, compress': path => {
    shift(path, 1);
    copyTruncate(path, `${path}.1`);
    compress(`${path}.1`);
  },
  // Where the log is a link, its name says nothing of the form of these.
  'names that have nothing of the log’s': (path, round) =>
    moveAway(path, beside(path, `@400000006920a${round}bc1a2b3c4d.s`), round),
  'create, compress with xz': path => {
    shift(path, 7);
    create(path);
    // What matters is that it cannot be read.
    writeFileSync(`${path}.1.xz`, Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 1, 2, 3, 4, 5, 6, 7, 8]));
    rmSync(`${path}.1`);
  },
};

export const appendTo = (path: string, text: string): void => appendFileSync(path, text);
