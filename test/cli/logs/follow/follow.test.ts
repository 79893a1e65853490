import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {sleep} from '#cli/io/io.ts';
import {createGrowingLog} from '../../../support/fake-log.ts';
import {makeBuiltBranch} from '../../../support/fake-records.ts';
import {type FakeService, startFakeService} from '../../../support/fake-service.ts';
import {waitFor} from '../../../support/wait-for.ts';
import {createQuickClock} from '../../quick-clock.ts';
import {type CommandOptions, type Ran, runCommand, startCommand} from '../../run-command.ts';

let service: FakeService;

beforeEach(async () => {
  service = await startFakeService();
  service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main')]);
});

afterEach(() => service.close());

const follow = (flags: readonly string[], options: CommandOptions = {}) =>
  startCommand(['logs', 'site-1', 'main', '--follow', ...flags], {env: service.env, ...options});

const runFollow = (flags: readonly string[], options: CommandOptions = {}): Promise<Ran> =>
  runCommand(['logs', 'site-1', 'main', '--follow', ...flags], {env: service.env, ...options});

/** For what waits for polls: not for requests that hang, during which that clock stands still. */
const quickly = (): CommandOptions => ({clock: createQuickClock(100)});

const textsOf = (raw: string): readonly string[] =>
  raw
    .split('\n')
    .filter(Boolean)
    .map(row => row.slice(31));

/** A line numbered so that ten million stay in order, one nanosecond apart from a whole second on. */
const lineOf = (number: number): string =>
  `2026-11-21T14:${String(Math.floor(number / 1e4 / 60)).padStart(2, '0')}:${String(Math.floor(number / 1e4) % 60).padStart(2, '0')}.${String((number % 1e4) * 1e5).padStart(9, '0')}Z line ${number}`;

describe('lines', () => {
  test('20,000 numbered lines at changing rates come out once each and in order', {timeout: 120_000}, async () => {
    const lines: string[] = [];
    const total = 20_000;
    // Never more than a third of a window between two answers: what is asked for here is that nothing is lost, doubled or doubted.
    const steps = [1, 900, 0, 350, 17, 0, 990, 500, 3, 999];
    service.setLog('branch-1', requestNumber => {
      const step = requestNumber === 1 ? 3300 : (steps[requestNumber % steps.length] ?? 0);
      for (let added = 0; added < step && lines.length < total; added += 1) {
        lines.push(lineOf(lines.length));
      }
      return {lines: lines.slice(-3300)};
    });
    const {code, stdout, stderr} = await runFollow(
      ['--format', 'raw', '--interval', '250ms', '--until', 'line 19999$'],
      quickly(),
    );
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toBe(`${Array.from({length: total}, (_, number) => lineOf(number)).join('\n')}\n`);
    expect(service.headerViolations()).toEqual([]);
  });

  test('a line that arrives after newer ones is printed, marked late in json', async () => {
    service.setLog('branch-1', number => ({
      lines: number === 1 ? [lineOf(1), lineOf(3)] : [lineOf(1), lineOf(2), lineOf(3), lineOf(4)],
    }));
    const {stdout} = await runFollow(['--format', 'json', '--until', 'line 4'], quickly());
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map(row => JSON.parse(row)),
    ).toEqual([
      {kind: 'line', timestamp: '2026-11-21T14:00:00.000100000Z', text: 'line 1'},
      {kind: 'line', timestamp: '2026-11-21T14:00:00.000300000Z', text: 'line 3'},
      {kind: 'line', timestamp: '2026-11-21T14:00:00.000200000Z', text: 'line 2', late: true},
      {kind: 'line', timestamp: '2026-11-21T14:00:00.000400000Z', text: 'line 4'},
    ]);
  });

  test('--tail cuts the first window only', async () => {
    service.setLog('branch-1', number => ({lines: number === 1 ? [1, 2, 3].map(lineOf) : [1, 2, 3, 4, 5].map(lineOf)}));
    const {stdout} = await runFollow(['--format', 'raw', '--tail', '1', '--until', 'line 5'], quickly());
    expect(textsOf(stdout)).toEqual(['line 3', 'line 4', 'line 5']);
  });

  test('--tail 0 shows and searches nothing of the first window', async () => {
    service.setLog('branch-1', number => ({
      lines: number === 1 ? [lineOf(1)] : [lineOf(1), `${lineOf(2)} and line 1`],
    }));
    const {stdout} = await runFollow(['--format', 'raw', '--tail', '0', '--until', 'line 1'], quickly());
    expect(textsOf(stdout)).toEqual(['line 2 and line 1']);
  });

  test('without a terminal, SITE BRANCH alone follows', async () => {
    const log = createGrowingLog();
    log.emit('first');
    service.setLog('branch-1', log.log);
    const command = startCommand(['site-1', 'main'], {env: service.env});
    await waitFor(() => command.stdout().includes('first'), {what: 'the first line'});
    log.emit('second');
    await waitFor(() => command.stdout().includes('second'), {what: 'the second line'});
    command.signal('SIGTERM');
    expect(await command.code).toBe(143);
  });
});

