import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {nameContainerSource} from '#service/containers/container-logs.ts';
import {makeDeployment, makePod, makeStatefulSet, runningContainer} from '../cluster-objects.ts';
import {down, gone} from '../scripted-client.ts';
import {makeBranchSettings, makeSite, resourcePaths, startTestDirectory} from '../start-directory.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const deployments = [makeDeployment('shop-master')];

test('passes the metadata of a pod on as received, with what the interface needs', async () => {
  const metadata = {
    labels: undefined,
    managedFields: [{manager: 'kubelet', operation: 'Update', fieldsV1: {'f:status': {'f:phase': {}}}}],
    ownerReferences: [{apiVersion: 'batch/v1', kind: 'Job', name: 'import', uid: 'j', controller: true}],
    somethingNew: [1, {two: null}],
  };
  const {branch} = await startTestDirectory(
    {
      pods: [
        makePod('a', {metadata: {...metadata, resourceVersion: '77'}}),
        makePod('b', {metadata: {selfLink: '/old'}}),
      ],
    },
    [makeSite({branches: [makeBranchSettings('all', {selector: '!none', fields: {status: 'X'}})]})],
  );
  const [a, b] = branch('all').pods;
  expect(a).toEqual({
    name: 'a',
    resourceVersion: '77',
    metadata: {
      name: 'a',
      namespace: 'shop',
      uid: 'uid-pod-a',
      resourceVersion: '77',
      creationTimestamp: '2026-11-22T10:00:00Z',
      annotations: {},
      labels: {},
      managedFields: metadata.managedFields,
      ownerReferences: metadata.ownerReferences,
      somethingNew: metadata.somethingNew,
      selfLink: '/api/v1/namespaces/shop/pods/a',
    },
  });
  expect(b?.metadata.selfLink).toBe('/old');
});

test('lists the pods that run, one that terminates too until it is gone; reads the rest of those that ended', async () => {
  const ended = {
    name: 'php',
    restartCount: 0,
    containerID: 'c',
    state: {terminated: {finishedAt: '2026-11-22T10:09:00Z'}},
  };
  const {branch} = await startTestDirectory({
    deployments,
    pods: [
      makePod('running'),
      makePod('terminating', {metadata: {deletionTimestamp: '2026-11-22T10:10:00Z'}}),
      makePod('pending', {phase: 'Pending', statuses: []}),
      makePod('succeeded', {phase: 'Succeeded', statuses: [ended]}),
      makePod('evicted', {phase: 'Failed', statuses: [], status: {reason: 'Evicted'}}),
    ],
  });
  expect(branch('shop-master').pods.map(({name}) => name)).toEqual(['running', 'terminating']);
  expect(branch('shop-master').places.map(({podName, state, finishedAtMs}) => [podName, state, finishedAtMs])).toEqual([
    ['evicted', 'terminated', undefined],
    ['pending', 'waiting', undefined],
    ['running', 'running', undefined],
    ['succeeded', 'terminated', Date.parse('2026-11-22T10:09:00Z')],
    ['terminating', 'running', undefined],
  ]);
});

test('tells of each container its instance, restarts and end, while it waits after a crash too', async () => {
  const {branch} = await startTestDirectory({
    deployments,
    pods: [
      makePod('a', {
        containers: ['php', 'nginx'],
        statuses: [
          runningContainer('php', 2),
          {
            name: 'nginx',
            restartCount: 4,
            containerID: 'containerd://last',
            state: {waiting: {reason: 'CrashLoopBackOff'}},
            lastState: {terminated: {containerID: 'containerd://last', finishedAt: '2026-11-22T10:30:00Z'}},
          },
        ],
      }),
    ],
  });
  const shared = {
    namespace: 'shop',
    podName: 'a',
    podUid: 'uid-pod-a',
    podCreatedAtMs: Date.parse('2026-11-22T10:00:00Z'),
    containerKind: 'app',
    isFinished: false,
    isSeenFromStart: false,
  };
  expect(branch('shop-master').places).toEqual([
    {
      ...shared,
      container: 'php',
      instanceId: 'containerd://php-2',
      previousId: undefined,
      restartCount: 2,
      state: 'running',
      finishedAtMs: undefined,
    },
    {
      ...shared,
      container: 'nginx',
      instanceId: 'containerd://last',
      previousId: 'containerd://last',
      restartCount: 4,
      state: 'waiting',
      finishedAtMs: Date.parse('2026-11-22T10:30:00Z'),
    },
  ]);
});

test('an init container that ended well, and all of a pod that ended, have done their work', async () => {
  const end = (exitCode: number) => ({restartCount: 0, state: {terminated: {exitCode}}});
  const initContainerStatuses = [
    {name: 'migrate', ...end(0)},
    {name: 'warm-up', ...end(1)},
  ];
  const initContainers = [{name: 'migrate'}, {name: 'warm-up'}];
  const pods = [
    makePod('a', {
      phase: 'Pending',
      spec: {initContainers},
      status: {initContainerStatuses},
      statuses: [{name: 'php', ...end(0)}],
    }),
    makePod('b', {phase: 'Failed', statuses: [{name: 'php', ...end(1)}]}),
  ];
  const {places} = (await startTestDirectory({deployments, pods})).branch('shop-master');
  expect(places.map(({podName, container, isFinished}) => [podName, container, isFinished])).toEqual([
    ['a', 'php', false],
    ['a', 'migrate', true],
    ['a', 'warm-up', false],
    ['b', 'php', true],
  ]);
});

