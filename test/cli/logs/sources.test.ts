import {afterEach, beforeEach, expect, test} from 'vitest';
import {makeBuiltBranch} from '../../support/fake-records.ts';
import {type FakeService, startFakeService} from '../../support/fake-service.ts';
import {createQuickClock} from '../quick-clock.ts';
import {runCommand} from '../run-command.ts';

let service: FakeService;

beforeEach(async () => {
  service = await startFakeService();
  service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main'), makeBuiltBranch('branch-2', 'staging')]);
});

afterEach(async () => {
  await service.close();
});

const lineAt = (second: number): string => `2026-11-21T14:00:0${second}.000000000Z line ${second}`;

const nginx = {pod: 'web-1', container: 'nginx'};
const php = {pod: 'web-2', container: 'php', stream: 'stderr'};
const loss = {source: 1, number: 4, why: 'the file was cut', lines: 2, after: lineAt(1).slice(0, 30)};

/** A log of three lines, of which the source of the last is not known; from the second answer on with a fourth. */
const setNumbered = (branchId: string, losses: readonly object[] = []): void =>
  service.setLog(branchId, number => {
    const count = number === 1 ? 3 : 4;
    const field = {
      series: 'a',
      first: 1,
      runs: [[0, 1], [1, 1], [2, 1], ...(count === 4 ? [[1, 1]] : [])],
      sources: [nginx, php, {}],
      losses: number === 1 ? [] : losses,
    };
    return {lines: [1, 2, 3, 4].slice(0, count).map(lineAt), more: {branchlog: field}};
  });

const run = (...argv: readonly string[]) =>
  runCommand(['logs', 'site-1', ...argv], {env: service.env, clock: createQuickClock(100)});

test('--prefix puts the pod and the container before each line of which they are known', async () => {
  setNumbered('branch-1');
  setNumbered('branch-2');
  expect(await run('main', '--prefix')).toEqual({
    code: 0,
    stdout: `[web-1/nginx] ${lineAt(1)}\n[web-2/php] ${lineAt(2)}\n${lineAt(3)}\n`,
    stderr: '',
  });
  const {stdout} = await run('main', 'staging', '--prefix', '--timestamps', 'none', '--pod', 'web-2');
  expect(stdout).toBe('main | [web-2/php] line 2\nstaging | [web-2/php] line 2\nmain | [web-2/php] line 4\n');
});

test('--prefix has no effect without text, or where the service does not say who wrote a line, and says so', async () => {
  setNumbered('branch-1');
  expect((await run('main', '--prefix', '--format', 'raw')).stderr).toBe(
    'branchlog: --prefix has no effect without --format text\n',
  );
  service.setLog('branch-1', () => ({lines: [lineAt(1)]}));
  expect(await run('main', '--prefix')).toEqual({
    code: 0,
    stdout: `${lineAt(1)}\n`,
    stderr: 'branchlog: the service does not report sources: --prefix has no effect\n',
  });
});

test('json has pod, container and stream of lines and gaps, and of a gap what is missing and why', async () => {
  setNumbered('branch-1', [loss]);
  const {stdout} = await run('main', '--format', 'json', '--follow', '--duration', '3s');
  const records: readonly Record<string, unknown>[] = stdout
    .trim()
    .split('\n')
    .map(row => JSON.parse(row));
  expect(records.map(({kind, pod, container, stream}) => [kind, pod, container, stream])).toEqual([
    ['line', 'web-1', 'nginx', undefined],
    ['line', 'web-2', 'php', 'stderr'],
    ['line', undefined, undefined, undefined],
    ['gap', 'web-2', 'php', 'stderr'],
    ['line', 'web-2', 'php', 'stderr'],
  ]);
  expect(records[3]).toMatchObject({reason: 'told', missing: 2, why: 'the file was cut'});
});

test('a loss of another pod does not fail --fail-on-gap, one of a wanted pod does', async () => {
  const follow = ['--follow', '--duration', '3s', '--fail-on-gap'];
  setNumbered('branch-1', [loss]);
  expect(await run('main', ...follow, '--pod', 'web-1')).toMatchObject({code: 0, stdout: `${lineAt(1)}\n`});
  setNumbered('branch-2', [loss]);
  expect((await run('staging', ...follow, '--exclude-pod', 'web-1')).code).toBe(7);
});

test.each([[['--follow']], [[]]])(
  'of several branches, one whose service does not say who wrote a line ends it with 6, by name: %j',
  async flags => {
    setNumbered('branch-1');
    service.setLog('branch-2', () => ({lines: [lineAt(1)]}));
    const {code, stderr} = await run('main', 'staging', '--container', 'php', ...flags);
    expect(code).toBe(6);
    expect(stderr).toContain('staging: the service does not report sources: --container cannot be applied\n');
  },
);
