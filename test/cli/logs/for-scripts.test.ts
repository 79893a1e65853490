import {afterEach, beforeEach, expect, test} from 'vitest';
import {makeBranch, makeBuiltBranch} from '../../support/fake-records.ts';
import {type FakeService, startFakeService} from '../../support/fake-service.ts';
import {createQuickClock} from '../quick-clock.ts';
import {type RunningCommand, runCommand, startCommand} from '../run-command.ts';

let service: FakeService;

beforeEach(async () => {
  service = await startFakeService();
  service.setBranches('site-1', [
    makeBuiltBranch('branch-1', 'main'),
    makeBuiltBranch('branch-2', 'feature/cart'),
    makeBuiltBranch('branch-3', 'feature/search'),
    makeBranch('branch-4', 'feature/new'),
  ]);
});

afterEach(() => service.close());

const lineAt = (second: number, text: string): string => `2026-11-21T14:00:0${second}.000000000Z ${text}`;

const run = (argv: readonly string[], options: Parameters<typeof runCommand>[1] = {}) =>
  runCommand(['logs', 'site-1', ...argv], {env: service.env, clock: createQuickClock(100), ...options});

/** The first window has "ready"; from the second on there is one more line. */
const setGrowing = (text: string): void =>
  service.setLog('branch-1', number => ({
    lines: [lineAt(1, 'ready'), lineAt(2, 'two'), ...(number > 1 ? [lineAt(3, text)] : [])],
  }));

test('with --follow --until waits for a line that comes: what the first window holds has happened before', async () => {
  setGrowing('ready again');
  const {code, stdout} = await run(['main', '--follow', '--until', 'ready', '--format', 'raw']);
  expect({code, stdout}).toEqual({
    code: 0,
    stdout: `${lineAt(1, 'ready')}\n${lineAt(2, 'two')}\n${lineAt(3, 'ready again')}\n`,
  });
});

test('--since says from when --until looks, so a line of the first window counts', async () => {
  setGrowing('three');
  const argv = ['main', '--follow', '--until', 'ready', '--since', '2026-11-21T14:00:00Z', '--format', 'raw'];
  expect(await run(argv)).toEqual({
    code: 0,
    stdout: `${lineAt(1, 'ready')}\n`,
    stderr:
      'branchlog: held from 2026-11-21T14:00:01.000000000Z only, --since asks for more: the service shows no older lines\n',
  });
});

test('what was not met when --duration ended is 8', async () => {
  setGrowing('three');
  const {code, stderr} = await run(['main', '--follow', '--until', 'never', '--duration', '5s']);
  expect({code, stderr}).toEqual({code: 8, stderr: 'branchlog: no line matched --until\n'});
});

test('a branch that is not built out has nothing to wait for: 4', async () => {
  const {code, stderr} = await run(['feature/new', '--follow', '--until', 'ready']);
  expect({code, stderr}).toEqual({
    code: 4,
    stderr: 'branchlog: branch feature/new of site site-1 is not built out: it has no log\n',
  });
});

