import {expect, test} from 'vitest';
import {listEmittedLines} from './list-emitted-lines.ts';
import {openSample, startMs, textOf} from './open-sample.ts';

const emittedOf = async (sample: ReturnType<typeof openSample>, name: string, fromMs: number, toMs: number) => {
  const {_id: branchId} = await sample.branchNamed(name);
  const times = {fromMs: startMs + fromMs, toMs: startMs + toMs};
  return listEmittedLines({scenario: 'day', seed: 7, startMs, siteId: sample.siteId, branchId, ...times});
};

const isFailure = (line: string) => /HTTP\/1\.1" 5\d\d |PHP Fatal error/.test(line);

test('there are branches in every status: deployed, not built out, failed, under way, and one nobody has heard of', async () => {
  const records = await openSample('day').listBranches();
  expect(records.map(({name, status}) => [name, status])).toEqual([
    ['master', 'DEPLOY_APPLICATION_SUCCESS'],
    ['feature/checkout', 'DEPLOY_APPLICATION_SUCCESS'],
    ['feature/new-theme', null],
    ['hotfix/cart', 'BUILD_APPLICATION_RUNNING'],
    ['staging', 'DEPLOY_APPLICATION_FAILED'],
    ['release/4.2', 'DEPLOY_APPLICATION_SUCCESS'],
    ['experiment/instant-search', 'WAITING_FOR_QUOTA'],
    ['feature/gift-cards', 'BUILD_APPLICATION_ERROR'],
    ['feature/loyalty-points', 'DEPLOY_APPLICATION_RUNNING'],
    ['feature/reviews', 'DEPLOY_APPLICATION_SUCCESS'],
    ['bugfix/vat-rounding', null],
  ]);
});

test('master is released 45 s after the start: status, activity and pods move step by step', async () => {
  const sample = openSample('day');
  const steps: string[] = [];
  const first = (await sample.readWindow()).pods.map(({name}) => name);
  const nicknames = new Map(first.map((name, index) => [name, `old${index}`]));
  for (let second = 40; second < 80; second++) {
    sample.goTo(second * 1000);
    const pods = (await sample.readWindow()).pods.map(({name}) => {
      nicknames.set(name, nicknames.get(name) ?? `new${nicknames.size - 2}`);
      return nicknames.get(name);
    });
    const {status, lastActivity} = await sample.branchNamed('master');
    const step = `${status} ${Object(lastActivity).action} ${Object(lastActivity).status} ${pods.join(' ')}`;
    if (steps.at(-1) !== step) {
      steps.push(step);
    }
  }
  expect(steps).toEqual([
    'DEPLOY_APPLICATION_SUCCESS UPDATE_CONFIG_APPLICATION SUCCESS old0 old1',
    'BUILD_APPLICATION_RUNNING DEPLOY_APPLICATION RUNNING old0 old1',
    'DEPLOY_APPLICATION_RUNNING DEPLOY_APPLICATION RUNNING old0 old1 new0',
    'DEPLOY_APPLICATION_RUNNING DEPLOY_APPLICATION RUNNING old1 new0',
    'DEPLOY_APPLICATION_RUNNING DEPLOY_APPLICATION RUNNING old1 new0 new1',
    'DEPLOY_APPLICATION_RUNNING DEPLOY_APPLICATION RUNNING new0 new1',
    'DEPLOY_APPLICATION_SUCCESS DEPLOY_APPLICATION SUCCESS new0 new1',
  ]);
});

test('updatedAt moves with the status', async () => {
  const sample = openSample('day');
  const seen = new Set<unknown>();
  for (const demoMs of [44_000, 46_000, 56_000, 74_000]) {
    sample.goTo(demoMs);
    seen.add((await sample.branchNamed('master')).updatedAt);
  }
  expect([...seen]).toEqual([
    '2026-11-21T12:12:05.000Z',
    '2026-11-21T14:12:50.000Z',
    '2026-11-21T14:12:59.800Z',
    '2026-11-21T14:13:18.000Z',
  ]);
});

