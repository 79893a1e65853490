import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {startEngineDouble} from '../../support/docker/start-engine-double.ts';
import {makeBuiltBranch} from '../../support/fake-records.ts';
import {startFakeService} from '../../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';
import {type CommandOptions, runCommand} from '../run-command.ts';

let folder: TempFolder;

beforeEach(() => {
  folder = createTempFolder('incident');
});

afterEach(() => folder.remove());

const at = (name: string): string => join(folder.path, name);

const stamp = (second: number): string => new Date(Date.UTC(2026, 10, 21, 14) + second * 1000).toISOString();

/** Twenty calm minutes; with errors, from 14:15:00 on a quote is rejected every other second. */
const rowsOf = (hasErrors: boolean, from = 0, to = 1200): readonly string[] =>
  Array.from({length: to - from}, (_, index) => {
    const second = from + index;
    return hasErrors && second >= 900 && second % 2 === 0
      ? `${stamp(second)} level=error msg="tax service rejected quote" order=${second}`
      : `${stamp(second)} level=info msg="order stored" id=${second}`;
  });

const text = (rows: readonly string[]): string => rows.map(row => `${row}\n`).join('');
const write = (name: string, rows: readonly string[]): string => {
  writeFileSync(at(name), text(rows));
  return at(name);
};

/** Lines of the last seconds have the time of their arrival. */
const clock = {nowMs: () => Date.UTC(2026, 10, 21, 14, 20, 10)};

const incident = (words: readonly string[], options: CommandOptions = {}) =>
  runCommand(['incident', ...words], {clock, ...options, env: {PATH: process.env.PATH, ...options.env}});

const verdictOf = async (words: readonly string[], options: CommandOptions = {}) => {
  const {code, stdout} = await incident(['--format', 'json', ...words], options);
  const [verdict] = stdout.split('\n').map(row => (row === '' ? {} : JSON.parse(row)));
  return {code, ...verdict};
};

describe('files', () => {
  test('have their incident found, and a clean one is calm, each in all of it that there is', async () => {
    expect(await verdictOf([write('bad.log', rowsOf(true))])).toMatchObject({
      ...{code: 0, verdict: 'found', onset: '2026-11-21T14:15:00.000000000Z', proof: 'counted'},
      asked: {from: '2026-11-21T14:00:00.000000000Z', to: '2026-11-21T14:19:59.000000000Z'},
    });
    const {code, stdout, stderr} = await incident([write('good.log', rowsOf(false)), '--since', '10m']);
    expect({code, stderr}).toEqual({code: 9, stderr: ''});
    expect(stdout).toMatch(/^calm for 10 min\ncomplete from 2026-11-21T14:00:00Z · compared with /);
  });

  test('say alike of errors of which none came for half a minute that they may be over', async () => {
    const rows = rowsOf(true);
    // Three a minute, and none in the last 40 seconds.
    const few = rows.map((row, second) =>
      row.includes('level=error') && (second % 20 > 0 || second > 1160) ? `${stamp(second)} level=info msg="x"` : row,
    );
    const {stdout} = await incident([write('few.log', few), '--format', 'json']);
    const [verdict, finding] = stdout.split('\n').map(row => (row === '' ? {} : JSON.parse(row)));
    expect(verdict.text).toBe(
      'incident since 2026-11-21T14:15:00.000000000Z, none since 2026-11-21T14:19:20.000000000Z',
    );
    expect(finding).toMatchObject({by: 'errors', until: null, quietSince: '2026-11-21T14:19:20.000000000Z'});
  });

  test('several, by a pattern, are one log', async () => {
    write('a.log', rowsOf(false));
    write('b.log', rowsOf(true));
    expect(await verdictOf([at('*.log')])).toMatchObject({
      ...{code: 0, verdict: 'found', onset: '2026-11-21T14:15:00.000000000Z', gaps: 0},
    });
    const {stdout} = await incident([at('*.log')]);
    expect(stdout).toContain('  mostly file b.log  100 %, else ');
    expect(stdout).not.toContain('pod');
  });

  test('whose last line is old are not called calm of the time since', async () => {
    const path = write('old.log', rowsOf(false, 0, 600));
    expect(await verdictOf([path, '--since', '5m'])).toMatchObject({
      ...{code: 7, verdict: 'unknown', why: 'silence', text: expect.stringContaining('silent since 2026-11-21T14:')},
    });
  });

  test('of more than buffer_mb, the newest lines are read, and of older ones nobody can tell', async () => {
    const long = Array.from({length: 1200}, (_, second) => `${stamp(second)} INFO ${'x'.repeat(2000)}`);
    const config = at('config.toml');
    writeFileSync(config, '[log]\nbuffer_mb = 1\n', {mode: 0o600});
    const path = write('long.log', long);
    const {code, why, text: words} = await verdictOf([path, '--since', '18m', '--config', config]);
    expect([code, why]).toEqual([7, 'unread']);
    expect(words).toMatch(/^cannot tell: lines from before 2026-11-21T14:1\d:.* are not read yet$/);
  });

  test('that cannot be read, beside others, are no calm', async () => {
    write('a.log', rowsOf(false));
    writeFileSync(at('b.log'), text(rowsOf(false)), {mode: 0o000});
    const {code, why} = await verdictOf([at('a.log'), at('b.log'), '--since', '10m']);
    // Root may read everything.
    expect([code, why]).toEqual(process.getuid?.() === 0 ? [9, null] : [7, 'unreadable']);
  });
});

