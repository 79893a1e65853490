import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {FakeFault} from '../../support/fake-fault.ts';
import {createGrowingLog} from '../../support/fake-log.ts';
import {makeBranch, makeBuiltBranch} from '../../support/fake-records.ts';
import {type FakeService, startFakeService} from '../../support/fake-service.ts';
import {createTempFolder} from '../../support/temp-folder.ts';
import {runCommand} from '../run-command.ts';

let service: FakeService;

beforeEach(async () => {
  service = await startFakeService();
  service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main'), makeBranch('branch-2', 'feature/new')]);
});

afterEach(() => service.close());

const run = (argv: readonly string[], options: Parameters<typeof runCommand>[1] = {}) =>
  runCommand(['logs', ...argv], {env: service.env, ...options});

const setLines = (...lines: readonly string[]): void => {
  const log = createGrowingLog();
  log.emitLines(...lines);
  service.setLog('branch-1', log.log);
};

/** Ten lines, a second apart, the newest at 14:00:09. */
const tenLines = Array.from({length: 10}, (_, index) => `2026-11-21T14:00:0${index}.000000000Z line ${index}`);

describe('formats', () => {
  const hostile = '2026-11-21T14:00:00.000000001Z a\x1b]0;title\x07b\tc\u202ed';

  test('raw is each line exactly as received, and nothing else', async () => {
    setLines(hostile, 'no timestamp at all', '2026-11-21T14:00:01Z ', '');
    expect(await run(['site-1', 'main', '--format', 'raw'])).toEqual({
      code: 0,
      stdout: `${hostile}\nno timestamp at all\n2026-11-21T14:00:01Z \n\n`,
      stderr: '',
    });
    expect(service.headerViolations()).toEqual([]);
  });

  test('text is the same, made safe for a terminal', async () => {
    setLines(hostile, tenLines[1] ?? '');
    const {stdout} = await run(['site-1', 'main']);
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(stdout).toMatch(/^2026-11-21T14:00:00\.000000001Z a.b +c.d\n2026-11-21T14:00:01\.000000000Z line 1\n$/u);
  });

  test('text is in colour on a terminal: the timestamp dim, the rest by its level', async () => {
    setLines('2026-11-21T14:00:00.000000000Z level=error broken', tenLines[1] ?? '');
    const {stdout} = await run(['site-1', 'main'], {stdoutIsTerminal: true});
    expect(stdout).toBe(
      '\x1b[38;5;243m2026-11-21T14:00:00.000000000Z \x1b[0m\x1b[1;38;5;196mlevel=error broken\x1b[0m\n\x1b[38;5;243m2026-11-21T14:00:01.000000000Z \x1b[0mline 1\n',
    );
  });

  test.each([
    ['raw', ' at run ()\n  at go ()\n \n'],
    ['text', ' at run ()\n  at go ()\n \n'],
    [
      'json',
      '{"kind":"line","timestamp":"","text":" at run ()"}\n{"kind":"line","timestamp":"","text":"  at go ()"}\n{"kind":"line","timestamp":"","text":" "}\n',
    ],
  ])('%s keeps the space that a line without a timestamp begins with', async (format, stdout) => {
    setLines(' at run ()', '  at go ()', ' ');
    expect(await run(['site-1', 'main', '--format', format])).toMatchObject({stdout});
  });

  test('json has timestamp and text as received, on one safe row each', async () => {
    setLines(hostile, '2026-11-21T14:00:02.5Z two  blanks', '2026-11-21T14:00:03Z', 'word', 'PHP Fatal');
    const {stdout} = await run(['site-1', 'main', '--format', 'json']);
    expect(stdout).toBe(
      [
        '{"kind":"line","timestamp":"2026-11-21T14:00:00.000000001Z","text":"a\\u001b]0;title\\u0007b\\u0009c\\u202ed"}',
        '{"kind":"line","timestamp":"2026-11-21T14:00:02.5Z","text":"two  blanks"}',
        '{"kind":"line","timestamp":"2026-11-21T14:00:03Z","text":""}',
        '{"kind":"line","timestamp":"","text":"word"}',
        '{"kind":"line","timestamp":"PHP","text":"Fatal"}',
        '',
      ].join('\n'),
    );
  });

  test('an empty log prints nothing and ends with 0', async () => {
    setLines();
    expect(await run(['site-1', 'main', '--format', 'json'])).toEqual({code: 0, stdout: '', stderr: ''});
  });
});