test('the release brings about ten seconds of errors with stack traces, and then calm', async () => {
  const sample = openSample('day');
  const failuresIn = async (fromMs: number, toMs: number) =>
    (await emittedOf(sample, 'master', fromMs, toMs)).filter(({line}) => isFailure(line)).length;
  const [before, during, after] = [
    await failuresIn(0, 45_000),
    await failuresIn(56_800, 66_800),
    await failuresIn(68_000, 110_000),
  ];
  expect(during).toBeGreaterThanOrEqual(8);
  expect(before).toBeLessThanOrEqual(4);
  expect(after).toBeLessThanOrEqual(4);
  const texts = (await emittedOf(sample, 'master', 56_800, 66_800)).map(({line}) => textOf(line));
  expect(texts).toContain('Stack trace:');
  expect(texts.filter(text => /^#\d+ \//.test(text)).length).toBeGreaterThan(5);
});

test('pods say that they start and stop', async () => {
  const texts = (await emittedOf(openSample('day'), 'master', 45_000, 75_000)).map(({line}) => textOf(line));
  expect(texts.filter(text => text.endsWith('NOTICE: fpm is running, pid 1')).length).toBe(2);
  expect(texts.filter(text => text.endsWith('NOTICE: exiting, bye-bye!')).length).toBe(2);
});

test('releases go on every few minutes for as long as the demo runs', async () => {
  const sample = openSample('day');
  const activities = new Set<unknown>();
  for (let minute = 0; minute < 60; minute++) {
    sample.goTo(minute * 60_000);
    activities.add(Object((await sample.branchNamed('master')).lastActivity)._id);
  }
  expect(activities.size).toBe(16);
});

test('what is under way ends: hotfix/cart as a success, feature/loyalty-points as a failure', async () => {
  const sample = openSample('day');
  sample.goTo(95_000);
  expect((await sample.branchNamed('hotfix/cart')).status).toBe('DEPLOY_APPLICATION_SUCCESS');
  expect((await sample.readWindow('hotfix/cart')).pods.length).toBe(1);
  const failed = await sample.branchNamed('feature/loyalty-points');
  expect(failed.status).toBe('DEPLOY_APPLICATION_FAILED');
  expect(failed.lastActivity).toMatchObject({status: 'FAILED'});
  expect((await sample.readWindow('feature/loyalty-points')).pods).toEqual([]);
});

test('a release that fails leaves the old pods as they are', async () => {
  const sample = openSample('day');
  const name = 'feature/checkout';
  const before = (await sample.readWindow(name)).pods.length;
  let failures = 0;
  for (let second = 0; second < 1800; second += 5) {
    sample.goTo(second * 1000);
    const {status} = await sample.branchNamed(name);
    if (status === 'DEPLOY_APPLICATION_FAILED') {
      failures++;
      expect((await sample.readWindow(name)).pods.length).toBe(before);
    }
  }
  expect(before).toBe(1);
  expect(failures).toBeGreaterThan(10);
});

test('master writes at most about six lines a second in calm, in waves, and more only in an incident every five minutes', async () => {
  const emitted = await emittedOf(openSample('day'), 'master', -1_800_000, 0);
  const stretches = Array.from({length: 90}, () => 0);
  for (const {sinceStartNs} of emitted) {
    const index = Math.floor((sinceStartNs + 1.8e12) / 2e10);
    stretches[index] = (stretches[index] ?? 0) + 1;
  }
  const perSecond = stretches.map(lines => lines / 20);
  const calm = perSecond.filter(lines => lines < 7);
  // An incident of ten seconds may lie across two stretches.
  expect(perSecond.length - calm.length).toBeLessThanOrEqual(12);
  expect(Math.max(...perSecond)).toBeLessThan(20);
  expect(Math.max(...calm)).toBeGreaterThan(3.5);
  expect(Math.min(...calm)).toBeLessThan(1.5);
});

test('lines of every kind are in the first window, a few of them late, a few on one timestamp', async () => {
  const sample = openSample('day');
  const texts = (await sample.readWindow()).lines.map(textOf);
  const share = (pattern: RegExp) => texts.filter(text => pattern.test(text)).length / texts.length;
  expect(
    share(
      /^[0-9a-f:.]+ - - \[\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000\] "(?:GET|POST) \S+ HTTP\/1\.1" \d{3} \d+ "\S+" ".+"$/,
    ),
  ).toBeGreaterThan(0.7);
  expect(share(/^NOTICE: PHP message: PHP (?:Warning|Deprecated):/)).toBeGreaterThan(0.005);
  expect(share(/^\{"message":/)).toBeGreaterThan(0.04);
  expect(share(/^\[.+(?:editor:|Connection)/)).toBeGreaterThan(0.005);
  const emitted = await emittedOf(sample, 'master', -600_000, 0);
  const late = emitted.filter(line => line.arrivesAtMs - startMs > line.sinceStartNs / 1_000_000 + 500);
  expect(late.length).toBeGreaterThan(0);
  expect(late.length).toBeLessThan(emitted.length * 0.02);
  const ties = emitted.filter((line, index) => line.sinceStartNs === emitted[index - 1]?.sinceStartNs);
  expect(ties.length).toBeGreaterThan(0);
});

test('every deployed branch of every site has a log that grows', async () => {
  const sample = openSample('day');
  const grown: string[] = [];
  const deployed = (await sample.listBranches()).filter(({status}) => status === 'DEPLOY_APPLICATION_SUCCESS');
  for (const {name} of deployed) {
    sample.goTo(0);
    const before = (await sample.readWindow(name)).lines.at(-1);
    sample.goTo(120_000);
    if ((await sample.readWindow(name)).lines.at(-1) !== before) {
      grown.push(name);
    }
  }
  expect(grown).toEqual(['master', 'feature/checkout', 'release/4.2', 'feature/reviews']);
});
