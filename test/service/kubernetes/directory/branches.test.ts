import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {KubeError} from '#service/kubernetes/kube-client.ts';
import {makeDeployment, makePod, makeReplicaSet, makeStatefulSet} from '../cluster-objects.ts';
import {createScriptedClient, down, refused} from '../scripted-client.ts';
import {
  createTestDirectory,
  makeBranchSettings,
  makeSite,
  resourcePaths,
  startTestDirectory,
} from '../start-directory.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const names = (records: readonly {readonly name: string}[]): readonly string[] => records.map(({name}) => name);

test('makes a branch of each workload, by name', async () => {
  const {records, directory} = await startTestDirectory({
    deployments: [makeDeployment('web'), makeDeployment('api')],
    statefulSets: [makeStatefulSet('search'), makeStatefulSet('web')],
  });
  expect(records().map(({_id, name, project}) => [_id, name, project])).toEqual([
    ['shop:api', 'api', 'shop'],
    ['shop:search', 'search', 'shop'],
    ['shop:statefulset/web', 'statefulset/web', 'shop'],
    ['shop:web', 'web', 'shop'],
  ]);
  expect(directory.listBranches('another')).toBeUndefined();
  expect(directory.findBranch('shop', 'another')).toBeUndefined();
});

test('makes a branch of each value of the label, of all workloads that have it', async () => {
  const labelled = (name: string, instance: string) => makeDeployment(name, {labels: {instance, part: 'shop'}});
  const {branch, records} = await startTestDirectory(
    {
      deployments: [
        labelled('next-web', 'next'),
        labelled('master-web', 'master'),
        labelled('master-jobs', 'master'),
        makeDeployment('unlabelled', {labels: {part: 'shop'}}),
        makeDeployment('other', {labels: {instance: 'other', part: 'mail'}}),
      ],
      pods: [makePod('w', {app: 'master-web'}), makePod('j', {app: 'master-jobs'}), makePod('x', {app: 'next-web'})],
    },
    [makeSite({selector: 'part in (shop, blog),!hidden', branchLabel: 'instance'})],
  );
  expect(names(records())).toEqual(['master', 'next']);
  expect(names(branch('master').pods)).toEqual(['j', 'w']);
  expect(branch('master').record).toMatchObject({branchType: 'MASTER', replicas: 2, applicationName: 'master-jobs'});
});

test('lets the configuration win: workload, selector, id and fields, and no second branch of a workload', async () => {
  const {records, branch} = await startTestDirectory(
    {
      deployments: [makeDeployment('shop-master'), makeDeployment('next')],
      pods: [makePod('a'), makePod('b', {app: 'by-hand'}), makePod('c', {app: 'next'})],
    },
    [
      makeSite({
        branches: [
          makeBranchSettings('master', {
            workload: {kind: 'deployment', name: 'shop-master'},
            fields: {hostname: 'shop.example.com', lastActivity: {createdBy: 'ops'}, replicas: 7},
          }),
          makeBranchSettings('hand', {selector: 'app=by-hand', fields: {status: 'DEPLOY_APPLICATION_SUCCESS'}}),
          makeBranchSettings('planned'),
        ],
      }),
    ],
  );
  expect(records().map(({_id, name, status}) => [_id, name, status])).toEqual([
    ['id-master', 'master', 'DEPLOY_APPLICATION_SUCCESS'],
    ['id-hand', 'hand', 'DEPLOY_APPLICATION_SUCCESS'],
    ['id-planned', 'planned', null],
    ['shop:next', 'next', 'DEPLOY_APPLICATION_SUCCESS'],
  ]);
  expect(branch('master').record).toMatchObject({
    hostname: 'shop.example.com',
    replicas: 7,
    lastActivity: {createdBy: 'ops', status: 'SUCCESS'},
  });
  expect(names(branch('hand').pods)).toEqual(['b']);
  expect(Object.keys(branch('planned').record)).not.toContain('replicas');
  expect(branch('planned').record.createdAt).toBe('2026-11-22T12:00:00.000Z');
});