describe('items that are no lines', () => {
  const items = [tenLines[0], {canary: 1}, null, tenLines[1], ['canary']];
  const words = 'branchlog: 3 items are not lines (the first is data[1] of the response)\n';

  beforeEach(() => service.setLog('branch-1', () => ({lines: [], items})));

  test.each([[[]], [['--grep', 'line']]])('end it with 6 after the lines, %j', async flags => {
    const {code, stdout, stderr} = await run(['site-1', 'main', '--format', 'raw', ...flags]);
    expect([code, stdout]).toEqual([6, `${tenLines[0]}\n${tenLines[1]}\n`]);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('canary');
  });

  test('end it with 6 where a gap would end it with 7: the answer is not of the interface', async () => {
    const {code, stderr} = await run(['site-1', 'main', '--format', 'raw', '--fail-on-gap']);
    expect([code, stderr.includes(words)]).toEqual([6, true]);
  });

  test('are told of the branch that has them, after the lines of all', async () => {
    service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main'), makeBuiltBranch('branch-3', 'staging')]);
    service.setLog('branch-3', () => ({lines: [tenLines[2] ?? '']}));
    const {code, stdout, stderr} = await run(['site-1', 'main', 'staging', '--format', 'json']);
    expect([code, stdout.match(/"kind":"line"/g)?.length]).toEqual([6, 3]);
    expect(stderr).toContain(words.replace('branchlog: ', 'branchlog: main: '));
  });

  test('are none where only events differ', async () => {
    const body = JSON.stringify({podNamesList: [], data: [tenLines[0]], events: [7, {message: null}], sessionId: 's'});
    service.failNext({kind: 'body', body}, {operation: 'logs'});
    expect(await run(['site-1', 'main', '--format', 'raw'])).toEqual({code: 0, stdout: `${tenLines[0]}\n`, stderr: ''});
  });

  test('are the same in a recording', async () => {
    const folder = createTempFolder('not-lines');
    try {
      const path = join(folder.path, 'a.ndjson');
      const live = await run(['site-1', 'main', '--format', 'json', '--record', path]);
      expect(await run(['--replay', path, '--format', 'json'], {env: {}})).toEqual(live);
      expect(live.code).toBe(6);
    } finally {
      folder.remove();
    }
  });
});

