import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createGrowingLog} from '../../support/fake-log.ts';
import {makeBranch, makeBuiltBranch} from '../../support/fake-records.ts';
import {type FakeService, startFakeService} from '../../support/fake-service.ts';
import {runCommand} from '../run-command.ts';

let service: FakeService;

beforeEach(async () => {
  service = await startFakeService();
  service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main'), makeBranch('branch-2', 'feature/new')]);
});

afterEach(() => service.close());

const run = (...argv: readonly string[]) => runCommand(['incident', 'site-1', 'main', ...argv], {env: service.env});

const stamp = (second: number): string => new Date(Date.UTC(2026, 10, 21, 14) + second * 1000).toISOString();

/** Twenty minutes; from 14:15:00 on, of version 1.42.0, a quote is rejected every other second. */
const lines = Array.from({length: 1200}, (_, second): readonly string[] => [
  `${stamp(second)} level=info msg="order stored" version=${second < 898 ? '1.41.3' : '1.42.0'} id=${second}`,
  ...(second >= 900 && second % 2 === 0
    ? [`${stamp(second + 0.5)} level=error msg="tax service rejected quote" order=${second}`]
    : []),
]).flat();

const setLines = (some: readonly string[]): void => {
  const log = createGrowingLog({windowLines: 5000});
  log.emitLines(...some);
  service.setLog('branch-1', log.log);
};

describe('an incident', () => {
  test('is told in json: what is held, then each finding with the lines to look at; the exit code is 0', async () => {
    setLines(lines);
    const {code, stdout} = await run('--format', 'json');
    const [held, errors, kind, ...changes] = stdout
      .trim()
      .split('\n')
      .map(row => JSON.parse(row));
    expect(code).toBe(0);
    expect(held).toEqual({
      ...{kind: 'held', from: '2026-11-21T14:00:00.000000000Z', to: '2026-11-21T14:19:59.000000000Z'},
      ...{proof: 'inferred', gaps: 0, errors: 150, onset: '2026-11-21T14:15:00.500000000Z'},
    });
    expect(errors).toMatchObject({
      kind: 'finding',
      what: 'rise',
      by: 'errors',
      before: 0,
      unit: 'per minute',
      confidence: 'sure',
    });
    expect(kind).toMatchObject({
      ...{
        what: 'new',
        by: 'kind',
        subject: expect.stringContaining('tax service rejected quote'),
        since: '2026-11-21T14:15:00.500000000Z',
        before: 0,
      },
      ...{from: '2026-11-21T14:15:00.500000000Z', to: '2026-11-21T14:19:58.500000000Z'},
      line: 'level=error msg="tax service rejected quote" order=900',
    });
    expect(kind.now).toBeCloseTo(30, 0);
    expect(kind.of).toBeCloseTo(90, 0);
    expect(changes).toContainEqual(
      expect.objectContaining({
        what: 'changed',
        by: 'field',
        subject: 'version',
        before: '1.41.3',
        now: '1.42.0',
        since: '2026-11-21T14:14:58.000000000Z',
      }),
    );
  });

  test('is told in text, the same', async () => {
    setLines(lines);
    const {code, stdout, stderr} = await run();
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout).toMatch(/^incident since 2026-11-21T14:15:00Z, 4 min; joined since /);
    expect(stdout).toMatch(/^ {2}30\/min +.*tax service rejected quote.* {2}\(new, first 2026-11-21T14:15:00Z\)$/m);
    expect(stdout).toMatch(/^Changed:\n.*version 1\.41\.3 → 1\.42\.0 {2}\(2 s before\)$/m);
  });

  test('that began before --since is not told, and then all is calm: 9', async () => {
    setLines(lines);
    expect((await run('--since', '2026-11-21T14:14:00Z')).code).toBe(0);
    const {code, stdout} = await run('--since', '2026-11-21T14:16:00Z', '--format', 'json');
    expect(code).toBe(9);
    expect(JSON.parse(stdout)).toMatchObject({kind: 'held', onset: null});
    expect((await run('--to', '2026-11-21T14:15:01Z')).code).toBe(0);
    expect((await run('--to', '2026-11-21T14:14:00Z')).code).toBe(9);
  });
});

