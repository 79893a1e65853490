import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync, zstdCompressSync} from 'node:zlib';
import {expect, onTestFinished, test} from 'vitest';
import {createSeededRandom, type SeededRandom} from '../../../support/kubernetes/truth/seeded-random.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';
import {runCommand} from '../../run-command.ts';

const seed = Number(process.env.SEED ?? 20_261_127);

const twoDigits = (value: number): string => String(value).padStart(2, '0');
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** How programs write a time, from one in milliseconds on. */
const writings: readonly ((at: Date, random: SeededRandom) => string)[] = [
  at => `${at.toISOString()} INFO `,
  at => `${at.toISOString().replace('T', ' ').replace('.', ',').replace('Z', '')} WARNING `,
  (at, random) =>
    `10.${random.between(0, 255)}.2.${random.between(1, 99)} - - [${twoDigits(at.getUTCDate())}/${months[at.getUTCMonth()]}/${at.getUTCFullYear()}:${at.toISOString().slice(11, 19)} +0100] "GET /`,
  at => `${at.toUTCString()} `,
  at => `[${at.toISOString().slice(0, 19).replace('T', ' ')}] local.ERROR: `,
  at =>
    `${months[at.getUTCMonth()]} ${String(at.getUTCDate()).padStart(2)} ${at.toISOString().slice(11, 19)} web1 app[1]: `,
  at => `{"time":"${at.toISOString()}","level":"error","msg":"`,
  at =>
    `I${twoDigits(at.getUTCMonth() + 1)}${twoDigits(at.getUTCDate())} ${at.toISOString().slice(11, 23)}456   1 main.go:1] `,
  at => `${(at.getTime() / 1000).toFixed(3)} `,
  at => `time="${at.toISOString()}" level=warn msg="`,
  at =>
    `${twoDigits(at.getUTCDate())}.${twoDigits(at.getUTCMonth() + 1)}.${at.getUTCFullYear()} ${at.toISOString().slice(11, 19)} `,
  at => `${at.toISOString().slice(0, 19).replace('T', ' ')} EST `,
];

/** Lines as they are found in files: most with a time of one form, some without or of another one. */
const drawLines = (random: SeededRandom, name: string, timed: number): readonly string[] => {
  const forms = Array.from({length: random.between(1, 3)}, () => random.pick(writings));
  let ms = Date.UTC(2025, 9, 26, 0, 59, random.between(0, 59));
  return Array.from({length: random.between(0, 300)}, (_, index) => {
    ms += random.between(-900, 2_000) * (random.next() < 0.02 ? 600 : 1);
    const time = random.next() < timed ? (random.pick(forms)?.(new Date(ms), random) ?? '') : '';
    const text = random.pick([
      'order stored',
      '\tat Till.pay(Till.java:7)',
      'no\x1b[31m till\x1b[0m',
      'Schlüssel',
      'a'.repeat(300),
      '',
    ]);
    return `${time}${text} ${name} ${index}${random.next() < 0.1 ? '\r' : ''}`;
  });
};

const packings = [(text: string) => text, (text: string) => gzipSync(text), (text: string) => zstdCompressSync(text)];

test.each(Array.from({length: 12}, (_, run) => seed + run))(
  'several files, packed or not, are printed as their lines are ordered one by one: seed %i',
  async given => {
    const random = createSeededRandom(given);
    const folder = createTempFolder('merged');
    onTestFinished(() => folder.remove());
    const paths = Array.from({length: random.between(2, 5)}, (_, index) => join(folder.path, `${index}.log`));
    for (const [index, path] of paths.entries()) {
      // Lines before the first time would be of now, whose order is that in which blocks are read.
      const first = `2025-10-26T00:00:0${index}Z begin`;
      const lines = drawLines(random, String(index), random.pick([1, 0.9, 0.5]) ?? 1);
      writeFileSync(path, (random.pick(packings) ?? String)([first, ...lines, ''].join('\n')));
    }
    for (const flags of [
      [],
      ['--level', 'error'],
      ['--level', 'warn', '--exclude', '7'],
      ['--prefix'],
      ['--grep', 'WARN|Till 1'],
      ['--format', 'raw'],
    ]) {
      const print = (more: readonly string[]) =>
        runCommand(['open', ...paths, ...flags, ...more], {homeFolder: folder.path});
      const oneByOne = await print(['--timestamps', 'none']);
      const printed = await print([]);
      // Raw lines that are taken apart have no carriage return.
      expect([flags, printed.stdout.replaceAll('\r', '') === oneByOne.stdout]).toEqual([flags, true]);
    }
  },
);

const printFiles = async (files: Readonly<Record<string, string | Buffer>>, ...flags: readonly string[]) => {
  const folder = createTempFolder('merged');
  onTestFinished(() => folder.remove());
  const paths = Object.entries(files).map(([name, content]) => {
    const path = join(folder.path, name);
    writeFileSync(path, content);
    return path;
  });
  return runCommand(['open', ...paths, ...flags], {homeFolder: folder.path});
};