test('refuses to start if a pod belongs to two branches, and names them', async () => {
  const {directory} = createTestDirectory(
    {pods: [makePod('shop-1', {metadata: {labels: {app: 'shop', tier: 'web'}}})]},
    [
      makeSite({
        branches: [makeBranchSettings('a', {selector: 'app=shop'}), makeBranchSettings('b', {selector: 'tier'})],
      }),
    ],
  );
  await expect(directory.start()).rejects.toThrow(
    'Pod shop-1 of namespace shop belongs to two branches of site shop, a and b: give one of them a narrower selector.',
  );
});

test('starts if workloads alone claim a pod that none of them made, and says which branch has it', async () => {
  const {branch, warnings} = await startTestDirectory({
    deployments: [
      makeDeployment('shop', {selector: {matchLabels: {app: 'shop'}}}),
      makeDeployment('worker', {selector: {matchLabels: {tier: 'back'}}}),
    ],
    pods: [makePod('debug', {metadata: {labels: {app: 'shop', tier: 'back'}}})],
  });
  expect(branch('shop').places).toHaveLength(1);
  expect(branch('worker').places).toHaveLength(0);
  expect(warnings).toEqual([
    'Pod debug of namespace shop belongs to two branches of site shop, shop and worker: its lines are in shop.',
  ]);
});

test('warns of a configured workload that the namespace does not have, and takes it when it comes', async () => {
  const {warnings, send, branch} = await startTestDirectory({}, [
    makeSite({branches: [makeBranchSettings('master', {workload: {kind: 'deployment', name: 'shop-mastre'}})]}),
  ]);
  expect(warnings).toEqual([
    'Branch master of site shop is not built out: namespace shop has no deployment/shop-mastre.',
  ]);
  send('deployments', 'ADDED', makeDeployment('shop-mastre'));
  expect(branch('master').record.status).toBe('DEPLOY_APPLICATION_SUCCESS');
});

test('warns of a pod that later belongs to two branches, which the first then has', async () => {
  const {send, branch, warnings} = await startTestDirectory({}, [
    makeSite({
      branches: [makeBranchSettings('a', {selector: 'app=shop'}), makeBranchSettings('b', {selector: 'tier'})],
    }),
  ]);
  send('pods', 'ADDED', makePod('shop-1', {metadata: {labels: {app: 'shop', tier: 'web'}}}));
  expect(branch('a').places).toHaveLength(1);
  expect(branch('b').places).toHaveLength(0);
  expect(warnings).toHaveLength(1);
});

test('knows by its owner which of two overlapping workloads made a pod', async () => {
  const owned = (name: string, deployment: string) =>
    makePod(name, {
      metadata: {
        labels: {app: 'shop', track: 'canary', 'pod-template-hash': 'abc'},
        ownerReferences: [{kind: 'ReplicaSet', name: `${deployment}-abc`, uid: 'u', controller: true}],
      },
    });
  const {branch} = await startTestDirectory({
    deployments: [
      makeDeployment('shop', {selector: {matchLabels: {app: 'shop'}}}),
      makeDeployment('canary', {
        selector: {matchExpressions: [{key: 'track', operator: 'In', values: ['canary']}]},
      }),
    ],
    pods: [owned('one', 'shop'), owned('two', 'canary')],
  });
  expect(names(branch('shop').pods)).toEqual(['one']);
  expect(names(branch('canary').pods)).toEqual(['two']);
});

test('refuses a selector that nobody can read, at the start and at a reload', async () => {
  const bad = makeSite({selector: 'app in shop'});
  await expect(createTestDirectory({}, [bad]).directory.start()).rejects.toThrow(
    'The label selector "app in shop" cannot be read at "app in shop": write it as for kubectl, such as app=shop,tier!=test.',
  );
  const {directory, records} = await startTestDirectory({deployments: [makeDeployment('web')]});
  await expect(directory.prepareReload({sites: [bad]})).rejects.toThrow('app in shop');
  expect(names(records())).toEqual(['web']);
});

