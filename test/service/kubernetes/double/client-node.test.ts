import {once} from 'node:events';
import {PassThrough} from 'node:stream';
import {
  AppsV1Api,
  AuthorizationV1Api,
  CoreV1Api,
  KubeConfig,
  Log,
  NetworkingV1Api,
  Watch,
} from '@kubernetes/client-node';
import {afterEach, expect, test} from 'vitest';
import {type KubeDouble, startKubeDouble} from '../../../support/kubernetes/start-kube-double.ts';
import {waitFor} from '../../../support/wait-for.ts';

let double: KubeDouble;

afterEach(() => double.close());

const configOf = (text: string): KubeConfig => {
  const config = new KubeConfig();
  config.loadFromString(text);
  return config;
};

test("Kubernetes' own client lists what the double serves, by token and by certificate", async () => {
  double = await startKubeDouble();
  double.workloads.createDeployment({namespace: 'shop', name: 'main', replicas: 2, labels: {app: 'main', tier: 'web'}});
  double.workloads.createStatefulSet({namespace: 'shop', name: 'db'});
  double.workloads.createIngress({namespace: 'shop', name: 'main', host: 'shop.example.com', service: 'main'});
  for (const login of [{}, {client: double.issueClient('jane', ['developers'])}]) {
    const config = configOf(double.kubeconfig(login));
    const [pods, deployments, replicaSets, statefulSets, ingresses] = await Promise.all([
      config.makeApiClient(CoreV1Api).listNamespacedPod({namespace: 'shop', labelSelector: 'tier=web'}),
      config.makeApiClient(AppsV1Api).listNamespacedDeployment({namespace: 'shop'}),
      config.makeApiClient(AppsV1Api).listNamespacedReplicaSet({namespace: 'shop'}),
      config.makeApiClient(AppsV1Api).listNamespacedStatefulSet({namespace: 'shop'}),
      config.makeApiClient(NetworkingV1Api).listNamespacedIngress({namespace: 'shop'}),
    ]);
    expect(pods.items.map(({status}) => status?.containerStatuses?.[0]?.state?.running?.startedAt)).toEqual([
      expect.any(Date),
      expect.any(Date),
    ]);
    expect(pods.items[0]?.metadata?.ownerReferences?.[0]?.uid).toBe(replicaSets.items[0]?.metadata?.uid);
    expect(deployments.items[0]?.status?.conditions?.map(({type}) => type)).toEqual(['Available', 'Progressing']);
    expect(statefulSets.items[0]?.status?.readyReplicas).toBe(1);
    expect(ingresses.items[0]?.spec?.rules?.[0]?.host).toBe('shop.example.com');
  }
  expect(new Set(double.requests.map(({user}) => user))).toEqual(
    new Set(['system:serviceaccount:shop:branchlog', 'jane']),
  );
});

test("Kubernetes' own client watches, follows a log, asks what it may do and reads failures", async () => {
  double = await startKubeDouble();
  const main = double.workloads.createDeployment({namespace: 'shop', name: 'main'});
  const [pod] = main.pods();
  if (pod === undefined) {
    throw new Error('The deployment has no pod.');
  }
  const config = configOf(double.kubeconfig());
  const core = config.makeApiClient(CoreV1Api);
  const {metadata} = await core.listNamespacedPod({namespace: 'shop'});

  const events: string[] = [];
  const watching = await new Watch(config).watch(
    '/api/v1/namespaces/shop/pods',
    {resourceVersion: metadata?.resourceVersion ?? '', allowWatchBookmarks: true},
    (type: string, object: {metadata: {name: string}}) => {
      events.push(`${type} ${object.metadata.name}`);
    },
    () => {},
  );
  double.pods.restart(pod, 'php');
  await waitFor(() => events.length === 1, {what: 'the event of the restart'});
  expect(events).toEqual([`MODIFIED ${pod.name}`]);
  watching.abort();

  double.pods.write(pod, 'php', {text: 'before'});
  const output = new PassThrough();
  await new Log(config).log('shop', pod.name, 'php', output, {follow: true, tailLines: 5});
  double.pods.write(pod, 'php', {text: 'while followed'});
  double.pods.crash(pod, 'php', 'terminated');
  let text = '';
  output.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(output, 'end');
  expect(text).toBe('before\nwhile followed\n');

  const review = await config.makeApiClient(AuthorizationV1Api).createSelfSubjectAccessReview({
    body: {spec: {resourceAttributes: {verb: 'list', resource: 'pods', namespace: 'shop'}}},
  });
  expect(review.status?.allowed).toBe(true);
  await expect(core.readNamespacedPod({namespace: 'shop', name: 'nope'})).rejects.toMatchObject({code: 404});
});
