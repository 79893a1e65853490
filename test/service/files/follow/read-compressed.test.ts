import {writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {gzipSync, zstdCompressSync} from 'node:zlib';
import {expect, onTestFinished, test} from 'vitest';
import {readCompressed} from '#service/files/follow/find-copy.ts';
import {createFollowedFile} from '#service/files/pod/followed-file.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';

test.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
] as const)('a bomb is not unpacked to its end, with %s', async (kind, compress) => {
  const folder = createTempFolder('bomb');
  onTestFinished(() => folder.remove());
  const path = join(folder.path, 'a.log.1');
  writeFileSync(path, compress(`first\n${'\n'.repeat(2_000_000)}`));
  const handle = await open(path);
  onTestFinished(() => handle.close());
  const file = createFollowedFile({key: 1, podKey: 1}, {path, device: 1n, inode: 1n}, handle);
  let taken = 0;
  const take = (_: unknown, lines: readonly string[]): void => {
    taken += lines.length;
  };
  const reading = readCompressed(file, {handle, kind}, take, 1_000_000);
  await expect(reading).rejects.toThrow('more than 1000000 bytes of it are unread');
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeLessThan(1_000_000);
});
