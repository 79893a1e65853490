import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {makeBuiltBranch} from '../../../support/fake-records.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';
import {runCommand} from '../../run-command.ts';

const header = {
  format: 'branchlog recording',
  version: 1,
  recordedAt: '2026-11-21T14:00:00.000Z',
  host: 'api.example.com',
  bufferMb: 1,
  intervalMs: 2000,
};

const lineAt = (second: number, text: string): string =>
  `2026-11-21T14:00:${String(second).padStart(2, '0')}.000000000Z ${text}`;

/** One poll of a log, with all lines so far. */
const poll = (branchId: string, beganMs: number, lines: readonly string[], siteId = 'site-1') => ({
  operation: 'log',
  siteId,
  branchId,
  beganMs,
  cameMs: beganMs + 10,
  status: 200,
  durationMs: 9,
  bodyBytes: 1,
  window: lines,
  pods: [],
  sessionId: null,
});

const play = async (rows: readonly object[], words: readonly string[]) => {
  const folder = createTempFolder('replayed');
  onTestFinished(() => folder.remove());
  const path = join(folder.path, 'a.ndjson');
  writeFileSync(path, [header, ...rows].map(row => `${JSON.stringify(row)}\n`).join(''));
  const {code, stdout, stderr} = await runCommand(
    ['logs', ...words, '--replay', path, '--speed', 'max', '--format', 'raw'],
    {
      homeFolder: folder.path,
    },
  );
  return {code, lines: stdout.split('\n').filter(row => row !== ''), stderr};
};

const lines = (from: number, to: number): readonly string[] =>
  Array.from({length: to - from + 1}, (_, index) => lineAt(from + index, `line ${from + index}`));

test('the only log of a recording needs no words, and without --follow it is its first window', async () => {
  const rows = [poll('b-1', 0, lines(1, 2)), poll('b-1', 2_000, lines(1, 4))];
  expect(await play(rows, [])).toEqual({code: 0, lines: lines(1, 2), stderr: ''});
  expect(await play(rows, ['--follow'])).toEqual({code: 0, lines: lines(1, 4), stderr: ''});
  expect(await play(rows, ['site-1', '--follow'])).toEqual({code: 0, lines: lines(1, 4), stderr: ''});
});

test.each([
  [4_000, 6],
  [4_001, 6],
  [5_000, 6],
  [5_001, 4],
])('a recording ends at its own --duration: a poll that began after %d ms', async (lastMs, count) => {
  const rows = [
    poll('b-1', 0, lines(1, 2)),
    poll('b-1', 2_000, lines(1, 4)),
    poll('b-1', lastMs, lines(1, 6)),
    poll('b-1', 9_000, lines(1, 8)),
  ];
  expect(await play(rows, ['--follow', '--duration', '4s'])).toMatchObject({code: 0, lines: lines(1, count)});
});

test('a recording ends at a line that is waited for', async () => {
  const rows = [poll('b-1', 0, lines(1, 2)), poll('b-1', 2_000, lines(1, 4)), poll('b-1', 4_000, lines(1, 6))];
  expect(await play(rows, ['--follow', '--until', 'line 3'])).toMatchObject({code: 0, lines: lines(1, 3)});
});

test('of several logs one has to be named, of a recording without any nothing can be played', async () => {
  const several = Array.from({length: 10}, (_, index) => poll(`b-${index}`, index, lines(1, 1)));
  const listed = (count: number) => Array.from({length: count}, (_, index) => `site-1 b-${index}`).join(' or ');
  expect(await play(several, [])).toEqual({
    code: 2,
    lines: [],
    stderr: `branchlog: the recording has 10 logs: give SITE and BRANCH, ${listed(8)} and 2 more\n`,
  });
  expect((await play(several.slice(0, 8), [])).stderr).toBe(
    `branchlog: the recording has 8 logs: give SITE and BRANCH, ${listed(8)}\n`,
  );
  expect(await play([], [])).toEqual({code: 4, lines: [], stderr: 'branchlog: the recording has no log\n'});
});

test('of several sites one is enough where it has one log', async () => {
  const rows = [poll('b-1', 0, lines(1, 2)), poll('b-2', 5, lines(3, 4), 'site-2')];
  expect(await play(rows, ['site-2'])).toMatchObject({code: 0, lines: lines(3, 4)});
  expect(await play(rows, ['site-3'])).toEqual({
    code: 4,
    lines: [],
    stderr: 'branchlog: the recording has no site "site-3": it has site-1, site-2\n',
  });
  expect((await play([], ['site-3'])).stderr).toContain('it has none');
});

const listing = (...names: readonly string[]) => ({
  operation: 'branches',
  siteId: 'site-1',
  beganMs: 0,
  cameMs: 1,
  status: 200,
  durationMs: 1,
  bodyBytes: 1,
  branches: names.map((name, index) => makeBuiltBranch(`b-${index + 1}`, name)),
});

test('branches are named as they were when they were recorded, and several are one log in their order', async () => {
  const rows = [
    listing('main', 'staging', 'other'),
    poll('b-1', 10, lines(1, 1)),
    poll('b-2', 20, lines(2, 2)),
    poll('b-2', 2_000, lines(2, 3)),
    poll('b-1', 2_100, [lineAt(1, 'line 1'), lineAt(4, 'line 4')]),
  ];
  expect(await play(rows, ['site-1', 'staging', '--follow'])).toEqual({code: 0, lines: lines(2, 3), stderr: ''});
  expect(await play(rows, ['site-1', 'main', 'staging', '--follow'])).toEqual({
    code: 0,
    lines: lines(1, 4),
    stderr: '',
  });
  expect(await play(rows, ['site-1', 'main', 'staging'])).toEqual({code: 0, lines: lines(1, 2), stderr: ''});
  expect(await play(rows, ['site-1', 'other'])).toEqual({
    code: 4,
    lines: [],
    stderr: 'branchlog: the recording has no log of branch other of site site-1\n',
  });
});

test('one branch that has had its time does not hold up the others', async () => {
  const rows = [
    listing('main', 'staging'),
    poll('b-1', 10, lines(1, 1)),
    poll('b-2', 20, lines(2, 2)),
    poll('b-1', 1_000, [lineAt(1, 'line 1'), lineAt(3, 'line 3')]),
    poll('b-1', 1_100, [lineAt(1, 'line 1'), lineAt(3, 'line 3'), lineAt(5, 'never')]),
    poll('b-2', 1_200, [lineAt(2, 'line 2'), lineAt(4, 'line 4')]),
  ];
  expect(await play(rows, ['site-1', 'main', 'staging', '--follow', '--duration', '1s'])).toEqual({
    code: 0,
    lines: lines(1, 4),
    stderr: '',
  });
});
