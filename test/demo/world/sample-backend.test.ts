import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createSampleBackend, listSampleSites} from '#demo/world/sample-backend.ts';
import {type ScenarioName, scenarioNames} from '#demo/world/scenario-names.ts';
import {type Instant, parseInstant} from '#log/line/instant.ts';
import type {ServedWindow} from '#service/backend/backend.ts';
import {runsOf} from '../../support/thorough.ts';
import {listEmittedLines} from '../list-emitted-lines.ts';
import {openSample, stampOf, startMs} from '../open-sample.ts';

const allScenarios: ScenarioName[] = [
  'day',
  'perpod',
  'quiet',
  'burst',
  'pods',
  'late',
  'unicode',
  'hostile',
  'errors',
];

const instantOf = (line: string): Instant => {
  const instant = parseInstant(stampOf(line));
  if (instant === undefined) {
    throw new Error(`no timestamp in ${line}`);
  }
  return instant;
};

test('there is a line of description for each of the nine scenarios', () => {
  expect(Object.keys(scenarioNames)).toEqual(allScenarios);
  expect(Object.values(scenarioNames).filter(line => line.length < 15 || line.includes('\n'))).toEqual([]);
});

test.each(allScenarios)(
  '%s: the first branch is a deployed master, and one not built out is in sight',
  async scenario => {
    const records = await openSample(scenario).listBranches();
    expect(records[0]).toMatchObject({name: 'master', branchType: 'MASTER', status: 'DEPLOY_APPLICATION_SUCCESS'});
    expect(records.slice(0, 5).map(({status}) => status)).toContain(null);
    expect(new Set(records.map(({_id}) => _id)).size).toBe(records.length);
  },
);

test.each(allScenarios)(
  '%s: every line has a timestamp of nine decimals and Z, a space, and its text',
  async scenario => {
    const sample = openSample(scenario);
    sample.goTo(61_000);
    const {lines} = await sample.readWindow();
    const malformed = lines.filter(line => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z /.test(line));
    expect(malformed).toEqual([]);
    expect(lines.length).toBeGreaterThan(4);
  },
);

test.each(allScenarios)('%s: a window is the same whether it is the first read or the twelfth', async scenario => {
  const [patient, hasty] = [openSample(scenario), openSample(scenario)];
  for (let second = 0; second < 12; second++) {
    patient.goTo(second * 1000 + 137);
    await patient.readWindow();
  }
  hasty.goTo(11_137);
  // But for the numbers of its lines.
  const withoutNumbers = ({numbering: _numbering, ...window}: ServedWindow) => window;
  expect(withoutNumbers(await patient.readWindow())).toEqual(withoutNumbers(await hasty.readWindow()));
  expect(await patient.listBranches()).toEqual(await hasty.listBranches());
});

test.each(allScenarios)('%s: what follows a place adds up to the windows, each line once', async scenario => {
  const sample = openSample(scenario);
  const branchId = (await sample.branchNamed('master'))._id;
  const {numbering: begin} = await sample.readWindow();
  let after = {series: begin?.series ?? '', last: -1};
  const seen = new Map<number, string>();
  for (let second = 0; second < 12; second++) {
    sample.goTo(second * 1000 + 137);
    const {lines, numbering} = (await sample.backend.readWindow(sample.siteId, branchId, after)) ?? {lines: []};
    expect(numbering?.series).toBe(after.series);
    const numbers = (numbering?.numbers ?? [[numbering?.first ?? 0, lines.length]]).flatMap(([first, count]) =>
      Array.from({length: count}, (_, index) => first + index),
    );
    for (const [index, number] of numbers.entries()) {
      expect(seen.has(number)).toBe(false);
      seen.set(number, lines[index] ?? '');
    }
    after = {series: after.series, last: Math.max(after.last, ...numbers, (numbering?.first ?? 0) - 1)};
    const window = await sample.readWindow();
    const held = new Set(seen.values());
    expect(window.lines.filter(line => !held.has(line))).toEqual([]);
  }
});

test('without numbers, an answer has nothing but lines and pods', async () => {
  const backend = createSampleBackend({scenario: 'day', seed: 7, now: () => startMs, hasNumbers: false});
  const {siteId, branchNamed} = openSample('day');
  const window = await backend.readWindow(siteId, (await branchNamed('master'))._id);
  expect(Object.keys(window ?? {})).toEqual(['pods', 'lines']);
});

test('another seed gives another log and other passwords, but the same ids', async () => {
  const [one, other] = [openSample('day', 1), openSample('day', 2)];
  expect((await one.readWindow()).lines).not.toEqual((await other.readWindow()).lines);
  const [first, second] = [await one.branchNamed('master'), await other.branchNamed('master')];
  expect(first.dbPassword).not.toBe(second.dbPassword);
  expect(first._id).toBe(second._id);
});

