import {once} from 'node:events';
import {connect} from 'node:http2';
import {afterEach, expect, test} from 'vitest';
import {askDouble} from '../../../support/kubernetes/double-request.ts';
import {type Credentials, createTestAuthority} from '../../../support/kubernetes/server/test-authority.ts';
import {
  doubleUser,
  type KubeDouble,
  type KubeDoubleOptions,
  startKubeDouble,
} from '../../../support/kubernetes/start-kube-double.ts';
import type {Pod} from '../../../support/kubernetes/world/pod-model.ts';
import {waitFor} from '../../../support/wait-for.ts';

const started: KubeDouble[] = [];

const start = async (options: KubeDoubleOptions = {listener: 'plain'}): Promise<KubeDouble> => {
  const double = await startKubeDouble(options);
  started.push(double);
  return double;
};

afterEach(async () => {
  await Promise.all(started.splice(0).map(double => double.close()));
});

const createPod = (double: KubeDouble, name = 'web', containers = ['php']): Pod =>
  double.pods.create({
    namespace: 'shop',
    name,
    labels: {app: name},
    containers: containers.map(container => ({name: container})),
  });

const podsPath = '/api/v1/namespaces/shop/pods';

type List = {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly {readonly metadata: {readonly name: string}}[];
};

const list = async (double: KubeDouble, query = ''): Promise<List> =>
  JSON.parse((await askDouble(double, `${podsPath}?${query}`)).body) as List;

const namesOf = ({items}: List): readonly string[] => items.map(({metadata}) => metadata.name);

/** `ADDED web`, one for each event of a watch that came within a second of the server's clock, or until there are so many. */
const watch = async (double: KubeDouble, query: string, count: number): Promise<readonly string[]> => {
  const {body} = await askDouble(double, `${podsPath}?watch=true&timeoutSeconds=5&${query}`, {
    isEnough: text => text.split('\n').length > count,
  });
  return body
    .trimEnd()
    .split('\n')
    .map(line => {
      const {type, object} = JSON.parse(line) as {
        type: string;
        object: {metadata: {name?: string}; code?: number};
      };
      return `${type} ${object.metadata.name ?? object.code ?? ''}`.trimEnd();
    });
};

const versionOf = async (double: KubeDouble): Promise<string> => (await list(double)).metadata.resourceVersion;

test('lists in pages of one version, and says when a page comes too late', async () => {
  const double = await start();
  for (const name of ['a', 'b', 'c']) {
    createPod(double, name);
  }
  const first = await list(double, 'limit=2');
  createPod(double, 'bb');
  const second = await list(double, `limit=2&continue=${first.metadata.continue}`);
  expect([namesOf(first), first.metadata.remainingItemCount, namesOf(second)]).toEqual([['a', 'b'], 1, ['c']]);
  expect(second.metadata).toEqual({resourceVersion: first.metadata.resourceVersion});
  double.compact();
  const late = await askDouble(double, `${podsPath}?limit=2&continue=${first.metadata.continue}`);
  expect(JSON.parse(late.body)).toMatchObject({kind: 'Status', reason: 'Expired', code: 410});
});

test.each([
  ['app=web', ['web']],
  ['app!=web', ['api', 'db']],
  ['app in (web, db)', ['db', 'web']],
  ['app notin (web)', ['api', 'db']],
  ['app,tier', []],
  ['!tier,app==db', ['db']],
])('selects %s', async (selector, names) => {
  const double = await start();
  for (const name of ['api', 'db', 'web']) {
    createPod(double, name);
  }
  expect(namesOf(await list(double, `labelSelector=${encodeURIComponent(selector)}`))).toEqual(names);
});

test('watches from a version on, with what a selector lets in and out', async () => {
  const double = await start();
  const from = await versionOf(double);
  const web = createPod(double, 'web');
  createPod(double, 'db');
  double.pods.restart(web, 'php');
  double.pods.remove(web);
  expect(await watch(double, `resourceVersion=${from}&labelSelector=app%3Dweb`, 4)).toEqual([
    'ADDED web',
    'MODIFIED web',
    'MODIFIED web',
    'DELETED web',
  ]);
});

test('sends what is there as ADDED to a watch without a version, and bookmarks to one that asks', async () => {
  const double = await start({listener: 'plain', bookmarkEveryMs: 5});
  createPod(double);
  expect(await watch(double, 'allowWatchBookmarks=true', 2)).toEqual(['ADDED web', 'BOOKMARK']);
});

