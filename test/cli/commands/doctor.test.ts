import {chmodSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {sleep} from '#cli/io/io.ts';
import {makeBranch, makeBuiltBranch} from '../../support/fake-records.ts';
import {type FakeService, startFakeService} from '../../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';
import {recordsOf, runCommand} from '../run-command.ts';
import {createNumberedDouble, type DoubleAnswer} from './doctor/conformance/numbered-double.ts';

let service: FakeService;
let home: TempFolder;

beforeEach(async () => {
  home = createTempFolder('doctor');
  service = await startFakeService();
  service.setBranches('site-1', [makeBranch('b-2', 'new'), makeBuiltBranch('branch-1', 'main')]);
  service.setLog('branch-1', () => ({lines: ['2026-11-21T14:00:00.000000001Z one']}));
});

afterEach(async () => {
  await service.close();
  home.remove();
});

const jwt = (claims: object): string =>
  `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2lnbmF0dXJl`;

/** Rows as status and subject, in order. */
const rowsOf = (stdout: string): readonly string[] =>
  stdout
    .split('\n')
    .filter(row => /^\w/.test(row))
    .map(row => row.slice(0, 20).trim().replace(/ +/g, ' '));

const examine = async (
  changes: {
    readonly baseUrl?: string;
    readonly token?: string;
    readonly mode?: number;
    readonly site?: string;
    readonly window?: string;
    readonly tables?: string;
    readonly format?: string;
    readonly flags?: readonly string[];
  } = {},
) => {
  const token = changes.token ?? service.env.BRANCHLOG_TOKEN ?? '';
  writeFileSync(join(home.path, 'token'), `${token}\n`);
  chmodSync(join(home.path, 'token'), changes.mode ?? 0o600);
  const config = join(home.path, 'config.toml');
  writeFileSync(
    config,
    `[contexts.prod]
base_url = "${changes.baseUrl ?? service.baseUrl}"
tenant = "org-1"
auth_mode = "mode-1"
token_file = "token"
${changes.window === undefined ? '' : `window = "${changes.window}"`}
[[contexts.prod.sites]]
id = "${changes.site ?? 'site-1'}"
name = "shop"
${changes.tables ?? ''}
`,
  );
  const ran = await runCommand(
    ['doctor', '--config', config, ...(changes.format ? ['--format', changes.format] : []), ...(changes.flags ?? [])],
    {
      env: {},
      homeFolder: home.path,
      clock: {sleep: (ms, signal) => sleep(ms / 100, signal)},
    },
  );
  return {...ran, rows: rowsOf(ran.stdout)};
};

test('where all is well every row is ok and the exit code is 0', async () => {
  service.setTokens(jwt({exp: Math.floor(Date.now() / 1000) + 86_400}));
  const {code, rows, stdout, stderr} = await examine({token: jwt({exp: Math.floor(Date.now() / 1000) + 86_400})});
  expect(stderr).toBe('');
  expect(rows).toEqual([
    'ok config',
    'ok token',
    'ok expiry',
    'ok name',
    'ok connection',
    'ok TLS',
    'ok site shop',
    'ok clock',
    'ok log',
    'ok windows',
  ]);
  expect(code).toBe(0);
  expect(stdout).toContain('2 branches, 1 deployed');
  expect(stdout).toContain('main: 1 line, 1 pod');
  expect(stdout.split('\n').filter(row => row.length > 80 && !row.includes('/'))).toEqual([]);
});

test.each([
  ['[keys]\nno-such-command = "x"', 'no-such-command'],
  ['[notify]\nbell = true\npattern = "re:("', '[notify] pattern'],
])('what only the screens would refuse is a failure too: %j', async (tables, words) => {
  const {code, rows, stdout} = await examine({tables});
  expect([code, rows[0]]).toEqual([2, 'FAIL config']);
  expect(stdout).toContain(words);
});

test('each wrong key and the wrong pattern is a finding of its own, and the rest is checked all the same', async () => {
  const {code, rows} = await examine({
    tables: '[keys]\nnot-this = "x"\nnot-that = "y"\n[notify]\nbell = true\npattern = "re:("',
  });
  expect(code).toBe(2);
  expect(rows.filter(row => row === 'FAIL config')).toHaveLength(3);
  expect(rows).toContain('ok site shop');
});

test('--format json is a record a line; every warning and failure has an action, the others have none', async () => {
  service.setDate('Sat, 21 Nov 2020 14:00:00 GMT');
  const {code, stdout} = await examine({format: 'json', mode: 0o640});
  const findings: readonly Readonly<Record<'status' | 'subject' | 'action', string | null>>[] = recordsOf(stdout);
  expect(code).toBe(0);
  expect(findings.map(({status, subject, action}) => [status, subject, action])).toEqual([
    ['ok', 'config', null],
    ['warn', 'token', `run chmod 600 ${join(home.path, 'token')}`],
    ['ok', 'expiry', null],
    ['ok', 'name', null],
    ['ok', 'connection', null],
    ['ok', 'TLS', null],
    ['ok', 'site shop', null],
    ['warn', 'clock', 'set the clock (NTP)'],
    ['ok', 'log', null],
    ['ok', 'windows', null],
  ]);
});

test('one cause is one failure: other sites that fail for it, or an expired token that is refused, are skipped', async () => {
  const tables = '[[contexts.prod.sites]]\nid = "site-2"\n[[contexts.prod.sites]]\nid = "site-3"';
  service.setTokens('other.other.other');
  const refused = await examine({tables});
  expect(refused.rows.slice(6)).toEqual(['FAIL site shop', 'skip site site-2', 'skip site site-3', 'skip log']);
  const expired = await examine({token: jwt({exp: 1_700_000_000})});
  expect(expired.rows.filter(row => !row.startsWith('ok'))).toEqual(['FAIL expiry', 'skip site shop', 'skip log']);
  service.setTokens(service.env.BRANCHLOG_TOKEN ?? '');
  const unknown = await examine({tables});
  expect(unknown.rows.filter(row => row.startsWith('FAIL'))).toEqual(['FAIL site site-2', 'FAIL site site-3']);
});

test('no config is a failure of class 2, and the rest is skipped', async () => {
  const {code, stdout} = await runCommand(['doctor'], {env: {}});
  expect(code).toBe(2);
  expect(rowsOf(stdout)).toEqual(['FAIL config', 'skip the rest']);
});

test('a token that others can read is a failure of class 3 that says what to do', async () => {
  const {code, rows, stdout} = await examine({mode: 0o644});
  expect(code).toBe(3);
  expect(rows.slice(0, 2)).toEqual(['ok config', 'FAIL token']);
  expect(stdout).toContain('chmod');
  expect(rows.at(-1)).toBe('skip service');
});

test('an expired token is a failure of class 3, and is tried all the same', async () => {
  const token = jwt({exp: 1_700_000_000});
  service.setTokens(token);
  const {code, rows, stdout} = await examine({token});
  expect(code).toBe(3);
  expect(rows).toContain('FAIL expiry');
  expect(rows).toContain('ok site shop');
  expect(stdout).toContain('2023-11-14T22:13:20Z');
});

test('a refused connection is a failure of class 5', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => probe.once('listening', resolve));
  const address = probe.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await new Promise(resolve => probe.close(resolve));
  const {code, rows, stdout} = await examine({baseUrl: `http://127.0.0.1:${port}/dev-v1`});
  expect(code).toBe(5);
  expect(rows.slice(-2)).toEqual(['FAIL connection', 'skip service']);
  expect(stdout).toContain('ECONNREFUSED');
});

