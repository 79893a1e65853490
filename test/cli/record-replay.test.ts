import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {anyCharacter} from '../support/any-character.ts';
import type {FakeFault} from '../support/fake-fault.ts';
import {createGrowingLog, type FakeWindow} from '../support/fake-log.ts';
import {makeBranch, makeBuiltBranch} from '../support/fake-records.ts';
import {type FakeService, startFakeService} from '../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';
import {isThorough, runsOf} from '../support/thorough.ts';
import {waitFor} from '../support/wait-for.ts';
import {createNumberedDouble} from './commands/doctor/conformance/numbered-double.ts';
import {createQuickClock} from './quick-clock.ts';
import {type CommandOptions, runCommand, startCommand} from './run-command.ts';

let service: FakeService;
let folder: TempFolder;
let path: string;

beforeEach(async () => {
  service = await startFakeService();
  service.setBranches('site-1', [
    makeBuiltBranch('branch-1', 'main'),
    makeBuiltBranch('branch-2', 'staging'),
    makeBuiltBranch('branch-3', 'other'),
    makeBranch('branch-4', 'new'),
  ]);
  folder = createTempFolder('record');
  path = join(folder.path, 'a.ndjson');
});

afterEach(async () => {
  await service.close();
  folder.remove();
});

const run = (argv: readonly string[], options: CommandOptions = {}) =>
  runCommand(['logs', ...argv], {env: service.env, ...options});

/** Without a service, a token, a config or a home. */
const play = (argv: readonly string[], options: CommandOptions = {}) => runCommand(['logs', ...argv], options);

const lineAt = (second: number, text: string): string =>
  `2026-11-21T14:00:${String(second).padStart(2, '0')}.000000000Z ${text}`;

describe('what is printed live is what is played', () => {
  /** One step of a branch's log between two polls. */
  const step = fc.record({
    added: fc.nat(12),
    /** Lines of an earlier time that only now arrive. */
    late: fc.nat(2),
    /** The window moves on past all that was held. */
    jumps: fc.boolean(),
    isEmpty: fc.integer({min: 0, max: 12}).map(number => number === 0),
    pods: fc.subarray(['web-1', 'web-2', 'web-3'], {minLength: 1}),
    text: fc.string({unit: anyCharacter, maxLength: 8}),
    /** Items that are no lines, each in place of a line. */
    others: fc.array(fc.nat(24), {maxLength: 2}),
    /** What the service says of the window, true or not. */
    header: fc.constantFrom(
      undefined,
      undefined,
      'branch',
      'pod',
      'source; sources=2',
      'source; series=a; last=9; dropped=3',
      'odd',
    ),
  });
  const steps = fc.array(step, {minLength: 6, maxLength: 14, size: 'max'});

  /** Windows of a log that goes as the steps say: with ties, copies, late lines, gaps, quiets, pods. */
  const windowsOf = (
    all: readonly (typeof steps extends fc.Arbitrary<infer T> ? T : never)[number][],
    branch: number,
  ) => {
    let number = 0;
    let lines: string[] = [];
    const stamp = (value: number): string => {
      const whole = new Date(Date.UTC(2026, 10, 21, 14) + Math.floor(value / 2) * 50).toISOString().slice(0, -1);
      return `${whole}000000Z`;
    };
    return all.map(({added, late, jumps, isEmpty, pods, text, others, header}): FakeWindow => {
      const kept = jumps && number > 20 ? [] : lines;
      const fresh = Array.from({length: added + (jumps ? 1 : 0)}, () => {
        number += 1;
        return `${stamp(number)} ${branch} ${number % 5 === 0 ? 'copy' : number} ${text}`;
      });
      const after = Array.from(
        {length: late},
        (_, index) => `${stamp(Math.max(0, number - 3 - index))} late ${branch}`,
      );
      lines = [...kept, ...after, ...fresh].toSorted((a, b) => (a.slice(0, 30) < b.slice(0, 30) ? -1 : 1)).slice(-25);
      const items = isEmpty ? [] : lines.map((line, index) => (others.includes(index) ? index : line));
      return {lines, items, pods: pods.map(name => ({name})), ...(header === undefined ? {} : {header})};
    });
  };

  const setSteps = (branchId: string, windows: readonly FakeWindow[], from = 0): void => {
    let first: number | undefined;
    service.setLog(branchId, requestNumber => {
      first ??= requestNumber + from;
      return windows[Math.min(requestNumber - first, windows.length - 1)] ?? {lines: []};
    });
  };

  const faults: readonly FakeFault[] = [{kind: 'status', status: 500}, {kind: 'reset'}, {kind: 'html'}];

  const check = async (branchNames: readonly string[], logs: readonly (readonly FakeWindow[])[], fault: number) => {
    const file = join(folder.path, `${Math.random()}.ndjson`);
    for (const [index, windows] of logs.entries()) {
      setSteps(`branch-${index + 1}`, windows);
    }
    const asked = service.requests.filter(({operation}) => operation === 'logs').length;
    const command = startCommand(
      ['logs', 'site-1', ...branchNames, '--follow', '--format', 'json', '--record', file, '--duration', '12s'],
      {env: service.env, clock: createQuickClock(100)},
    );
    await service.waitForRequests(asked + 2 * branchNames.length, 'logs');
    service.failNext(faults[fault % faults.length] ?? {kind: 'reset'}, {operation: 'logs'});
    expect(await command.code).toBe(0);
    for (const speed of isThorough ? ['max', '20'] : [fault > 0 ? 'max' : '20']) {
      const again = await play(
        ['site-1', ...branchNames, '--follow', '--format', 'json', '--replay', file, '--speed', speed],
        {clock: createQuickClock(100)},
      );
      expect(again.code).toBe(0);
      expect(again.stdout).toBe(command.stdout());
    }
    const short = await play([
      'site-1',
      ...branchNames,
      '--follow',
      '--format',
      'json',
      '--replay',
      file,
      '--speed',
      'max',
      '--duration',
      '12s',
    ]);
    expect(short.stdout).toBe(command.stdout());
    return command.stdout();
  };

  test('of one branch, with gaps, late lines, pods, quiets and faults', {timeout: 120_000}, async () => {
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(2), async (all, fault) => {
        const stdout = await check(['main'], [windowsOf(all, 1)], fault);
        for (const row of stdout.split('\n').filter(Boolean)) {
          const {kind, late} = JSON.parse(row);
          kinds.add(late ? 'late' : kind);
        }
      }),
      {numRuns: 6, endOnFailure: true},
    );
    expect(['gap', 'late', 'line', 'pod'].filter(kind => !kinds.has(kind))).toEqual([]);
  });

  test('of three branches, in the same order', {timeout: 120_000}, async () => {
    await fc.assert(
      fc.asyncProperty(steps, steps, steps, fc.nat(2), async (a, b, c, fault) => {
        const stdout = await check(
          ['main', 'staging', 'other'],
          [windowsOf(a, 1), windowsOf(b, 2), windowsOf(c, 3)],
          fault,
        );
        expect(stdout).toContain('"branch":"main"');
      }),
      {numRuns: runsOf(8), endOnFailure: true},
    );
  });
});

