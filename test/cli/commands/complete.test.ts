import {statSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {rememberSite} from '#config/memory/recent-sites.ts';
import type {FakeService} from '../../support/fake-service.ts';
import type {TempFolder} from '../../support/temp-folder.ts';
import {runCommand} from '../run-command.ts';
import {prepareMachine} from './completion/prepare-machine.ts';

let folder: TempFolder;
let service: FakeService;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  ({folder, service, env} = await prepareMachine());
});
afterAll(async () => {
  await service.close();
  folder.remove();
});

/** What is printed for the words, the last of which is being typed. */
const rows = async (...words: readonly string[]): Promise<readonly string[]> => {
  const {code, stdout, stderr} = await runCommand(['__complete', '--', ...words], {env});
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  return stdout.split('\n').filter(Boolean);
};

const wordsOf = async (...words: readonly string[]): Promise<readonly string[]> =>
  (await rows(...words)).map(row => row.slice(0, row.indexOf('\t')));

describe('branchlog __complete', () => {
  const commandWords = [
    'demo',
    'open',
    'kube',
    'serve',
    'sites',
    'branches',
    'logs',
    'incident',
    'timeline',
    'export',
    'init',
    'doctor',
    'guard',
    'mcp',
    'help',
    'version',
    'completion',
  ];
  const oddWords = [`$(echo gotcha) 'it''s' "x"`, '~root', String.raw`one\two`];
  // A name with a leading dash would read as a flag: its id is offered.
  const siteWords = ['shop', 'Müllers Laden', '77b1', 'evil', ...oddWords, 'dash'];

  test.each<readonly [readonly string[], readonly string[]]>([
    [[''], [...commandWords, ...siteWords]],
    [['logs', ''], siteWords],
    [
      ['logs', '5f'],
      ['shop', '5f3c', ...siteWords.slice(1)],
    ],
    [['--context', 'stage', 'logs', ''], ['staged']],
    [['--', ''], siteWords],
    [
      ['logs', 'shop', ''],
      ['master', 'für später', 'b-3', 'b-4'],
    ],
    [
      ['logs', '5f3c', 'master', 'b-3', ''],
      ['für später', 'b-4'],
    ],
    [['logs', 'shop', '1', '2', '3', '4', '5', '6', '7', '8', ''], []],
    [['logs', 'Müllers Laden', ''], []],
    [
      ['shop', ''],
      ['master', 'für später', 'b-3', 'b-4'],
    ],
    [['shop', 'master', ''], []],
    [['branches', 'shop', ''], []],
    [['help', ''], commandWords],
    [
      ['branches', '--format', ''],
      ['table', 'json', 'ndjson', 'json-array'],
    ],
    [
      ['logs', '--format', ''],
      ['text', 'json', 'raw'],
    ],
    [
      ['logs', '--format=te'],
      ['--format=text', '--format=json', '--format=raw'],
    ],
    [
      ['logs', '--level', ''],
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal'],
    ],
    [['logs', '--tail', ''], []],
    [['logs', '--zzz', ''], siteWords],
    [
      ['--context', ''],
      ['prod', 'stage'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [
      ['sites', '--'],
      [
        '--format',
        '--fields',
        '--max-bytes',
        '--max-lines',
        '--context',
        '--base-url',
        '--tenant',
        '--auth-mode',
        '--token-file',
        '--config',
        '--color',
        '--help',
        '--version',
      ],
    ],
    [['doctor', ''], []],
  ])('after %j', async (words, expected) => {
    expect(await wordsOf(...words)).toEqual(expected);
  });

  test('each has its description after a tab', async () => {
    expect(await rows('logs', '')).toContain('Müllers Laden\ts2');
    expect(await rows('--context', '')).toContain('stage\thttps://stage.example.com/dev-v1');
    expect(await rows('d')).toContain('doctor\tcheck the setup and suggest fixes');
    expect(await rows('demo', '')).toContain('quiet\tone line a minute');
    expect(await rows('sites', '-')).toContain('--help\tshow this help');
  });

  test('where a file is wanted the shell is told so', async () => {
    for (const words of [
      ['serve', ''],
      ['incident', './'],
      ['guard', './'],
      ['timeline', './'],
      ['--config', ''],
      ['logs', '--replay', 'n'],
      ['logs', '--record=n'],
    ]) {
      expect(await rows(...words)).toEqual(['\tfiles']);
    }
  });

  test('a flag that was given is not offered again, unless it may be repeated', async () => {
    const offered = await wordsOf('logs', '--follow', '--grep', 'x', '--tail=5', '--');
    expect(offered).toContain('--grep');
    expect(offered).not.toContain('--follow');
    expect(offered).not.toContain('--tail');
  });

  test('a name that a terminal would act on is not offered, its id is', async () => {
    const {stdout} = await runCommand(['__complete', '--', 'logs', ''], {env});
    expect(stdout).not.toContain('\u001b');
  });

  test('neither the service nor a token command is asked', async () => {
    const requests = service.requests.length;
    await rows('logs', 'shop', '');
    await rows('--context', 'stage', 'logs', '');
    expect(service.requests.length).toBe(requests);
    expect(() => statSync(join(folder.path, 'asked'))).toThrow('ENOENT');
  });

  test('sites that were opened before are offered after those of the config', async () => {
    const site = {contextName: 'stage', siteId: 'r1', name: 'once configured', openedAtMs: 1};
    await rememberSite(join(folder.path, 'branchlog'), site);
    expect(await wordsOf('--context', 'stage', 'branches', '')).toEqual(['staged', 'r1']);
  });

  test('the names of branches are kept for their owner alone', () => {
    expect(statSync(join(folder.path, 'branchlog/branch-names.json')).mode & 0o777).toBe(0o600);
  });

  test('without a config there is nothing to say of sites, and no error in the shell', async () => {
    const {code, stdout, stderr} = await runCommand(['__complete', '--', 'logs', ''], {env: {}});
    expect({code, stdout, stderr}).toEqual({code: 0, stdout: '', stderr: ''});
    const first = await runCommand(['__complete', '--', 'lo'], {env: {}});
    expect(first.stdout).toContain('logs\tprint or follow the log');
  });

  test('offers only flags that have a meaning: none of a service for a cluster, none of a cluster without --kube', async () => {
    expect(await wordsOf('kube', '--')).not.toContain('--base-url');
    expect(await wordsOf('kube', '--c')).toEqual(expect.arrayContaining(['--config', '--context']));
    expect(await wordsOf('logs', 'shop', '--')).not.toContain('--selector');
    expect(await wordsOf('logs', '--kube', 'shop', '--')).toContain('--selector');
  });

  test('is in no help', async () => {
    expect((await runCommand(['--help'])).stdout).not.toContain('__complete');
  });
});