test('says that a version is gone as an event or as the status', async () => {
  const double = await start();
  const from = await versionOf(double);
  double.compact('event');
  expect(await watch(double, `resourceVersion=${from}`, 1)).toEqual(['ERROR 410']);
  double.compact('status');
  const answer = await askDouble(double, `${podsPath}?watch=true&resourceVersion=${from}`);
  expect([answer.status, answer.body]).toEqual([410, expect.stringContaining(`too old resource version: ${from} (`)]);
});

test('ends a watch when its time is over', async () => {
  const double = await start();
  const answer = await askDouble(double, `${podsPath}?watch=true&timeoutSeconds=1`);
  expect(answer).toMatchObject({status: 200, body: '', isComplete: true});
});

test('refuses lists and watches with 429, but never a log', async () => {
  const double = await start();
  createPod(double);
  double.throttle(2, 7);
  const [one, two, log] = [
    await askDouble(double, podsPath),
    await askDouble(double, `${podsPath}?watch=true`),
    await askDouble(double, `${podsPath}/web/log`),
  ];
  expect([one.status, one.headers['retry-after'], two.status, log.status]).toEqual([429, '7', 429, 200]);
  expect((await askDouble(double, podsPath)).status).toBe(200);
});

test('knows a rotated token and no longer the old one, while open streams go on', async () => {
  const double = await start();
  const pod = createPod(double);
  const following = askDouble(double, `${podsPath}/web/log?follow=true`, {isEnough: body => body.includes('after')});
  await waitFor(() => double.streams('log').length === 1, {what: 'the stream'});
  const token = double.access.rotateToken(double.token);
  expect((await askDouble(double, podsPath)).body).toContain(
    '"message":"Unauthorized","reason":"Unauthorized","code":401',
  );
  expect((await askDouble(double, podsPath, {token})).status).toBe(200);
  double.pods.write(pod, 'php', {text: 'after'});
  expect((await following).body).toBe('after\n');
});

test('lets a token in until its time has come', async () => {
  const double = await start();
  double.access.addToken('short', doubleUser, Date.now() - 1);
  expect((await askDouble(double, podsPath, {token: 'short'})).status).toBe(401);
});

test('takes a client certificate of its own authority alone', async () => {
  const double = await start({listener: 'h1'});
  const ask = async (client: Credentials): Promise<number> =>
    (await askDouble(double, podsPath, {token: undefined, client})).status;
  expect(await ask(double.issueClient('jane'))).toBe(200);
  expect(await ask(createTestAuthority().issueClient('jane'))).toBe(401);
});

test("refuses by rules in the authorizer's words", async () => {
  const double = await start();
  createPod(double);
  double.access.setRules(doubleUser, [{verbs: ['get', 'list'], resources: ['pods'], namespaces: ['shop']}]);
  const messageOf = async (path: string): Promise<string> =>
    (JSON.parse((await askDouble(double, path)).body) as {message: string}).message;
  expect((await askDouble(double, podsPath)).status).toBe(200);
  expect(await messageOf('/api/v1/namespaces/other/pods')).toBe(
    `pods is forbidden: User "${doubleUser}" cannot list resource "pods" in API group "" in the namespace "other"`,
  );
  expect(await messageOf(`${podsPath}?watch=true`)).toBe(
    `pods is forbidden: User "${doubleUser}" cannot watch resource "pods" in API group "" in the namespace "shop"`,
  );
  expect(await messageOf(`${podsPath}/web/log`)).toBe(
    `pods "web" is forbidden: User "${doubleUser}" cannot get resource "pods/log" in API group "" in the namespace "shop"`,
  );
  expect(await messageOf('/apis/apps/v1/deployments')).toBe(
    `deployments.apps is forbidden: User "${doubleUser}" cannot list resource "deployments" in API group "apps" at the cluster scope`,
  );
});