describe('--record', () => {
  test('a file that is there is refused with 2, before anything is asked', async () => {
    writeFileSync(path, 'precious');
    expect(await run(['site-1', 'main', '--record', path])).toEqual({
      code: 2,
      stdout: '',
      stderr: `branchlog: --record: ${path} already exists and is not overwritten: give another name, or remove it\n`,
    });
    expect(service.requests).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe('precious');
  });

  test('with a config that lacks something no file is made', async () => {
    expect((await run(['site-1', 'main', '--record', path], {env: {}})).code).toBe(2);
    expect(existsSync(path)).toBe(false);
  });

  test('a signal ends it with the file whole', async () => {
    const log = createGrowingLog();
    log.emit('first');
    service.setLog('branch-1', log.log);
    const command = startCommand(['logs', 'site-1', 'main', '--follow', '--format', 'raw', '--record', path], {
      env: service.env,
    });
    await waitFor(() => command.stdout().includes('first'), {what: 'the first line'});
    const [second] = log.emit('second');
    await waitFor(() => command.stdout().includes('second'), {what: 'the second line'});
    command.signal('SIGTERM');
    expect(await command.code).toBe(143);
    const {code, stdout, stderr} = await play(['--replay', path, '--speed', 'max', '--follow', '--format', 'raw']);
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout.endsWith(`${second}\n`)).toBe(true);
  });

  test('a large answer is in the file when a signal has ended the program', async () => {
    const lines = Array.from({length: 10_000}, (_, number) => `${lineAt(1, 'x'.repeat(500))} ${number}`);
    service.setLog('branch-1', () => ({lines}));
    const command = startCommand(['logs', 'site-1', 'main', '--follow', '--format', 'raw', '--record', path], {
      env: service.env,
      clock: {
        // Read when the answer has come and is about to be written.
        monotonicMs: () => {
          if (service.requests.some(({operation}) => operation === 'logs')) {
            command.signal('SIGINT');
          }
          return performance.now();
        },
      },
    });
    expect(await command.code).toBe(130);
    const text = readFileSync(path, 'utf8');
    expect(JSON.parse(text.split('\n')[2] ?? '').window).toEqual(lines);
    expect(text.endsWith('\n')).toBe(true);
  });

  test('keeps what the context says of the windows', async () => {
    const config = join(folder.path, 'config.toml');
    writeFileSync(config, '[contexts.prod]\nwindow = "source"\nsources = 4\n');
    service.setLog('branch-1', () => ({lines: [lineAt(1, 'one')], header: 'source; sources=2'}));
    expect((await run(['site-1', 'main', '--config', config, '--context', 'prod', '--record', path])).code).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8').split('\n')[2] ?? '')).toMatchObject({cut: 'source', sources: 4});
  });

  test('what is printed is what is printed without it', async () => {
    service.setLog('branch-1', () => ({lines: [lineAt(1, 'one')]}));
    const plain = await run(['site-1', 'main', '--format', 'json']);
    expect(await run(['site-1', 'main', '--format', 'json', '--record', path])).toEqual(plain);
  });
});