describe('which lines', () => {
  const texts = (stdout: string): readonly string[] =>
    stdout
      .split('\n')
      .filter(Boolean)
      .map(row => row.slice(31));

  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['--tail 2 is the last two', ['--tail', '2'], ['line 8', 'line 9']],
    ['--tail 0 is none', ['--tail', '0'], []],
    ['--tail above what is there is all', ['--tail', '99', '--grep', 'line [01]'], ['line 0', 'line 1']],
    ['--tail counts what passes the filters', ['--tail', '2', '--exclude', '[89]'], ['line 6', 'line 7']],
    ['--grep twice is any of them', ['--grep', '2$', '--grep', '^line 5'], ['line 2', 'line 5']],
    ['--exclude twice is none of them', ['--exclude', '[0-4]', '--exclude', '[6-9]'], ['line 5']],
    ['--grep sees the text alone, not the timestamp', ['--grep', '2026'], []],
    ['--grep anchors at the text', ['--grep', '^line 3$'], ['line 3']],
    ['--grep can ignore case', ['--grep', '(?i)LINE 4'], ['line 4']],
    ['--since an instant', ['--since', '2026-11-21T14:00:08Z'], ['line 8', 'line 9']],
    ['--since an instant in another zone', ['--since', '2026-11-21T15:00:09+01:00'], ['line 9']],
    ['--to an instant, included', ['--to', '2026-11-21T14:00:01Z'], ['line 0', 'line 1']],
    [
      '--since and --to are a range',
      ['--since', '2026-11-21T14:00:03Z', '--to', '2026-11-21T14:00:04.5Z'],
      ['line 3', 'line 4'],
    ],
    ['--tail counts back from --to', ['--to', '2026-11-21T14:00:05Z', '--tail', '2'], ['line 4', 'line 5']],
    ['--until does not look after --to', ['--to', '2026-11-21T14:00:01Z', '--until', 'line 1'], ['line 0', 'line 1']],
    ['--until stops after the line that matches', ['--until', 'line 2'], ['line 0', 'line 1', 'line 2']],
    ['--until sees lines that the filters hide', ['--until', 'line 2', '--grep', '[01359]'], ['line 0', 'line 1']],
    ['--until does not look before --tail', ['--until', 'line [29]', '--tail', '3'], ['line 7', 'line 8', 'line 9']],
  ])('%s', async (_, flags, expected) => {
    setLines(...tenLines);
    const {code, stdout} = await run(['site-1', 'main', '--format', 'raw', ...flags]);
    expect(texts(stdout)).toEqual(expected);
    expect(code).toBe(0);
  });

  test("--since goes by the service's clock, whatever this machine's says", async () => {
    setLines(...tenLines);
    service.setDate('Sat, 21 Nov 2026 14:00:12 GMT');
    const {stdout} = await run(['site-1', 'main', '--format', 'raw', '--since', '4s']);
    expect(texts(stdout)).toEqual(['line 8', 'line 9']);
    const range = await run(['site-1', 'main', '--format', 'raw', '--since', '6s', '--to', '5s']);
    expect(texts(range.stdout)).toEqual(['line 6', 'line 7']);
  });

  test('--until is not met by a line after --to', async () => {
    setLines(...tenLines);
    expect(await run(['site-1', 'main', '--until', 'line 5', '--to', '2026-11-21T14:00:04Z'])).toMatchObject({
      code: 8,
      stderr: 'branchlog: no line matched --until\n',
    });
  });

  test('an age and an instant in the wrong order are refused when the clock is known', async () => {
    setLines(...tenLines);
    service.setDate('Sat, 21 Nov 2026 14:00:12 GMT');
    expect(await run(['site-1', 'main', '--since', '4s', '--to', '2026-11-21T14:00:07Z'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'branchlog: --to is before --since: swap them, or leave one of them out\n',
    });
  });

  test('a log that begins after --to is told', async () => {
    setLines(...tenLines);
    expect(await run(['site-1', 'main', '--to', '2026-11-21T13:00:00Z'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'branchlog: nothing before --to was read: the lines begin at 2026-11-21T14:00:00.000000000Z\n',
    });
  });

  test('--since goes by the newest line where the service tells no time', async () => {
    setLines(...tenLines);
    service.setDate('not a date');
    const {stdout} = await run(['site-1', 'main', '--format', 'raw', '--since', '1500ms']);
    expect(texts(stdout)).toEqual(['line 8', 'line 9']);
  });

  test('--level keeps lines of that level and above, and a trace with its head', async () => {
    setLines(
      '2026-11-21T14:00:00Z level=info fine',
      '2026-11-21T14:00:01Z PHP Fatal error:  Uncaught Error: no',
      '2026-11-21T14:00:01Z Stack trace:',
      '2026-11-21T14:00:01Z #0 /srv/app.php(3): f()',
      '2026-11-21T14:00:02Z level=warn hm',
      '2026-11-21T14:00:03Z plain words',
      '2026-11-21T14:00:03Z   indented below plain words',
      '2026-11-21T14:00:04Z level=error broken',
    );
    const {stdout} = await run(['site-1', 'main', '--format', 'raw', '--level', 'error']);
    expect(
      stdout
        .split('\n')
        .filter(Boolean)
        .map(row => row.slice(21)),
    ).toEqual([
      'PHP Fatal error:  Uncaught Error: no',
      'Stack trace:',
      '#0 /srv/app.php(3): f()',
      'level=error broken',
    ]);
  });

  test('a pattern that stops other engines for seconds is just slow to nobody', async () => {
    setLines(`2026-11-21T14:00:00Z ${'a '.repeat(5000)}`, '2026-11-21T14:00:01Z end!');
    const {stdout} = await run(['site-1', 'main', '--format', 'raw', '--grep', '(\\w+\\s?)*!$']);
    expect(stdout).toBe('2026-11-21T14:00:01Z end!\n');
  });

  test('--until that nothing matched is said', async () => {
    setLines(...tenLines);
    const {code, stderr} = await run(['site-1', 'main', '--until', 'never']);
    expect({code, stderr}).toEqual({code: 8, stderr: 'branchlog: no line matched --until\n'});
  });
});