test('answers logs of pods that have none as the API server does', async () => {
  const double = await start();
  const answer = async (name: string, query = ''): Promise<string> => {
    const {status, body} = await askDouble(double, `${podsPath}/${name}/log?${query}`);
    return body.startsWith('{') ? `${status} ${(JSON.parse(body) as {message: string}).message}` : `${status} ${body}`;
  };
  const containers = [{name: 'php'}];
  double.pods.create({namespace: 'shop', name: 'pending', labels: {}, containers, startsAs: 'pending'});
  double.pods.create({namespace: 'shop', name: 'creating', labels: {}, containers, startsAs: 'creating'});
  createPod(double, 'two', ['php', 'nginx']);
  double.pods.evict(createPod(double, 'evicted'));
  const collected = createPod(double, 'collected');
  double.pods.collect(collected, 'php');

  expect(await answer('pending')).toBe('204 ');
  expect(await answer('creating')).toBe('400 container "php" in pod "creating" is waiting to start: ContainerCreating');
  expect(await answer('nope')).toBe('404 pods "nope" not found');
  expect(await answer('two')).toBe('400 a container name must be specified for pod two, choose one of: [php nginx]');
  expect(await answer('evicted')).toBe('400 container "php" in pod "evicted" is not available');
  expect(await answer('collected')).toMatch(/^200 unable to retrieve container logs for containerd:\/\/[0-9a-f]{64}$/);
  expect(await answer('two', 'container=php&tailLines=-1')).toMatch(/^422 PodLogOptions "two" is invalid: tailLines/);
});

test('keeps the log of one ended instance, and gives the last one again in CrashLoopBackOff', async () => {
  const double = await start();
  const pod = createPod(double);
  const log = async (query = ''): Promise<string> => (await askDouble(double, `${podsPath}/web/log?${query}`)).body;
  double.pods.write(pod, 'php', {text: 'first'});
  double.pods.restart(pod, 'php');
  double.pods.write(pod, 'php', {text: 'second'});
  expect(await log('previous=true')).toBe('first\n');
  double.pods.crash(pod, 'php', 'terminated');
  expect(await log('previous=true')).toMatch(/^unable to retrieve container logs for /);
  expect(await log('follow=true')).toBe('second\n');
  double.pods.startAgain(pod, 'php');
  double.pods.write(pod, 'php', {text: 'third'});
  double.pods.crash(pod, 'php', 'CrashLoopBackOff');
  expect([await log(), await log('previous=true')]).toEqual(['third\n', 'third\n']);
  double.pods.startAgain(pod, 'php');
  expect([await log(), await log('previous=true')]).toEqual(['', 'third\n']);
});

test('tells of a restart later than the new instance writes, as kubelets do', async () => {
  const double = await start({listener: 'plain', statusLagMs: 20});
  const pod = createPod(double);
  const from = await versionOf(double);
  const events = watch(double, `resourceVersion=${from}`, 1);
  await waitFor(() => double.streams('watch').length === 1, {what: 'the watch'});
  double.pods.restart(pod, 'php');
  double.pods.write(pod, 'php', {text: 'of the new instance'});
  expect((await askDouble(double, `${podsPath}/web/log`)).body).toBe('of the new instance\n');
  expect(await events).toEqual(['MODIFIED web']);
});

test('serves init, sidecar and ephemeral containers', async () => {
  const double = await start();
  const pod = double.pods.create({
    namespace: 'shop',
    name: 'web',
    labels: {},
    containers: [{name: 'migrate', kind: 'init'}, {name: 'proxy', kind: 'sidecar'}, {name: 'php'}],
  });
  double.pods.addEphemeral(pod, 'debugger');
  double.pods.write(pod, 'proxy', {text: 'of the sidecar'});
  double.pods.write(pod, 'debugger', {text: 'of the debugger'});
  const log = async (container: string): Promise<string> =>
    (await askDouble(double, `${podsPath}/web/log?container=${container}`)).body;
  expect([await log('migrate'), await log('proxy'), await log('debugger')]).toEqual([
    '',
    'of the sidecar\n',
    'of the debugger\n',
  ]);
  const object = JSON.parse((await askDouble(double, `${podsPath}/web`)).body) as {
    status: Record<string, readonly {name: string; state: object}[]>;
  };
  expect(object.status.initContainerStatuses?.map(({name, state}) => `${name} ${Object.keys(state)}`)).toEqual([
    'migrate terminated',
    'proxy running',
  ]);
  expect(object.status.ephemeralContainerStatuses?.map(({name}) => name)).toEqual(['debugger']);
});

test('hands sinceTime on in whole seconds', async () => {
  const double = await start();
  const pod = createPod(double);
  for (const [text, stampNs] of [
    ['a second before', 1_777_889_701_900_000_000n],
    ['in that second', 1_777_889_702_100_000_000n],
  ] as const) {
    double.pods.write(pod, 'php', {text, stampNs});
  }
  const {body} = await askDouble(double, `${podsPath}/web/log?sinceTime=2026-05-04T10:15:02.900000000Z`);
  expect(body).toBe('in that second\n');
});

