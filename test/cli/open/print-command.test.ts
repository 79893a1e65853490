import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';
import {runCommand} from '../run-command.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('print');
});
afterEach(() => folder.remove());

const path = (name: string): string => join(folder.path, name);
const line = (second: number, text: string): string => `2026-11-21T14:00:0${second}Z ${text}\n`;
const print = (...args: readonly string[]) =>
  runCommand(['open', ...args], {homeFolder: folder.path, env: {XDG_CONFIG_HOME: path('config')}});

test('the exit code of a command that failed is told, and makes branchlog fail', async () => {
  expect(await print('--', 'sh', '-c', 'echo out; exit 3')).toEqual({
    code: 1,
    stdout: 'out\n',
    stderr: 'branchlog: sh ended with exit code 3\n',
  });
  // All of it is there before the first line is printed.
  expect(await print('--tail', '1', '--', 'sh', '-c', 'echo out; exit 3')).toEqual({
    code: 1,
    stdout: 'out\n',
    stderr: 'branchlog: sh ended with exit code 3\n',
  });
  expect((await print('--', 'sh', '-c', 'kill -9 $$')).code).toBe(1);
  expect((await print('--until', 'out', '--', 'sh', '-c', 'echo out; exit 3')).code).toBe(0);
  expect((await print('--until', 'in', '--', 'sh', '-c', 'echo out; exit 3')).code).toBe(8);
  expect(await print('--', 'echo', '--follow')).toEqual({code: 0, stdout: '--follow\n', stderr: ''});
});

test('following goes on over the end of the file', async () => {
  const {code, stdout} = await print(
    '--follow',
    '--until',
    'ready',
    '--',
    'sh',
    '-c',
    'echo one; sleep 1; echo ready; sleep 60',
  );
  expect([code, stdout]).toEqual([0, 'one\nready\n']);
});

test('a byte order mark is no part of the first line of a command, and what prints only NUL bytes is told', async () => {
  const shown = line(1, 'ERROR first');
  writeFileSync(path('marked.log'), `\uFEFF${shown}`);
  expect((await print('--', 'cat', path('marked.log'), path('marked.log'))).stdout).toBe(`${shown}${shown}`);
  writeFileSync(path('nul.log'), Buffer.alloc(10_000));
  expect(await print('--', 'cat', path('nul.log'))).toEqual({
    code: 0,
    stdout: '',
    stderr: 'branchlog: cat has no lines so far, only NUL bytes.\n',
  });
});