/** How far back the lines of one window may lie, milliseconds; of the loud pod alone in `perpod`. */
const reachMs = (scenario: ScenarioName): number =>
  scenario === 'perpod' ? 20_000 : scenario === 'burst' ? 60_000 : 1_500_000;

test('every window is a cut of the log that can be written again from the seed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...allScenarios),
      fc.integer({min: 0, max: 2 ** 31}),
      fc.integer({min: 0, max: 400_000}),
      async (scenario, seed, demoMs) => {
        const sample = openSample(scenario, seed);
        sample.goTo(demoMs);
        const {lines} = await sample.readWindow();
        const {_id: branchId} = await sample.branchNamed('master');
        const nowMs = startMs + demoMs;
        const range = {fromMs: nowMs - reachMs(scenario), toMs: nowMs + 1};
        const expected = listEmittedLines({scenario, seed, startMs, siteId: sample.siteId, branchId, ...range})
          .filter(({arrivesAtMs, source}) => arrivesAtMs <= nowMs && !source.includes('cron'))
          .map(({line}) => line);
        const seen = scenario === 'perpod' ? lines.filter(line => !line.includes(' cron: run ')) : lines;
        expect(seen).toEqual(expected.slice(-1000));
        const stamps = lines.map(instantOf);
        expect(stamps.findIndex((stamp, index) => stamp < (stamps[index - 1] ?? 0n))).toBe(-1);
        expect(stamps.filter(stamp => stamp > BigInt(startMs + demoMs) * 1_000_000n)).toEqual([]);
      },
    ),
    {numRuns: runsOf(16)},
  );
});

test.each(allScenarios)('%s: another seed changes what is written, or when', async scenario => {
  const [one, other] = [openSample(scenario, 1), openSample(scenario, 2)];
  const seen = new Set((await one.readWindow()).lines);
  const shared = (await other.readWindow()).lines.filter(line => seen.has(line));
  // The flushes of `late` stand on whole seconds and say the same few things, whatever the seed.
  expect(shared.filter(line => !line.includes('.000000000Z cache: dropped '))).toEqual([]);
});

test('the first window of the day is full at once, so that there is something to see', async () => {
  expect((await openSample('day').readWindow()).lines.length).toBe(1000);
});

test('a site or a branch that nobody has is undefined, one not built out has no pods and no lines', async () => {
  const {backend, siteId, branchNamed} = openSample('day');
  expect(await backend.listBranches('nobody')).toBeUndefined();
  expect(await backend.readWindow('nobody', 'nothing')).toBeUndefined();
  expect(await backend.readWindow(siteId, 'nothing')).toBeUndefined();
  const {_id} = await branchNamed('feature/new-theme');
  expect(await backend.readWindow(siteId, _id)).toMatchObject({
    pods: [],
    lines: [],
    cut: 'branch',
    arrivals: {series: `demo-${startMs}`, last: expect.any(Number), dropped: 0},
  });
});

test('a branch of one site is not found under another', async () => {
  const {backend, branchNamed} = openSample('day');
  const magazine = listSampleSites('day')[1]?.id ?? '';
  expect(await backend.readWindow(magazine, (await branchNamed('master'))._id)).toBeUndefined();
});

test('the day has four sites, each with branches, and asks for nothing to start or close', async () => {
  const {backend, listBranches} = openSample('day');
  await backend.start();
  const sites = listSampleSites('day');
  expect(sites.map(({name}) => name)).toEqual(['shop', 'magazine', 'booking', 'handbook']);
  const counts = await Promise.all(sites.map(async ({id}) => (await listBranches(id)).length));
  expect(counts).toEqual([11, 5, 4, 3]);
  await backend.close();
});

test('windows say that they are cut over the branch, but for the scenario that cuts each pod', async () => {
  expect((await openSample('late').readWindow()).cut).toBe('branch');
  expect((await openSample('perpod').readWindow()).cut).toBe('pod');
});

test('the errors of all branches are those of the logs that were read: nothing is written for them', async () => {
  let nowMs = startMs;
  const backend = createSampleBackend({scenario: 'day', seed: 1, now: () => nowMs});
  const [site] = listSampleSites('day');
  const siteId = site?.id ?? '';
  const [first] = (await backend.listBranches(siteId)) ?? [];
  expect(await backend.countErrors?.('nowhere')).toBeUndefined();
  expect(await backend.countErrors?.(siteId)).toEqual(new Map());
  await backend.readWindow(siteId, first?._id ?? '');
  nowMs += 10_000;
  const pulses = await backend.countErrors?.(siteId);
  expect([...(pulses?.keys() ?? [])]).toEqual([first?._id]);
  expect(pulses?.get(first?._id ?? '')).toMatchObject({toMs: nowMs, spanMs: 60_000});
  const plain = createSampleBackend({scenario: 'day', seed: 1, now: () => nowMs, hasNumbers: false});
  expect(plain.countErrors).toBeUndefined();
});