describe('which branch', () => {
  test('an id or a name', async () => {
    setLines(...tenLines);
    for (const word of ['branch-1', 'main']) {
      expect((await run(['site-1', word, '--tail', '1', '--format', 'raw'])).stdout).toBe(`${tenLines[9]}\n`);
    }
  });

  test('an id goes before a name, and a name that two branches have is refused with their ids', async () => {
    service.setBranches('site-1', [
      makeBuiltBranch('branch-3', 'branch-1'),
      makeBuiltBranch('branch-1', 'twin'),
      makeBuiltBranch('branch-4', 'twin'),
    ]);
    setLines(...tenLines);
    expect((await run(['site-1', 'branch-1', '--tail', '1'])).stdout).toContain('line 9');
    expect(await run(['site-1', 'twin'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'branchlog: "twin" names 2 branches of site site-1: give the id, branch-1 or branch-4\n',
    });
  });

  test.each([
    ['mian', 'site site-1 has no branch "mian", did you mean main?'],
    ['feat', 'site site-1 has no branch "feat", did you mean feature/new?'],
    ['zzzz', 'site site-1 has no branch "zzzz": it has main, feature/new'],
  ])('no branch %s ends with 4', async (word, sentence) => {
    expect(await run(['site-1', word])).toEqual({code: 4, stdout: '', stderr: `branchlog: ${sentence}\n`});
  });

  test.each([[[]], [['--follow']]])(
    'a branch that is not built out is said, and its log is not asked for %j',
    async flags => {
      expect(await run(['site-1', 'feature/new', ...flags])).toEqual({
        code: 4,
        stdout: '',
        stderr: 'branchlog: branch feature/new of site site-1 is not built out: it has no log\n',
      });
      expect(service.requests.map(({operation}) => operation)).toEqual(['branches']);
    },
  );
});

describe('exit codes, without --follow and at its first poll', () => {
  const faults: readonly (readonly [string, FakeFault, number])[] = [
    ['401', {kind: 'status', status: 401}, 3],
    ['403', {kind: 'status', status: 403}, 3],
    ['404', {kind: 'status', status: 404}, 4],
    ['429', {kind: 'status', status: 429, headers: {'retry-after': '60'}}, 5],
    ['500', {kind: 'status', status: 500}, 5],
    ['503', {kind: 'status', status: 503}, 5],
    ['a reset', {kind: 'reset'}, 5],
    ['a short body', {kind: 'cut'}, 5],
    ['a redirect', {kind: 'redirect', to: 'https://elsewhere.example.com/'}, 6],
    ['an HTML page', {kind: 'html'}, 6],
    ['broken JSON', {kind: 'body', body: '{"data": [canary'}, 6],
    ['JSON of another shape', {kind: 'body', body: '{"hello": "canary"}'}, 6],
    ['418', {kind: 'status', status: 418}, 6],
  ];
  const cases = faults.flatMap(([name, fault, code]) =>
    (['branches', 'logs'] as const).flatMap(operation =>
      [[], ['--follow']].map(flags => [name, operation, flags.join(' '), fault, code, flags] as const),
    ),
  );

  test.each(cases)('%s from %s %s', async (_name, operation, _flags, fault, code, flags) => {
    service.failAlways(fault, operation);
    const ran = await run(['site-1', 'main', ...flags]);
    expect(ran.code).toBe(code);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toMatch(/^branchlog: [^\n]+\n$/);
    expect(ran.stderr).not.toContain('canary');
  });

  test('nobody listens: 5', async () => {
    const {env} = service;
    await service.close();
    const {code, stderr} = await run(['site-1', 'main'], {env});
    expect(code).toBe(5);
    expect(stderr).toMatch(/^branchlog: [^\n]*refused[^\n]*\n$/);
    service = await startFakeService();
  });

  test('a token that is no token: 3, without a request and without its value', async () => {
    const {code, stderr} = await run(['site-1', 'main'], {env: {...service.env, BRANCHLOG_TOKEN: 'canary\u00e9'}});
    expect(code).toBe(3);
    expect(stderr).not.toContain('canary');
    expect(service.requests).toHaveLength(0);
  });

  test('a token file that the group can read is warned of once, and is no reason to stop', async () => {
    const folder = createTempFolder('token');
    const tokenFile = join(folder.path, 'token');
    writeFileSync(tokenFile, service.env.BRANCHLOG_TOKEN ?? '');
    chmodSync(tokenFile, 0o640);
    const {code, stderr} = await run(['site-1', 'main', '--token-file', tokenFile]);
    folder.remove();
    expect(code).toBe(0);
    expect(stderr).toMatch(/^branchlog: [^\n]*group[^\n]*\n$/);
  });

  test('nothing configured: 2, with the ways to give it', async () => {
    const {code, stderr} = await run(['site-1', 'main'], {env: {}});
    expect(code).toBe(2);
    expect(stderr).toMatch(/^branchlog: [^\n]*--base-url[^\n]*\n$/);
  });
});
