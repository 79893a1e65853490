import {spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {formatClusterRole} from '#cli/commands/doctor/checks/cluster-role.ts';
import {createTempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';
import {startService} from './start-service.ts';

/** What a terminal obeys, or shows text in another order for. */
const hostile = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/;

test('no name of a file and no word of a command reaches the terminal of the operator as it is', async () => {
  const folder = createTempFolder('foreign');
  onTestFinished(() => folder.remove());
  const sign = '\u009b31m\u202e\u001b]0;x\u0007';
  mkdirSync(join(folder.path, 'log'));
  writeFileSync(join(folder.path, 'log', `b${sign}.log`), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1]));
  writeFileSync(join(folder.path, 'words'), `said ${sign}\n`);
  writeFileSync(
    join(folder.path, 'serve.toml'),
    `listen = "127.0.0.1:0"
tenant = "acme"
token_file = ${JSON.stringify(`token\u009b\u202e`)}
[[sites]]
id = "shop"
[[sites.branches]]
id = "m1"
name = "master"
status = "DEPLOY_APPLICATION_SUCCESS"
[[sites.branches.pods]]
name = "files"
files = ["log/*", ${JSON.stringify(`log/none\u009b\u202e`)}]
[[sites.branches.pods]]
name = "command"
command = ["sh", "-c", "cat words >&2; exec sleep 1000"]
`,
  );
  const {stdout, stderr} = await startService(folder.path);
  await waitFor(() => stderr().includes('said') && stderr().includes('is not text'), {what: 'the warnings'});
  expect(stdout()).toMatch(/Created a token .*\nListening on .*--token-file/);
  for (const line of [...stdout().split('\n'), ...stderr().split('\n')]) {
    expect(line).not.toMatch(hostile);
  }
});

test('a config that is refused is told without the signs in it', async () => {
  const folder = createTempFolder('foreign');
  onTestFinished(() => folder.remove());
  writeFileSync(join(folder.path, 'serve.toml'), `tenant = "acme"\n${JSON.stringify('\u009b\u202e')} = 1\n`);
  const {stderr, child} = await startService(folder.path);
  expect(child.exitCode).toBe(2);
  expect(stderr()).toMatch(/^branchlog: /);
  expect(stderr().trimEnd()).not.toMatch(hostile);
});

test('an unexpected fault, and the name that a cluster gives to a user, are told without the signs in them', () => {
  const fault = `process.on('newListener', event =>
    event === 'uncaughtException' && process.nextTick(() => { throw new Error('at /log/\\u009b31m\\u202e\\u001b]0;x\\u0007'); }));`;
  const {stderr, status} = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(fault)}`, 'src/cli/main.ts', 'serve', 'none.toml'],
    {encoding: 'utf8'},
  );
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^branchlog: unexpected Error: at \/log\/.+\n$/)]);
  const role = formatClusterRole('shop', 'ann\u009b31m\u202e');
  expect(role).toContain('name: "ann\\u009b31m\\u202e"');
  for (const line of [...stderr.split('\n'), ...role.split('\n')]) {
    expect(line).not.toMatch(hostile);
  }
});