test('parts of an answer that are not of the interface are told once, not at every poll', async () => {
  const body = JSON.stringify({podNamesList: [7], data: [lineOf(1)], events: [], sessionId: 's'});
  service.failAlways({kind: 'body', body}, 'logs');
  const command = follow(['--format', 'raw'], quickly());
  await service.waitForRequests(3, 'logs');
  command.signal('SIGINT');
  await command.code;
  expect(command.stdout()).toBe(`${lineOf(1)}\n`);
  expect(command.stderr()).toMatch(
    /^branchlog: ignored 1 part of the response that does not match the interface; the first is podNamesList\[0\][^\n]*\n$/,
  );
});

test('items that are no lines are told when they begin, and again only after they have ended', async () => {
  const items = [
    [lineOf(1)],
    [lineOf(1), 7, {canary: 1}, lineOf(2), null],
    [lineOf(1), {canary: 1}, lineOf(2), null],
    [lineOf(1), lineOf(2)],
    [lineOf(1), lineOf(2), lineOf(3), ['canary']],
  ];
  service.setLog('branch-1', number => ({lines: [], items: items[Math.min(number, items.length) - 1] ?? []}));
  const command = follow(['--format', 'raw', '--interval', '100ms'], quickly());
  await service.waitForRequests(6, 'logs');
  command.signal('SIGINT');
  expect(await command.code).toBe(130);
  expect(textsOf(command.stdout())).toEqual(['line 1', 'line 2', 'line 3']);
  expect(
    command
      .stderr()
      .split('\n')
      .filter(row => row.includes('the first is')),
  ).toEqual([
    'branchlog: 3 items are not lines (the first is data[1] of the response)',
    'branchlog: 1 item is not a line (the first is data[3] of the response)',
  ]);
  expect(command.stderr()).not.toContain('canary');
});

describe('markers', () => {
  beforeEach(() => {
    // The window moves on past all that was held at the second request.
    service.setLog('branch-1', number => ({lines: number === 1 ? [1, 2].map(lineOf) : [8, 9].map(lineOf)}));
  });

  test('a gap is a record in json', async () => {
    const {stdout, stderr} = await runFollow(['--format', 'json', '--until', 'line 9'], quickly());
    expect(stderr).toBe('');
    expect(stdout.split('\n')[2]).toBe(
      '{"kind":"gap","after":"2026-11-21T13:59:59.000200000Z","before":"2026-11-21T14:00:00.000900000Z","reason":"moved-on","proof":"inferred","newLines":2}',
    );
  });

  test.each(['text', 'raw'])('a gap is words on stderr in %s', async format => {
    const {stdout, stderr} = await runFollow(['--format', format, '--until', 'line 9'], quickly());
    expect(textsOf(stdout)).toEqual(['line 1', 'line 2', 'line 8', 'line 9']);
    expect(stderr).toBe(
      'branchlog: possible gap, 2026-11-21T13:59:59.000200000Z to 2026-11-21T14:00:00.000900000Z, lines may be missing: the window moved on\n',
    );
  });

  test('--fail-on-gap ends with 7 at the gap', async () => {
    const {code, stdout} = await runFollow(['--format', 'raw', '--fail-on-gap'], quickly());
    expect(code).toBe(7);
    expect(textsOf(stdout)).toEqual(['line 1', 'line 2']);
  });

  test('--fail-on-gap with --duration goes on to its end, then ends with 7', async () => {
    const {code, stdout} = await runFollow(['--format', 'raw', '--fail-on-gap', '--duration', '1s'], quickly());
    expect(code).toBe(7);
    expect(textsOf(stdout)).toEqual(['line 1', 'line 2', 'line 8', 'line 9']);
  });

  test('--fail-on-gap without a gap ends with 0 when --duration is over', async () => {
    service.setLog('branch-1', () => ({lines: [1, 2].map(lineOf)}));
    expect((await runFollow(['--fail-on-gap', '--duration', '600ms'], quickly())).code).toBe(0);
  });

  test('pods that come and go are records in json, those of the first poll are not', async () => {
    service.setLog('branch-1', number => ({
      lines: [lineOf(1), ...(number > 2 ? [lineOf(2)] : [])],
      pods: number === 1 ? [{name: 'web-1'}] : [{name: 'web-2'}],
    }));
    const {stdout} = await runFollow(['--format', 'json', '--until', 'line 2'], quickly());
    const records = stdout
      .trimEnd()
      .split('\n')
      .map(row => JSON.parse(row));
    expect(records.filter(({kind}) => kind === 'pod')).toEqual([
      {kind: 'pod', change: 'gone', name: 'web-1'},
      {kind: 'pod', change: 'appeared', name: 'web-2'},
    ]);
    expect(records[0].kind).toBe('line');
  });

  const setQuietLog = () => {
    const before = [1, 2, 3, 4, 5, 6].map(lineOf);
    service.setLog('branch-1', number => ({lines: number === 1 ? before : number === 2 ? [] : [lineOf(9)]}));
  };

  test('a quiet is a record in json', async () => {
    setQuietLog();
    const {stdout, stderr} = await runFollow(['--format', 'json', '--until', 'line 9'], quickly());
    expect(stderr).toBe('');
    expect(stdout.split('\n')[6]).toBe(
      '{"kind":"quiet","after":"2026-11-21T13:59:59.000600000Z","before":"2026-11-21T14:00:00.000900000Z"}',
    );
  });

  test('a quiet is words on stderr in raw, and no gap', async () => {
    setQuietLog();
    const {code, stderr} = await runFollow(['--format', 'raw', '--until', 'line 9', '--fail-on-gap'], quickly());
    expect(stderr).toMatch(/^branchlog: quiet since 2026-11-21T13:59:59\.000600000Z: /);
    expect(code).toBe(0);
  });
});