const recordsOf = (stdout: string): readonly Readonly<Record<string, unknown>>[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map(row => JSON.parse(row));

test('records of several container logs have their streams, and joined lines', async () => {
  const {stdout} = await printFiles(
    {
      'web.log': `2025-10-26T00:00:01Z stdout P begin${'\n'}2025-10-26T00:00:03Z stderr F no till\n2025-10-26T00:00:04Z stdout F  of it\n`,
      'db.log': '{"log":"ready\\n","stream":"stdout","time":"2025-10-26T00:00:02Z"}\n',
    },
    '--format',
    'json',
  );
  expect(recordsOf(stdout)).toEqual([
    {kind: 'line', timestamp: '2025-10-26T00:00:01.000000000Z', text: 'begin of it', pod: 'web.log', stream: 'stdout'},
    {kind: 'line', timestamp: '2025-10-26T00:00:02.000000000Z', text: 'ready', pod: 'db.log', stream: 'stdout'},
    {kind: 'line', timestamp: '2025-10-26T00:00:03.000000000Z', text: 'no till', pod: 'web.log', stream: 'stderr'},
  ]);
});

test('a gap stands where the archive ends that is cut off, and counts', async () => {
  const {code, stdout} = await printFiles(
    {
      'a.gz': Buffer.concat([gzipSync('2025-10-26T00:00:01Z one\n2025-10-26T00:00:03Z two\n'), Buffer.from('more')]),
      'b.log': '2025-10-26T00:00:02Z other\n2025-10-26T00:00:04Z last\n',
    },
    ...['--format', 'json', '--fail-on-gap'],
  );
  expect([code, recordsOf(stdout).map(({text, kind, after}) => text ?? [kind, after])]).toEqual([
    7,
    [
      '2025-10-26T00:00:01Z one',
      '2025-10-26T00:00:02Z other',
      '2025-10-26T00:00:03Z two',
      ['gap', '2025-10-26T00:00:03.000000000Z'],
    ],
  ]);
});

test('lines around a match are those of all files', async () => {
  const files = {
    'a.log': '2025-10-26T00:00:01Z one\n2025-10-26T00:00:03Z broken\n2025-10-26T00:00:05Z five\n',
    'b.log': '2025-10-26T00:00:02Z two\n2025-10-26T00:00:04Z four\n',
  };
  expect((await printFiles(files, '--grep', 'broken', '--around', '1')).stdout).toBe(
    '2025-10-26T00:00:02Z two\n2025-10-26T00:00:03Z broken\n2025-10-26T00:00:04Z four\n',
  );
});

test('the last lines that match are found however far back they are, and a bound by time holds for each file', async () => {
  const lines = (second: number): string =>
    Array.from({length: 30_000}, (_, index) => {
      const at = new Date(Date.UTC(2025, 9, 26, 0, 0, second + 2 * index)).toISOString();
      return `${at} ${index === 9 ? 'broken' : 'stored'} ${second} ${index}\n`;
    }).join('');
  const files = {'a.log': lines(0), 'b.log': lines(1)};
  expect((await printFiles(files, '--tail', '3', '--grep', 'broken|5 2999[89]|1 29999')).stdout).toBe(
    '2025-10-26T00:00:18.000Z broken 0 9\n2025-10-26T00:00:19.000Z broken 1 9\n2025-10-26T16:39:59.000Z stored 1 29999\n',
  );
  expect((await printFiles(files, '--since', '2025-10-26T16:39:57Z')).stdout).toBe(
    '2025-10-26T16:39:57.000Z stored 1 29998\n2025-10-26T16:39:58.000Z stored 0 29999\n2025-10-26T16:39:59.000Z stored 1 29999\n',
  );
});

test('a line that is too long comes in pieces, whose order with the lines of others is that of their time', async () => {
  const long = `2025-10-26T00:00:01Z ${'é'.repeat(50_000)}`;
  const {stdout} = await printFiles(
    {'a.log': `${long}\n  at here\n`, 'b.log': '2025-10-26T00:00:01.000000001Z other\n2025-10-26T00:00:02Z last\n'},
    ...['--format', 'json'],
  );
  const records = recordsOf(stdout);
  expect(records.map(({timestamp, part, pod}) => [String(timestamp).slice(17), part ?? false, pod])).toEqual([
    ['01.000000000Z', true, 'a.log'],
    ['01.000000001Z', false, 'a.log'],
    ['01.000000001Z', false, 'b.log'],
    ['01.000000002Z', false, 'a.log'],
    ['02.000000000Z', false, 'b.log'],
  ]);
  expect(`${records[0]?.text}${records[1]?.text}`).toBe(long);
});
