import {existsSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {expectScreen} from './golden.ts';

const name = 'golden-test-of-its-own';
const file = join(import.meta.dirname, '../screens', `${name}.txt`);

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(file, {force: true});
});

const masks = [{pattern: /\d\d:\d\d:\d\d/, as: 'hh:mm:ss'}];

test('keeps a screen and takes only the same one for it, masks aside', () => {
  vi.stubEnv('UPDATE_GOLDENS', '1');
  expectScreen(['site shop  14:02:11', 'a line', ''], name, masks);
  vi.stubEnv('UPDATE_GOLDENS', '');
  expectScreen(['site shop  23:59:59', 'a line', '', ''], name, masks);
  expect(() => expectScreen(['site shop  23:59:59', 'another line'], name, masks)).toThrow(
    `the screen differs from test/screens/${name}.txt`,
  );
});

test('fails where there is nothing to compare with, and writes nothing', () => {
  vi.stubEnv('UPDATE_GOLDENS', '');
  expect(() => expectScreen(['a line'], name)).toThrow('UPDATE_GOLDENS=1');
  expect(existsSync(file)).toBe(false);
});
