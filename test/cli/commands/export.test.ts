import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, onTestFinished, test} from 'vitest';
import {readHandOver} from '#api/recording/hand-over.ts';
import {makeBuiltBranch} from '../../support/fake-records.ts';
import {fakeToken, startFakeService} from '../../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';
import {runCommand} from '../run-command.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('export');
});
afterEach(() => folder.remove());

const path = (name: string): string => join(folder.path, name);

const stampOf = (second: number): string => new Date(Date.UTC(2026, 10, 21, 14, 0, second)).toISOString();
const levelOf = (index: number): string => (index >= 3_000 && index % 3 === 0 ? 'ERROR no answer of db' : 'INFO done');
const logText = Array.from({length: 4_000}, (_, index) => `${stampOf(index)} ${levelOf(index)}\n`).join('');

/** Writes a log and exports it. */
const exportLog = async (text = logText): Promise<string> => {
  writeFileSync(path('app.log'), text);
  const saved = await runCommand(['export', path('app.log'), '--file', path('a.branchlog')], {homeFolder: folder.path});
  expect([saved.code, saved.stdout]).toEqual([0, `${path('a.branchlog')}\n`]);
  expect(saved.stderr).toMatch(/^branchlog: saved [\d,]+ lines, [\d,]+ bytes; branchlog \S+ opens it\n$/);
  return path('a.branchlog');
};

/** Everything that a hand-over holds, as text. */
const unpack = (file: string): string => {
  const {head, view, findings, logs} = readHandOver(readFileSync(file), file);
  const entries = logs.map(log => [log.facts, log.blocks.flatMap(log.read)]);
  return JSON.stringify([head, view, findings, entries], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
};

test('what was exported is read as the log was: its lines, and what is wrong with it', async () => {
  const file = await exportLog();
  expect((await runCommand(['open', file, '--format', 'raw'])).stdout).toBe(logText);
  for (const format of ['text', 'json']) {
    const incident = await runCommand(['incident', path('app.log'), '--format', format]);
    expect(incident.stdout).toContain('no answer of db');
    expect(await runCommand(['incident', file, '--format', format])).toEqual({...incident, stderr: ''});
  }
  const {findings} = readHandOver(readFileSync(file), file);
  const printed = await runCommand(['incident', path('app.log'), '--format', 'json']);
  expect(findings).toEqual(
    printed.stdout
      .trimEnd()
      .split('\n')
      .map(row => JSON.parse(row)),
  );
});

test('branches of a service are handed over together, with their names, and without the token', async () => {
  const service = await startFakeService();
  onTestFinished(() => service.close());
  service.setBranches('5f3c0a12', [makeBuiltBranch('b-web', 'web'), makeBuiltBranch('b-db', 'db')]);
  service.setLog('b-web', () => ({lines: [`${stampOf(1)} one`, `${stampOf(3)} three`]}));
  service.setLog('b-db', () => ({lines: [`${stampOf(2)} two`]}));
  const file = path('both.branchlog');
  const args = ['export', '5f3c0a12', 'web', 'db', '--file', file];
  expect(await runCommand(args, {env: service.env})).toMatchObject({code: 0, stdout: `${file}\n`});
  const {stdout} = await runCommand(['open', file, '--format', 'json']);
  const records = stdout
    .trimEnd()
    .split('\n')
    .map(row => JSON.parse(row));
  expect(records.map(({branch, text}) => [branch, text])).toEqual([
    ['web', 'one'],
    ['db', 'two'],
    ['web', 'three'],
  ]);
  expect(unpack(file)).not.toContain(fakeToken.split('.')[1]);
});

test('secrets are masked in all that it has', async () => {
  const file = await exportLog(
    `${stampOf(0)} ERROR failed: password=canary-one token: canary-2 for x\n${stampOf(1)} ERROR https://u:canary-3@h\n`,
  );
  expect(unpack(file)).not.toMatch(/canary/);
  expect((await runCommand(['open', file, '--format', 'raw'])).stdout).toContain('failed: password=********');
});

test('a file that was changed is refused with 2, and nothing of it is printed', async () => {
  const file = await exportLog();
  const bytes = readFileSync(file);
  bytes[2_000] = (bytes[2_000] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  for (const command of ['open', 'incident', 'export']) {
    expect(await runCommand([command, file])).toEqual({
      code: 2,
      stdout: '',
      stderr: `branchlog: ${file} is not as it was saved: the sum of its lines from 1 on is another one. Ask for the file again\n`,
    });
  }
  writeFileSync(file, 'something else');
  expect((await runCommand(['open', file])).stderr).toContain('is not as it was saved');
});

test.each<readonly [what: string, args: (file: string) => readonly string[], words: string]>([
  ['it is not played', file => ['logs', '--replay', file, 'a', 'b'], 'is of a hand-over: it is opened, not played'],
  ['an entry that it has not', file => ['open', `${file}#4002`], 'a.branchlog has no entry 4002: its last is 4001'],
  ['it is not overwritten', file => ['export', file, '--file', file], 'already exists and is not overwritten'],
  ['a name that says nothing', file => ['export', file, '--file', `${file}.log`], 'the name must end in .branchlog'],
  [
    'no such folder',
    file => ['export', file, '--file', `${file}/x.branchlog`],
    'cannot be written, there is no such folder',
  ],
])('%s', async (_what, args, words) => {
  const file = await exportLog();
  const {code, stderr} = await runCommand(args(file));
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  expect(readdirSync(folder.path).filter(name => name.includes('partial'))).toEqual([]);
});

test('it is read to its end and not followed', async () => {
  const file = await exportLog();
  const {code, stdout} = await runCommand(['open', file, '--follow', '--tail', '1']);
  expect([code, stdout]).toEqual([0, `${stampOf(3_999)} ERROR no answer of db\n`]);
});