test('--summary ends json with the reason and the counts', async () => {
  setGrowing('three');
  const {stdout} = await run(['main', '--follow', '--duration', '5s', '--format', 'json', '--summary']);
  const rows = stdout
    .trim()
    .split('\n')
    .map(row => JSON.parse(row));
  expect(rows).toHaveLength(4);
  expect(rows.at(-1)).toEqual({
    kind: 'end',
    reason: 'duration',
    lines: 3,
    gaps: 0,
    late: 0,
    proof: 'inferred',
    lastPollAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
});

test('a pattern stands for all branches of such names that are built out', async () => {
  service.setLog('branch-2', () => ({lines: [lineAt(1, 'of cart')]}));
  service.setLog('branch-3', () => ({lines: [lineAt(2, 'of search')]}));
  const {code, stdout} = await run(['feature/*', '--format', 'raw']);
  expect({code, stdout}).toEqual({code: 0, stdout: `${lineAt(1, 'of cart')}\n${lineAt(2, 'of search')}\n`});
  expect(await run(['hotfix/*'])).toEqual({
    code: 4,
    stdout: '',
    stderr: 'branchlog: no branch of site site-1 that is built out matches "hotfix/*"\n',
  });
});

test.each([
  ['utc', '2026-11-21T14:00:01.000Z one\nbare\n'],
  ['LOCAL', '2026-11-21 14:00:01.000+00:00 one\nbare\n'],
  ['short', '14:00:01.000 one\nbare\n'],
  ['none', 'one\nbare\n'],
])('--timestamps %s', async (form, text) => {
  service.setLog('branch-1', () => ({lines: [lineAt(1, 'one'), 'bare']}));
  expect((await run(['main', '-n', '9', '--timestamps', form])).stdout).toBe(text);
});

test('--highlight colours what matches, where there are colours', async () => {
  service.setLog('branch-1', () => ({lines: [lineAt(1, 'order 17 took 30 ms')]}));
  const argv = ['main', '--timestamps', 'none', '--highlight', '[0-9]+'];
  expect((await run(argv)).stdout).toBe('order 17 took 30 ms\n');
  const {stdout} = await run([...argv, '--color', 'always']);
  expect(stdout.split('\x1b[0m').filter(piece => piece.includes('\x1b['))).toHaveLength(2);
  expect(stdout.replaceAll(/\x1b\[[\d;]*m/g, '')).toBe('order 17 took 30 ms\n');
});

test('a line that came after newer ones says so in text', async () => {
  service.setLog('branch-1', number => ({
    lines: [lineAt(1, 'one'), ...(number > 1 ? [lineAt(2, 'two')] : []), lineAt(3, 'three')],
  }));
  const {stdout} = await run(['main', '-f', '--duration', '5s', '--timestamps', 'none']);
  expect(stdout).toBe('one\nthree\nlate two\n');
});

test('-f, -n, help, version and a slip', async () => {
  const version = (await runCommand(['-V'])).stdout;
  expect(version).toMatch(/^branchlog \d+\.\d+\.\d+\n$/);
  expect((await runCommand(['version'])).stdout).toBe(version);
  expect((await runCommand(['help', 'logs'])).stdout).toMatch(/^Usage: branchlog logs SITE BRANCH/);
  const {code, stderr} = await runCommand(['log', 'shop'], {env: service.env});
  expect(code).toBe(2);
  expect(stderr).toContain('"log" is not a command, did you mean logs?');
  expect((await runCommand(['site-2', 'shop'], {env: service.env})).stderr).not.toContain('did you mean');
  expect((await runCommand(['--', 'log', 'shop'], {env: service.env})).stderr).not.toContain('did you mean');
});

test('--color and CLICOLOR_FORCE colour what is no terminal, --color never overrides them', async () => {
  service.setLog('branch-1', () => ({lines: [lineAt(1, 'level=error broken')]}));
  const isColoured = async (argv: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    (await run(['main', ...argv], {env: {...service.env, ...env}})).stdout.includes('\x1b[');
  expect([
    await isColoured([]),
    await isColoured(['--color', 'always']),
    await isColoured([], {CLICOLOR_FORCE: '1'}),
    await isColoured(['--color', 'never'], {CLICOLOR_FORCE: '1'}),
    await isColoured(['--color', 'always'], {NO_COLOR: '1'}),
  ]).toEqual([false, true, true, false, true]);
});

const rowsOf = (stdout: string): readonly Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .map(row => JSON.parse(row));

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  'on %s the record of --summary is written before the program ends, also to a slow reader',
  async (name, exitCode) => {
    setGrowing('three');
    const argv = ['logs', 'site-1', 'main', '--follow', '--format', 'json', '--summary'];
    const command: RunningCommand = startCommand(argv, {
      env: service.env,
      clock: createQuickClock(100),
      onStdout: async text => {
        if (text.includes('three')) {
          command.signal(name);
          await new Promise(setImmediate);
        }
      },
    });
    expect(await command.code).toBe(exitCode);
    const rows = rowsOf(command.stdout());
    expect(rows.map(({kind}) => kind)).toEqual(['line', 'line', 'line', 'end']);
    expect(rows.at(-1)).toMatchObject({reason: 'stopped', lines: 3, gaps: 0, late: 0});
  },
);