describe('commands', () => {
  test('are read to their end', async () => {
    expect(await verdictOf(['--', 'cat', write('bad.log', rowsOf(true))])).toMatchObject({code: 0, verdict: 'found'});
    expect(await verdictOf(['--since', '10m', '--', 'cat', write('good.log', rowsOf(false))])).toMatchObject({
      ...{code: 9, verdict: 'calm', comparedWith: {from: '2026-11-21T14:00:00.000000000Z'}},
    });
  });

  test('that fail may not have told all', async () => {
    const path = write('good.log', rowsOf(false));
    const {code, stdout} = await incident(['--since', '10m', '--', 'sh', '-c', `cat ${path}; exit 3`]);
    expect(code).toBe(7);
    expect(stdout).toMatch(/^cannot tell: sh ended with exit code 3\n/);
  });
});

test('containers are read from their engine', async () => {
  const engine = await startEngineDouble();
  const web = engine.create('web');
  for (const [second, row] of rowsOf(true).entries()) {
    web.write(row.slice(row.indexOf(' ') + 1), {
      nanos: BigInt(Date.UTC(2026, 10, 21, 14) + second * 1000) * 1_000_000n,
    });
  }
  expect(await verdictOf(['--docker', 'web', '--since', '10m'], {env: {DOCKER_HOST: engine.host}})).toMatchObject({
    ...{code: 0, verdict: 'found', onset: '2026-11-21T14:15:00.000000000Z'},
  });
});

describe('a recording', () => {
  const record = async (rows: readonly string[], pods = [{name: 'web-1'}]): Promise<string> => {
    const service = await startFakeService();
    service.setDate('Sat, 21 Nov 2026 14:20:00 GMT');
    service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main')]);
    service.setLog('branch-1', () => ({header: 'branch', lines: rows, pods}));
    const path = at('night.ndjson');
    await runCommand(['logs', 'site-1', 'main', '--record', path], {env: service.env});
    await service.close();
    return path;
  };

  test('is judged as its service was when it ended', async () => {
    const path = await record(rowsOf(true));
    const found = {code: 0, verdict: 'found', asked: {to: expect.stringMatching(/^2026-11-21T14:20:0/)}};
    expect(await verdictOf(['--replay', path])).toMatchObject(found);
    expect(await verdictOf(['--replay', path, 'site-1', 'main'])).toMatchObject(found);
    expect((await incident(['--replay', path, 'site-1', 'other'])).code).toBe(4);
  });

  test('of a log that had fallen silent is no calm', async () => {
    expect(await verdictOf(['--replay', await record(rowsOf(false, 0, 900))])).toMatchObject({
      ...{code: 7, verdict: 'unknown', why: 'silence'},
    });
  });
});

describe('which of them is meant', () => {
  const config = (name: string): string => {
    const path = at('config.toml');
    const sites = `sites = [{id = "s1", name = "${name}"}]`;
    const context = `[contexts.prod]\nbase_url = "http://127.0.0.1:9/dev-v1"\ntenant = "t"\nauth_mode = "a"\n${sites}\n`;
    writeFileSync(path, `default_context = "prod"\n${context}`, {mode: 0o600});
    return path;
  };

  test('a configured site wins over a file, and is said', async () => {
    const path = write('shop', rowsOf(true));
    const {code, stderr} = await incident([path, 'main', '--config', config(path)], {
      env: {BRANCHLOG_TOKEN: 'eyJh.eyJz.c2ln'},
    });
    expect(code).toBe(5);
    expect(stderr).toContain(`${path} is read as a site; branchlog incident ./${path} reads the file`);
  });

  test.each<[string, readonly string[], RegExp]>([
    [
      'no file, and no branch',
      ['gone.log'],
      /there is no file gone\.log, and for a site BRANCH is missing: branchlog incident gone\.log BRANCH/,
    ],
    ['nothing', [], /nothing to read: give SITE and BRANCH, a file, - for standard input, or a command/],
    ['no branch of a cluster', ['--kube', 'shop'], /BRANCH is missing: branchlog incident --kube NAMESPACE BRANCH/],
    ['no file that matches', ['/nowhere/*.log'], /\/nowhere/],
    ['no site without a service', ['gone', 'main'], /there is no file gone, so it is taken as a site/],
  ])('%s: says what was tried', async (_name, words, message) => {
    const {code, stdout, stderr} = await incident(words);
    expect({code, stdout}).toEqual({code: 2, stdout: ''});
    expect(stderr).toMatch(message);
  });

  test('a file has no other branch to compare with', async () => {
    const {code, stderr} = await incident([write('bad.log', rowsOf(true)), '--compare', 'staging']);
    expect([code, stderr]).toEqual([2, 'branchlog: --compare names another branch of a site: leave it out\n']);
  });
});
