import {expect, onTestFinished, test} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import {createKubeBackend} from '#service/kubernetes/kube-backend.ts';
import {doubleUser} from '../../support/kubernetes/start-kube-double.ts';
import {waitFor} from '../../support/wait-for.ts';
import {startCluster} from './start-cluster.ts';
import {makeSite} from './start-directory.ts';

const startBackend = async () => {
  const warnings: string[] = [];
  const {double, client} = await startCluster();
  const web = double.workloads.createDeployment({namespace: 'shop', name: 'web', replicas: 2});
  double.workloads.createDeployment({namespace: 'shop', name: 'other'});
  const backend = createKubeBackend({
    client,
    settings: {sites: [makeSite()]},
    makeBranchId: (_, name) => name,
    windowLines: 1_000,
    windowPerPod: false,
    now: () => instantFromMs(Date.now()),
    monotonicMs: () => performance.now(),
    random: () => 0,
    warn: message => warnings.push(message),
  });
  onTestFinished(() => backend.close());
  await backend.start();
  const textsOf = async (branchId: string) =>
    (await backend.readWindow('shop', branchId))?.lines.map(line => line.slice(line.indexOf(' ') + 1)) ?? [];
  return {double, web, backend, textsOf, warnings};
};

test('serves the lines of a branch that somebody asks for, through a roll-out, and follows no other', async () => {
  const {double, web, backend, textsOf} = await startBackend();
  for (const pod of web.pods()) {
    double.pods.write(pod, 'php', {text: 'before'});
  }
  expect(await textsOf('web')).toEqual(['before', 'before']);
  const followed = () => double.streams('log').map(({name}) => name);
  expect(followed().toSorted()).toEqual(
    web
      .pods()
      .map(({name}) => name)
      .toSorted(),
  );
  double.workloads.rollOut(web, {image: 'php:2.0'});
  for (const pod of web.pods()) {
    double.pods.write(pod, 'php', {text: 'after'});
  }
  await waitFor(async () => (await textsOf('web')).length === 4, {what: 'the lines of the new pods'});
  expect(await textsOf('web')).toEqual(['before', 'before', 'after', 'after']);
  const podNames = async () => (await backend.readWindow('shop', 'web'))?.pods.map(({name}) => name);
  // The old ones are in the answers until it is known whether there is more to read of them.
  await waitFor(async () => (await podNames())?.length === 2, {what: 'the old pods to go'});
  expect(await podNames()).toEqual(
    web
      .pods()
      .map(({name}) => name)
      .toSorted(),
  );
  expect(await backend.readWindow('shop', 'nothing')).toBeUndefined();
  expect(await backend.readWindow('nowhere', 'web')).toBeUndefined();
});

test('gives the last line of a pod without a workload that is deleted while somebody reads it', async () => {
  const {double, backend, textsOf} = await startBackend();
  const debug = double.others.createPod({namespace: 'shop', name: 'debug'});
  double.pods.write(debug, 'main', {text: 'begin'});
  await waitFor(async () => (await textsOf('debug')).length === 1, {what: 'the first line'});
  double.pods.terminate(debug);
  double.pods.write(debug, 'main', {text: 'end'});
  double.pods.remove(debug);
  const isListed = async () => (await backend.listBranches('shop'))?.some(({name}) => name === 'debug');
  await waitFor(async () => !(await isListed()), {what: 'the pod to go'});
  await waitFor(async () => (await textsOf('debug')).length === 2, {what: 'the last line'});
  expect(await textsOf('debug')).toEqual(['begin', 'end']);
});

test('says why the log of a branch cannot be read, in each answer but only once in the log of the service', async () => {
  const {double, web, backend, warnings} = await startBackend();
  const verbs = ['get', 'list', 'watch'];
  double.access.setRules(doubleUser, [{resources: ['pods', 'deployments', 'statefulsets'], verbs}]);
  await expect(backend.readWindow('shop', 'web')).rejects.toMatchObject({
    name: 'UnavailableError',
    message: expect.stringContaining('403'),
  });
  await expect(backend.readWindow('shop', 'web')).rejects.toThrow('403');
  expect(warnings.filter(message => message.endsWith('cannot be read.'))).toHaveLength(web.pods().length);
});

test('streams that outlive their token are read on, and the answer says that new pods cannot be seen', async () => {
  const {double, web, backend, textsOf, warnings} = await startBackend();
  const [pod] = web.pods();
  const write = (text: string): void => {
    if (pod) {
      double.pods.write(pod, 'php', {text});
    }
  };
  const unreadable = async () => (await backend.readWindow('shop', 'web'))?.unreadable;
  const refusal = `${double.url} does not accept user "tester" of `;
  write('before');
  expect([await textsOf('web'), await unreadable()]).toEqual([['before'], undefined]);

  double.access.revokeToken(double.token);
  for (const watch of double.streams('watch')) {
    watch.end();
  }
  await waitFor(() => warnings.some(message => message.startsWith('The pods ') && message.includes('(401)')), {
    what: 'the refusal of the watch',
  });
  write('after');
  await waitFor(async () => (await textsOf('web')).length === 2, {what: 'the line of the stream'});
  expect(await unreadable()).toEqual({pods: 0, of: 2, why: expect.stringContaining(refusal), isBlind: true});
  // What is listed might be wrong by now.
  await expect(backend.listBranches('shop')).rejects.toThrow(refusal);

  // One stream ends, and is refused.
  double
    .streams('log')
    .find(({name}) => name !== pod?.name)
    ?.cut();
  await waitFor(async () => (await unreadable())?.pods === 1, {what: 'the refusal of a log'});
  expect(await unreadable()).toEqual({pods: 1, of: 2, why: expect.stringContaining(refusal), isBlind: true});
  for (const stream of double.streams('log')) {
    stream.cut();
  }
  await waitFor(
    () =>
      backend.readWindow('shop', 'web').then(
        () => false,
        () => true,
      ),
    {what: 'no log to be left'},
  );
  await expect(backend.readWindow('shop', 'web')).rejects.toThrow(refusal);
});
