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
  'several files, packed or not, are printed as a log that is held has them in order: seed %i',
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
      const held = await print(['--timestamps', 'none']);
      const printed = await print([]);
      // Raw lines that are held have no carriage return.
      expect([flags, printed.stdout.replaceAll('\r', '') === held.stdout]).toEqual([flags, true]);
    }
  },
);
