import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createGrowingLog} from '../support/fake-log.ts';
import {makeBranch, makeBuiltBranch} from '../support/fake-records.ts';
import {type FakeService, startFakeService} from '../support/fake-service.ts';
import {waitFor} from '../support/wait-for.ts';
import {createQuickClock} from './quick-clock.ts';
import {type CommandOptions, runCommand, startCommand} from './run-command.ts';

let service: FakeService;

beforeEach(async () => {
  service = await startFakeService();
  service.setBranches('site-1', [
    makeBuiltBranch('branch-1', 'main'),
    makeBuiltBranch('branch-2', 'staging'),
    makeBuiltBranch('branch-3', 'feature/checkout-with-a-long-name'),
    makeBranch('branch-4', 'new'),
  ]);
});

afterEach(() => service.close());

const run = (argv: readonly string[], options: CommandOptions = {}) =>
  runCommand(['logs', 'site-1', ...argv], {env: service.env, ...options});

const lineAt = (second: number, text: string): string =>
  `2026-11-21T14:00:${String(second).padStart(2, '0')}.000000000Z ${text}`;

const setLines = (branchId: string, ...lines: readonly string[]): void => {
  service.setLog(branchId, () => ({lines}));
};

const recordsOf = (stdout: string): readonly Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map(row => JSON.parse(row));

describe('one window of each', () => {
  beforeEach(() => {
    setLines('branch-1', lineAt(1, 'one'), lineAt(4, 'four'), lineAt(5, 'five'));
    setLines('branch-2', lineAt(2, 'two'), lineAt(3, 'three'), lineAt(6, 'six'));
  });

  test('json is one log by timestamp, each record with its branch', async () => {
    const {code, stdout, stderr} = await run(['main', 'staging', '--format', 'json']);
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout.split('\n')[0]).toBe(
      '{"kind":"line","branch":"main","timestamp":"2026-11-21T14:00:01.000000000Z","text":"one"}',
    );
    expect(recordsOf(stdout).map(({branch, text}) => `${branch} ${text}`)).toEqual([
      'main one',
      'staging two',
      'staging three',
      'main four',
      'main five',
      'staging six',
    ]);
  });

  test('of one branch a record has no branch', async () => {
    const {stdout} = await run(['main', '--format', 'json', '--tail', '1']);
    expect(stdout).toBe('{"kind":"line","timestamp":"2026-11-21T14:00:05.000000000Z","text":"five"}\n');
  });

  test('raw is the lines alone, text has the name in front', async () => {
    const raw = await run(['main', 'branch-2', '--format', 'raw', '--tail', '2']);
    expect(raw.stdout).toBe(`${lineAt(5, 'five')}\n${lineAt(6, 'six')}\n`);
    const text = await run(['main', 'branch-2', '--tail', '2']);
    expect(text.stdout).toBe(`main | ${lineAt(5, 'five')}\nstaging | ${lineAt(6, 'six')}\n`);
  });

  test('on a terminal the names are short, of one width, and each in its colour', async () => {
    setLines('branch-3', lineAt(0, 'zero'));
    const {stdout} = await run(['main', 'branch-3', '--tail', '3'], {stdoutIsTerminal: true});
    const stamp = (second: number) => `\x1b[38;5;243m${lineAt(second, '')}\x1b[0m`;
    expect(stdout).toBe(
      [
        `\x1b[38;5;30mmain            \x1b[0m ${stamp(1)}one`,
        `\x1b[38;5;30mmain            \x1b[0m ${stamp(4)}four`,
        `\x1b[38;5;30mmain            \x1b[0m ${stamp(5)}five`,
        '',
      ].join('\n'),
    );
    const cut = await run(['main', 'branch-3', '--grep', 'zero'], {stdoutIsTerminal: true});
    expect(cut.stdout).toBe(`\x1b[38;5;163mfeature/checkou…\x1b[0m ${stamp(0)}zero\n`);
    const plain = await run(['main', 'branch-3', '--grep', 'zero'], {
      stdoutIsTerminal: true,
      env: {...service.env, NO_COLOR: '1'},
    });
    expect(plain.stdout).toBe(`feature/checkout-with-a-long-name | ${lineAt(0, 'zero')}\n`);
  });

  test('--tail counts the lines of all branches together, --since and filters see each', async () => {
    const tail = await run(['main', 'staging', '--format', 'json', '--tail', '3']);
    expect(recordsOf(tail.stdout).map(({text}) => text)).toEqual(['four', 'five', 'six']);
    const none = await run(['main', 'staging', '--format', 'json', '--tail', '0']);
    expect(none.stdout).toBe('');
    const since = await run(['main', 'staging', '--format', 'raw', '--since', '2026-11-21T14:00:05Z']);
    expect(since.stdout).toBe(`${lineAt(5, 'five')}\n${lineAt(6, 'six')}\n`);
  });

  test('the level of a trace is that of its head in its own branch', async () => {
    setLines('branch-1', lineAt(1, 'level=error broken'), lineAt(3, '  at f (app.js:1)'));
    setLines('branch-2', lineAt(2, 'level=info fine'), lineAt(4, '  indented below'));
    const {stdout} = await run(['main', 'staging', '--format', 'raw', '--level', 'error']);
    expect(stdout).toBe(`${lineAt(1, 'level=error broken')}\n${lineAt(3, '  at f (app.js:1)')}\n`);
  });
});

