import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Ajv2020} from 'ajv/dist/2020.js';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {sleep} from '#cli/io/io.ts';
import {recordOf} from '#cli/logs/guard/state.ts';
import {openGuardFiles} from '#cli/logs/guard-files.ts';
import {createBranchMemory} from '#config/memory/branch-memory.ts';
import {parseBaseUrl} from '#config/settings/values.ts';
import {makeBuiltBranch} from '../../support/fake-records.ts';
import {type FakeService, startFakeService} from '../../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';
import {createQuickClock} from '../quick-clock.ts';
import {recordsOf, runCommand} from '../run-command.ts';

let service: FakeService;
let home: TempFolder;

beforeEach(async () => {
  service = await startFakeService();
  home = createTempFolder('timeline');
});

afterEach(async () => {
  await service.close();
  home.remove();
});

const startMs = Date.UTC(2026, 10, 21, 14);
const stamp = (second: number): string => new Date(startMs + second * 1000).toISOString();

/** A line a second from ten minutes before on; from `errors` on, every other one is an error. */
const logOf = (errors: number, word: string) => () => {
  const lines = Array.from({length: 660}, (_, index) => index - 600).map(second => {
    const isError = second >= errors && second % 2 === 0;
    const text = isError
      ? `level=error msg="${word} | rejected <quote>"`
      : `level=info msg="order stored" id=${second}`;
    return `${stamp(second)} ${text}`;
  });
  const losses = word === 'mailer' ? [] : [{source: 0, number: 301, count: 3, why: 'kubelet | gave up'}];
  const numbering = {series: 's', first: 1, losses, runs: [[0, lines.length]], sources: [{pod: 'web-1'}]};
  return {lines, pods: [{name: 'web-1', createdAt: stamp(-20)}], more: {branchlog: numbering}};
};

const run = (...argv: readonly string[]) =>
  runCommand(['timeline', ...argv], {env: service.env, homeFolder: home.path, clock: createQuickClock(1000)});

const rowsOf = (stdout: string): readonly string[] => stdout.split('\n').filter(row => row.startsWith('| 2026'));

test('what happened in two logs is one table by time, with what the guard told and what was marked', async () => {
  service.setDate(new Date(startMs + 63_000).toUTCString());
  service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main'), makeBuiltBranch('branch-2', 'side')]);
  service.setLog('branch-1', logOf(0, 'tax service'));
  service.setLog('branch-2', logOf(30, 'mailer'));
  const stateFolder = join(home.path, '.local/state/branchlog');
  const key = {contextName: parseBaseUrl(service.env.BRANCHLOG_BASE_URL ?? '', 'the test').name, siteId: 'site-1'};
  const told = {site: 'site-1', branch: 'main', from: stamp(0), text: 'incident since 14:00:00'};
  const clock = {nowMs: Date.now, monotonicMs: () => performance.now(), sleep};
  await openGuardFiles(stateFolder, key, clock).addHistory([
    recordOf({...told, what: 'found'}, {atMs: startMs + 41_000, monoMs: 0}),
    recordOf({...told, branch: null, what: 'blind', text: 'no answer'}, {atMs: startMs - 100_000, monoMs: 0}),
    recordOf({...told, branch: 'other', what: 'found'}, {atMs: startMs + 42_000, monoMs: 0}),
    recordOf({...told, what: 'found', text: 'long ago'}, {atMs: startMs - 86_400_000, monoMs: 0}),
  ]);
  await createBranchMemory(stateFolder).remember(
    {...key, branchId: 'branch-2'},
    {
      ...{filters: [], contextLines: 0, minimumLevel: undefined, wraps: false, timeMode: undefined, rows: undefined},
      ...{highlights: [], lastSeenAt: undefined},
      marks: [{at: stamp(50), lineHash: undefined, note: 'mail queue `full`'}],
    },
  );
  const {stdout, stderr, code} = await run('site-1', 'main', 'side');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    '# Timeline of site-1: main, side',
    '',
    "2026-11-21T13:50:00Z to 2026-11-21T14:01:03Z. Times are the service's, whose clock is 63 s ahead of that of the machine where this was written.",
  ]);
  const short = rowsOf(stdout).map(row => row.split(' | ').slice(0, 3).join(' ').slice(2));
  const gap = '2026-11-21T13:50:00.000000000Z to 2026-11-21T13:55:00.000000000Z';
  expect(short).toEqual([
    `2026-11-21T13:50:00Z to 2026-11-21T13:55:00Z main **gap** possible gap in web-1, ${gap}, lines may be missing: kubelet &#124; gave up`,
    '2026-11-21T13:58:20Z all **guard** blind: no answer',
    '2026-11-21T13:59:40Z main **pod** pod web-1 appeared',
    '2026-11-21T13:59:40Z side **pod** pod web-1 appeared',
    '2026-11-21T14:00:00Z main **onset** Errors 0 → 30/min, 50 % of all lines',
    '2026-11-21T14:00:00Z main **onset** 30/min tax service &#124; rejected &#60;quote&#62;, new, first 14:00:00',
    '2026-11-21T14:00:30Z side **onset** Errors 0 → 15/min, 51 % of all lines',
    '2026-11-21T14:00:30Z side **onset** 15/min mailer &#124; rejected &#60;quote&#62;, new, first 14:00:30',
    '2026-11-21T14:00:41Z main **guard** found: incident since 14:00:00',
    '2026-11-21T14:00:50Z side **mark** mail queue &#96;full&#96;',
  ]);
  expect(rowsOf(stdout)[4]).toBe(
    '| 2026-11-21T14:00:00Z | main | **onset** Errors 0 → 30/min, 50 % of all lines | sure, complete from 13:55:00 · lines lost 13:50:00 to 13:55:00 (of web-1: kubelet &#124; gave up) · compared with 13:55–14:00 | `branchlog site-1/main@2026-11-21T14:00:00Z` |',
  );
});

