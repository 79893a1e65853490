import {randomBytes} from 'node:crypto';
import {chmodSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {readOrMakeToken} from '#service/http/served-token.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const tempPath = (): string => {
  const folder = createTempFolder('token');
  onTestFinished(() => folder.remove());
  return join(folder.path, 'inner', 'token');
};

const written = (text: string, mode = 0o600): string => {
  const folder = createTempFolder('token');
  onTestFinished(() => folder.remove());
  const path = join(folder.path, 'token');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};

test('makes a missing file with 32 random bytes that only its owner can read, and reads it the next time', async () => {
  const path = tempPath();
  const first = await readOrMakeToken(path, () => Buffer.alloc(32, 0xfb));
  expect(first).toEqual({token: '-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_s', made: true});
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  expect(readFileSync(path, 'utf8')).toBe(`${first.token}\n`);
  expect(await readOrMakeToken(path, randomBytes)).toEqual({token: first.token, made: false});
});

test('strips a byte order mark and white space', async () => {
  expect((await readOrMakeToken(written('\uFEFF abc.def-0123456789 \r\n'), randomBytes)).token).toBe(
    'abc.def-0123456789',
  );
});

test('refuses a file that others can read, and says what to run', async () => {
  const path = written('abc', 0o644);
  await expect(readOrMakeToken(path, randomBytes)).rejects.toThrow(
    `The token file ${path} is open to every user: run chmod 600 ${path}`,
  );
});

test('refuses an empty file, a folder, and a character that no token has, without showing the token', async () => {
  await expect(readOrMakeToken(written(' \n'), randomBytes)).rejects.toThrow('is empty');
  await expect(readOrMakeToken('/', randomBytes)).rejects.toThrow('is a folder, not a file');
  await expect(readOrMakeToken(written('abc def'), randomBytes)).rejects.toThrow(
    /invalid character at offset 3(?!.*abc)/,
  );
});

test('refuses a token of fewer than 16 characters without showing it', async () => {
  expect((await readOrMakeToken(written('0123456789abcdef'), randomBytes)).token).toBe('0123456789abcdef');
  const path = written('0123456789abcde');
  await expect(readOrMakeToken(path, randomBytes)).rejects.toThrow(
    `The token file ${path} has a token of fewer than 16 characters, which can be guessed: remove the file to get a random one at the next start.`,
  );
});

test('a token of 64 KB is read, and no larger file', async () => {
  const longest = 'x'.repeat(64 * 1024);
  expect((await readOrMakeToken(written(longest), randomBytes)).token).toBe(longest);
  await expect(readOrMakeToken(written(`${longest}x`), randomBytes)).rejects.toThrow('is larger than');
});
