import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {createKubectl, findKubectl, type Kubectl} from '../../../support/kubernetes/run-kubectl.ts';
import {type KubeDouble, startKubeDouble} from '../../../support/kubernetes/start-kube-double.ts';
import type {Pod} from '../../../support/kubernetes/world/pod-model.ts';
import type {Workload} from '../../../support/kubernetes/world/workloads.ts';

const version = findKubectl();

const from = (text: string): RegExp => new RegExp(`^${text}`);

describe.skipIf(version === undefined)(`kubectl ${version ?? '(skipped: it is not installed)'}`, () => {
  let double: KubeDouble;
  let kubectl: Kubectl;
  let main: Workload;
  let pod: Pod;
  let other: Pod;

  const firstLineNs = 1_777_889_702_000_000_000n;

  beforeAll(async () => {
    double = await startKubeDouble();
    kubectl = createKubectl(double.kubeconfig());
    main = double.workloads.createDeployment({
      namespace: 'shop',
      name: 'shop-main',
      replicas: 2,
      containers: [{name: 'php'}, {name: 'nginx'}],
    });
    double.workloads.createStatefulSet({namespace: 'shop', name: 'db'});
    const [first, second] = main.pods();
    if (first === undefined || second === undefined) {
      throw new Error('The deployment has no pods.');
    }
    pod = first;
    other = second;
    double.pods.write(pod, 'php', {text: 'of the instance before'});
    double.pods.restart(pod, 'php');
    for (const [index, text] of ['one', 'two', 'three'].entries()) {
      double.pods.write(pod, 'php', {text, stampNs: firstLineNs + BigInt(index) * 1_500_000_000n});
    }
    double.pods.write(pod, 'nginx', {text: 'GET / 200'});
    double.pods.write(other, 'php', {text: 'of the other pod'});
  });

  afterAll(async () => {
    kubectl.remove();
    await double.close();
  });

  test.concurrent('gets pods by label as JSON, and tables of everything', async () => {
    const [json, table] = await Promise.all([
      kubectl.run('get', 'pods', '-l', 'app in (shop-main)', '-o', 'json'),
      kubectl.run('get', 'pods,deployments,replicasets,statefulsets,ingresses,namespaces'),
    ]);
    const {items} = JSON.parse(json.stdout) as {items: readonly {kind: string; metadata: {name: string}}[]};
    expect(items.map(({kind, metadata}) => `${kind} ${metadata.name}`)).toEqual(
      [pod.name, other.name].sort().map(name => `Pod ${name}`),
    );
    expect(table.stdout).toMatch(/^NAME +READY +STATUS +RESTARTS +AGE$/m);
    expect(table.stdout).toMatch(new RegExp(`^pod/${pod.name} +2/2 +Running +1 +\\d+s$`, 'm'));
    expect(table.stdout).toMatch(/^deployment\.apps\/shop-main +2\/2 +2 +2 +\d+s$/m);
    expect(table.stdout).toMatch(/^statefulset\.apps\/db +1\/1 +\d+s$/m);
    expect(table.stdout).toMatch(/^namespace\/shop +Active +\d+s$/m);
  });

  test.concurrent('watches pods come and go', async () => {
    const watched = double.workloads.createDeployment({namespace: 'watched', name: 'web'});
    const [old] = watched.pods();
    let isRolledOut = false;
    const output = await kubectl.until(
      stdout => {
        if (!isRolledOut && stdout.includes('Running')) {
          isRolledOut = true;
          double.workloads.rollOut(watched);
        }
        return new RegExp(`${old?.name} +0/1 +Terminating`).test(stdout);
      },
      'get',
      'pods',
      '-w',
      '-n',
      'watched',
    );
    const [fresh] = watched.pods();
    expect(output).toMatch(new RegExp(`^${fresh?.name} +0/1 +ContainerCreating `, 'm'));
    expect(output).toMatch(new RegExp(`^${fresh?.name} +1/1 +Running `, 'm'));
    expect(output).toMatch(new RegExp(`^${old?.name} +0/1 +Terminating `, 'm'));
  });

  test.concurrent('reads logs with the flags that choose lines', async () => {
    const logs = async (...flags: readonly string[]): Promise<string> =>
      (await kubectl.run('logs', pod.name, '-c', 'php', ...flags)).stdout;
    const [all, stamped, tail, sinceTime, since, previous, limited] = await Promise.all([
      logs(),
      logs('--timestamps'),
      logs('--tail', '1'),
      logs('--since-time', '2026-05-04T10:15:04Z'),
      logs('--since', '1s'),
      logs('--previous'),
      logs('--limit-bytes', '6'),
    ]);
    expect(all).toBe('one\ntwo\nthree\n');
    expect(stamped).toBe(
      '2026-05-04T10:15:02.000000000Z one\n2026-05-04T10:15:03.500000000Z two\n2026-05-04T10:15:05.000000000Z three\n',
    );
    expect(tail).toBe('three\n');
    expect(sinceTime).toBe('three\n');
    expect(since).toBe('');
    expect(previous).toBe('of the instance before\n');
    expect(limited).toBe('one\ntw');
  });

  test.concurrent('reads logs of several containers and pods by a selector', async () => {
    const [all, tooMany] = await Promise.all([
      kubectl.run('logs', '-l', 'app=shop-main', '--prefix', '--all-containers', '--tail', '1'),
      kubectl.run('logs', '-f', '-l', 'app=shop-main', '--all-containers', '--max-log-requests', '3'),
    ]);
    expect(all.stdout.trimEnd().split('\n').sort()).toEqual(
      [
        `[pod/${pod.name}/nginx] GET / 200`,
        `[pod/${pod.name}/php] three`,
        `[pod/${other.name}/php] of the other pod`,
      ].sort(),
    );
    expect(tooMany.stderr).toContain(
      'you are attempting to follow 4 log streams, but maximum allowed concurrency is 3',
    );
  });

  test.concurrent('follows a log until its container ends', async () => {
    const followed = double.workloads.createDeployment({namespace: 'followed', name: 'web'});
    const [web] = followed.pods();
    if (web === undefined) {
      throw new Error('The deployment has no pod.');
    }
    double.pods.write(web, 'php', {text: 'before'});
    const following = kubectl.run('logs', '-f', web.name, '-n', 'followed');
    const timer = setInterval(() => {
      if (double.streams('log').some(({name}) => name === web.name)) {
        clearInterval(timer);
        double.pods.write(web, 'php', {text: 'while followed'});
        double.pods.rotate(web, 'php');
        double.pods.write(web, 'php', {text: 'after the rotation'});
        double.pods.crash(web, 'php', 'terminated');
      }
    }, 5);
    expect(await following).toMatchObject({code: 0, stdout: 'before\nwhile followed\nafter the rotation\n'});
  });

  test.concurrent("shows the server's own words for what fails", async () => {
    const words = async (...args: readonly string[]): Promise<string> => (await kubectl.run(...args)).stderr.trimEnd();
    const waiting = double.pods.create({
      namespace: 'shop',
      name: 'waiting',
      labels: {},
      containers: [{name: 'php'}],
      startsAs: 'creating',
    });
    const [pods, deployment, container, wait, previous] = await Promise.all([
      words('get', 'pod', 'nope'),
      words('get', 'deployment', 'nope'),
      words('logs', pod.name, '-c', 'nope'),
      words('logs', waiting.name),
      words('logs', other.name, '-c', 'php', '--previous'),
    ]);
    expect(pods).toBe('Error from server (NotFound): pods "nope" not found');
    expect(deployment).toBe('Error from server (NotFound): deployments.apps "nope" not found');
    expect(container).toMatch(from(`error: container nope is not valid for pod ${pod.name}`));
    expect(wait).toContain('container "php" in pod "waiting" is waiting to start: ContainerCreating');
    expect(previous).toContain(`previous terminated container "php" in pod "${other.name}" not found`);
  });

  test.concurrent('waits for a condition, and asks what it may do', async () => {
    double.access.setRules('jane', [{verbs: ['get', 'list'], resources: ['pods'], namespaces: ['shop']}]);
    const jane = createKubectl(double.kubeconfig({client: double.issueClient('jane', ['developers'])}));
    try {
      const [wait, may, mayNot, list, refused] = await Promise.all([
        kubectl.run('wait', '--for=condition=Available', 'deployment/shop-main', '--timeout=2s'),
        jane.run('auth', 'can-i', 'list', 'pods'),
        jane.run('auth', 'can-i', 'get', 'pods', '--subresource=log'),
        jane.run('get', 'pods', '-o', 'name'),
        jane.run('get', 'deployments'),
      ]);
      expect(wait.stdout).toBe('deployment.apps/shop-main condition met\n');
      expect(may.stdout).toBe('yes\n');
      expect(mayNot.stdout).toBe('no\n');
      expect(list.stdout).toContain(`pod/${pod.name}\n`);
      expect(refused.stderr).toBe(
        'Error from server (Forbidden): deployments.apps is forbidden: User "jane" cannot list resource "deployments" in API group "apps" in the namespace "shop"\n',
      );
    } finally {
      jane.remove();
    }
  });
});
