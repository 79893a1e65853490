import {type ChildProcess, spawn} from 'node:child_process';
import {openSync} from 'node:fs';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {startTlsServer} from '../api/loopback-server.ts';
import {builtProgram, compiledOnce} from '../support/built-program.ts';
import {createGrowingLog} from '../support/fake-log.ts';
import {makeBuiltBranch} from '../support/fake-records.ts';
import {type FakeService, startFakeService} from '../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';
import {isThorough} from '../support/thorough.ts';
import {waitFor} from '../support/wait-for.ts';

/** The built program as it is installed; `npm test` builds it first. */
const {command: builtCommand, launcher: program} = builtProgram;

let service: FakeService;
let home: TempFolder;
let children: ChildProcess[];

beforeEach(async () => {
  service = await startFakeService();
  service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main')]);
  home = createTempFolder('program');
  children = [];
});

afterEach(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
  }
  await service.close();
  home.remove();
});

type Started = {
  readonly child: ChildProcess;
  readonly ended: Promise<{readonly code: number | null; readonly signal: NodeJS.Signals | null}>;
  readonly stdout: () => string;
  readonly stderr: () => string;
};

/** `reads: false` leaves what it writes to stdout in the pipe. */
const start = (
  argv: readonly string[],
  {
    reads = true,
    stdin = 'ignore' as 'ignore' | number,
    stdout = 'pipe' as 'pipe' | number,
    env = {} as NodeJS.ProcessEnv,
  } = {},
): Started => {
  const child = spawn(builtCommand, [program, ...argv], {
    env: {PATH: process.env.PATH, ...compiledOnce, HOME: home.path, ...service.env, ...env},
    stdio: [stdin, stdout, 'pipe'],
  });
  children.push(child);
  let out = '';
  let err = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  if (reads) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
  }
  const ended = new Promise<{code: number | null; signal: NodeJS.Signals | null}>(resolve => {
    child.on('close', (code, signal) => resolve({code, signal}));
  });
  return {child, ended, stdout: () => out, stderr: () => err};
};

const follow = ['logs', 'site-1', 'main', '--follow', '--format', 'raw'];

const manyLines = (count: number): readonly string[] => {
  const log = createGrowingLog();
  return log.emit(...Array.from({length: count}, (_, number) => `line ${number} ${'x'.repeat(80)}`));
};

describe('what is written', () => {
  test('all of a large window is through the pipe before the program ends', async () => {
    const lines = manyLines(30_000);
    service.setLog('branch-1', () => ({lines}));
    const {ended, stdout, stderr} = start(['logs', 'site-1', 'main', '--format', 'raw']);
    expect(await ended).toEqual({code: 0, signal: null});
    expect(stderr()).toBe('');
    expect(stdout()).toBe(`${lines.join('\n')}\n`);
  });

  test('a reader that has enough ends it with 0, at once and quietly', async () => {
    const lines = manyLines(30_000);
    service.setLog('branch-1', () => ({lines}));
    const {child, ended, stderr} = start(follow, {reads: false});
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await ended).toEqual({code: 0, signal: null});
    expect(stderr()).toBe('');
  });

  test.skipIf(process.platform !== 'linux')('a full device ends it with 1 and one sentence', async () => {
    service.setLog('branch-1', () => ({lines: manyLines(10)}));
    for (const argv of [follow, ['branches', 'site-1'], ['--help']]) {
      const {ended, stderr} = start(argv, {stdout: openSync('/dev/full', 'w')});
      expect(await ended).toEqual({code: 1, signal: null});
      expect(stderr()).toBe('branchlog: cannot write to standard output: no space left on the device (ENOSPC)\n');
    }
  });
});

