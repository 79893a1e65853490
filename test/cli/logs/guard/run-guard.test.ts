import {appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Ajv2020} from 'ajv/dist/2020.js';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Clock} from '#cli/io/io.ts';
import {takeStateFile} from '#config/memory/state-file.ts';
import type {FakeLog} from '../../../support/fake-log.ts';
import {makeBuiltBranch} from '../../../support/fake-records.ts';
import {type FakeService, startFakeService} from '../../../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../../../support/temp-folder.ts';
import {waitFor} from '../../../support/wait-for.ts';
import {createQuickClock} from '../../quick-clock.ts';
import {type CommandOptions, recordsOf, runCommand, startCommand} from '../../run-command.ts';

let service: FakeService;
let home: TempFolder;

beforeEach(async () => {
  service = await startFakeService();
  home = createTempFolder('guard');
});

afterEach(async () => {
  await service.close();
  home.remove();
});

const startMs = Date.UTC(2026, 10, 21, 14);

const stamp = (second: number): string => new Date(startMs + second * 1000).toISOString();

type Span = readonly [from: number, to: number];

/** A line a second from ten minutes before on, every other one an error in these seconds. */
const logOf =
  (clock: Clock, {errors = [0, 0], silence = [0, 0]}: {readonly errors?: Span; readonly silence?: Span}): FakeLog =>
  () => {
    const now = Math.floor(clock.monotonicMs() / 1000);
    service.setDate(new Date(startMs + now * 1000).toUTCString());
    const seconds = Array.from({length: 600 + now}, (_, index) => index - 600);
    const lines = seconds
      .filter(second => second < silence[0] || second >= silence[1])
      .map(second => {
        const isError = second >= errors[0] && second < errors[1] && second % 2 === 0;
        const text = isError
          ? `level=error msg="tax service rejected quote" order=${second}`
          : `level=info msg="order stored" id=${second}`;
        return `${stamp(second)} ${text}`;
      });
    const numbering = {series: 's', first: 1, losses: [], runs: [[0, lines.length]], sources: [{pod: 'web-1'}]};
    return {lines, pods: [{name: 'web-1'}], more: {branchlog: numbering}};
  };

type Guarded = {readonly records: readonly Record<string, unknown>[]; readonly stderr: string; readonly code: number};

/** Runs a guard for so many seconds of its clock. */
const guard = async (
  clock: Clock,
  seconds: number,
  argv: readonly string[] = [],
  options: CommandOptions = {},
  everySecond: (second: number) => void = () => {},
): Promise<Guarded> => {
  const asked = service.requests.length;
  const until = clock.monotonicMs() + seconds * 1000;
  const running = startCommand(['guard', 'site-1', ...argv, '--format', 'json'], {
    homeFolder: home.path,
    clock,
    ...options,
    env: {...(options.env ?? service.env), PATH: process.env.PATH ?? ''},
  });
  let isEnded = false;
  running.code.then(() => {
    isEnded = true;
  });
  // The clock runs only while somebody sleeps: not while the program is loaded.
  await Promise.race([service.waitForRequests(asked + 1), running.code]);
  while (clock.monotonicMs() < until && !isEnded) {
    everySecond(Math.round(clock.monotonicMs() / 1000));
    await clock.sleep(1000);
  }
  running.signal('SIGTERM');
  const code = await running.code;
  const records = running
    .stdout()
    .split('\n')
    .filter(Boolean)
    .map(row => JSON.parse(row));
  return {records, stderr: running.stderr(), code};
};

const whatOf = ({records}: Guarded): readonly unknown[] => records.map(({what, branch}) => `${what} ${branch}`);

test('an incident is told once, and once that it is over', async () => {
  const clock = createQuickClock(1000);
  service.setLog('branch-1', logOf(clock, {errors: [60, 120]}));
  const ran = await guard(clock, 600);
  expect([whatOf(ran), ran.code, ran.stderr]).toEqual([['found main', 'ended main'], 143, '']);
  const folder = join(home.path, '.local/state/branchlog/guard');
  const [history = ''] = readdirSync(folder).filter(name => name.endsWith('.history'));
  expect(JSON.parse(readFileSync(join(folder, history), 'utf8'))).toEqual(ran.records);
  expect(ran.records[0]).toMatchObject({
    ...{from: '2026-11-21T14:01:00.000000000Z', to: null, proof: 'counted', silenced: false},
    comparedWith: {from: '2026-11-21T13:50:00.000000000Z', to: '2026-11-21T14:01:00.000000000Z'},
    link: 'site-1/main@2026-11-21T14:01:00Z',
  });
  expect(ran.records[1]).toMatchObject({
    ...{from: '2026-11-21T14:01:00.000000000Z', to: '2026-11-21T14:01:58.000000000Z'},
    text: 'over: none of it in 5 min, and no line is missing',
  });
});