describe('which branches', () => {
  test('one that is not built out is said and left out', async () => {
    setLines('branch-1', lineAt(1, 'one'));
    const {code, stdout, stderr} = await run(['main', 'new', '--format', 'json']);
    expect(code).toBe(0);
    expect(recordsOf(stdout)).toEqual([
      {kind: 'line', branch: 'main', timestamp: '2026-11-21T14:00:01.000000000Z', text: 'one'},
    ]);
    expect(stderr).toBe('branchlog: branch new of site site-1 is not built out: it has no log\n');
    expect(service.requests.filter(({operation}) => operation === 'logs')).toHaveLength(1);
  });

  test('one that is not there ends it with 4 before any log is asked for', async () => {
    expect(await run(['main', 'stagin'])).toEqual({
      code: 4,
      stdout: '',
      stderr: 'branchlog: site site-1 has no branch "stagin", did you mean staging?\n',
    });
    expect(service.requests.map(({operation}) => operation)).toEqual(['branches']);
  });

  test('one that is given twice is refused', async () => {
    expect(await run(['main', 'staging', 'branch-1'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'branchlog: branch main of site site-1 is given twice: remove one of them\n',
    });
  });

  test('two of the same name are told apart by their ids', async () => {
    service.setBranches('site-1', [makeBuiltBranch('branch-1', 'twin'), makeBuiltBranch('branch-2', 'twin')]);
    setLines('branch-1', lineAt(1, 'one'));
    setLines('branch-2', lineAt(2, 'two'));
    const {stdout} = await run(['branch-1', 'branch-2']);
    expect(stdout).toBe(`branch-1 | ${lineAt(1, 'one')}\nbranch-2 | ${lineAt(2, 'two')}\n`);
  });

  test('the first answer of any that fails ends it, with its name', async () => {
    setLines('branch-1', lineAt(1, 'one'));
    service.failNext({kind: 'status', status: 403}, {operation: 'logs'});
    const {code, stdout, stderr} = await run(['main', 'staging', '--follow']);
    expect({code, stdout}).toEqual({code: 3, stdout: ''});
    expect(stderr).toMatch(/^branchlog: (main|staging): [^\n]*403[^\n]*\n$/);
  });
});

describe('followed', () => {
  test('3,000 numbered lines of three branches come out once each, in order', {timeout: 60_000}, async () => {
    // Lines wait an interval for those of the other branches: two seconds are half a second here, for a busy machine.
    const clock = createQuickClock(100);
    const lines: {readonly branch: number; readonly raw: string}[] = [];
    const startMs = Date.UTC(2026, 10, 21, 14, 0, 0);
    let loggedMs = 0;
    // The log is written as time goes on: by the time of a request all lines up to it are there.
    const logUpTo = (nowMs: number): void => {
      for (; loggedMs <= nowMs && lines.length < 3000; loggedMs += 4) {
        const time = new Date(startMs + loggedMs).toISOString().slice(0, -1);
        lines.push({branch: (lines.length * 7) % 3, raw: `${time}000000Z line ${lines.length}`});
      }
    };
    for (const branch of [0, 1, 2]) {
      service.setLog(`branch-${branch + 1}`, () => {
        logUpTo(clock.monotonicMs());
        return {lines: lines.filter(line => line.branch === branch).map(({raw}) => raw)};
      });
    }
    const {code, stdout, stderr} = await run(
      ['main', 'staging', 'branch-3', '--follow', '--format', 'raw', '--until', 'line 2999$'],
      {clock},
    );
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout).toBe(`${lines.map(({raw}) => raw).join('\n')}\n`);
    expect(service.headerViolations()).toEqual([]);
  });

  test('faults are told for each branch, and what is held is not lost by them', async () => {
    const clock = createQuickClock(100);
    const main = createGrowingLog();
    main.emit('first');
    service.setLog('branch-1', main.log);
    setLines('branch-2', lineAt(1, 'quiet'));
    const command = startCommand(['logs', 'site-1', 'main', 'staging', '--follow', '--format', 'raw'], {
      env: service.env,
      clock,
    });
    await waitFor(() => command.stdout().includes('quiet'), {what: 'the first windows'});
    await service.waitForRequests(4, 'logs');
    service.failAlways({kind: 'status', status: 503, headers: {'retry-after': '60'}}, 'logs');
    await waitFor(() => command.stderr().split('retrying').length === 3, {what: 'both faults'});
    main.emit('second');
    service.failAlways(undefined, 'logs');
    await waitFor(() => command.stdout().includes('second'), {what: 'the line after the faults', deadlineMs: 40_000});
    command.signal('SIGINT');
    expect(await command.code).toBe(130);
    expect(command.stderr()).toMatch(/^branchlog: main: \d\d:\d\d:\d\d [^\n]*503[^\n]*, retrying$/m);
    expect(command.stderr()).toMatch(/^branchlog: staging: \d\d:\d\d:\d\d [^\n]*503[^\n]*, retrying$/m);
  });

  test('markers name their branch, and a gap in any of them ends --fail-on-gap with 7', async () => {
    setLines('branch-1', lineAt(1, 'one'));
    service.setLog('branch-2', number => ({
      lines: number === 1 ? [lineAt(2, 'two')] : [lineAt(8, 'eight')],
    }));
    const text = await run(['main', 'staging', '--follow', '--fail-on-gap'], {clock: createQuickClock(100)});
    expect(text.code).toBe(7);
    expect(text.stderr).toBe(
      'branchlog: staging: possible gap, 2026-11-21T14:00:01.000000000Z to 2026-11-21T14:00:08.000000000Z, lines may be missing: the window moved on\n',
    );
  });

  test('a gap is a record with its branch in json', async () => {
    setLines('branch-1', lineAt(1, 'one'));
    service.setLog('branch-2', number => ({
      lines: number === 1 ? [lineAt(2, 'two')] : [lineAt(8, 'eight')],
    }));
    const {stdout} = await run(['main', 'staging', '--follow', '--format', 'json', '--until', 'eight'], {
      clock: createQuickClock(100),
    });
    expect(recordsOf(stdout).filter(({kind}) => kind === 'gap')).toEqual([
      {
        kind: 'gap',
        branch: 'staging',
        after: '2026-11-21T14:00:01.000000000Z',
        before: '2026-11-21T14:00:08.000000000Z',
        reason: 'moved-on',
        proof: 'inferred',
        newLines: 1,
      },
    ]);
  });

  test('a line is late where it is late in its own branch, and not for lines of another', async () => {
    setLines('branch-1', lineAt(50, 'newer than all'));
    service.setLog('branch-2', number => ({
      lines: [
        lineAt(2, 'two'),
        ...(number > 2 ? [lineAt(3, 'three')] : []),
        ...(number > 1 ? [lineAt(4, 'four')] : []),
        ...(number > 3 ? [lineAt(5, 'five')] : []),
      ],
    }));
    const {stdout} = await run(['main', 'staging', '--follow', '--format', 'json', '--until', 'five'], {
      clock: createQuickClock(100),
    });
    const records = recordsOf(stdout);
    expect(records.filter(({late}) => late === true).map(({text}) => text)).toEqual(['three']);
    expect(records.map(({text}) => text)).toContain('newer than all');
  });

  test('what is held is printed when --duration is over', async () => {
    setLines('branch-1', lineAt(1, 'one'));
    service.setLog('branch-2', number => ({lines: [lineAt(2, 'two'), ...(number > 2 ? [lineAt(9, 'nine')] : [])]}));
    const {code, stdout} = await run(['main', 'staging', '--follow', '--format', 'raw', '--duration', '3s'], {
      clock: createQuickClock(100),
    });
    expect({code, stdout}).toEqual({
      code: 0,
      stdout: `${lineAt(1, 'one')}\n${lineAt(2, 'two')}\n${lineAt(9, 'nine')}\n`,
    });
  });

  test('--tail cuts the first windows only', async () => {
    setLines('branch-1', lineAt(1, 'one'), lineAt(3, 'three'));
    service.setLog('branch-2', number => ({
      lines: [lineAt(2, 'two'), lineAt(4, 'four'), ...(number > 1 ? [lineAt(5, 'five')] : [])],
    }));
    const {stdout} = await run(['main', 'staging', '--follow', '--format', 'raw', '--tail', '1', '--until', 'five'], {
      clock: createQuickClock(100),
    });
    expect(stdout).toBe(`${lineAt(4, 'four')}\n${lineAt(5, 'five')}\n`);
  });

  test('--tail leaves out no newer line that stands between those of the first windows', async () => {
    service.setLog('branch-1', number => ({
      lines: [lineAt(1, 'one'), lineAt(5, 'five'), ...(number > 1 ? [lineAt(7, 'seven')] : [])],
    }));
    setLines('branch-2', lineAt(2, 'two'), lineAt(9, 'nine'));
    const {stdout} = await run(
      [
        'main',
        'staging',
        '--follow',
        '--format',
        'raw',
        '--tail',
        '1',
        '--until',
        'nine',
        '--since',
        '2000-01-01T00:00:00Z',
      ],
      {
        clock: createQuickClock(100),
      },
    );
    expect(stdout).toBe(`${lineAt(7, 'seven')}\n${lineAt(9, 'nine')}\n`);
  });
});