describe('--replay', () => {
  const record = async (...branches: readonly string[]): Promise<void> => {
    service.setLog('branch-1', number => ({lines: [lineAt(1, 'one'), ...(number > 1 ? [lineAt(2, 'two')] : [])]}));
    service.setLog('branch-2', () => ({lines: [lineAt(3, 'three')]}));
    const {code} = await run(['site-1', ...branches, '--follow', '--duration', '600ms', '--record', path], {
      clock: createQuickClock(20),
    });
    expect(code).toBe(0);
  };

  test('needs neither SITE nor BRANCH where there is one log, and no service', async () => {
    await record('main');
    const requests = service.requests.length;
    expect(await play(['--replay', path, '--follow', '--speed', 'max', '--format', 'raw'])).toEqual({
      code: 0,
      stdout: `${lineAt(1, 'one')}\n${lineAt(2, 'two')}\n`,
      stderr: '',
    });
    expect(service.requests).toHaveLength(requests);
  });

  test('without --follow it is the first window', async () => {
    await record('main');
    const {stdout} = await play(['--replay', path, '--speed', 'max', '--format', 'raw']);
    expect(stdout).toBe(`${lineAt(1, 'one')}\n`);
  });

  test.each(['max', '50'])('ends at --duration of the recording, at speed %s', async speed => {
    const header = {
      format: 'branchlog recording',
      version: 1,
      recordedAt: '2026-11-21T14:00:00.000Z',
      host: 'api.example.com',
      bufferMb: 1,
      intervalMs: 2000,
    };
    const polls = [0, 1000, 2000, 2500, 9000].map((beganMs, index) => ({
      operation: 'log',
      siteId: 'site-1',
      branchId: 'branch-1',
      beganMs,
      cameMs: beganMs + 10,
      status: 200,
      durationMs: 9,
      bodyBytes: 1,
      window: [...(index === 0 ? [] : [[0, index]]), lineAt(index, `of ${beganMs}`)],
      ...(index === 0 ? {pods: [], sessionId: null} : {}),
    }));
    writeFileSync(path, [header, ...polls].map(row => `${JSON.stringify(row)}\n`).join(''));
    const {code, stdout} = await play([
      '--replay',
      path,
      '--follow',
      '--speed',
      speed,
      '--format',
      'raw',
      '--duration',
      '2s',
    ]);
    expect({code, stdout}).toEqual({
      code: 0,
      stdout: `${lineAt(0, 'of 0')}\n${lineAt(1, 'of 1000')}\n${lineAt(2, 'of 2000')}\n`,
    });
  });

  test('of several logs wants to know which, by id, name or the name of the config', async () => {
    const configPath = join(folder.path, 'config.toml');
    writeFileSync(
      configPath,
      `default_context = "c"\n[contexts.c]\n[[contexts.c.sites]]\nid = "site-1"\nname = "shop"\n`,
    );
    service.setLog('branch-1', () => ({lines: [lineAt(1, 'one')]}));
    service.setLog('branch-2', () => ({lines: [lineAt(3, 'three')]}));
    const recorded = await run(['shop', 'main', 'staging', '--record', path, '--config', configPath]);
    expect(recorded.stderr).toBe('');
    expect(await play(['--replay', path])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'branchlog: the recording has 2 logs: give SITE and BRANCH, site-1 branch-1 or site-1 branch-2\n',
    });
    for (const words of [
      ['site-1', 'branch-2'],
      ['shop', 'staging'],
    ]) {
      const {stdout} = await play([...words, '--replay', path, '--format', 'raw', '--speed', 'max']);
      expect(stdout).toBe(`${lineAt(3, 'three')}\n`);
    }
  });

  test.each<readonly [readonly string[], string]>([
    [['site-9', 'main'], 'the recording has no site "site-9": it has site-1'],
    [['site-1', 'mian'], 'site site-1 has no branch "mian", did you mean main?'],
    [['site-1', 'staging'], 'the recording has no log of branch staging of site site-1'],
  ])('no such site or branch %j: 4', async (words, sentence) => {
    await record('main');
    expect(await play([...words, '--replay', path, '--speed', 'max'])).toEqual({
      code: 4,
      stdout: '',
      stderr: `branchlog: ${sentence}\n`,
    });
  });

  test('an error that ended the recording ends its replay with the same code and sentence', async () => {
    service.failAlways({kind: 'status', status: 403}, 'logs');
    const live = await run(['site-1', 'main', '--follow', '--record', path]);
    expect(live.code).toBe(3);
    const again = await play(['site-1', 'main', '--follow', '--replay', path, '--speed', 'max']);
    expect(again.code).toBe(3);
    expect(again.stderr).toBe(live.stderr.replace('tenant org-1', 'tenant ********'));
  });

  test('faults are told with the time of the recording', async () => {
    const log = createGrowingLog();
    log.emit('first');
    service.setLog('branch-1', log.log);
    const command = startCommand(['logs', 'site-1', 'main', '--follow', '--record', path, '--until', 'second'], {
      env: service.env,
      clock: createQuickClock(100),
    });
    await waitFor(() => command.stdout().includes('first'), {what: 'the first line'});
    service.failNext({kind: 'status', status: 500}, {operation: 'logs'});
    await waitFor(() => command.stderr().includes('recovered'), {what: 'the end of the fault'});
    log.emit('second');
    await command.code;
    const {stdout, stderr} = await play(['--follow', '--replay', path, '--speed', 'max', '--until', 'second']);
    expect(stdout).toBe(command.stdout());
    expect(stderr).toMatch(
      /^branchlog: 14:0\d:\d\d [^\n]*500[^\n]*, retrying\nbranchlog: 14:0\d:\d\d recovered after \d+ s\n$/,
    );
  });

  test('a file that is no recording ends with 2 and the number of the line', async () => {
    writeFileSync(path, 'hello\n');
    expect(await play(['--replay', path])).toEqual({
      code: 2,
      stdout: '',
      stderr: `branchlog: --replay: line 1 of ${path} is not a header: this is not a branchlog recording\n`,
    });
  });

  test('what has no effect is said', async () => {
    await record('main');
    const {stderr} = await play(['--replay', path, '--speed', 'max', '--follow', '--interval', '1s']);
    expect(stderr).toBe('branchlog: --interval has no effect with --replay: the recording sets the pace\n');
    const live = await run(['site-1', 'main', '--speed', '2']);
    expect(live.stderr).toBe('branchlog: --speed has no effect without --replay\n');
  });

  test('a signal ends it while it waits for the next answer', async () => {
    await record('main');
    const command = startCommand(['logs', '--replay', path, '--follow', '--speed', '0.01', '--format', 'raw']);
    await waitFor(() => command.stdout().includes('one'), {what: 'the first line', deadlineMs: 20_000});
    command.signal('SIGINT');
    expect(await command.code).toBe(130);
    expect(command.stderr()).toBe('');
  });
});