test('https to a port that speaks plain http is a failure of class 5', async () => {
  const {code, rows} = await examine({baseUrl: service.baseUrl.replace('http:', 'https:')});
  expect(code).toBe(5);
  expect(rows).toContain('FAIL TLS');
});

test('a site that the service does not know is a failure of class 4', async () => {
  const {code, rows} = await examine({site: 'nowhere'});
  expect(code).toBe(4);
  expect(rows).toContain('FAIL site shop');
});

test('an answer that is not the interface is a failure of class 6', async () => {
  service.failAlways({kind: 'html'}, 'logs');
  const {code, rows} = await examine();
  expect(code).toBe(6);
  expect(rows.at(-1)).toBe('FAIL log');
});

test('items of a log that are no lines are a warning, beside whatever else is not of the interface', async () => {
  const data = ['2026-11-21T14:00:00.000000001Z one', {canary: 1}];
  service.failAlways({kind: 'body', body: JSON.stringify({podNamesList: [7], data})}, 'logs');
  const {code, rows, stdout} = await examine();
  expect([code, rows.at(-2)]).toEqual([0, 'warn log']);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'main: 1 line, 0 pods; 1 item is not a line (the first is data[1] of the response); ignored 1 part of the response that does not match the interface; the first is podNamesList[0]: expected an object, got a number',
  );
  expect(stdout).not.toContain('canary');
});

