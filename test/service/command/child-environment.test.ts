import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type ChildKind, environmentFor, runBounded} from '#base/system/programs.ts';
import {runCommand} from '#service/command/run-command.ts';
import {createTempFolder} from '../../support/temp-folder.ts';
import {waitFor} from '../../support/wait-for.ts';

const env = {
  PATH: process.env.PATH,
  HOME: '/home/dev',
  LC_TIME: 'de_DE.UTF-8',
  TZ: 'UTC',
  BRANCHLOG_TOKEN: 'canary',
  BRANCHLOG_LAUNCHED: '1',
  BRANCHLOG_CONTEXT: 'prod',
  AWS_PROFILE: 'shop',
};

describe('the environment of a child', () => {
  test('is that of the user for a command, without the token', () => {
    expect(environmentFor('command', env)).toEqual({
      PATH: env.PATH,
      HOME: '/home/dev',
      LC_TIME: 'de_DE.UTF-8',
      TZ: 'UTC',
      BRANCHLOG_CONTEXT: 'prod',
      AWS_PROFILE: 'shop',
    });
  });

  test('is only what tools need for a tool', () => {
    expect(environmentFor('tool', env)).toEqual({
      PATH: env.PATH,
      HOME: '/home/dev',
      LC_TIME: 'de_DE.UTF-8',
      TZ: 'UTC',
    });
  });

  test.each<ChildKind>(['command', 'tool'])('is what a running %s finds', async kind => {
    let output = '';
    const running = runCommand({
      command: ['sh', '-c', 'echo "$HOME, $BRANCHLOG_TOKEN, $AWS_PROFILE"'],
      folder: '/',
      kind,
      env,
      onChange: () => undefined,
      onErrorOutput: () => undefined,
    });
    onTestFinished(() => running.stop());
    await waitFor(
      () => {
        output += running.takeOutput().bytes.toString();
        return running.outcome() !== undefined;
      },
      {what: 'the command to end'},
    );
    output += running.takeOutput().bytes.toString();
    expect(output).toBe(`/home/dev, , ${kind === 'tool' ? '' : 'shop'}\n`);
  });

  test('has no token where a command is waited for: exec plugins, token commands, notifications', async () => {
    const outcome = await runBounded({
      command: ['sh', '-c', 'echo "$BRANCHLOG_TOKEN, $AWS_PROFILE"'],
      kind: 'command',
      env,
      timeoutMs: 10_000,
      outputBytesMax: 1_000,
    });
    expect(outcome).toEqual({kind: 'done', output: Buffer.from(', shop\n')});
  });

  test('of this process is what a child gets where none is named', async () => {
    const folder = createTempFolder('child');
    onTestFinished(() => folder.remove());
    process.env.BRANCHLOG_TOKEN = 'canary';
    onTestFinished(() => void delete process.env.BRANCHLOG_TOKEN);
    const running = runCommand({
      command: ['sh', '-c', `env > '${folder.path}/env'`],
      folder: '/',
      kind: 'command',
      onChange: () => undefined,
      onErrorOutput: () => undefined,
    });
    onTestFinished(() => running.stop());
    await waitFor(() => running.outcome() !== undefined, {what: 'the command to end'});
    const names = readFileSync(join(folder.path, 'env'), 'utf8')
      .split('\n')
      .map(row => row.split('=')[0]);
    expect(names).toContain('PATH');
    expect(names).not.toContain('BRANCHLOG_TOKEN');
  });
});

test('whoever starts a child chooses its environment', () => {
  const starters = readdirSync('src', {recursive: true, encoding: 'utf8'})
    .filter(path => /\.tsx?$/.test(path))
    .map(path => ({path, code: readFileSync(join('src', path), 'utf8')}))
    .filter(
      ({code}) =>
        /\b(?:spawn|spawnSync|exec|execFile|execSync|execFileSync|fork)\(/.test(code) &&
        code.includes('node:child_process'),
    );
  expect(starters.map(({path}) => path).toSorted()).toEqual([
    'base/system/programs.ts',
    'cli/screens/export/create-exporter.ts',
    'service/command/run-command.ts',
  ]);
  expect(starters.filter(({code}) => !code.includes('env: environmentFor(')).map(({path}) => path)).toEqual([]);
});
