import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Ajv2020} from 'ajv/dist/2020.js';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {UserCall} from '../../../src/app/parts/call-user.ts';
import {createNotifier} from '../../../src/cli/notify/create-notifier.ts';
import {createGrowingLog} from '../../support/fake-log.ts';
import {makeBuiltBranch} from '../../support/fake-records.ts';
import {type FakeService, startFakeService} from '../../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';
import {runCommand} from '../run-command.ts';

let folder: TempFolder;
let script: string;

const writeScript = (text: string): void => {
  writeFileSync(script, `#!/bin/sh\n${text}\n`);
  chmodSync(script, 0o700);
};

beforeEach(() => {
  folder = createTempFolder('notify');
  script = join(folder.path, 'page');
  writeScript('cat >> "$0.in"; echo "$#:$1:$2:$BRANCHLOG_TOKEN" >> "$0.runs"');
});

afterEach(() => folder.remove());

const recordsIn = (): readonly unknown[] =>
  readFileSync(`${script}.in`, 'utf8')
    .trimEnd()
    .split('\n')
    .map(row => JSON.parse(row));
const runs = (): string => readFileSync(`${script}.runs`, 'utf8');

const expectValid = (name: string, records: readonly unknown[]): void => {
  const schema = JSON.parse(readFileSync(`docs/schemas/${name}.schema.json`, 'utf8'));
  const validate = new Ajv2020({strict: true, allowUnionTypes: true, formats: {'date-time': true}}).compile(schema);
  expect(records.map(record => (validate(record) ? [] : validate.errors))).toEqual(records.map(() => []));
};

describe('incident --notify-command', () => {
  let service: FakeService;

  beforeEach(async () => {
    service = await startFakeService();
    service.setDate('Sat, 21 Nov 2026 14:20:00 GMT');
    service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main')]);
  });

  afterEach(() => service.close());

  const setLog = (hasErrors: boolean): void => {
    const log = createGrowingLog({windowLines: 5000});
    const stamp = (second: number): string => new Date(Date.UTC(2026, 10, 21, 14) + second * 1000).toISOString();
    log.emitLines(
      ...Array.from({length: 1200}, (_, second) => [
        `${stamp(second)} level=info msg="order stored" version=${second < 898 ? '1.41.3' : '1.42.0'}`,
        ...(hasErrors && second >= 900 ? [`${stamp(second)} level=error msg="quote refused" password=hunter2`] : []),
      ]).flat(),
    );
    service.setLog('branch-1', log.log);
  };

  const run = (...argv: readonly string[]) =>
    runCommand(['incident', 'site-1', 'main', ...argv], {env: {...service.env, PATH: process.env.PATH}});

  test('runs it once, without a shell and without the token, with the basis and each finding as records and secrets as masks', async () => {
    setLog(true);
    const {code, stderr} = await run(
      '--notify-command',
      script,
      '--notify-command',
      '$HOME;x',
      '--notify-command=--now',
    );
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(runs()).toBe('2:$HOME;x:--now:\n');
    const records = recordsIn();
    expectValid('incident', records);
    expect(records[0]).toMatchObject({kind: 'verdict', verdict: 'found', comparedWith: {}});
    expect(records[1]).toMatchObject({kind: 'finding', what: 'rise', by: 'errors'});
    expect(records).toContainEqual(
      expect.objectContaining({what: 'new', line: 'level=error msg="quote refused" password=********'}),
    );
  });

  test('does not run it if nothing is found, though a version changed', async () => {
    setLog(false);
    // A service that says nothing of its windows leaves open what is older than its newest lines.
    expect((await run('--notify-command', script)).code).toBe(7);
    expect(existsSync(`${script}.runs`)).toBe(false);
  });

  test.each([
    ['exit 3', 'ended with exit code 3: run it by hand to see why'],
    ['exec cat /dev/zero', 'printed more than 1 MB and was stopped'],
  ])('says that it failed (%s), and the exit code stays', async (text, words) => {
    setLog(true);
    writeScript(text);
    expect(await run('--notify-command', script)).toMatchObject({
      code: 0,
      stderr: `branchlog: the notify command (${script}) ${words}\n`,
    });
  });

  test('says that there is none, and refuses one that others may write to', async () => {
    setLog(true);
    const missing = join(folder.path, 'none');
    expect(await run('--notify-command', missing)).toMatchObject({
      code: 0,
      stderr: `branchlog: the notify command (${missing}) cannot be started (no such program)\n`,
    });
    chmodSync(script, 0o777);
    const {code, stderr} = await run('--notify-command', script);
    expect(code).toBe(0);
    expect(stderr).toContain(`the notify command (${script}) `);
    expect(stderr).toContain('chmod');
    expect(existsSync(`${script}.runs`)).toBe(false);
  });
});

describe('the command of [notify]', () => {
  const call: UserCall = {why: 'match', text: 'a\x1b]0;t\x07b api_key=hunter2', siteId: 'shop', branch: 'main'};

  test('gets what calls as a record, at most every 30 s; the next one tells how many calls were left out', async () => {
    let nowMs = 0;
    const notify = createNotifier({
      ...{command: [script], env: {...process.env, BRANCHLOG_TOKEN: 'canary'}},
      clock: {monotonicMs: () => nowMs, nowMs: () => Date.UTC(2026, 10, 21, 14)},
    });
    const first = notify(call);
    nowMs = 60_000;
    expect(await notify(call)).toBeUndefined();
    expect(await first).toBeUndefined();
    nowMs = 29_999;
    expect(await notify(call)).toBeUndefined();
    nowMs = 30_000;
    expect(await notify({...call, why: 'again', text: 'again: b'})).toBeUndefined();
    const records = recordsIn();
    expectValid('call', records);
    const record = {kind: 'call', why: 'match', site: 'shop', branch: 'main', at: '2026-11-21T14:00:00.000Z'};
    expect(records).toEqual([
      {...record, text: expect.stringMatching(/^[^\x00-\x1f]+ api_key=\*{8}$/), skipped: 0},
      {...record, why: 'again', text: 'again: b', skipped: 2},
    ]);
    expect(runs()).toBe('0:::\n0:::\n');
  });
});
