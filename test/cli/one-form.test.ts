import {readFileSync} from 'node:fs';
import {Ajv2020} from 'ajv/dist/2020.js';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {makeBranch, makeBuiltBranch} from '../support/fake-records.ts';
import {type FakeService, startFakeService} from '../support/fake-service.ts';
import {runCommand} from './run-command.ts';

const readRecords = (text: string, schema: string): readonly Record<string, unknown>[] => {
  const ajv = new Ajv2020({allErrors: true, strict: true, allowUnionTypes: true, formats: {'date-time': true}});
  const validate = ajv.compile(JSON.parse(readFileSync(`docs/schemas/${schema}.schema.json`, 'utf8')));
  const records = text
    .trimEnd()
    .split('\n')
    .map(row => JSON.parse(row));
  expect(records.filter(record => !validate(record))).toEqual([]);
  return records;
};

let service: FakeService;
beforeEach(async () => {
  service = await startFakeService();
  service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main'), makeBranch('branch-2', 'feature/new')]);
  service.setLog('branch-1', () => ({lines: ['2026-11-21T14:00:00.000000000Z one']}));
});
afterEach(() => service.close());

const run = (...argv: readonly string[]) => runCommand(argv, {env: {...service.env}});

test.each([
  ...[['branches', 'site-1'], ['doctor'], ['logs', 'site-1', 'main'], ['incident', 'site-1', 'main'], ['help', 'logs']],
])('json and ndjson are the same in %j %j %j: a record a line', async (...words) => {
  const argv = words.filter(word => word !== undefined);
  const plain = (text: string) => text.replaceAll(/\d+ ms|T[\d:.]+Z|\d+ s\b/g, '');
  const [json, ndjson] = [await run(...argv, '--format', 'json'), await run(...argv, '--format', 'ndjson')];
  expect(plain(ndjson.stdout)).toBe(plain(json.stdout));
  for (const row of json.stdout.trimEnd().split('\n')) {
    expect(typeof JSON.parse(row)).toBe('object');
  }
});

test.each([
  [['logs', 'site-1', 'nope'], 'notFound', 4],
  [['incident', 'site-1', 'feature/new'], 'notFound', 4],
  [['branches', '..'], 'badId', 2],
  [['logs', 'site-1', 'main', '--grep', '(('], 'usage', 2],
  [['logs', 'site-1', 'main', '--zzz'], 'usage', 2],
])(
  'with --format json, the error of %j is a record on stderr, with its kind, its exit code and what to do',
  async (argv, kind, code) => {
    for (const format of ['json', 'NDJSON']) {
      const ran = await run(...argv, '--format', format);
      expect([ran.code, ran.stdout]).toEqual([code, '']);
      expect(readRecords(ran.stderr, 'error')).toMatchObject([{kind: 'error', error: kind, exitCode: code}]);
    }
  },
);

test('help --format json has every command with its flags, and every exit code', async () => {
  const records = readRecords((await run('help', '--format', 'json')).stdout, 'help');
  expect(records.filter(({kind}) => kind === 'command').map(({name}) => name)).toContain('mcp');
  expect(records.filter(({kind}) => kind === 'exit').map(({code}) => code)).toEqual([
    ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 129, 130, 131, 143],
  ]);
  const [logs] = readRecords((await run('help', 'logs', '--format', 'json')).stdout, 'help');
  expect(logs?.flags).toContainEqual({
    name: 'tail',
    short: 'n',
    value: 'N',
    isRepeatable: false,
    help: expect.any(String),
  });
});

test('a list within a limit ends with how many records there are, and how many are left out', async () => {
  const {stdout} = await run('branches', 'site-1', '--format', 'json', '--max-lines', '2');
  const [first = '', end = ''] = stdout.trimEnd().split('\n');
  expect(readRecords(first, 'branch')).toMatchObject([{name: 'main'}]);
  expect(readRecords(end, 'end')).toEqual([{kind: 'end', records: 2, leftOut: 1}]);
  const table = await run('branches', 'site-1', '--max-lines', '2');
  expect([table.code, table.stderr]).toEqual([
    2,
    'branchlog: --max-bytes and --max-lines are for records: add --format json\n',
  ]);
});

test('a command of --notify-command that fails is told in the end record', async () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 14) + second * 1000).toISOString();
  const lines = Array.from(
    {length: 1200},
    (_, second) => `${at(second)} ${second > 900 ? 'ERROR it broke' : 'INFO fine'}`,
  );
  service.setLog('branch-1', () => ({lines}));
  const {code, stdout} = await run(
    'incident',
    'site-1',
    'main',
    '--format',
    'json',
    '--notify-command',
    '/nowhere/page',
  );
  expect(code).toBe(0);
  expect(readRecords(stdout, 'incident').at(-1)).toMatchObject({
    kind: 'end',
    notifyFailure: expect.stringContaining('/nowhere/page'),
  });
});