test('every record has its schema', async () => {
  service.setDate(new Date(startMs + 60_000).toUTCString());
  service.setLog('branch-1', logOf(0, 'tax service'));
  const {stdout} = await run('site-1', 'main', '--format', 'json');
  const schema: object = JSON.parse(readFileSync('docs/schemas/timeline.schema.json', 'utf8'));
  const validate = new Ajv2020({
    ...{allErrors: true, strict: true, allowUnionTypes: true},
    formats: {'date-time': true},
  }).compile(schema);
  const records = recordsOf(stdout);
  expect(records.map(record => (validate(record) ? [] : validate.errors))).toEqual(records.map(() => []));
  expect(records[0]).toMatchObject({kind: 'timeline', clock: 'service', aheadMs: 60_000, leftOut: 0});
  expect(records).toContainEqual(
    expect.objectContaining({
      ...{kind: 'row', what: 'onset', branch: 'main', at: '2026-11-21T14:00:00.000000000Z', until: null},
      link: 'branchlog site-1/main@2026-11-21T14:00:00Z',
    }),
  );
});

test('a file has the times of its lines, and only those that are asked for', async () => {
  const path = join(home.path, 'app.log');
  writeFileSync(path, `${logOf(0, 'tax service')().lines.join('\n')}\n`);
  const clock = {nowMs: () => startMs + 120_000};
  const {stdout} = await runCommand(['timeline', path], {homeFolder: home.path, clock});
  expect(stdout).toMatch(
    /^# Timeline of app\.log\n\n2026-11-21T13:50:00Z to 2026-11-21T14:00:59Z\. Times are those in the lines\.\n/,
  );
  expect(rowsOf(stdout)[0]).toMatch(/^\| 2026-11-21T14:00:00Z \| app\.log \| \*\*onset\*\* Errors 0 → 3\d\/min/);
  const before = await run(path, '--to', '2026-11-21T13:55:00Z');
  expect(rowsOf(before.stdout)).toEqual([]);
});

test('of a hand-over, each row opens the file at its entry', async () => {
  const stamp = (second: number): string => new Date(Date.UTC(2026, 10, 21, 14) + second * 1000).toISOString();
  const path = join(home.path, 'app.log');
  const rows = Array.from(
    {length: 2_000},
    (_, index) => `${stamp(index)} ${index < 1_500 ? 'INFO ok' : 'ERROR lost db'}\n`,
  );
  writeFileSync(path, rows.join(''));
  const file = join(home.path, 'shift.branchlog');
  expect((await runCommand(['export', path, '--file', file])).code).toBe(0);
  const {stdout} = await runCommand(['timeline', file]);
  // The first entry says where the log begins.
  expect(stdout).toContain(`**onset** `);
  expect(stdout).toContain(`\`branchlog ${file}#1502\``);
  const records = (await runCommand(['timeline', file, '--format', 'json'])).stdout.trimEnd().split('\n');
  expect(records.map(row => JSON.parse(row).link)).toContain(`branchlog ${file}#1502`);
});

test('the clock of a hand-over is that of then, and nobody says how far it is from the one of now', async () => {
  service.setDate(new Date(startMs + 60_000).toUTCString());
  service.setLog('branch-1', logOf(0, 'tax service'));
  const file = join(home.path, 'shift.branchlog');
  const options = {env: service.env, homeFolder: home.path, clock: createQuickClock(1000)};
  expect((await runCommand(['export', 'site-1', 'main', '--file', file], options)).code).toBe(0);
  const {stdout} = await runCommand(['timeline', file], {homeFolder: home.path});
  expect(stdout.split('\n')[2]).toMatch(/ Times are the service's\. The log was handed over at \d{4}-\S+Z\.$/);
  const [head = ''] = (await runCommand(['timeline', file, '--format', 'json'])).stdout.split('\n');
  expect(JSON.parse(head)).toMatchObject({clock: 'service', aheadMs: null});
});