test('a file is watched as it grows, and a guard that starts anew tells its incident no more', async () => {
  const path = join(home.path, 'app.log');
  const writeSeconds = (from: number, to: number, level: string): void => {
    const beganMs = Date.now() - 600_000;
    const lines = Array.from({length: to - from}, (_, index) => {
      const text = level === 'error' ? 'tax service rejected quote' : 'order stored';
      return `${new Date(beganMs + (from + index) * 1000).toISOString()} level=${level} msg="${text}" id=${index}\n`;
    });
    appendFileSync(path, lines.join(''));
  };
  writeSeconds(0, 540, 'info');
  const command = ['guard', path, '--requests-per-minute', '6000', '--format', 'json'];
  const first = startCommand(command, {homeFolder: home.path});
  const states = () =>
    readdirSync(home.path, {recursive: true, encoding: 'utf8'}).filter(name => /guard\/[^/]*\.json$/.test(name));
  await waitFor(() => states().length > 0, {what: 'the guard to have begun'});
  expect(first.stdout()).toBe('');
  writeSeconds(540, 600, 'error');
  await waitFor(() => first.stdout().includes('\n'), {what: 'the incident'});
  first.signal('SIGTERM');
  expect([await first.code, first.stderr()]).toEqual([143, '']);
  expect(recordsOf(first.stdout())).toEqual([
    expect.objectContaining({what: 'found', site: 'app.log', branch: 'app.log', link: null}),
  ]);
  const second = startCommand(command, {homeFolder: home.path});
  await waitFor(() => second.stdout().includes('\n'), {what: 'what it tells at its start'});
  second.signal('SIGTERM');
  await second.code;
  expect(recordsOf(second.stdout()).map(({what}) => what)).toEqual(['away']);
});

test('a guard that starts anew tells nothing twice, and says when nobody watched', async () => {
  const clock = createQuickClock(1000);
  service.setLog('branch-1', logOf(clock, {errors: [30, 200]}));
  expect(whatOf(await guard(clock, 60))).toEqual(['found main']);
  await clock.sleep(90_000);
  const again = await guard(clock, 30);
  expect(whatOf(again)).toEqual(['away null']);
  expect(again.records[0]?.text).toMatch(
    /^the guard did not run from 2026-11-21T14:0[01]:\d\d.* to 2026-11-21T14:02:\d\d/,
  );
  await clock.sleep(60_000);
  expect(whatOf(await guard(clock, 420))).toEqual(['away null', 'ended main']);
});

test('a clock of this machine that goes wrong makes no absence, and no silence longer', async () => {
  const quick = createQuickClock(1000);
  const clock: Clock = {...quick, nowMs: () => quick.nowMs() + 3_600_000};
  service.setLog('branch-1', logOf(clock, {errors: [30, 900]}));
  await guard(clock, 10);
  const options = {env: service.env, homeFolder: home.path, clock};
  await runCommand(['guard', 'site-1', '--silence', 'main=2m'], options);
  const ran = await guard(clock, 240);
  expect(ran.records.map(({what, silenced}) => [what, silenced])).toEqual([
    ['away', false],
    ['found', true],
    ['found', false],
  ]);
  expect(ran.records[0]?.text).toMatch(/^the guard did not run from 2026-11-21T14:00:\d\d.* to 2026-11-21T14:00:\d\d/);
});

test('never asks more often than it may, and most often where something goes on', async () => {
  const clock = createQuickClock(1000);
  const asked: (readonly [branch: string, ms: number])[] = [];
  const ids = ['branch-1', 'branch-2', 'branch-3', 'branch-4'];
  service.setBranches(
    'site-1',
    ids.map(id => makeBuiltBranch(id, id)),
  );
  for (const id of ids) {
    const log = logOf(clock, {errors: id === 'branch-3' ? [10, 900] : [0, 0]});
    service.setLog(id, (...request) => {
      asked.push([id, clock.monotonicMs()]);
      return log(...request);
    });
  }
  const ran = await guard(clock, 400, ['--requests-per-minute', '12']);
  expect(whatOf(ran)).toEqual(['found branch-3']);
  // Beside them, the branches are listed at the beginning and after five minutes.
  const listings = service.requests.filter(({operation}) => operation === 'branches').length;
  const inMinute = asked.map(([, from]) => asked.filter(([, ms]) => ms >= from && ms < from + 60_000).length);
  const countOf = (wanted: string): number => asked.filter(([id]) => id === wanted).length;
  expect([listings, Math.max(...inMinute) <= 11, countOf('branch-3') > 2 * countOf('branch-1')]).toEqual([
    2,
    true,
    true,
  ]);
  expect(countOf('branch-1')).toBeGreaterThan(5);
});