describe('faults after a good poll', () => {
  test('never end it: one line when the fault begins, one when it changes, one when it ends', async () => {
    const log = createGrowingLog();
    log.emit('first');
    service.setLog('branch-1', log.log);
    const command = follow(['--format', 'json'], quickly());
    await waitFor(() => command.stdout().includes('first'), {what: 'the first line'});
    service.failNext({kind: 'status', status: 500}, {times: 2, operation: 'logs'});
    service.failNext({kind: 'html'}, {operation: 'logs'});
    log.emit('second');
    await waitFor(() => command.stdout().includes('second'), {what: 'the second line', deadlineMs: 30_000});
    command.signal('SIGINT');
    expect(await command.code).toBe(130);
    const rows = command.stderr().trimEnd().split('\n');
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(/^branchlog: \d\d:\d\d:\d\d .*500.*, retrying$/);
    expect(rows[1]).toMatch(/^branchlog: \d\d:\d\d:\d\d .*HTML.*, retrying$/);
    expect(rows[2]).toMatch(/^branchlog: \d\d:\d\d:\d\d recovered after \d+ s$/);
  });

  test('a token that is refused in the middle does not end it', async () => {
    service.setLog('branch-1', () => ({lines: [lineOf(1)]}));
    const command = follow([]);
    await waitFor(() => command.stdout().includes('line 1'), {what: 'the first line'});
    service.setTokens('a.b.c');
    await waitFor(() => command.stderr().includes('retrying'), {what: 'the notice'});
    command.signal('SIGTERM');
    expect(await command.code).toBe(143);
  });
});

describe('time', () => {
  test('--duration ends with 0, counted from the first request', async () => {
    service.setLog('branch-1', () => ({lines: [lineOf(1)]}));
    const {code, stdout} = await runFollow(['--duration', '700ms', '--format', 'raw']);
    expect({code, stdout}).toEqual({code: 0, stdout: `${lineOf(1)}\n`});
  });

  test('--duration that ends before anything was answered is no quiet log: 5', async () => {
    service.failAlways({kind: 'stall', at: 'headers'});
    const {code, stderr} = await runFollow(['--duration', '300ms']);
    expect({code, stderr}).toEqual({code: 5, stderr: 'branchlog: no response within the --duration of 0.3 s\n'});
  });

  test('--duration ends a request that hangs', async () => {
    service.setLog('branch-1', () => ({lines: [lineOf(1)]}));
    const command = follow(['--duration', '1s']);
    await service.waitForRequests(1, 'logs');
    service.failAlways({kind: 'stall', at: 'body'}, 'logs');
    expect(await command.code).toBe(0);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it while a request is under way', async name => {
    service.failAlways({kind: 'stall', at: 'headers'}, 'logs');
    const command = follow([]);
    await service.waitForRequests(1, 'logs');
    command.signal(name);
    expect(await command.code).toBe(name === 'SIGINT' ? 130 : 143);
    expect(command.stderr()).toBe('');
  });
});

