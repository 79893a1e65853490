import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import type {KubeClient, KubeError} from '#service/kubernetes/kube-client.ts';
import {openCluster} from '#service/kubernetes/open-cluster.ts';
import {
  type KubeDouble,
  type KubeDoubleOptions,
  type Login,
  startKubeDouble,
} from '../../support/kubernetes/start-kube-double.ts';
import {createTempFolder} from '../../support/temp-folder.ts';
import {waitFor} from '../../support/wait-for.ts';

const startDouble = async (options: KubeDoubleOptions): Promise<KubeDouble> => {
  const double = await startKubeDouble(options);
  onTestFinished(() => double.close());
  return double;
};

const logIn = async (double: KubeDouble, login: Login = {}): Promise<KubeClient> => {
  const folder = createTempFolder('kube');
  onTestFinished(() => folder.remove());
  const path = join(folder.path, 'config');
  writeFileSync(path, double.kubeconfig(login));
  const {client} = await openCluster({kubeconfigs: [path], env: {}, homeFolder: undefined});
  onTestFinished(() => client.close());
  return client;
};

const pods = '/api/v1/namespaces/shop/pods';

const follow = async (client: KubeClient, path: string, query: Record<string, string | number | boolean>) => {
  const ended = Promise.withResolvers<KubeError | undefined>();
  const chunks: Buffer[] = [];
  await client.open(path, {query, onData: bytes => chunks.push(bytes), onEnd: ended.resolve});
  return {ended: ended.promise, text: () => Buffer.concat(chunks).toString('utf8')};
};

test.each(['h2', 'h1', 'plain'] as const)('lists, watches and follows logs over %s', async listener => {
  const double = await startDouble({listener});
  const shop = double.workloads.createDeployment({namespace: 'shop', name: 'shop-main', replicas: 1});
  const [pod] = shop.pods();
  if (!pod) {
    return expect.unreachable('no pod');
  }
  const client = await logIn(double);
  const list = await client.get(pods, {query: {limit: 500}});
  expect(list).toMatchObject({kind: 'PodList', items: [{metadata: {namespace: 'shop'}}]});
  const {metadata} = list as {metadata: {resourceVersion: string}};

  const watch = await follow(client, pods, {watch: true, resourceVersion: metadata.resourceVersion});
  const container = pod.containers[0]?.spec.name ?? '';
  const log = await follow(client, `${pods}/${pod.name}/log`, {container, follow: true, timestamps: true});
  double.pods.write(pod, container, {text: 'GET / 200'});
  await waitFor(() => log.text().endsWith(' GET / 200\n'), {what: 'the line'});
  double.pods.restart(pod, container);
  expect(await log.ended).toBeUndefined();
  await waitFor(() => watch.text().includes('"type":"MODIFIED"'), {what: 'the event'});
  for (const stream of double.streams('watch')) {
    stream.cut();
  }
  expect((await watch.ended)?.kind).toBe('connection');
});

test('follows more logs than one connection takes', async () => {
  const double = await startDouble({maxConcurrentStreams: 10});
  const shop = double.workloads.createDeployment({namespace: 'shop', name: 'shop-main', replicas: 35});
  const client = await logIn(double);
  const logs = await Promise.all(
    shop
      .pods()
      .map(pod =>
        follow(client, `${pods}/${pod.name}/log`, {container: pod.containers[0]?.spec.name ?? '', follow: true}),
      ),
  );
  for (const pod of shop.pods()) {
    double.pods.write(pod, pod.containers[0]?.spec.name ?? '', {text: pod.name});
  }
  const expected = shop.pods().map(({name}) => `${name}\n`);
  await waitFor(() => logs.every(({text}, index) => text() === expected[index]), {what: 'a line of each pod'});
  expect(double.connections.connectionCount).toBe(4);
});

test('logs in with a client certificate; a token that is no longer valid is named', async () => {
  const double = await startDouble({});
  const client = await logIn(double, {client: double.issueClient('dev')});
  expect(await client.get(pods)).toMatchObject({kind: 'PodList'});

  const byToken = await logIn(double);
  double.access.rotateToken(double.token);
  await expect(byToken.get(pods)).rejects.toThrow('does not accept user "tester" of');
});

test('a token of an exec plugin that the server no longer takes is renewed without a failure', async () => {
  const double = await startDouble({});
  const folder = createTempFolder('plugin');
  onTestFinished(() => folder.remove());
  const apiVersion = 'client.authentication.k8s.io/v1';
  const print = (token: string): void => {
    const credential = JSON.stringify({apiVersion, kind: 'ExecCredential', status: {token}});
    writeFileSync(join(folder.path, 'credential'), credential);
  };
  print(double.token);
  const exec = {apiVersion, command: 'cat', args: [join(folder.path, 'credential')], interactiveMode: 'Never'};
  const client = await logIn(double, {user: {exec}});
  await client.get(pods);
  print(double.access.rotateToken(double.token));
  expect(await client.get(pods)).toMatchObject({kind: 'PodList'});
});
