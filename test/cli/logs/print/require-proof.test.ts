import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {makeBuiltBranch} from '../../../support/fake-records.ts';
import {type FakeService, startFakeService} from '../../../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../../../support/temp-folder.ts';
import {createQuickClock} from '../../quick-clock.ts';
import {runCommand} from '../../run-command.ts';

let service: FakeService;
let home: TempFolder;

beforeEach(async () => {
  service = await startFakeService();
  service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main'), makeBuiltBranch('branch-2', 'staging')]);
  home = createTempFolder('require-proof');
});

afterEach(async () => {
  await service.close();
  home.remove();
});

const lineAt = (second: number): string => `2026-11-21T14:00:0${second}.000000000Z line ${second}`;
const linesTo = (last: number): readonly string[] => Array.from({length: last}, (_, index) => lineAt(index + 1));
const printed = (last: number): string => `${linesTo(last).join('\n')}\n`;

/** As `serve` says it: `last` lines were numbered, and none has left the window. */
const countedTo = (last: number): string => `pod; series=a; last=${last}; dropped=0`;

const run = (argv: readonly string[], options: Parameters<typeof runCommand>[1] = {}) =>
  runCommand(['logs', ...argv, '--require-proof'], {env: service.env, clock: createQuickClock(100), ...options});

const runMain = (...argv: readonly string[]) => run(['site-1', 'main', '--format', 'raw', ...argv]);

const advice =
  'To prove that no line is missing, a service must number its lines, as branchlog serve and --kube do; or leave out --require-proof';

describe('--require-proof', () => {
  test('is met where the service numbers its lines', async () => {
    service.setLog('branch-1', () => ({lines: linesTo(2), header: countedTo(2)}));
    expect(await runMain()).toEqual({code: 0, stdout: printed(2), stderr: ''});
  });

  test.each([
    [undefined, 'this service does not say how it cuts its windows'],
    ['branch', 'the service cuts the branch as one, it says so itself'],
    ['source', 'the number of sources in a pod is not known: set sources = N'],
  ])('prints the window and ends with 7 where the service says %s', async (header, words) => {
    service.setLog('branch-1', () => ({lines: linesTo(2), ...(header !== undefined && {header})}));
    expect(await runMain()).toEqual({
      code: 7,
      stdout: printed(2),
      stderr: `branchlog: the log is not counted: ${words}. ${advice}\n`,
    });
  });

  test('says that it was the context that said how windows are cut', async () => {
    const {BRANCHLOG_BASE_URL, BRANCHLOG_TENANT, BRANCHLOG_AUTH_MODE} = service.env;
    writeFileSync(
      join(home.path, 'config.toml'),
      `default_context = "prod"\n[contexts.prod]\nbase_url = "${BRANCHLOG_BASE_URL}"\ntenant = "${BRANCHLOG_TENANT}"\nauth_mode = "${BRANCHLOG_AUTH_MODE}"\nwindow = "pod"\n`,
    );
    service.setLog('branch-1', () => ({lines: linesTo(2)}));
    const {code, stderr} = await runMain('--config', join(home.path, 'config.toml'));
    expect({code, stderr}).toEqual({
      code: 7,
      stderr: `branchlog: the log is not counted: the service cuts each pod on its own, the context says so. ${advice}\n`,
    });
  });

  test('ends following at the first answer that is not numbered, and prints what came with it', async () => {
    service.setLog('branch-1', number =>
      number < 3 ? {lines: linesTo(number), header: countedTo(number)} : {lines: linesTo(number)},
    );
    const {code, stdout, stderr} = await runMain('--follow', '--duration', '60s');
    expect({code, stdout}).toEqual({code: 7, stdout: printed(3)});
    expect(stderr).toContain('the log is not counted: ');
    expect(service.requests.filter(({operation}) => operation === 'logs')).toHaveLength(3);
  });

  test('goes on to the end of --duration where every answer is numbered, a gap or not', async () => {
    for (const id of ['branch-1', 'branch-2']) {
      service.setLog(id, number =>
        number === 1
          ? {lines: [lineAt(1)], header: countedTo(1)}
          : {lines: [lineAt(9)], header: 'pod; series=a; last=9; dropped=8'},
      );
    }
    const following = ['--format', 'raw', '--follow', '--duration', '3s'];
    const {code, stdout} = await run(['site-1', 'main', ...following]);
    expect({code, stdout}).toEqual({code: 0, stdout: `${lineAt(1)}\n${lineAt(9)}\n`});
    expect((await run(['site-1', 'staging', ...following, '--fail-on-gap'])).code).toBe(7);
  });

  test.each([[['--follow']], [[]]])(
    'of several branches any that is not counted ends it, by name, and no line of the others is lost: %j',
    async flags => {
      service.setLog('branch-1', () => ({lines: [lineAt(1), lineAt(3)], header: countedTo(2)}));
      service.setLog('branch-2', () => ({lines: [lineAt(2), lineAt(4)]}));
      const {code, stdout, stderr} = await run(['site-1', 'main', 'staging', '--format', 'raw', ...flags]);
      expect({code, stderr}).toEqual({
        code: 7,
        stderr: `branchlog: staging: the log is not counted: this service does not say how it cuts its windows. ${advice}\n`,
      });
      expect(stdout).toContain(`${lineAt(2)}\n`);
      expect(stdout).toContain(`${lineAt(4)}\n`);
    },
  );

  test('holds for a recording too', async () => {
    service.setLog('branch-1', number => ({lines: linesTo(number), header: 'pod'}));
    const file = join(home.path, 'recording.ndjson');
    const argv = ['logs', 'site-1', 'main', '--follow', '--duration', '2s', '--record', file];
    await runCommand(argv, {env: service.env, clock: createQuickClock(100)});
    for (const flags of [[], ['--follow', '--speed', 'max']]) {
      expect(await run(['--replay', file, '--format', 'raw', ...flags])).toEqual({
        code: 7,
        stdout: printed(1),
        stderr: `branchlog: the log is not counted: the service cuts each pod on its own, the recording says so. ${advice}\n`,
      });
    }
  });
});

describe('the record of --summary', () => {
  const endOf = async (argv: readonly string[]): Promise<unknown> => {
    const json = ['--format', 'json', '--summary'];
    const {stdout} = await runCommand(['logs', 'site-1', ...argv, ...json], {
      env: service.env,
      clock: createQuickClock(100),
    });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  };

  test('has what the log rests on, of several branches the weakest', async () => {
    service.setLog('branch-1', () => ({lines: linesTo(2), header: countedTo(2)}));
    service.setLog('branch-2', () => ({lines: linesTo(2), header: 'branch'}));
    expect(await endOf(['main'])).toMatchObject({reason: 'done', proof: 'counted'});
    expect(await endOf(['main', 'staging'])).toMatchObject({reason: 'done', proof: 'said'});
    service.setLog('branch-2', () => ({lines: linesTo(2)}));
    expect(await endOf(['main', 'staging'])).toMatchObject({reason: 'done', proof: 'inferred'});
  });

  test('has proof as the reason where --require-proof ended it, and none where nothing came', async () => {
    service.setLog('branch-1', () => ({lines: linesTo(2)}));
    expect(await endOf(['main', '--follow', '--duration', '60s', '--require-proof'])).toMatchObject({
      reason: 'proof',
      lines: 2,
      proof: 'inferred',
    });
    service.failAlways({kind: 'status', status: 500}, 'logs');
    expect(await endOf(['main'])).toMatchObject({reason: 'stopped', proof: null});
  });
});