test('serves other sites after a reload, and watches a namespace for all of its sites once', async () => {
  const {directory, calls} = await startTestDirectory({deployments: [makeDeployment('web'), makeDeployment('api')]}, [
    makeSite({id: 'one'}),
    makeSite({id: 'two'}),
  ]);
  expect(calls.filter(({path, kind}) => kind === 'get' && path === resourcePaths.pods)).toHaveLength(1);
  const prepared = await directory.prepareReload({
    sites: [makeSite({id: 'two', branches: [makeBranchSettings('api')]})],
  });
  expect(directory.listBranches('one')).toHaveLength(2);
  await prepared.apply();
  expect(directory.listBranches('one')).toBeUndefined();
  expect(names(directory.listBranches('two') ?? [])).toEqual(['api', 'web']);
  expect(calls.filter(({path, kind}) => kind === 'get' && path === resourcePaths.pods)).toHaveLength(1);
});

test('serves a new namespace once its branches are known, and the sites before as they were until then', async () => {
  const {directory, fail, setList, watchOf} = await startTestDirectory({deployments: [makeDeployment('web')]});
  const blog = '/apis/apps/v1/namespaces/blog/deployments';
  setList(blog, [makeDeployment('blog')]);
  fail('get', blog, new KubeError('status', 'Too many requests (429).', {status: 429, retryAfterMs: 3_000}));
  const sites = [makeSite({id: 'blog', namespace: 'blog'})];
  const preparing = directory.prepareReload({sites});
  await vi.advanceTimersByTimeAsync(2_000);
  expect([names(directory.listBranches('shop') ?? []), directory.listBranches('blog')]).toEqual([['web'], undefined]);
  await vi.advanceTimersByTimeAsync(1_000);
  await (await preparing).discard();
  await vi.advanceTimersByTimeAsync(0);
  expect(watchOf('/api/v1/namespaces/blog/pods').isClosed()).toBe(true);
  expect([names(directory.listBranches('shop') ?? []), directory.listBranches('blog')]).toEqual([['web'], undefined]);
  await (await directory.prepareReload({sites})).apply();
  expect([directory.listBranches('shop'), names(directory.listBranches('blog') ?? [])]).toEqual([undefined, ['blog']]);
});

test('tells of changes, many at once as one', async () => {
  const {directory, send} = await startTestDirectory({deployments: [makeDeployment('shop-master')]});
  await vi.advanceTimersByTimeAsync(100);
  let told = 0;
  const stop = directory.onChange(() => {
    told += 1;
  });
  send('pods', 'ADDED', makePod('a'));
  send('pods', 'ADDED', makePod('b'));
  await vi.advanceTimersByTimeAsync(100);
  expect(told).toBe(1);
  stop();
  send('pods', 'ADDED', makePod('c'));
  await vi.advanceTimersByTimeAsync(100);
  expect(told).toBe(1);
});

test('keeps the pods and places of a branch as they are while only others change', async () => {
  const {branch, send} = await startTestDirectory({
    deployments: [makeDeployment('shop-master'), makeDeployment('next')],
    pods: [makePod('a'), makePod('b', {app: 'next'})],
  });
  const [before, other] = [branch('shop-master'), branch('next')];
  send('pods', 'MODIFIED', makePod('b', {app: 'next'}));
  expect(branch('shop-master').places).toBe(before.places);
  expect(branch('shop-master').pods).toBe(before.pods);
  expect(branch('next').places).not.toBe(other.places);
});