test('a signal calls off what is waited for, so that nothing goes on after the exit code', async () => {
  service.setLog('branch-1', () => ({lines: [lineOf(1)]}));
  let waiting: AbortSignal | undefined;
  const command = follow([], {
    clock: {
      sleep: (ms, signal) => {
        waiting = signal;
        return sleep(ms, signal);
      },
    },
  });
  await waitFor(() => waiting !== undefined, {what: 'the wait for the next poll'});
  command.signal('SIGINT');
  expect(await command.code).toBe(130);
  expect(waiting?.aborted).toBe(true);
});

describe('a slow reader', () => {
  test('is waited for: no poll and no loss meanwhile', async () => {
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    const log = createGrowingLog({windowLines: 1000});
    log.emit(...Array.from({length: 1000}, (_, number) => `line ${number}`));
    service.setLog('branch-1', log.log);
    let pieces = 0;
    const command = follow(['--format', 'raw', '--until', 'line 1200$'], {
      onStdout: () => {
        pieces += 1;
        return pieces === 1 ? held : undefined;
      },
    });
    await waitFor(() => pieces === 1, {what: 'the first piece'});
    log.emit(...Array.from({length: 201}, (_, number) => `line ${1000 + number}`));
    expect(service.requests.filter(({operation}) => operation === 'logs')).toHaveLength(1);
    release();
    expect(await command.code).toBe(0);
    expect(textsOf(command.stdout())).toEqual(Array.from({length: 1201}, (_, number) => `line ${number}`));
  });

  test('that takes nothing any more does not hold a signal up', async () => {
    service.setLog('branch-1', () => ({lines: [lineOf(1)]}));
    const command = follow([], {onStdout: () => new Promise(() => {})});
    await waitFor(() => command.stdout() !== '', {what: 'the first piece'});
    command.signal('SIGTERM');
    expect(await command.code).toBe(143);
  });

  test('that has gone ends it with 0, quietly', async () => {
    service.setLog('branch-1', () => ({lines: [lineOf(1)]}));
    const command = follow([], {
      onStdout: () => Promise.reject(Object.assign(new Error('write EPIPE'), {code: 'EPIPE'})),
    });
    expect(await command.code).toBe(0);
    expect(command.stderr()).toBe('');
  });

  test('a full disk ends it with 1 and one sentence', async () => {
    service.setLog('branch-1', () => ({lines: [lineOf(1)]}));
    const command = follow([], {
      onStdout: () => Promise.reject(Object.assign(new Error('ENOSPC: no space'), {code: 'ENOSPC'})),
    });
    expect(await command.code).toBe(1);
    expect(command.stderr()).toBe('branchlog: cannot write to standard output: no space left on the device (ENOSPC)\n');
  });
});

describe('--until-gone', () => {
  const flags = ['--format', 'raw', '--until-gone', 'refused', '--interval', '250ms'];
  /** A line so many seconds before now, by the clock of the service. */
  const ago = (seconds: number, text: string): string =>
    `${new Date(Date.now() - seconds * 1000).toISOString().replace('Z', '000000Z')} ${text}`;

  test('ends with 0 when it is gone and others still write', async () => {
    const held = [ago(300, 'refused'), ago(200, 'fine')];
    const later = Array.from({length: 60}, (_, index) => ago(100 - index, `fine ${index}`));
    service.setLog('branch-1', number => ({lines: [...held, ...later.slice(0, number)]}));
    expect(await runFollow([...flags, '--for', '300ms'])).toMatchObject({code: 0, stderr: ''});
  });

  test('ends with 8 when it is still there at --duration', async () => {
    const lines = [ago(300, 'fine'), ago(2, 'refused')];
    service.setLog('branch-1', () => ({lines}));
    expect(await runFollow([...flags, '--for', '60s', '--duration', '300ms'])).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('lines still match --until-gone'),
    });
  });

  test('ends with 7 over a gap, and never with 0', async () => {
    service.setLog('branch-1', number => ({
      lines:
        number === 1 ? [ago(300, 'fine'), ago(100, 'refused')] : [ago(1, `fine ${number}`), ago(0, `fine ${number}`)],
    }));
    const {code, stderr} = await runFollow([...flags, '--for', '200ms', '--duration', '900ms']);
    expect(code).toBe(7);
    expect(stderr).toContain('cannot tell whether it stopped: gap ');
  });

  test.each([[['--until-gone', 'x']], [['--for', '5m']], [['--until-gone', 'x', '--for', '5m', '--until', 'y']]])(
    '%j is a usage error',
    async wrong => {
      expect((await runFollow(wrong)).code).toBe(2);
    },
  );
});