test('clocks that differ are a warning', async () => {
  service.setDate('Sat, 21 Nov 2020 14:00:00 GMT');
  const {code, rows, stdout} = await examine();
  expect(code).toBe(0);
  expect(rows).toContain('warn clock');
  expect(stdout).toContain('ahead of the service');
});

test('no secret is in what it says', async () => {
  service.setTokens('other.other.other');
  const {code, stdout, stderr} = await examine({token: 'canary.canary.canary'});
  expect(code).toBe(3);
  expect(stdout + stderr).not.toContain('canary');
});

describe('how the service cuts its windows', () => {
  const lines = ['2026-11-21T14:00:00.000000001Z one'];

  const joined =
    'The log of main is joined, not whole: only a service that numbers its lines, as branchlog serve does, proves that none is missing';

  /** The words of the finding, on one row. */
  const windowsOf = ({stdout}: {readonly stdout: string}): string =>
    stdout
      .slice(stdout.search(/^\w+ +windows /m))
      .replaceAll(/\s+/g, ' ')
      .trim();

  test('is what the service says itself', async () => {
    service.setLog('branch-1', () => ({lines, header: 'pod; series=a; last=1; dropped=0'}));
    const ran = await examine();
    expect(windowsOf(ran)).toBe(
      'ok windows the service cuts each pod on its own, it says so itself. The log of main is whole: the service numbers its lines',
    );
    expect(ran.code).toBe(0);
    expect(service.requests.filter(({operation}) => operation === 'logs')).toHaveLength(1);
  });

  test('is what the context says', async () => {
    expect(windowsOf(await examine({window: 'source'}))).toBe(
      `ok windows the service cuts each source of a pod on its own, the context says so, but the number of sources in a pod is not known: set sources = N in [contexts.prod]. ${joined}`,
    );
  });

  test('is what both say', async () => {
    service.setLog('branch-1', () => ({lines, header: 'branch'}));
    expect(windowsOf(await examine({window: 'branch'}))).toBe(
      `ok windows the service cuts the branch as one, the context and the service say so. ${joined}`,
    );
  });

  test('is a warning where the two differ, and no failure', async () => {
    service.setLog('branch-1', () => ({lines, header: 'pod'}));
    const ran = await examine({window: 'branch'});
    expect(windowsOf(ran)).toBe(
      `warn windows the context says that the service cuts the branch as one, the service says that it cuts each pod on its own: the context wins. ${joined} → remove window from [contexts.prod] unless you are sure`,
    );
    expect(ran.code).toBe(0);
  });

  test('is not known where neither says, and the setting that says it is named', async () => {
    const ran = await examine();
    expect(windowsOf(ran)).toBe(
      `ok windows the service does not say how it cuts them. A burst may be marked as a gap although nothing was lost. If you know how, set window = "branch", "pod" or "source" in [contexts.prod]. ${joined}`,
    );
    expect(ran.code).toBe(0);
  });

  test('seems to be apart where lines leave from the middle', async () => {
    const line = (pod: number, number: number): string =>
      `2026-11-21T14:00:${String(number).padStart(2, '0')}.00000000${pod}Z pod ${pod} line ${number}`;
    // The quiet pod's oldest line stays, of the loud one 20 lines are there at a time.
    service.setLog('branch-1', request => ({
      lines: [line(1, 0), ...Array.from({length: 20}, (_, index) => line(2, request * 5 + index))],
      pods: [{name: 'web-1'}, {name: 'web-2'}],
    }));
    expect(windowsOf(await examine())).toMatch(
      /^ok windows the service does not say how it cuts them; it seems to cut each pod or each source on its own\. /,
    );
  });

  test('is not known where the service fails while it is looked at, which is no failure', async () => {
    let requests = 0;
    service.setLog('branch-1', () => {
      requests += 1;
      service.failAlways({kind: 'status', status: 503}, 'logs');
      return {lines};
    });
    const ran = await examine();
    expect(requests).toBeGreaterThan(0);
    expect(ran.rows.slice(-2)).toEqual(['ok log', 'ok windows']);
    expect(ran.code).toBe(0);
  });
});

