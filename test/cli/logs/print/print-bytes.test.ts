import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {parseArguments} from '#cli/arguments/args.ts';
import {readLogsOptions} from '#cli/arguments/logs-options.ts';
import {createLineFormatter} from '#cli/logs/line-text.ts';
import {printBytes} from '#cli/logs/print/print-bytes.ts';
import {readSamples} from '../../../../scripts/format-samples.ts';
import {readCases} from '../../../cases/read-cases.ts';
import {createSeededRandom} from '../../../support/kubernetes/truth/seeded-random.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';
import {runCommand} from '../../run-command.ts';

/** Prints bytes that come in blocks, as `open` prints a file. */
const print = async (blocks: readonly Buffer[], flags: readonly string[], isStream = false): Promise<Buffer> => {
  const options = readLogsOptions(parseArguments(['open', 'a.log', ...flags]), () => undefined);
  const written: Buffer[] = [];
  await printBytes(
    [
      {
        blocks: (async function* () {
          yield* blocks;
        })(),
        isStream,
        isUntimed: true,
        onEnd: () => undefined,
      },
    ],
    {
      options,
      formatText: createLineFormatter({colour: 'own', theme: undefined, timestamps: 'none'}),
      formatsAll: false,
      now: 0n,
      output: {write: async text => void written.push(Buffer.from(text))},
      signal: new AbortController().signal,
    },
  );
  return Buffer.concat(written);
};

const seed = Number(process.env.SEED ?? 20_261_127);

const cut = (bytes: Buffer, bytesMax: number, random: ReturnType<typeof createSeededRandom>): readonly Buffer[] => {
  const blocks: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = from + random.between(1, bytesMax);
    blocks.push(bytes.subarray(from, to));
    from = to;
  }
  return blocks;
};

const cases = readCases().map(({path}) => readFileSync(path));
const samples = readSamples().map(({lines}) => Buffer.from(lines.map(({text}) => `${text}\n`).join('')));

test.each([
  ['no filter', []],
  ['a literal', ['--grep', 'error']],
  ['a literal with lines around', ['--grep', 'timeout', '--around', '3']],
  ['several patterns', ['--grep', 'failed', '--grep', 'refused|denied']],
  ['an expression that needs no text', ['--grep', '\\d{5}']],
  ['an expression with lines before', ['--grep', 'GET /[a-z]+', '--before', '1']],
  ['what is left out', ['--exclude', 'INFO']],
  ['a literal, and what is left out', ['--grep', 'connection', '--exclude', 'DEBUG']],
  ['a level', ['--level', 'error']],
  ['the worst level', ['--level', 'fatal']],
  ['a level with lines around', ['--level', 'error', '--grep', 'fail', '--around', '2']],
  ['a level, and what is left out', ['--level', 'error', '--exclude', 'timeout']],
  ['a level and a literal', ['--level', 'warn', '--grep', 'user']],
])(`prints of all sample logs what is printed of a log that is held: %s, seed ${seed}`, async (_, flags) => {
  const random = createSeededRandom(seed);
  const folder = createTempFolder('bytes');
  onTestFinished(() => folder.remove());
  const path = join(folder.path, 'a.log');
  // Lines with 16 K characters were cut, and with 64 KB split, where a log is held.
  const bytes = Buffer.concat(
    [...cases, ...samples].flatMap(each => [each, each.at(-1) === 0x0a ? Buffer.alloc(0) : Buffer.from('\n')]),
  );
  writeFileSync(path, bytes);
  const held = await runCommand(['open', path, '--timestamps', 'none', ...flags], {homeFolder: folder.path});
  expect(held.stdout).not.toBe('');
  for (const bytesMax of [300, 20_000, 10_000_000]) {
    expect((await print(cut(bytes, bytesMax, random), flags)).toString() === held.stdout).toBe(true);
  }
});

test('of a level, what a warning raised is no error, however long its trace', async () => {
  const frames = Array.from({length: 300}, (_, index) => `  File "till.py", line ${index}, in pay\n`).join('');
  const lines = [
    '2026-11-27 03:00:00,123 WARNING till retried\n',
    `Traceback (most recent call last):\n${frames}ValueError: not a number\n`,
    '2026-11-27 03:00:01,123 INFO till paid\n',
    '2026-11-27 03:00:02,123 WARNING till retried\njava.lang.IllegalStateException: nothing left\n',
    '2026-11-27 03:00:03,123 ERROR till closed\njava.lang.IllegalStateException: nothing left\n',
    '2026-11-27 03:00:04,123 INFO till opened\n',
    'TypeError: a till is no function\n',
  ].join('');
  const errors = `2026-11-27 03:00:03,123 ERROR till closed
java.lang.IllegalStateException: nothing left
TypeError: a till is no function
`;
  for (const bytesMax of [40, 5_000, 100_000]) {
    const blocks = cut(Buffer.from(lines), bytesMax, createSeededRandom(seed));
    expect((await print(blocks, ['--level', 'error'])).toString()).toBe(errors);
  }
});

test('raw is the bytes as they are, filtered or not, with a newline at the end', async () => {
  const bytes = Buffer.from([0x61, 0xfc, 0x0d, 0x0a, 0x1b, 0x5b, 0x6d, 0x62, 0x0a, 0x00, 0x61, 0x0d]);
  const ended = Buffer.concat([bytes, Buffer.from('\n')]);
  expect(await print([bytes], ['--format', 'raw'])).toEqual(ended);
  expect(await print([bytes], ['--format', 'raw', '--grep', '[ab]'])).toEqual(ended);
  expect(await print([bytes], ['--format', 'raw', '--grep', 'b'])).toEqual(Buffer.from('\x1b[mb\n'));
});

test('text has whole lines, however long, and is safe', async () => {
  const long = `${'x'.repeat(200_000)}\x1b[31m end`;
  expect((await print([Buffer.from(`${long}\nnext\n`)], [])).toString()).toBe(`${'x'.repeat(200_000)} end\nnext\n`);
  expect((await print([Buffer.from(`${long}\nnext\n`)], ['--grep', 'end'])).toString()).toBe(
    `${'x'.repeat(200_000)} end\n`,
  );
});

test('lines that were left out show between those with context, also over blocks', async () => {
  const lines = Array.from({length: 2_000}, (_, index) => `line ${index}\n`).join('');
  const blocks = [Buffer.from(lines.slice(0, 9_000)), Buffer.from(lines.slice(9_000))];
  expect((await print(blocks, ['--grep', 'line 100$|line 1999$', '--around', '1'])).toString()).toBe(
    'line 99\nline 100\nline 101\n--\nline 1998\nline 1999\n',
  );
});

test('what a manual prints over itself is left out of a stream, not of a file', async () => {
  const bold = [Buffer.from('N\bNA\bAME\n')];
  expect((await print(bold, [], true)).toString()).toBe('NAME\n');
  expect((await print(bold, [])).toString()).toBe('N␈NA␈AME\n');
});