test('knows the pods and the record of a workload that is made anew with another selector', async () => {
  const web = makeDeployment('web', {replicas: 2});
  const {branch, send, records} = await startTestDirectory({
    deployments: [web],
    pods: [makePod('a', {app: 'web'}), makePod('b', {app: 'web-2'})],
  });
  expect(names(branch('web').pods)).toEqual(['a']);
  send('deployments', 'DELETED', web);
  expect(names(records())).toEqual(['a', 'b']);
  const anew = makeDeployment('web', {replicas: 1, selector: {matchLabels: {app: 'web-2'}}});
  send('deployments', 'ADDED', {...anew, metadata: {...anew.metadata, uid: 'anew'}});
  expect(names(branch('web').pods)).toEqual(['b']);
  expect(branch('web').record).toMatchObject({_id: 'shop:web', replicas: 1});
  send('deployments', 'MODIFIED', {
    ...makeDeployment('web', {replicas: 3}),
    metadata: {...anew.metadata, uid: 'anew', resourceVersion: '9'},
  });
  expect(branch('web').record.replicas).toBe(3);
});

test('says why nothing is known: at the start, and as the answer to each request until the cluster is there', async () => {
  const scripted = createScriptedClient();
  scripted.fail('get', resourcePaths.pods, down(), down());
  const {directory, records} = createTestDirectory({deployments: [makeDeployment('web')]}, [makeSite()], scripted);
  const sentence = 'The pods of namespace shop cannot be listed. The cluster does not answer.';
  await expect(directory.start()).rejects.toMatchObject({name: 'UnavailableError', message: sentence});
  expect(() => directory.listBranches('shop')).toThrow(sentence);
  expect(() => directory.findBranch('shop', 'x')).toThrow(sentence);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(names(records())).toEqual(['web']);
});

test('starts if one of two namespaces can be read, and says why the other cannot', async () => {
  const scripted = createScriptedClient();
  scripted.fail('get', '/api/v1/namespaces/blog/pods', refused());
  const {directory, warnings, records} = await startTestDirectory(
    {deployments: [makeDeployment('web')]},
    [makeSite(), makeSite({id: 'blog', namespace: 'blog'})],
    scripted,
  );
  expect(names(records())).toEqual(['web']);
  const sentence = 'The pods of namespace blog cannot be listed. The cluster refuses to list pods (403).';
  expect(warnings).toEqual([sentence]);
  expect(() => directory.listBranches('blog')).toThrow(sentence);
});

test('does not wait for ever for a cluster that never answers', async () => {
  const scripted = createScriptedClient();
  const client = {...scripted.client, get: () => new Promise<unknown>(() => undefined)};
  const {directory} = createTestDirectory({}, [makeSite()], {...scripted, client});
  const starting = expect(directory.start()).rejects.toThrow(
    'The pods of namespace shop are not known yet: ask again in a moment.',
  );
  await vi.advanceTimersByTimeAsync(10_000);
  await starting;
});

test('needs neither ReplicaSets nor Ingresses, nor StatefulSets where there are only Deployments', async () => {
  const scripted = createScriptedClient();
  scripted.fail('get', resourcePaths.replicaSets, refused('replicasets'));
  scripted.fail('get', resourcePaths.ingresses, refused('ingresses'));
  scripted.fail('get', resourcePaths.statefulSets, refused('statefulsets'));
  const {records, warnings} = await startTestDirectory(
    {deployments: [makeDeployment('web')], replicaSets: [makeReplicaSet('web', 1, '2026-11-20T08:00:01Z')]},
    [makeSite()],
    scripted,
  );
  expect(names(records())).toEqual(['web']);
  expect(warnings).toEqual([
    'The statefulsets of namespace shop cannot be listed. The cluster refuses to list statefulsets (403).',
  ]);
});