describe('signals', () => {
  const signals = [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGQUIT', 131],
    ['SIGTERM', 143],
  ] as const;

  test.each(isThorough ? signals : [signals[0], signals[2]])(
    '%s ends it with %i while it waits for the next poll, with the record that --summary ends with',
    async (signal, code) => {
      service.setLog('branch-1', () => ({lines: manyLines(2)}));
      const {child, ended, stdout, stderr} = start([
        'logs',
        'site-1',
        'main',
        '--follow',
        '--format',
        'json',
        '--summary',
      ]);
      await waitFor(() => stdout().includes('line 1'), {what: 'the newest line'});
      child.kill(signal);
      expect(await ended).toEqual({code, signal: null});
      expect(JSON.parse(stdout().trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
        kind: 'end',
        reason: 'stopped',
        lines: 2,
      });
      expect(stderr()).toBe('');
    },
  );

  test('SIGHUP does not end it under nohup, which leaves it a standard input that cannot be read', async () => {
    service.setLog('branch-1', number => ({lines: manyLines(number)}));
    const {child, ended, stdout} = start([...follow, '--interval', '250ms'], {stdin: openSync('/dev/null', 'w')});
    await waitFor(() => stdout() !== '', {what: 'the first line'});
    child.kill('SIGHUP');
    const asked = service.requests.length;
    await service.waitForRequests(asked + 2, 'logs');
    child.kill('SIGTERM');
    expect(await ended).toEqual({code: 143, signal: null});
  });

  test.each(isThorough ? signals : [signals[1], signals[3]])(
    '%s ends it with %i while an answer is awaited',
    async (signal, code) => {
      service.failAlways({kind: 'stall', at: 'headers'});
      const {child, ended, stderr} = start(follow);
      await service.waitForRequests(1);
      child.kill(signal);
      expect(await ended).toEqual({code, signal: null});
      expect(stderr()).toBe('');
    },
  );

  test('SIGTERM ends it with 143 while nobody takes its output', async () => {
    service.setLog('branch-1', () => ({lines: manyLines(30_000)}));
    const {child, ended} = start(follow, {reads: false});
    await service.waitForRequests(1, 'logs');
    // The window has 3 MB. Once something can be read, the stream has taken its fill, and the pipe after it is full.
    await new Promise(resolve => child.stdout?.once('readable', resolve));
    child.kill('SIGTERM');
    await new Promise(resolve => child.once('exit', resolve));
    child.stdout?.resume();
    expect(await ended).toEqual({code: 143, signal: null});
    expect(service.requests.filter(({operation}) => operation === 'logs')).toHaveLength(1);
  });
});

describe('exit codes', () => {
  test.each<readonly [number, readonly string[], string]>([
    [0, ['--version'], ''],
    [2, ['logs', 'site-1', 'main', '--folow'], 'branchlog: unknown flag --folow, did you mean --follow?\n'],
    [2, ['demo', 'nonsense'], 'branchlog: unknown scenario nonsense'],
    [4, ['logs', 'site-1', 'mian'], 'branchlog: site site-1 has no branch "mian", did you mean main?\n'],
    [4, ['branches', 'site-9'], 'branchlog: '],
  ])('%i for %j', async (code, argv, sentence) => {
    const {ended, stderr} = start(argv);
    expect((await ended).code).toBe(code);
    expect(stderr().startsWith(sentence)).toBe(true);
    expect(stderr()).not.toContain('    at ');
  });

  test('5 where nobody listens', async () => {
    await service.close();
    const {ended, stderr} = start(['branches', 'site-1']);
    expect((await ended).code).toBe(5);
    expect(stderr()).toMatch(/^branchlog: [^\n]+\n$/);
    service = await startFakeService();
  });

  test('5 and the reason where the way to the service is blocked; a proxy’s password is never shown', async () => {
    const certificates = ['expired', 'self-signed'] as const;
    const tls = await Promise.all(certificates.map(name => startTlsServer(name, (_, response) => response.end('[]'))));
    const proxy = 'http://me:canary-pw@127.0.0.1:9';
    const cases: readonly (readonly [baseUrl: string, said: string, env?: NodeJS.ProcessEnv])[] = [
      ['https://nowhere.invalid/dev-v1', 'cannot resolve nowhere.invalid'],
      ['http://127.0.0.1:9/dev-v1', '127.0.0.1:9 refused the connection'],
      ['https://nowhere.invalid/dev-v1', 'the proxy 127.0.0.1:9 refused the connection', {HTTPS_PROXY: proxy}],
      [`https://localhost:${tls[0]?.port}/dev-v1`, 'the certificate of localhost has expired: '],
      [`https://localhost:${tls[1]?.port}/dev-v1`, 'the certificate of localhost is self-signed: if its authority'],
    ];
    await Promise.all(
      cases.map(async ([baseUrl, said, env]) => {
        const {ended, stderr} = start(['branches', 'site-1', '--base-url', baseUrl], {env});
        expect(await ended).toEqual({code: 5, signal: null});
        expect(stderr()).toContain(`branchlog: ${said}`);
        expect(stderr()).not.toContain('canary-pw');
      }),
    );
    await Promise.all(tls.map(server => server.close()));
  });

  test('without a terminal SITE BRANCH follows, as a script wants it', async () => {
    service.setLog('branch-1', () => ({lines: manyLines(3)}));
    const {child, ended, stdout} = start(['site-1', 'main']);
    await waitFor(() => stdout().includes('line 2'), {what: 'the newest line'});
    await service.waitForRequests(2, 'logs');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
  });
});