test('the program of [notify] must be there and may be run; a folder, or what others may write to, does not do', async () => {
  const path = join(home.path, 'page');
  const check = async (program: string, mode = 0o700) => {
    writeFileSync(path, '#!/bin/sh\nexit 1\n');
    chmodSync(path, mode);
    const {code, stdout} = await examine({tables: `[notify]\ncommand = ["${program}", "secret"]`});
    return {code, row: /^(\w+ +notify .*(?:\n {18}.*)*)/m.exec(stdout)?.[1]?.replaceAll(/\s+/g, ' ')};
  };
  expect(await check(path)).toEqual({code: 0, row: `ok notify ${path} can be run`});
  const failed = (words: string) => ({
    code: 2,
    row: expect.stringMatching(new RegExp(`^FAIL notify the program \\S+ ${words}.*→ correct command in \\[notify\\]`)),
  });
  expect(await check(path, 0o600)).toEqual(failed('does not exist, or is not executable'));
  expect(await check(home.path)).toEqual(failed('does not exist, or is not executable'));
  expect(await check('no-such-program')).toEqual(failed('does not exist, or is not executable'));
  expect(await check(path, 0o777)).toEqual(failed('may be written by others'));
});

describe('--conformance', () => {
  const flags = ['--conformance'];
  const number = (spoil: (answer: DoubleAnswer) => void = () => {}) => {
    const double = createNumberedDouble();
    service.setLog('branch-1', (_, headers) => {
      const [after, pods] = [headers['branchlog-after'], headers['branchlog-pods']].map(String);
      const answer = double.answer({
        ...(headers['branchlog-after'] !== undefined && {after: after ?? ''}),
        ...(headers['branchlog-pods'] !== undefined && {pods: pods ?? ''}),
      });
      spoil(answer);
      return {lines: answer.data, more: {podNamesList: undefined, ...answer}};
    });
  };

  test('a service that keeps to the convention has a row that says so, and what was not checked', async () => {
    number();
    const {code, rows, stdout} = await examine({flags});
    expect([code, ...rows.slice(-2)]).toEqual([0, 'ok convention', 'skip pulses']);
    expect(stdout).toContain('no deviation in 13 requests for the log of main, 8 lines');
    expect(stdout).toContain('ok    windows       The log of main is whole: the service numbers its lines');
    expect(stdout).toContain('no line came while the log was followed');
    expect(service.headerViolations()).toEqual([]);
  });

  test('each rule that an answer deviates from is one failure, with its words in JSON too', async () => {
    number(({branchlog}) => {
      branchlog?.losses.push({number: 13, why: 'It was cut.'});
      Object.assign(branchlog ?? {}, {pods: 1});
    });
    const {code, rows} = await examine({flags});
    expect([code, rows.filter(row => row.startsWith('FAIL'))]).toEqual([6, ['FAIL losses', 'FAIL pods']]);
    const findings: {subject: string; words: string}[] = recordsOf((await examine({flags, format: 'json'})).stdout);
    expect(findings.find(({subject}) => subject === 'losses')).toEqual({
      status: 'fail',
      subject: 'losses',
      words:
        'asked without headers, came: a loss has why "It was cut.". The convention: why is a sentence without a full stop',
      action: 'see docs/serve.md, "Lines with numbers and sources"',
    });
  });

  test('a service without the field fails with 6, and only if it is asked for', async () => {
    const {code, stdout} = await examine({flags});
    expect(code).toBe(6);
    expect(stdout).toContain('the service does not offer it');
    expect((await examine()).code).toBe(0);
  });

  test('is skipped where the service can not be read, and does not go with --kube', async () => {
    expect((await examine({flags, site: 'site-9'})).rows.at(-1)).toBe('skip convention');
    expect((await runCommand(['doctor', '--kube', '--conformance'], {env: {}})).code).toBe(2);
  });
});
