import {mkdirSync, renameSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {gzipSync, zstdCompressSync} from 'node:zlib';
import {expect, onTestFinished, test} from 'vitest';
import {findOpened, readOnce} from '#service/files/find-opened.ts';
import {readPlainStream, unpackStream} from '#service/files/read-plain.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const textOf = async (blocks: AsyncIterable<Buffer> | undefined): Promise<string | undefined> =>
  blocks && (await Array.fromAsync(blocks, block => block.toString())).join('');

/** Bytes as a pipe gives them, in pieces. */
const pipeOf = (bytes: Buffer | string): Readable => {
  const all = Buffer.from(bytes);
  return Readable.from([all.subarray(0, 7), all.subarray(7)], {objectMode: false});
};

test.each<readonly [what: string, bytes: Buffer]>([
  ['text', Buffer.from('one\ntwo\n')],
  ['gzip', gzipSync('one\ntwo\n')],
  ['zstd', zstdCompressSync('one\ntwo\n')],
])('a pipe is unpacked by its content: %s', async (_, bytes) => {
  expect(await textOf(unpackStream(pipeOf(bytes)))).toBe('one\ntwo\n');
});

test('what cannot be unpacked, or is cut off, says so', async () => {
  const utf16 = Buffer.from('\uFEFFone\n', 'utf16le');
  await expect(textOf(unpackStream(pipeOf(utf16)))).rejects.toThrow('it is text in UTF-16, not in UTF-8');
  await expect(textOf(unpackStream(pipeOf('BZh91AY&SY…')))).rejects.toThrow('it is not text (bzip2)');
  const cut = gzipSync('one\ntwo\n').subarray(0, 20);
  await expect(textOf(unpackStream(pipeOf(cut)))).rejects.toThrow('it is cut off');
});

test('files are read once, unpacked, and those of a container runtime are told by their first line', async () => {
  const folder = createTempFolder('plain');
  onTestFinished(() => folder.remove());
  const path = (name: string): string => join(folder.path, name);
  writeFileSync(path('a.log'), 'one\ntwo\n');
  writeFileSync(path('a.log.gz'), gzipSync('one\n'));
  writeFileSync(path('0.log'), '2024-01-01T00:00:01Z stdout F one\n');
  writeFileSync(path('0.log.gz'), gzipSync('2024-01-01T00:00:01Z stdout F one\n'));
  writeFileSync(path('hole.log'), '\0\0one\n');
  mkdirSync(path('logs'));
  writeFileSync(path('logs/b.log'), 'one\n');
  symlinkSync(path('a.log'), path('link.log'));
  const read = async (...names: readonly string[]) => {
    const found = await findOpened({words: names.map(path), command: [], withRotated: false, stdin: Readable.from([])});
    const once = await readOnce(found);
    return once && Promise.all(once.map(async ({blocks, isPlain}) => [await textOf(blocks()), isPlain]));
  };
  expect([await read('a.log'), await read('link.log')]).toEqual([[['one\ntwo\n', true]], [['one\ntwo\n', true]]]);
  expect(await read('a.log', 'a.log.gz')).toEqual([
    ['one\ntwo\n', true],
    ['one\n', true],
  ]);
  expect(await read('0.log', '0.log.gz', 'hole.log')).toEqual([
    ['2024-01-01T00:00:01Z stdout F one\n', false],
    ['2024-01-01T00:00:01Z stdout F one\n', false],
    ['\0\0one\n', true],
  ]);
  expect(await read('a.log', 'logs')).toBeUndefined();
});

test('a file that another one replaces before it is read is told, and not read', async () => {
  const folder = createTempFolder('plain');
  onTestFinished(() => folder.remove());
  const path = join(folder.path, 'a.log');
  writeFileSync(path, 'one\n');
  writeFileSync(`${path}.new`, 'other\n');
  const [source] =
    (await readOnce(await findOpened({words: [path], command: [], withRotated: false, stdin: Readable.from([])}))) ??
    [];
  renameSync(`${path}.new`, path);
  await expect(textOf(source?.blocks())).rejects.toThrow('it was replaced while it was opened');
});

test('a pipe that is not read as it is keeps its first bytes', async () => {
  expect(await textOf(await readPlainStream(pipeOf('one\ntwo\n')))).toBe('one\ntwo\n');
  const packed = pipeOf(gzipSync('one\ntwo\n'));
  expect(await readPlainStream(packed)).toBeUndefined();
  expect(await textOf(unpackStream(packed))).toBe('one\ntwo\n');
});
