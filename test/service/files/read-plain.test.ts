import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {gzipSync, zstdCompressSync} from 'node:zlib';
import {expect, onTestFinished, test} from 'vitest';
import {readPlain, unpackStream} from '#service/files/read-plain.ts';
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

test('only text that nobody has to unpack, or to take apart, is read as it is', async () => {
  const folder = createTempFolder('plain');
  onTestFinished(() => folder.remove());
  const path = (name: string): string => join(folder.path, name);
  const none = Readable.from([]);
  writeFileSync(path('a.log'), 'one\ntwo\n');
  writeFileSync(path('a.log.gz'), gzipSync('one\n'));
  writeFileSync(path('0.log'), '2024-01-01T00:00:01Z stdout F one\n');
  writeFileSync(path('hole.log'), '\0\0one\n');
  mkdirSync(path('logs'));
  symlinkSync(path('a.log'), path('link.log'));
  const read = async (name: string) => textOf(await readPlain(path(name), none));
  expect([await read('a.log'), await read('link.log')]).toEqual(['one\ntwo\n', 'one\ntwo\n']);
  for (const name of ['a.log.gz', '0.log', 'hole.log', 'logs', 'missing.log', '*.log']) {
    expect([name, await read(name)]).toEqual([name, undefined]);
  }
});

test('a pipe that is not read as it is keeps its first bytes', async () => {
  expect(await textOf(await readPlain('-', pipeOf('one\ntwo\n')))).toBe('one\ntwo\n');
  const packed = pipeOf(gzipSync('one\ntwo\n'));
  expect(await readPlain('-', packed)).toBeUndefined();
  expect(await textOf(unpackStream(packed))).toBe('one\ntwo\n');
});
