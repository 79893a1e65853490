import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {gzipSync, zstdCompressSync} from 'node:zlib';
import {expect, onTestFinished, test} from 'vitest';
import {
  describeKind,
  type FileKind,
  findFileKind,
  isReadableKind,
  judgeFileKind,
} from '#service/files/disk/file-kind.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';

const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf16be = (text: string): Buffer => utf16le(text).swap16();

test.each<readonly [what: string, block: Buffer, kind: FileKind]>([
  ['nothing', Buffer.alloc(0), 'unknown'],
  ['text', Buffer.from('one\n'), 'text'],
  ['one byte of text', Buffer.from('o'), 'text'],
  ['gzip', gzipSync('one'), 'gzip'],
  ['the first byte of gzip', Buffer.from([0x1f]), 'unknown'],
  ['zstd', zstdCompressSync('one'), 'zstd'],
  ['three bytes of zstd', Buffer.from([0x28, 0xb5, 0x2f]), 'unknown'],
  ['xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00]), 'xz'],
  ['bzip2', Buffer.from('BZh91AY&SY…'), 'bzip2'],
  ['two bytes of bzip2', Buffer.from('BZ'), 'unknown'],
  ['text that begins like bzip2', Buffer.from('BZh9 is what I say\n'), 'text'],
  ['UTF-16 with its mark', Buffer.from([0xff, 0xfe, 0x6f, 0x00]), 'UTF-16'],
  ['UTF-16 with its mark, the other way', Buffer.from([0xfe, 0xff, 0x00, 0x6f]), 'UTF-16'],
  ['half a mark', Buffer.from([0xff]), 'unknown'],
  ['UTF-16 without a mark', utf16le('four'), 'UTF-16'],
  ['UTF-16 without a mark, the other way, amid a line', utf16be('four').subarray(0, 8), 'UTF-16'],
  ['a pair that is cut', Buffer.concat([utf16le('four'), Buffer.from('x')]), 'UTF-16'],
  ['fewer pairs than tell', utf16le('one'), 'binary'],
  ['a NUL amid a line', Buffer.from('one\0two\n'), 'binary'],
  ['a NUL amid a later line', Buffer.from('\0\0one\ntwo\0\n'), 'binary'],
  ['a hole at the beginning', Buffer.from('\0\0\0one\n'), 'text'],
  ['a hole after a line', Buffer.from('one\n\0\0\0two\n'), 'text'],
  ['a hole alone', Buffer.alloc(100), 'text'],
  ['pairs of which not each has a NUL', Buffer.from('f\0o\0u\0rr'), 'binary'],
])('judges a file by its first bytes: %s', (_, block, kind) => {
  expect(judgeFileKind(block)).toBe(kind);
});

test.each<readonly [kind: FileKind, isReadable: boolean]>([
  ['unknown', true],
  ['text', true],
  ['binary', true],
  ['gzip', false],
  ['UTF-16', false],
])('a known file of kind %s can be read: %s', (kind, isReadable) => {
  expect(isReadableKind(kind)).toBe(isReadable);
});

test('says why a file is not served', () => {
  expect([describeKind('gzip'), describeKind('UTF-16')]).toEqual([
    'is not text (gzip)',
    'is text in UTF-16, not in UTF-8: `iconv -f UTF-16 -t UTF-8` converts it',
  ]);
});

test('the first 4,096 bytes of a file tell its kind', async () => {
  const folder = createTempFolder('kind');
  onTestFinished(folder.remove);
  const kindOf = async (bytes: Buffer): Promise<FileKind> => {
    const handle = await open(join(folder.path, 'file'), 'w+');
    onTestFinished(() => handle.close());
    await handle.write(bytes, 0, bytes.length, 0);
    return await findFileKind(handle);
  };
  const endsWithNul = (textBytes: number): Buffer => Buffer.from(`${'x'.repeat(textBytes)}\0`);
  expect([await kindOf(endsWithNul(4_095)), await kindOf(endsWithNul(4_096))]).toEqual(['binary', 'text']);
  expect(await kindOf(gzipSync('one'))).toBe('gzip');
});