test('what a service sends that numbers its lines is played as it was printed, though answers hold only what is new', async () => {
  const double = createNumberedDouble();
  let asked = 0;
  service.setLog('branch-1', (_, headers) => {
    const [after, pods] = [headers['branchlog-after'], headers['branchlog-pods']];
    asked += typeof after === 'string' ? 1 : 0;
    double.grow();
    const answer = double.answer({
      ...(typeof after === 'string' && {after}),
      ...(typeof pods === 'string' && {pods}),
    });
    return {lines: answer.data, more: {podNamesList: undefined, ...answer}};
  });
  const argv = ['--follow', '--format', 'json', '--duration', '12s', '--prefix'];
  const live = await run(['site-1', 'main', ...argv, '--record', path], {clock: createQuickClock(100)});
  expect(live.code).toBe(0);
  expect(asked).toBeGreaterThan(3);
  expect(live.stdout).toContain('"pod":"web-1","container":"php","stream":"stderr"');
  const lines = live.stdout.split('\n').filter(row => row.includes('"kind":"line"'));
  const played = await play(['--replay', path, ...argv, '--speed', 'max']);
  expect(played.stdout).toBe(live.stdout);
  const chosen = ['--replay', path, ...argv, '--speed', 'max', '-c', 'php'];
  const some = (await play(chosen)).stdout.split('\n').filter(row => row.includes('"kind":"line"'));
  expect(some).toEqual(lines.filter(row => row.includes('"container":"php"')));
});

test('a recording of a service that does not say who wrote a line can not be filtered by that', async () => {
  service.setLog('branch-1', () => ({lines: [lineAt(1, 'one')]}));
  await run(['site-1', 'main', '--record', path]);
  expect(await play(['--replay', path, '--pod', 'web'])).toEqual({
    code: 6,
    stdout: '',
    stderr: 'branchlog: the service does not report sources: --pod cannot be applied\n',
  });
});
