import {copyFileSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {createLogFolder, readTexts} from '../pod-backend.ts';

const numbered = (from: number, to: number): string =>
  Array.from({length: to - from}, (_, index) => `line ${from + index} ${'.'.repeat(40)}\n`).join('');

const range = (from: number, to: number): readonly number[] =>
  Array.from({length: to - from}, (_, index) => from + index);

/** The files of a log, while nobody reads them or while they are read. */
const createFiles = (folder: ReturnType<typeof createLogFolder>) => {
  const path = (name: string): string => join(folder.path, 'log', name);
  return {
    append: folder.append,
    move: (from: string, to: string): void => renameSync(path(from), path(to)),
    copy: (from: string, to: string): void => copyFileSync(path(from), path(to)),
    remove: (name: string): void => rmSync(path(name)),
    empty: (name: string): void => writeFileSync(path(name), ''),
    compress: (name: string): void => {
      writeFileSync(path(`${name}.gz`), gzipSync(readFileSync(path(name))));
      rmSync(path(name));
    },
  };
};

type Files = ReturnType<typeof createFiles>;

/** What was warned of, but that there is no log for a while. */
const lossesOf = ({warnings}: ReturnType<typeof createLogFolder>): readonly string[] =>
  warnings.filter(each => !each.includes('is missing: '));

const open = async (folder: ReturnType<typeof createLogFolder>) => {
  let nowMs = 0;
  const backend = await folder.open({web: ['a.log']}, {pollIntervalMs: 60_000, monotonicMs: () => nowMs});
  return {
    close: () => backend.close(),
    look: async (): Promise<readonly number[]> => {
      nowMs += 61_000;
      return (await readTexts(backend)).map(text => Number(text.split(' ')[1]));
    },
  };
};

const lost = (what: string): RegExp => new RegExp(`a\\.log.* ${what}`);

test.each<
  readonly [what: string, change: (files: Files) => void, numbers: readonly number[], warnings: readonly RegExp[]]
>([
  [
    'moved, with more in both',
    ({append, move}) => {
      append('a.log', numbered(20, 22));
      move('a.log', 'a.log.1');
      append('a.log', numbered(22, 25));
    },
    range(0, 25),
    [],
  ],
  [
    'moved twice',
    ({append, move}) => {
      append('a.log', numbered(20, 22));
      move('a.log', 'a.log.2');
      append('a.log.1', numbered(22, 24));
      append('a.log', numbered(24, 25));
    },
    range(0, 25),
    [],
  ],
  [
    'moved and compressed',
    ({append, move, compress}) => {
      append('a.log', numbered(20, 22));
      move('a.log', 'a.log.1');
      compress('a.log.1');
      append('a.log', numbered(22, 25));
    },
    range(0, 25),
    [],
  ],
  [
    'moved and compressed, with another one before it',
    ({append, move, compress}) => {
      append('a.log', numbered(20, 22));
      move('a.log', 'a.log.2');
      compress('a.log.2');
      append('a.log.1', numbered(22, 24));
      append('a.log', numbered(24, 25));
    },
    range(0, 25),
    [],
  ],
  [
    'copied and emptied',
    ({append, copy, empty}) => {
      append('a.log', numbered(20, 22));
      copy('a.log', 'a.log.1');
      empty('a.log');
      append('a.log', numbered(22, 25));
    },
    range(0, 25),
    [],
  ],
  [
    'removed, and a new one is there',
    ({append, move}) => {
      append('other', numbered(22, 25));
      move('other', 'a.log');
    },
    [...range(0, 20), ...range(22, 25)],
    [lost('was truncated or rewritten, and no copy of its old content was found')],
  ],
  [
    'moved, and no new one is there',
    ({append, move}) => {
      append('a.log', numbered(20, 22));
      move('a.log', 'a.log.1');
    },
    range(0, 22),
    [],
  ],
  [
    'removed, and no new one is there',
    ({remove}) => remove('a.log'),
    range(0, 20),
    [lost('was moved away before it was read to its end, and its rest was not found')],
  ],
  [
    'copied to a new file of its name, with more in it',
    ({append, copy, move}) => {
      copy('a.log', 'a.new');
      append('a.new', numbered(20, 25));
      move('a.new', 'a.log');
    },
    range(0, 25),
    [],
  ],
])(
  'a log that changed while nobody read it goes on where it was left: %s',
  async (_what, change, numbers, warnings) => {
    const folder = createLogFolder();
    const files = createFiles(folder);
    files.append('a.log', numbered(0, 20));
    const first = await open(folder);
    expect(await first.look()).toEqual(range(0, 20));
    await first.close();
    change(files);
    const second = await open(folder);
    await second.look();
    expect([await second.look(), lossesOf(folder)]).toEqual([
      numbers,
      warnings.map(each => expect.stringMatching(each)),
    ]);
    files.append('a.log', numbered(50, 52));
    expect(await second.look()).toEqual([...numbers, 50, 51]);
  },
);

test.each<
  readonly [what: string, change: (files: Files) => void, numbers: readonly number[], warnings: readonly RegExp[]]
>([
  [
    'moved before anything came into the one before',
    ({append, move, empty}) => {
      move('a.log', 'a.log.2');
      empty('a.log.1');
      append('a.log', numbered(20, 25));
    },
    range(0, 25),
    [],
  ],
  [
    'moved, and removed before it was looked at',
    ({append, move, remove}) => {
      append('a.log', numbered(20, 22));
      move('a.log', 'a.log.1');
      append('a.log', numbered(22, 25));
      remove('a.log.1');
    },
    range(0, 25),
    [],
  ],
  [
    'removed, and rewritten',
    ({append, remove}) => {
      remove('a.log');
      append('a.log', numbered(22, 25));
    },
    [...range(0, 20), ...range(22, 25)],
    [],
  ],
])('a log that changes while it is read goes on: %s', async (_what, change, numbers, warnings) => {
  const folder = createLogFolder();
  const files = createFiles(folder);
  files.append('a.log', numbered(0, 20));
  const service = await open(folder);
  await service.look();
  change(files);
  await service.look();
  expect([await service.look(), lossesOf(folder)]).toEqual([
    numbers,
    warnings.map(each => expect.stringMatching(each)),
  ]);
});

test('files that are moved one after the other, one of them before anything came into it, are read in their order', async () => {
  const folder = createLogFolder();
  const files = createFiles(folder);
  files.append('a.log', numbered(0, 20));
  const service = await open(folder);
  await service.look();
  files.move('a.log', 'a.log.1');
  files.empty('a.log');
  await service.look();
  files.move('a.log.1', 'a.log.2');
  files.move('a.log', 'a.log.1');
  files.append('a.log', numbered(20, 25));
  await service.look();
  expect([await service.look(), lossesOf(folder)]).toEqual([range(0, 25), []]);
});