test('breaks streams off, ends them as if all were well, in a line too, and freezes them', async () => {
  const double = await start();
  const pod = createPod(double);
  const spoil = async (what: 'cut' | 'end' | 'endInNextLine' | 'freeze'): Promise<readonly [string, boolean]> => {
    const following = askDouble(double, `${podsPath}/web/log?follow=true&tailLines=0`, {
      isEnough: body => body.includes('enough'),
    });
    const stream = await waitFor(() => double.streams('log')[0], {what: 'the stream'});
    double.pods.write(pod, 'php', {text: 'before'});
    stream[what]();
    double.pods.write(pod, 'php', {text: 'line'});
    if (what === 'freeze') {
      expect(stream.isOpen).toBe(true);
      stream.end();
    }
    const {body, isComplete} = await following;
    return [body, isComplete];
  };
  expect((await spoil('cut'))[1]).toBe(false);
  expect(await spoil('end')).toEqual(['before\n', true]);
  expect(await spoil('endInNextLine')).toEqual(['before\nlin', true]);
  expect((await spoil('freeze'))[0]).toBe('before\n');
});

test.each(['h2', 'h1', 'plain'] as const)('resets connections over %s', async listener => {
  const double = await start({listener});
  createPod(double);
  const following = askDouble(double, `${podsPath}/web/log?follow=true`, {http2: listener === 'h2'});
  const outcome = following.then(
    ({isComplete}) => (isComplete ? 'complete' : 'broken off'),
    () => 'broken off',
  );
  await waitFor(() => double.streams('log').length === 1, {what: 'the stream'});
  double.connections.resetConnections();
  expect(await outcome).toBe('broken off');
  await waitFor(() => double.streams('log').length === 0, {what: 'the server to notice'});
});

test("sends the kubelet's error text in a 200", async () => {
  const double = await start();
  createPod(double);
  double.failNextLog('failed to create fsnotify watcher: too many open files');
  expect(await askDouble(double, `${podsPath}/web/log?follow=true`)).toMatchObject({
    status: 200,
    body: 'failed to create fsnotify watcher: too many open files',
    isComplete: true,
  });
});

test('ends the streams of a node that goes as if all were well, and then cannot reach its kubelet', async () => {
  const double = await start();
  const pod = createPod(double);
  const following = askDouble(double, `${podsPath}/web/log?follow=true`);
  await waitFor(() => double.streams('log').length === 1, {what: 'the stream'});
  double.setNodeDown(pod.node ?? '', true);
  expect((await following).isComplete).toBe(true);
  const {status, body} = await askDouble(double, `${podsPath}/web/log`);
  expect([status, body]).toEqual([500, expect.stringContaining('10250: connect: connection refused')]);
  double.setNodeDown(pod.node ?? '', false);
  expect((await askDouble(double, `${podsPath}/web/log`)).status).toBe(200);
});

test('compresses large answers for clients that take gzip', async () => {
  const double = await start();
  for (let number = 1; number <= 80; number += 1) {
    createPod(double, `web-${number}`);
  }
  const answer = await fetch(`${double.url}${podsPath}`, {headers: {authorization: `Bearer ${double.token}`}});
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  expect(((await answer.json()) as List).items).toHaveLength(80);
});

test('speaks HTTP/2 with a limit of streams, and takes leave with GOAWAY', async () => {
  const double = await start({maxConcurrentStreams: 7});
  createPod(double);
  expect((await askDouble(double, podsPath, {http2: true})).status).toBe(200);
  expect(double.requests.at(-1)?.httpVersion).toBe('2.0');
  const session = connect(double.url, {ca: double.ca});
  const [settings] = (await once(session, 'remoteSettings')) as [{maxConcurrentStreams: number}];
  expect(settings.maxConcurrentStreams).toBe(7);
  double.connections.goAway();
  await once(session, 'close');
});

test('speaks HTTP/1.1 alone where it is told so', async () => {
  const double = await start({listener: 'h1'});
  createPod(double);
  expect((await askDouble(double, podsPath)).status).toBe(200);
  await expect(askDouble(double, podsPath, {http2: true})).rejects.toThrow();
});

