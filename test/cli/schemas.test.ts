import {globSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {Ajv2020} from 'ajv/dist/2020.js';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {makeBranch, makeBuiltBranch} from '../support/fake-records.ts';
import {type FakeService, startFakeService} from '../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';
import {createQuickClock} from './quick-clock.ts';
import {runCommand} from './run-command.ts';

const folder = 'docs/schemas';
const schemas = new Map(
  globSync(join(folder, '*.schema.json')).map(path => [
    basename(path, '.schema.json'),
    JSON.parse(readFileSync(path, 'utf8')),
  ]),
);
const ajv = new Ajv2020({allErrors: true, strict: true, allowUnionTypes: true, formats: {'date-time': true}});

let service: FakeService;
let home: TempFolder;

beforeEach(async () => {
  service = await startFakeService();
  home = createTempFolder('schemas');
  const built = makeBuiltBranch('branch-1', 'main');
  service.setBranches('site-1', [
    {...built, troubles: [{state: 'now', pod: 'web-1', container: 'php', reason: 'OOMKilled exit 137'}]},
    {...makeBranch('branch-2', 'feature/new'), hostname: 7},
  ]);
});

afterEach(async () => {
  await service.close();
  home.remove();
});

const run = async (argv: readonly string[]): Promise<readonly {readonly kind?: string}[]> => {
  const env = {...service.env};
  const {stdout} = await runCommand(argv, {env, homeFolder: home.path, clock: createQuickClock(20)});
  return argv.includes('json') && stdout.startsWith('[')
    ? JSON.parse(stdout)
    : stdout
        .trimEnd()
        .split('\n')
        .map(row => JSON.parse(row));
};

const expectValid = (name: string, records: readonly unknown[]): void => {
  const validate = ajv.compile(schemas.get(name));
  for (const record of records) {
    expect({record, errors: validate(record) ? [] : validate.errors}).toEqual({record, errors: []});
  }
  expect(records.length).toBeGreaterThan(0);
};

const lineAt = (second: number, text = `line ${second}`): string => `2026-11-21T14:00:0${second}.000000000Z ${text}`;

test('every record of a log has its schema, and every schema its record', async () => {
  service.setLog('branch-1', number => {
    const windows = [[lineAt(1)], [], [lineAt(3), 'without a time'], [lineAt(8), lineAt(6)], [lineAt(9)]];
    return {lines: windows[number - 1] ?? [lineAt(9)], pods: [{name: number > 2 ? 'web-2' : 'web-1'}]};
  });
  const argv = [
    'logs',
    'site-1',
    'main',
    '--follow',
    '--format',
    'json',
    '--summary',
    '--duration',
    '20s',
    '--since',
    '2026-11-21',
  ];
  const seen = await run(argv);
  service.setLog('branch-1', number => {
    service.failAlways(number > 1 ? {kind: 'status', status: 503} : undefined, 'logs');
    return {lines: [lineAt(1)], pods: []};
  });
  const records = [...seen, ...(await run(argv))];
  expectValid('log', records);
  const kinds = schemas
    .get('log')
    .oneOf.map(({properties}: {properties: {kind: {const: string}}}) => properties.kind.const);
  expect(new Set(records.map(({kind}) => kind))).toEqual(new Set(kinds));
});

test('sites, branches and findings have theirs, whole and with --fields', async () => {
  expectValid('branch', await run(['branches', 'site-1', '--format', 'json']));
  expectValid('branch', await run(['branches', 'site-1', '--format', 'ndjson', '--fields', 'name,troubles,malformed']));
  mkdirSync(join(home.path, '.config/branchlog'), {recursive: true});
  const sites = ['one', 'two'].map(id => `[[contexts.prod.sites]]\nid = "${id}"\n`);
  writeFileSync(join(home.path, '.config/branchlog/config.toml'), `[contexts.prod]\n${sites.join('')}name = "Two"\n`);
  expectValid('site', await run(['sites', '--format', 'json']));
  expectValid('doctor', await run(['doctor', '--format', 'json']));
});

test('what an incident says has its schema', async () => {
  const minutes = Array.from({length: 20}, (_, minute) => minute);
  const lines = minutes.flatMap(minute =>
    Array.from({length: 40}, (__, index) => {
      const at = new Date(Date.UTC(2026, 10, 21, 14, minute) + index * 1500).toISOString();
      const version = minute < 15 ? '1.41.3' : '1.42.0';
      const isError = minute > 15 && index % 2 === 0;
      return `${at} level=${isError ? 'error msg="tax service rejected quote"' : 'info msg="order stored"'} version=${version}`;
    }),
  );
  service.setLog('branch-1', () => ({lines}));
  service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main'), makeBuiltBranch('branch-3', 'release')]);
  service.setLog('branch-3', () => ({lines: lines.slice(-100)}));
  const records = await run(['incident', 'site-1', 'main', '--compare', 'release', '--format', 'json']);
  expectValid('incident', records);
  expect(new Set(records.map(({kind}) => kind))).toEqual(new Set(['verdict', 'finding']));
  expect(JSON.stringify(records)).toContain('"holds":');
});

test('what the documents show of records is valid', () => {
  const shown = [...readFileSync('docs/commands.md', 'utf8').matchAll(/```json\n(.*?)```/gs)].flatMap(
    ([, block = '']) => block.trimEnd().split('\n'),
  );
  for (const row of shown) {
    const record = JSON.parse(row);
    expectValid('kind' in record ? 'log' : 'branch', [record]);
  }
  expect(shown.length).toBeGreaterThan(5);
});

test('what a schema does not name is refused', () => {
  for (const [name, record] of [
    ['log', {kind: 'line', timestamp: '', text: '', colour: 'red'}],
    ['log', {kind: 'gap', after: 'yesterday', before: '2026-11-21T14:00:00.000000000Z'}],
    ['branch', {id: 7}],
    ['doctor', {status: 'FAIL', subject: '', words: '', action: null}],
  ] as const) {
    expect(ajv.compile(schemas.get(name))(record)).toBe(false);
  }
});
