import {afterEach, beforeEach, expect, test} from 'vitest';
import {createClient} from '#api/client/client.ts';
import {createTokenProvider} from '#api/client/token.ts';
import {createEffectRunner} from '#app/effect-runner.ts';
import {createStore, type Store} from '#app/store.ts';
import {makeBranch, makeBuiltBranch} from '../../support/fake-records.ts';
import {type FakeService, fakeToken, startFakeService} from '../../support/fake-service.ts';
import {sampleState, showScreen} from '../../support/play.ts';
import {waitFor} from '../../support/wait-for.ts';
import {idleEffects} from '../idle-effects.ts';

let service: FakeService;
beforeEach(async () => {
  service = await startFakeService();
});
const closing: (() => void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) {
    close();
  }
  await service.close();
});

/** The screens without a terminal, on a real client. */
const open = (probeIntervalMs: number): Store => {
  const client = createClient({
    baseUrl: service.baseUrl,
    tenant: 'org-1',
    authMode: 'mode-1',
    token: createTokenProvider({kind: 'environment', variable: 'T'}, {env: {T: fakeToken}, nowMs: Date.now}),
  });
  const timers = new Set<NodeJS.Timeout>();
  closing.push(() => {
    client.close();
    for (const timer of timers) {
      clearTimeout(timer);
    }
  });
  const {logSettings} = sampleState();
  const store = createStore({
    initial: sampleState({
      rows: 60,
      clockOffsetMs: Date.now() - performance.now(),
      nowMs: performance.now(),
      logSettings: {...logSettings, probeIntervalMs},
    }),
    readMoment: () => ({nowMs: performance.now(), wallMs: Date.now(), random: 0.5, tokenExpiresAtMs: undefined}),
    runEffect: createEffectRunner({
      ...idleEffects,
      openClient: async () => client,
      setTimer: (callback, delayMs) => {
        const timer = setTimeout(callback, delayMs);
        timers.add(timer);
        return () => clearTimeout(timer);
      },
      nowMs: () => performance.now(),
    }),
  });
  store.dispatch({kind: 'commandGiven', command: 'open'});
  return store;
};

const stamp = (ageMs: number): string => new Date(Date.now() - ageMs).toISOString();
const row = (store: Store, name: string): string =>
  (showScreen(store.state()).find(each => each.includes(` ${name} `)) ?? '').replace(
    /\s+(?:\d pods\s+)?changed.*$/,
    '',
  );
const looksAt = (branchId: string): number =>
  service.requests.filter(({path}) => path.includes(`/branches/${branchId}/logs`)).length;

test('what a look counts stands in the row of its branch, and nobody looks at what is not deployed', async () => {
  service.setBranches('site-1', [
    makeBuiltBranch('b-calm', 'calm'),
    makeBuiltBranch('b-ill', 'ill'),
    makeBuiltBranch('b-short', 'short'),
    makeBuiltBranch('b-empty', 'empty'),
    makeBuiltBranch('b-broken', 'broken', {status: 'DEPLOY_APPLICATION_FAILED'}),
    makeBranch('b-unbuilt', 'unbuilt'),
  ]);
  service.setLog('b-calm', () => ({lines: [`${stamp(90_000)} started`, `${stamp(100)} GET /cart 200`]}));
  service.setLog('b-ill', () => ({
    lines: [`${stamp(200_000)} started`, ...Array.from({length: 12}, () => `${stamp(2000)} ERROR out of stock`)],
  }));
  service.setLog('b-short', () => ({
    lines: [`${stamp(9500)} a`, `${stamp(3000)} ERROR x`, `${stamp(3000)} ERROR y`],
  }));
  const store = open(50);
  await waitFor(() => row(store, 'empty').includes('no lines'), {what: 'a look at four branches'});
  expect(row(store, 'calm')).toMatch(/deployed +[·▁]*▁[·▁]*(?: |$)/);
  expect(row(store, 'ill')).toMatch(/12\/min +new(?: |$)/);
  expect(row(store, 'short')).toMatch(/2\/(?:[89]|1\d) s(?: |$)/);
  expect([looksAt('b-broken'), looksAt('b-unbuilt')]).toEqual([0, 0]);
  expect(service.headerViolations()).toEqual([]);
});

test('403, 404 and a window that is none are said for their branch, and nothing is shown as calm', async () => {
  service.setBranches('site-1', [
    makeBuiltBranch('b-1', 'one'),
    makeBuiltBranch('b-2', 'two'),
    makeBuiltBranch('b-3', 'three'),
  ]);
  service.failNext({kind: 'status', status: 403}, {operation: 'logs'});
  service.failNext({kind: 'status', status: 404}, {operation: 'logs'});
  service.failNext({kind: 'status', status: 500}, {operation: 'logs'});
  const store = open(50);
  await waitFor(() => row(store, 'three').includes('failed 500'), {what: 'the third look'});
  expect(row(store, 'one')).toMatch(/····· refused 403(?: |$)/);
  expect(row(store, 'two')).toMatch(/····· not found 404(?: |$)/);
  expect(row(store, 'three')).toMatch(/····· failed 500(?: |$)/);
  expect([looksAt('b-1'), looksAt('b-2'), looksAt('b-3')]).toEqual([1, 1, 1]);
});

test('after a 429 nobody is looked at until the service allows it', async () => {
  service.setBranches('site-1', [makeBuiltBranch('b-1', 'one'), makeBuiltBranch('b-2', 'two')]);
  service.failNext({kind: 'status', status: 429, headers: {'retry-after': '2'}}, {operation: 'logs'});
  const store = open(50);
  await waitFor(() => row(store, 'two').includes('no lines'), {what: 'the second look'});
  const [refused, allowed] = service.requests.filter(({operation}) => operation === 'logs').map(({atMs}) => atMs);
  expect((allowed ?? 0) - (refused ?? 0)).toBeGreaterThanOrEqual(1990);
  expect(row(store, 'one')).toMatch(/refused 429(?: |$)/);
});

test('a plain service is not asked for the errors of all branches', async () => {
  service.setBranches('site-1', [makeBuiltBranch('b-1', 'one'), makeBuiltBranch('b-2', 'two')]);
  const store = open(20);
  await waitFor(() => row(store, 'two').includes('no lines'), {what: 'a look at both'});
  expect(service.requests.filter(({path}) => path.endsWith('/pulses'))).toEqual([]);
  expect(service.headerViolations()).toEqual([]);
});

test('leaving the list ends the looks', async () => {
  service.setBranches('site-1', [makeBuiltBranch('b-1', 'one'), makeBuiltBranch('b-2', 'two')]);
  const store = open(200);
  await waitFor(() => row(store, 'one').includes('no lines'), {what: 'the first look'});
  store.dispatch({kind: 'commandGiven', command: 'open'});
  await service.waitForRequests(looksAt('b-1') + 2, 'logs');
  expect(looksAt('b-2')).toBe(0);
});