test('freezes a connection so that not even a PING is answered', async () => {
  const double = await start({hasRelay: true});
  const session = connect(double.url, {ca: double.ca});
  session.on('error', () => {});
  const ping = (): Promise<boolean> => new Promise(resolve => session.ping(error => resolve(error === null)));
  await once(session, 'connect');
  expect(await ping()).toBe(true);
  double.freezeConnections();
  let isAnswered = false;
  void ping().then(answer => {
    isAnswered = answer;
  });
  createPod(double);
  // A second connection works, and by the time it was answered the first one would have been too.
  expect((await askDouble(double, podsPath, {http2: true})).status).toBe(200);
  expect(isAnswered).toBe(false);
  session.destroy();
});

test('freezes a connection on which nothing passes, as a load balancer does', async () => {
  // Long enough for a busy machine to send the request before.
  const double = await start({listener: 'plain', relayIdleMs: 1_000});
  const pod = createPod(double);
  const following = askDouble(double, `${podsPath}/web/log?follow=true`);
  const stream = await waitFor(() => double.streams('log')[0], {what: 'the stream'});
  await waitFor(() => double.frozenConnections === 1, {what: 'the relay to freeze the connection'});
  double.pods.write(pod, 'php', {text: 'into the void'});
  expect(stream.isOpen).toBe(true);
  double.connections.resetConnections();
  expect(await following).toMatchObject({body: '', isComplete: false});
});

test('loses a file for a client that reads so slowly that two rotations pass', async () => {
  const double = await start({listener: 'h2'});
  const pod = createPod(double);
  const session = connect(double.url, {ca: double.ca, settings: {initialWindowSize: 1_000}});
  const stream = session.request({':path': `${podsPath}/web/log?follow=true`, authorization: `Bearer ${double.token}`});
  await once(stream, 'response');
  for (let file = 1; file <= 3; file += 1) {
    for (let number = 1; number <= 5; number += 1) {
      double.pods.write(pod, 'php', {text: `file ${file} line ${number} ${'x'.repeat(20_000)}`});
    }
    if (file < 3) {
      double.pods.rotate(pod, 'php');
    }
  }
  double.pods.crash(pod, 'php', 'terminated');
  let body = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    body += String(chunk);
  }
  session.close();
  const seen = body.match(/file \d line \d/g) ?? [];
  expect(seen.filter(line => line.startsWith('file 1'))).toHaveLength(5);
  expect(seen.filter(line => line.startsWith('file 2'))).toHaveLength(0);
  expect(seen.filter(line => line.startsWith('file 3'))).toHaveLength(5);
});

test("tells a roll-out by the deployment's generation and conditions", async () => {
  const double = await start();
  const main = double.workloads.createDeployment({namespace: 'shop', name: 'main', replicas: 2});
  const read = async (): Promise<string> => {
    const {body} = await askDouble(double, '/apis/apps/v1/namespaces/shop/deployments/main');
    const {metadata, status} = JSON.parse(body) as {
      metadata: {generation: number};
      status: {
        observedGeneration: number;
        replicas?: number;
        updatedReplicas?: number;
        availableReplicas?: number;
        conditions: readonly {type: string; reason: string}[];
      };
    };
    const progress = status.conditions.find(({type}) => type === 'Progressing');
    return `${status.observedGeneration}/${metadata.generation} ${status.replicas}/${status.updatedReplicas}/${status.availableReplicas} ${progress?.reason}`;
  };
  expect(await read()).toBe('1/1 2/2/2 NewReplicaSetAvailable');
  const rollOut = double.workloads.beginRollOut(main, {image: 'registry.example.com/php:2.0'});
  expect(await read()).toBe('2/2 4/2/2 ReplicaSetUpdated');
  rollOut.exceedDeadline();
  expect(await read()).toBe('2/2 4/2/2 ProgressDeadlineExceeded');
  rollOut.finish();
  expect(await read()).toBe('2/2 2/2/2 NewReplicaSetAvailable');
  double.workloads.scale(main, 0);
  expect(await read()).toBe('3/3 0/undefined/undefined NewReplicaSetAvailable');
});

test("gives a StatefulSet's new pods the old names", async () => {
  const double = await start();
  const db = double.workloads.createStatefulSet({namespace: 'shop', name: 'db', replicas: 2});
  const uids = db.pods().map(({uid}) => uid);
  double.workloads.rollOut(db);
  expect(namesOf(await list(double))).toEqual(['db-0', 'db-1']);
  expect(db.pods().filter(({uid}) => uids.includes(uid))).toEqual([]);
});