test('a calm log ends with 9, and a version that changed alone is no incident', async () => {
  setLines(lines.filter(line => !line.includes('error')));
  const {code, stdout} = await run();
  expect(code).toBe(9);
  expect(stdout).toMatch(/^incident: calm; .*\nNothing rose.*: 0 errors\.\nChanged:\n.*version 1\.41\.3 → 1\.42\.0/);
});

test('nobody calls a log calm that has no lines', async () => {
  setLines([]);
  expect(await run()).toMatchObject({
    code: 7,
    stderr: 'branchlog: the log has no lines, so nobody can tell whether all is well\n',
  });
});

test('text of lines is made safe, and usage, sites and branches end it as they end logs', async () => {
  setLines([...lines, ...Array.from({length: 60}, (_, index) => `${stamp(1200 + index)} ERROR a\x1b]0;title\x07b`)]);
  expect((await run()).stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  expect((await run('--since', 'soon')).code).toBe(2);
  expect(await runCommand(['incident', 'site-1', 'other'], {env: service.env})).toMatchObject({code: 4, stdout: ''});
  expect(await runCommand(['incident', 'site-1', 'feature/new'], {env: service.env})).toMatchObject({
    code: 4,
    stdout: '',
  });
});

describe('--compare', () => {
  beforeEach(() => {
    setLines(lines);
    service.setBranches('site-1', [
      makeBuiltBranch('branch-1', 'main'),
      makeBuiltBranch('branch-3', 'release/4.2'),
      makeBuiltBranch('branch-4', 'release/4.1'),
    ]);
  });

  const setOther = (some: readonly string[]): void => {
    const log = createGrowingLog({windowLines: 5000});
    log.emitLines(...some);
    service.setLog('branch-3', log.log);
  };
  const compare = (...argv: readonly string[]) => run('--compare', 'release/4.2', ...argv);

  test('says what is here only, what is also there, and when nobody can tell', async () => {
    setOther(lines.filter(line => !line.includes('error')));
    const {code, stdout, stderr} = await compare();
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout).toMatch(/tax service rejected quote.* {2}\(only here, new, first 2026-11-21T14:15:00Z\)$/m);
    expect(stdout).toMatch(/version 1\.41\.3 → 1\.42\.0 {2}\(2 s before\)$/m);
    setOther(lines);
    expect((await compare()).stdout).toMatch(/\(also in release\/4\.2: 30\/min, new, first 2026-11-21T14:15:00Z\)$/m);
    setOther(lines.slice(-100).filter(line => !line.includes('error')));
    expect((await compare()).stdout).toMatch(
      /\(in release\/4\.2 can't tell: none held before 2026-11-21T14:18:5\dZ, new, first /m,
    );
  });

  test('is a field of each record but changes, and what the other log lacks does not change the exit code', async () => {
    setOther([]);
    const {code, stdout} = await compare('--format', 'json');
    expect(code).toBe(0);
    const [, errors, , ...changes] = stdout
      .trim()
      .split('\n')
      .map(row => JSON.parse(row));
    const gap = {from: errors.since, to: '2026-11-21T14:19:59.000000000Z'};
    expect(errors.elsewhere).toEqual({
      branch: 'release/4.2',
      now: 0,
      unit: 'per minute',
      holds: 'unknown',
      gaps: [gap],
    });
    expect(changes.filter(({elsewhere}) => elsewhere !== undefined)).toEqual([]);
  });

  test.each(['main', 'release/*'])('names one other branch, not %s', async word => {
    expect(await run('--compare', word)).toMatchObject({
      code: 2,
      stderr: 'branchlog: --compare: name one branch other than main\n',
    });
  });
});