test('a pod that the watch missed is found by the count of its workload, within 15 seconds', async () => {
  const {setList, branch, calls} = await startTestDirectory({deployments: [makeDeployment('web')]});
  const lists = () => calls.filter(({kind, path}) => kind === 'get' && path === resourcePaths.pods).length;
  setList(resourcePaths.pods, [makePod('web-1', {app: 'web'})]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([branch('web').places, lists()]).toEqual([[], 1]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(branch('web').places).toMatchObject([{podName: 'web-1', isSeenFromStart: false}]);
  setList(resourcePaths.pods, []);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(lists()).toBe(2);
});

test.each([
  ['daemonSets', 'DaemonSet', {desiredNumberScheduled: 2, currentNumberScheduled: 1}],
  ['jobs', 'Job', {active: 1, ready: 0}],
] as const)('so is one of %s, which count otherwise', async (resource, kind, status) => {
  const controller = {...makeDeployment('agent'), status};
  const metadata = {ownerReferences: [{kind, name: 'agent', uid: 'u', controller: true}]};
  const {setList, branch, calls} = await startTestDirectory({[resource]: [controller]});
  setList(resourcePaths.pods, [makePod('agent-1', {app: 'other', metadata})]);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(branch('agent').places).toMatchObject([{podName: 'agent-1'}]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(calls.filter(({kind: call, path}) => call === 'get' && path === resourcePaths.pods)).toHaveLength(2);
});

test('a branch without a container that runs is not known to be quiet while pods cannot be watched', async () => {
  const {watchOf, fail, records, directory} = await startTestDirectory({deployments: [makeDeployment('web')]});
  fail('watch', resourcePaths.pods, ...Array.from({length: 20}, down));
  watchOf(resourcePaths.pods).end(down());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(directory.findBranch('shop', 'shop:web')?.places).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(() => directory.findBranch('shop', 'shop:web')).toThrow(
    'The pods of namespace shop cannot be watched. The cluster does not answer.',
  );
  expect(names(records())).toEqual(['web']);
  fail('watch', resourcePaths.pods);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(directory.findBranch('shop', 'shop:web')?.places).toEqual([]);
});

test('answers no more when the permission is taken away, but goes on through a broken watch', async () => {
  const {watchOf, fail, records, directory} = await startTestDirectory({deployments: [makeDeployment('web')]});
  await vi.advanceTimersByTimeAsync(5_000);
  fail('watch', resourcePaths.deployments, down(), down(), down());
  watchOf(resourcePaths.deployments).end(down());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(names(records())).toEqual(['web']);
  await vi.advanceTimersByTimeAsync(30_000);
  fail('watch', resourcePaths.deployments, refused('deployments'));
  fail('get', resourcePaths.deployments, refused('deployments'));
  watchOf(resourcePaths.deployments).end();
  await vi.advanceTimersByTimeAsync(0);
  expect(() => directory.listBranches('shop')).toThrow('The cluster refuses to list deployments (403).');
  await vi.advanceTimersByTimeAsync(40_000);
  expect(names(records())).toEqual(['web']);
});

test('refused credentials leave what was known for streams that are open, unless a right was taken away, too', async () => {
  const {watchOf, fail, records, directory, branch} = await startTestDirectory({
    deployments: [makeDeployment('web')],
    pods: [makePod('web-1', {app: 'web'})],
  });
  const signedOut = () => new KubeError('status', 'The cluster does not accept you (401).', {status: 401});
  const signOut = async (error: () => KubeError) => {
    fail('watch', resourcePaths.deployments, error(), error());
    fail('get', resourcePaths.deployments, error(), error());
    watchOf(resourcePaths.deployments).end();
    fail('watch', resourcePaths.pods, signedOut(), signedOut());
    fail('get', resourcePaths.pods, signedOut(), signedOut());
    watchOf(resourcePaths.pods).end();
    await vi.advanceTimersByTimeAsync(5_000);
  };
  expect(branch('web').outage).toBeUndefined();
  await signOut(signedOut);
  expect(directory.findBranch('shop', 'shop:web')).toMatchObject({
    outage: 'The cluster does not accept you (401).',
    places: [{podName: 'web-1'}],
  });
  expect(() => directory.listBranches('shop')).toThrow('The cluster does not accept you (401).');
  await vi.advanceTimersByTimeAsync(120_000);
  expect([branch('web').outage, names(records())]).toEqual([undefined, ['web']]);

  await signOut(() => refused('deployments'));
  expect(() => directory.findBranch('shop', 'shop:web')).toThrow('(40');
});
