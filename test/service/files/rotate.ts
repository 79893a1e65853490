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
  'create, compress with xz': path => {
    shift(path, 7);
    create(path);
    // What matters is that it cannot be read.
    writeFileSync(`${path}.1.xz`, Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 1, 2, 3, 4, 5, 6, 7, 8]));
    rmSync(`${path}.1`);
  },
};

export const appendTo = (path: string, text: string): void => appendFileSync(path, text);