test('reads init containers, sidecars and ephemeral containers, but those of a mesh only by name', async () => {
  const pods = [
    makePod('a', {
      containers: ['php', 'nginx'],
      spec: {
        initContainers: [
          {name: 'migrate'},
          {name: 'shipper', restartPolicy: 'Always'},
          {name: 'istio-proxy', restartPolicy: 'Always'},
        ],
        ephemeralContainers: [{name: 'debugger'}],
      },
    }),
  ];
  const readNames = async (site: Parameters<typeof makeSite>[0]) =>
    (await startTestDirectory({deployments, pods}, [makeSite(site)]))
      .branch('shop-master')
      .places.map(nameContainerSource);
  const usual = ['php', 'nginx', 'init:migrate', 'sidecar:shipper'];
  expect(await readNames({})).toEqual([...usual, 'ephemeral:debugger']);
  expect(await readNames({containers: {only: undefined, except: ['nginx', 'debugger', 'shipper']}})).toEqual([
    'php',
    'init:migrate',
  ]);
  expect(await readNames({containers: {only: undefined, except: [], hasMesh: true}})).toEqual([
    ...usual,
    'sidecar:istio-proxy',
    'ephemeral:debugger',
  ]);
  expect(await readNames({containers: {only: ['migrate', 'istio-proxy'], except: []}})).toEqual([
    'init:migrate',
    'sidecar:istio-proxy',
  ]);
  const branches = [makeBranchSettings('shop-master', {containers: {only: ['nginx'], except: []}})];
  expect(await readNames({branches})).toEqual(['nginx']);
});

test('tells a StatefulSet’s new pod from the old one of the same name, and sees it from its start', async () => {
  const owner = {ownerReferences: [{kind: 'StatefulSet', name: 'search', uid: 's', controller: true}]};
  const old = makePod('search-0', {app: 'search', uid: 'old', metadata: owner});
  const {branch, send} = await startTestDirectory({statefulSets: [makeStatefulSet('search')], pods: [old]});
  send('pods', 'DELETED', old);
  send('pods', 'ADDED', makePod('search-0', {app: 'search', uid: 'new', metadata: owner}));
  expect(branch('search').places.map(({podUid, isSeenFromStart}) => [podUid, isSeenFromStart])).toEqual([
    ['new', true],
  ]);
});

test('notices a pod that went while the watch was cut', async () => {
  const {branch, setList, watchOf, fail} = await startTestDirectory({deployments, pods: [makePod('a'), makePod('b')]});
  await vi.advanceTimersByTimeAsync(5_000);
  setList(resourcePaths.pods, [makePod('b')], '9');
  fail('watch', resourcePaths.pods, gone());
  watchOf(resourcePaths.pods).end();
  await vi.advanceTimersByTimeAsync(0);
  expect(branch('shop-master').pods.map(({name}) => name)).toEqual(['b']);
});

test('a pod that came and went in one burst is shown once, so that its lines are asked for', async () => {
  const {send, branch, directory} = await startTestDirectory({deployments: [makeDeployment('web')]});
  const shown: (readonly (string | undefined)[])[] = [];
  directory.onChange(() => shown.push(branch('web').places.map(({podName, state}) => `${podName} ${state}`)));
  send('pods', 'ADDED', makePod('short', {app: 'web'}));
  send('pods', 'DELETED', makePod('short', {app: 'web'}));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown).toEqual([['short running'], []]);
});

test('tells the branch of one pod of an outage only if it is not the same pod after it', async () => {
  const pods = [makePod('web')];
  const settings = makeBranchSettings('pod', {workload: {kind: 'pod', name: 'web'}});
  const {branch, watchOf, fail, setList} = await startTestDirectory({pods}, [makeSite({branches: [settings]})]);
  const restart = async () => {
    fail('watch', resourcePaths.pods, down(), down(), down(), gone());
    watchOf(resourcePaths.pods).end(down());
    await vi.advanceTimersByTimeAsync(20_000);
  };
  await vi.advanceTimersByTimeAsync(5_000);
  await restart();
  expect(branch('pod').watchOutages).toBe(0);
  setList(resourcePaths.pods, [makePod('web', {metadata: {uid: 'another'}})]);
  await restart();
  expect(branch('pod').watchOutages).toBe(2);
  await restart();
  expect(branch('pod').watchOutages).toBe(2);
  watchOf(resourcePaths.pods).send('ADDED', makePod('php'));
  watchOf(resourcePaths.pods).send('DELETED', makePod('web', {metadata: {uid: 'another'}}));
  expect([branch('pod').places.length, branch('pod').watchOutages, branch('php').watchOutages]).toEqual([1, 2, 3]);
});

test('tells a branch of an outage in which pods may have come and gone, but not of each list', async () => {
  const {branch, watchOf, fail} = await startTestDirectory({deployments: [makeDeployment('web')]});
  expect(branch('web').watchOutages).toBe(0);
  await vi.advanceTimersByTimeAsync(5_000);
  fail('watch', resourcePaths.pods, gone());
  watchOf(resourcePaths.pods).end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(branch('web').watchOutages).toBe(0);
  fail('watch', resourcePaths.pods, down(), down(), down(), gone());
  watchOf(resourcePaths.pods).end(down());
  await vi.advanceTimersByTimeAsync(10_000);
  expect(branch('web').watchOutages).toBe(1);
});
