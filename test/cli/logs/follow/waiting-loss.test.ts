import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {makeBuiltBranch} from '../../../support/fake-records.ts';
import {type FakeService, startFakeService} from '../../../support/fake-service.ts';
import {createQuickClock} from '../../quick-clock.ts';
import {runCommand, startCommand} from '../../run-command.ts';

let service: FakeService;

beforeEach(async () => {
  service = await startFakeService();
  service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main')]);
});

afterEach(() => service.close());

const lineAt = (second: number): string => `2026-11-21T14:00:0${second}.000000000Z line ${second}`;

/** The first answer is numbered, in a header or a field; all others have these lines, and no numbers. */
const setLog = (kind: string, later: readonly number[]): void => {
  const first = {
    header: {lines: [1, 2].map(lineAt), header: 'branch; series=a; last=2; dropped=0'},
    field: {
      lines: [1, 2].map(lineAt),
      more: {branchlog: {series: 'a', first: 1, runs: [[0, 2]], sources: [{pod: 'shop-0'}]}},
    },
    'no numbers': {lines: [1, 2].map(lineAt)},
  }[kind];
  service.setLog('branch-1', number => (number === 1 && first ? first : {lines: later.map(lineAt)}));
};

const argv = ['logs', 'site-1', 'main', '--follow', '--interval', '1s', '--format', 'json', '--summary'];

type Printed = {readonly kind?: string; readonly text?: string; readonly gaps?: number; readonly reason?: string};

const recordsOf = (stdout: string): readonly Printed[] =>
  stdout
    .trim()
    .split('\n')
    .map(row => JSON.parse(row));

describe.each(['header', 'field', 'no numbers'])('what waits for numbers at the end, first in: %s', kind => {
  test.each([
    [['--fail-on-gap', '--duration', '450ms'], 7],
    [['--duration', '450ms'], 0],
    [['--until', 'line 9'], 0],
    [['--fail-on-gap', '--until', 'line 9'], 7],
  ] as const)('is a gap, where lines do not join: %j', async (flags, expected) => {
    setLog(kind, [8, 9]);
    const {code, stdout} = await runCommand([...argv, ...flags], {env: service.env, clock: createQuickClock(100)});
    const records = recordsOf(stdout);
    expect(code).toBe(expected);
    expect(records.filter(record => record.kind === 'gap')).toHaveLength(1);
    expect(records.at(-1)).toMatchObject({kind: 'end', gaps: 1});
  });

  test('is none, where they join', async () => {
    setLog(kind, [2, 3]);
    const {code, stdout} = await runCommand([...argv, '--fail-on-gap', '--duration', '450ms'], {
      env: service.env,
      clock: createQuickClock(100),
    });
    expect(code).toBe(0);
    expect(recordsOf(stdout).map(({text, gaps}) => text ?? gaps)).toEqual(['line 1', 'line 2', 'line 3', 0]);
  });

  test('is a gap when a signal ends it', async () => {
    setLog(kind, [8, 9]);
    const command = startCommand([...argv, '--interval', '250ms'], {env: service.env});
    await service.waitForRequests(3, 'logs');
    command.signal('SIGINT');
    expect(await command.code).toBe(130);
    expect(recordsOf(command.stdout()).at(-1)).toMatchObject({kind: 'end', reason: 'stopped', gaps: 1});
  });
});
