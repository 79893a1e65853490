import {writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {constants, gunzipSync, gzipSync, zstdCompressSync} from 'node:zlib';
import {expect, onTestFinished, test} from 'vitest';
import {type CompressedKind, decompressFile} from '#service/files/follow/decompress-file.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';

/** Returns the text that comes of a compressed file, and the error after it. */
const decompress = async (kind: CompressedKind, ...parts: readonly Uint8Array[]) => {
  const folder = createTempFolder('decompress');
  onTestFinished(() => folder.remove());
  writeFileSync(join(folder.path, 'a.log'), Buffer.concat(parts));
  const handle = await open(join(folder.path, 'a.log'));
  onTestFinished(() => handle.close());
  const blocks: Buffer[] = [];
  const failure = await (async () => {
    for await (const block of decompressFile(handle, kind)) {
      blocks.push(block);
      // A reader that takes its time, in which a fault comes after what was not taken.
      await setImmediate();
    }
    return undefined;
  })().catch((error: unknown) => (error instanceof Error ? error.message : error));
  return {text: Buffer.concat(blocks).toString(), failure};
};

/** Two blocks and a half, once decompressed. */
const text = Array.from(
  {length: 10_000},
  (_, index) => `line ${index} of ${(index * 7919) % 10_007} and some more text\n`,
)
  .join('')
  .repeat(2);
const packed = gzipSync(text);
const packedZstd = zstdCompressSync(text, {params: {[constants.ZSTD_c_checksumFlag]: 1}});
const changed = (bytes: Buffer, offset: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[offset] = (copy[offset] ?? 0) ^ 0xff;
  return copy;
};

test.each([
  ['gzip', packed],
  ['zstd', packedZstd],
] as const)('all parts of a %s file come, also behind zeros, small ones and large ones', async (kind, bytes) => {
  const small = kind === 'gzip' ? gzipSync('small\n') : zstdCompressSync('small\n');
  expect(await decompress(kind, small, small)).toEqual({text: 'small\nsmall\n', failure: undefined});
  expect(await decompress(kind, bytes, bytes, small)).toEqual({text: `${text}${text}small\n`, failure: undefined});
  expect(await decompress(kind, bytes, Buffer.alloc(50_000), small, Buffer.alloc(5))).toEqual({
    text: `${text}small\n`,
    failure: undefined,
  });
});

test.each([
  ['gzip', packed],
  ['zstd', packedZstd],
] as const)('all of a %s file comes before what is not, and that is said', async (kind, bytes) => {
  const failure = `it goes on with bytes that are not ${kind}`;
  expect(await decompress(kind, bytes, Buffer.from('garbage\n'))).toEqual({text, failure});
  expect(await decompress(kind, bytes, Buffer.alloc(3), Buffer.from('garbage\n'))).toEqual({text, failure});
});

test('of a file that is cut off, all comes that was written before', async () => {
  const cut = packed.subarray(0, packed.length / 2);
  const before = gunzipSync(cut, {finishFlush: constants.Z_SYNC_FLUSH}).toString();
  expect(before.length).toBeGreaterThan(text.length / 3);
  expect(await decompress('gzip', cut)).toEqual({text: before, failure: 'it is cut off'});
  expect(await decompress('zstd', packedZstd.subarray(0, -1))).toEqual({text, failure: 'it is cut off'});
});

test('of a file that is damaged, all comes up to the fault', async () => {
  expect(await decompress('gzip', changed(packed, packed.length - 6))).toEqual({
    text,
    failure: 'it is damaged: incorrect data check',
  });
  expect(await decompress('zstd', changed(packedZstd, packedZstd.length - 1))).toEqual({
    text,
    failure: expect.stringContaining('it is damaged: '),
  });
  const cut = packed.subarray(0, packed.length / 2);
  const before = gunzipSync(cut, {finishFlush: constants.Z_SYNC_FLUSH}).toString();
  const overwritten = await decompress('gzip', cut, packedZstd);
  expect([overwritten.text.startsWith(before), overwritten.failure]).toEqual([
    true,
    expect.stringContaining('it is damaged: '),
  ]);
});