test('a service that does not answer is told after a minute, once for all branches, and that it answers again', async () => {
  const clock = createQuickClock(1000);
  service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main'), makeBuiltBranch('branch-2', 'other')]);
  service.setLog('branch-1', logOf(clock, {}));
  service.setLog('branch-2', logOf(clock, {}));
  const ran = await guard(clock, 400, [], {}, second =>
    service.failAlways(second > 60 && second < 200 ? {kind: 'status', status: 503} : undefined),
  );
  expect(whatOf(ran)).toEqual(['blind null', 'sees null']);
  expect(Date.parse(String(ran.records[0]?.at)) - startMs).toBeLessThan(180_000);
});

test('a branch alone that cannot be read is told by its name', async () => {
  const clock = createQuickClock(1000);
  service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main'), makeBuiltBranch('branch-2', 'other')]);
  service.setLog('branch-1', logOf(clock, {}));
  service.setLog('branch-2', () => ({lines: [], more: {data: undefined}}));
  const ran = await guard(clock, 200);
  expect(whatOf(ran)).toEqual(['blind other']);
});

test('a log that falls silent is told, and that it goes on', async () => {
  const clock = createQuickClock(1000);
  service.setLog('branch-1', logOf(clock, {silence: [30, 240]}));
  const ran = await guard(clock, 400);
  expect(whatOf(ran)).toEqual(['blind main', 'sees main']);
  expect(ran.records[0]?.text).toBe(
    'the log cannot be seen: silent since 2026-11-21T14:00:29.000000000Z (web-1 writes no more)',
  );
});

test('a service that is away when the guard starts is told', async () => {
  const clock = createQuickClock(1000);
  service.failAlways({kind: 'status', status: 503});
  expect(whatOf(await guard(clock, 150))).toEqual(['blind null']);
});

test('the notify command gets each record; one that fails is told, and run again', async () => {
  const clock = createQuickClock(1000);
  const path = join(home.path, 'page');
  const got = join(home.path, 'got');
  const tries = join(home.path, 'tries');
  writeFileSync(path, `#!/bin/sh\necho >> ${tries}\ntest $(wc -l < ${tries}) -ge 3 || exit 1\ncat >> ${got}\n`, {
    mode: 0o755,
  });
  service.setLog('branch-1', logOf(clock, {errors: [30, 900]}));
  const ran = await guard(clock, 200, ['--notify-command', path]);
  expect(ran.stderr.split('\n').filter(Boolean)).toEqual(
    Array(2).fill(expect.stringMatching(/^branchlog: the notify command .* tried again: found site-1 main 2026/)),
  );
  expect(
    readFileSync(got, 'utf8')
      .trim()
      .split('\n')
      .map(row => JSON.parse(row)),
  ).toEqual(ran.records);
});

test('a silenced branch pages nobody until that is over, and what still goes on then', async () => {
  const clock = createQuickClock(1000);
  const got = join(home.path, 'got');
  service.setLog('branch-1', logOf(clock, {errors: [30, 900]}));
  const options = {env: service.env, homeFolder: home.path, clock};
  expect(await runCommand(['guard', 'site-1', '--silence', 'main=2m'], options)).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  const ran = await guard(clock, 240, ['--notify-command', 'tee', '--notify-command', got]);
  expect(ran.records.map(({what, silenced}) => [what, silenced])).toEqual([
    ['found', true],
    ['found', false],
  ]);
  expect(JSON.parse(readFileSync(got, 'utf8'))).toEqual(ran.records[1]);
});

test('a token that is about to expire is told once, and that it was renewed', async () => {
  const clock = createQuickClock(1000);
  const tokenOf = (seconds: number): string => {
    const claims = Buffer.from(JSON.stringify({exp: startMs / 1000 + seconds})).toString('base64url');
    return `eyJhbGciOiJub25lIn0.${claims}.c2lnbmF0dXJl`;
  };
  const path = join(home.path, 'token');
  writeFileSync(path, tokenOf(900), {mode: 0o600});
  service.setTokens(tokenOf(900), tokenOf(9000));
  service.setLog('branch-1', logOf(clock, {}));
  const {BRANCHLOG_TOKEN: _, ...env} = service.env;
  const ran = await guard(clock, 500, ['--token-file', path], {env}, second => {
    if (second === 400) {
      writeFileSync(path, tokenOf(9000), {mode: 0o600});
    }
  });
  expect(whatOf(ran)).toEqual(['token null', 'renewed null']);
});

