import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {makeBranch, makeBuiltBranch} from '../../support/fake-records.ts';
import {type FakeService, startFakeService} from '../../support/fake-service.ts';
import {runCommand} from '../run-command.ts';

let service: FakeService;

beforeEach(async () => {
  service = await startFakeService();
  service.setDate('Sat, 21 Nov 2026 14:20:00 GMT');
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

const setLines = (some: readonly string[], branch = 'branch-1'): void => {
  service.setLog(branch, () => ({header: 'branch', lines: some, pods: [{name: 'shop-0'}]}));
};

describe('an incident', () => {
  test('is told in json: the verdict and its basis, then each finding with the lines to look at; the exit code is 0', async () => {
    setLines(lines);
    const {code, stdout} = await run('--format', 'json');
    const [verdict, errors, kind, ...changes] = stdout
      .trim()
      .split('\n')
      .map(row => JSON.parse(row));
    expect(code).toBe(0);
    const held = {from: '2026-11-21T14:00:00.000000000Z', to: '2026-11-21T14:19:59.000000000Z'};
    expect(verdict).toMatchObject({
      ...{kind: 'verdict', verdict: 'found', why: null, text: 'incident since 2026-11-21T14:15:00.500000000Z, 4 min'},
      ...{asked: {from: held.from, to: '2026-11-21T14:20:00.000000000Z'}, uncovered: []},
      ...{proof: 'said', gaps: 0, errors: 150, onset: '2026-11-21T14:15:00.500000000Z', ...held},
      ...{covered: [{from: held.from, to: '2026-11-21T14:20:00.000000000Z'}]},
    });
    expect(verdict.comparedWith.from).toBe(held.from);
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
      ...{from: '2026-11-21T14:15:00.500000000Z', to: '2026-11-21T14:19:58.500000000Z', until: null, who: []},
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
    expect(stdout).toMatch(
      /^incident since 2026-11-21T14:15:00Z, 4 min\njoined from 2026-11-21T14:00:00Z · compared with /,
    );
    expect(stdout).toMatch(/^ {2}30\/min +.*tax service rejected quote.* {2}\(new, first 2026-11-21T14:15:00Z\)$/m);
    expect(stdout).toMatch(/^Changed:\n.*version 1\.41\.3 → 1\.42\.0 {2}\(2 s before\)$/m);
  });

  test('that goes on counts, whenever it began', async () => {
    setLines(lines);
    for (const since of ['2026-11-21T14:14:00Z', '2026-11-21T14:16:00Z', '4m', '30s']) {
      const {code, stdout} = await run('--since', since);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^incident since 2026-11-21T14:15:00Z, 4 min\n/);
    }
    expect((await run('--to', '2026-11-21T14:15:30Z')).code).toBe(0);
    // Before it began, nothing was wrong.
    expect((await run('--since', '2026-11-21T14:08:00Z', '--to', '2026-11-21T14:14:00Z')).code).toBe(9);
  });
});

describe('without errors', () => {
  const clean = lines.filter(line => !line.includes('error'));

  test('it is calm, 9, and a version that changed alone is no incident', async () => {
    setLines(clean);
    const {code, stdout} = await run('--since', '10m');
    expect(code).toBe(9);
    expect(stdout).toMatch(/^calm for 10 min\n.*\nno errors\nChanged:\n.*version 1\.41\.3 → 1\.42\.0/);
  });

  test.each<[string, () => void, RegExp]>([
    [
      'that has no lines',
      () => setLines([]),
      /^cannot tell: no lines 2026-11-21T14:10:00Z to 2026-11-21T14:20:00Z\nno lines held\n/,
    ],
    [
      'that wrote too little to have fallen silent',
      () => setLines(clean.slice(0, 600).filter((_, index) => index % 100 === 0)),
      /^cannot tell: no lines 2026-11-21T14:10:00Z to 2026-11-21T14:20:00Z\njoined from /,
    ],
    [
      'that fell silent',
      () => {
        setLines(clean);
        service.setDate('Sat, 21 Nov 2026 14:28:00 GMT');
      },
      /^cannot tell: silent since 2026-11-21T14:19:59Z\njoined from /,
    ],
    [
      'whose answer has items that are no lines',
      () =>
        service.setLog('branch-1', () => ({
          ...{header: 'branch', lines: clean, pods: [{name: 'shop-0'}]},
          items: [...clean.slice(0, -5), 7, ...clean.slice(-5)],
        })),
      /^cannot tell: items that are no lines since 2026-11-21T14:19:54Z\n/,
    ],
    [
      'of which too little is held',
      () => setLines(clean.slice(-30)),
      /^cannot tell: not everything before 2026-11-21T14:19:30Z is held\n/,
    ],
  ])('nobody calls a log calm %s: 7, and text and records say why', async (_name, set, words) => {
    set();
    const {code, stdout, stderr} = await run('--since', '10m');
    expect({code, stderr}).toEqual({code: 7, stderr: ''});
    expect(stdout).toMatch(words);
    const json = (await run('--since', '10m', '--format', 'json')).stdout;
    expect(JSON.parse(json.split('\n')[0] ?? '')).toMatchObject({kind: 'verdict', verdict: 'unknown'});
    expect(stdout + json).not.toMatch(/calm/i);
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

  const setOther = (some: readonly string[]): void => setLines(some, 'branch-3');
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

describe('--since deploy', () => {
  const deploy = (word: string, ...argv: readonly string[]) => run('--since', word, ...argv);
  const setDeployed = (lastActivity: Readonly<Record<string, string>>): void =>
    service.setBranches('site-1', [makeBuiltBranch('branch-1', 'main', {lastActivity})]);
  const activity = {action: 'DEPLOY_APPLICATION', status: 'SUCCESS', updatedAt: '2026-11-21T14:10:00.000Z'};
  /** Half the minutes before the deployment, half after it. */
  const told = (after: (second: number) => string): readonly string[] =>
    Array.from({length: 1200}, (_, second) =>
      second < 600 ? `${stamp(second)} INFO order ${second} stored, pool 50` : `${stamp(second)} ${after(second)}`,
    );

  test.each(['deploy', 'Deployment'])('tells what is new since, in text and records (%s)', async word => {
    setDeployed(activity);
    setLines(
      told(second =>
        second % 4 === 0 ? `ERROR quote ${second} rejected by tax service` : `INFO order ${second} stored, pool 50`,
      ),
    );
    const {code, stdout, stderr} = await deploy(word);
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout).toMatch(
      /^other than before since the deployment at 2026-11-21T14:10:00Z, 10 min\njoined from .* · compared with 2026-11-21T14:00:00Z–2026-11-21T14:10:00Z\nDeployment: DEPLOY_APPLICATION/,
    );
    expect(stdout).toMatch(/^ {2}15\/min .*rejected by tax service/m);
    const [verdict, ...findings] = (await deploy(word, '--format', 'json')).stdout
      .trim()
      .split('\n')
      .map(row => JSON.parse(row));
    expect(verdict).toMatchObject({
      ...{verdict: 'found', asked: {from: '2026-11-21T14:10:00.000000000Z'}},
      deployment: {subject: expect.stringContaining('DEPLOY_APPLICATION'), since: '2026-11-21T14:10:00.000000000Z'},
    });
    expect(findings).toContainEqual(
      expect.objectContaining({what: 'new', subject: expect.stringContaining('rejected by tax service')}),
    );
  });

  test('a clean one is calm', async () => {
    setDeployed(activity);
    setLines(told(second => `INFO order ${second} stored, pool 50`));
    const {code, stdout} = await deploy('deploy');
    expect(code).toBe(9);
    expect(stdout).toMatch(/^calm since the deployment at 2026-11-21T14:10:00Z, 10 min\n/);
  });

  test('where none is known, or lines may be missing, nobody can tell: 7, and the word calm is nowhere', async () => {
    setDeployed({});
    setLines(told(second => `INFO order ${second} stored, pool 50`));
    const none = await deploy('deploy');
    expect([none.code, none.stdout]).toEqual([
      7,
      'cannot tell: no deployment is known, neither from the branch and its pods nor from a version in the log\n',
    ]);
    const record = JSON.parse((await deploy('deploy', '--format', 'json')).stdout);
    expect(record).toMatchObject({kind: 'verdict', verdict: 'unknown', why: 'noDeployment'});
    expect(JSON.stringify(record)).not.toContain('calm');
    setDeployed(activity);
    service.setDate('Sat, 21 Nov 2026 14:40:00 GMT');
    const silent = await deploy('deploy');
    expect([silent.code, silent.stdout.split('\n')[0]]).toEqual([7, 'cannot tell: silent since 2026-11-21T14:19:59Z']);
    expect(silent.stdout).not.toContain('calm');
  });
});