test('what is wrong at the start ends it with the code that it has elsewhere', async () => {
  const clock = createQuickClock(1000);
  const codeOf = async (...argv: readonly string[]): Promise<number> =>
    (await runCommand(['guard', ...argv], {env: service.env, homeFolder: home.path, clock})).code;
  expect([
    await codeOf('site-1', 'nowhere'),
    await codeOf('site-9'),
    await codeOf('site-1', '--requests-per-minute', '1'),
    await codeOf('site-1', '--silence', 'main'),
  ]).toEqual([4, 4, 2, 2]);
});

test('a damaged state file is told, and replaced', async () => {
  const clock = createQuickClock(1000);
  service.setLog('branch-1', logOf(clock, {errors: [30, 900]}));
  await guard(clock, 20);
  const folder = join(home.path, '.local/state/branchlog/guard');
  // The quick clock gives the last write less time than it has: a temporary file may still be there.
  const [name = ''] = await waitFor(
    () => {
      const names = readdirSync(folder);
      return names.every(each => !each.endsWith('.tmp')) && names.filter(each => each.endsWith('.json'));
    },
    {what: 'the state to be written'},
  );
  writeFileSync(join(folder, name), '{');
  const ran = await guard(clock, 60);
  expect([whatOf(ran), ran.stderr]).toEqual([
    ['found main'],
    `branchlog: cannot read what the guard knew: it is not JSON: ${join(folder, name)}\n`,
  ]);
});

/** The file with what the guard of `site-1` told, once it has been written. */
const stateFile = async (): Promise<string> => {
  const folder = join(home.path, '.local/state/branchlog/guard');
  const clock = createQuickClock(1000);
  service.setLog('branch-1', logOf(clock, {}));
  await guard(clock, 20);
  const [name = ''] = await waitFor(
    () => {
      const names = readdirSync(folder);
      return names.every(each => !each.endsWith('.tmp')) && names.filter(each => each.endsWith('.json'));
    },
    {what: 'the state to be written'},
  );
  return join(folder, name);
};

test('a state that cannot be written is said once, again after it could be, and pages go on', async () => {
  const path = await stateFile();
  const folder = join(path, '..');
  const clock = createQuickClock(1000);
  service.setLog('branch-1', logOf(clock, {errors: [30, 120]}));
  rmSync(folder, {recursive: true});
  writeFileSync(folder, 'no folder');
  const ran = await guard(clock, 700, [], {}, second => {
    if (second === 300) {
      rmSync(folder);
      mkdirSync(folder);
    } else if (second === 400) {
      rmSync(folder, {recursive: true});
      writeFileSync(folder, 'no folder');
    }
  });
  expect(whatOf(ran)).toEqual(['found main', 'ended main']);
  expect(ran.stderr.split('\n').filter(row => !row.includes('cannot read'))).toEqual([
    `branchlog: cannot keep what was told: ENOTDIR: ${path}`,
    `branchlog: cannot keep what was told: ENOTDIR: ${path}`,
    '',
  ]);
});

test('a disk that hangs is said once, and holds back no page', async () => {
  const path = await stateFile();
  const got = join(home.path, 'got');
  const clock = createQuickClock(1000);
  service.setLog('branch-1', logOf(clock, {errors: [30, 3000]}));
  const disk = Promise.withResolvers<void>();
  void takeStateFile(path, () => disk.promise);
  const ran = await guard(clock, 800, ['--notify-command', 'tee', '--notify-command', got]);
  disk.resolve();
  expect([whatOf(ran), ran.code, ran.stderr]).toEqual([
    ['found main'],
    143,
    `branchlog: cannot read what the guard knew: no answer of the disk for 5 s: ${path}\n` +
      `branchlog: cannot keep what was told: no answer of the disk for 5 s: ${path}\n`,
  ]);
  expect(JSON.parse(readFileSync(got, 'utf8'))).toEqual(ran.records[0]);
});

test('every record has its schema', async () => {
  const clock = createQuickClock(1000);
  service.setLog('branch-1', logOf(clock, {errors: [30, 60], silence: [100, 200]}));
  const ran = await guard(clock, 500);
  const schema: object = JSON.parse(readFileSync('docs/schemas/guard.schema.json', 'utf8'));
  const validate = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    formats: {'date-time': true},
  }).compile(schema);
  expect(ran.records.map(record => (validate(record) ? [] : validate.errors))).toEqual(ran.records.map(() => []));
  expect(whatOf(ran)).toContain('ended main');
});
