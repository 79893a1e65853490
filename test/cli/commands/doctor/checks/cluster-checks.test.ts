import {expect, test} from 'vitest';
import {checkCluster} from '#cli/commands/doctor/checks/cluster-checks.ts';
import {clusterRights, formatClusterRole, type RoleWanted} from '#cli/commands/doctor/checks/cluster-role.ts';
import type {Finding} from '#cli/commands/doctor/checks/finding.ts';
import {type KubeError as Failure, KubeError} from '#service/kubernetes/kube-client.ts';

const nowMs = Date.UTC(2026, 10, 22, 12);

const refused = (status: number, serverMessage = 'no') =>
  new KubeError('status', `It answered ${status}.`, {status, serverMessage});

/** What each path is answered with; a path that is not here is one of no object. */
type Answers = Readonly<Record<string, unknown>>;

const namespace = '/api/v1/namespaces/shop';

const running = {
  metadata: {name: 'web-0'},
  spec: {containers: [{name: 'php'}, {name: 'sidecar'}]},
  status: {phase: 'Running'},
};

const well: Answers = {
  '/version': {gitVersion: 'v1.31'},
  [namespace]: {},
  [`${namespace}/pods`]: {items: [{status: {phase: 'Pending'}}, running]},
  '/apis/apps/v1/namespaces/shop/deployments': {items: [{}]},
  [`${namespace}/pods/web-0/log`]: '2026-11-22T11:59:00Z GET /',
};

const check = async (
  answers: Answers = {},
  parts: Partial<Parameters<typeof checkCluster>[0]> = {},
  address = 'https://c',
) => {
  const asked: string[] = [];
  const all: Answers = {...well, ...answers};
  const answer = (path: string): unknown => {
    const found = Object.hasOwn(all, path) ? all[path] : refused(404);
    if (found instanceof Error) {
      throw found;
    }
    return found;
  };
  const wanted: RoleWanted = {};
  const findings: Finding[] = [];
  const checks = checkCluster(
    {
      client: {
        address,
        get: async (path, options) => {
          asked.push(`${path}${options?.query ? ` ${JSON.stringify(options.query)}` : ''}`);
          return answer(path);
        },
        open: async path => {
          asked.push(`watch ${path}`);
          answer(path);
          return {close: () => asked.push(`closed ${path}`)};
        },
        close: async () => undefined,
        serverTimeMs: () => nowMs,
      },
      isUnverified: false,
      namespace: 'shop',
      nowMs: () => nowMs,
      signal: new AbortController().signal,
      ...parts,
    },
    wanted,
  );
  for await (const finding of checks) {
    findings.push(finding);
  }
  const told = findings.map(({status, subject, words}) => `${status} ${subject}: ${words}`);
  return {told, findings, asked, wanted};
};

test('where all is well, each check says what it found', async () => {
  const {told, asked, wanted} = await check();
  expect(told).toEqual([
    'ok API server: https://c, certificate verified, Kubernetes v1.31',
    'ok clock: this machine and the API server agree',
    'ok permissions: list and watch pods, events, deployments, statefulsets, daemonsets, rollouts, cronjobs, jobs, replicasets, ingresses; get pods/log',
    'ok workloads: namespace shop: 1 Deployment, 2 Pods',
    'ok log: container php of pod web-0 wrote its last line 1 min 0 s ago',
  ]);
  expect(wanted).toEqual({role: formatClusterRole('shop', undefined), isMissing: false});
  expect(asked).toContain(`${namespace}/pods {"limit":1}`);
  expect(asked).toContain(`${namespace}/pods {"limit":500}`);
  expect(asked).toContain(`${namespace}/pods/web-0/log {"container":"php","tailLines":1,"timestamps":true}`);
  expect(asked).toContain(`${namespace}/pods/branchlog-asks-for-what-does-not-exist/log`);
  expect(asked.filter(each => each.startsWith('closed '))).toEqual([
    `closed ${namespace}/pods`,
    'closed /apis/apps/v1/namespaces/shop/deployments',
  ]);
});

test.each<readonly [what: string, parts: object, address: string, where: string]>([
  ['without TLS', {}, 'http://c', 'http://c, without TLS'],
  ['a certificate that nobody checks', {isUnverified: true}, 'https://c', 'https://c, certificate not checked'],
])('says how the API server is reached: %s', async (_, parts, address, where) => {
  const {told} = await check({}, parts, address);
  expect(told[0]).toBe(`ok API server: ${where}, Kubernetes v1.31`);
  expect(told.some(row => row.startsWith('warn TLS: the certificate of https://c is not checked'))).toBe(
    'isUnverified' in parts,
  );
});

test('a version that is hidden or missing is no failure', async () => {
  expect((await check({'/version': refused(403)})).told[0]).toBe(
    'ok API server: https://c, certificate verified, which hides its version from this user',
  );
  expect((await check({'/version': {}})).told[0]).toContain('Kubernetes of unknown version');
});

test.each<readonly [error: Failure, subject: string, exitCode: number, action: string]>([
  [
    refused(401),
    'credentials',
    3,
    'log in the way your cluster requires; kubectl with this context shows when it works',
  ],
  [
    new KubeError('auth', 'No credentials.'),
    'credentials',
    3,
    'do what it says, and try kubectl with the same context',
  ],
  [
    new KubeError('connection', 'Nobody answers.'),
    'API server',
    5,
    'do what it says; if that is right, check the VPN, the proxy and the firewall',
  ],
  [
    new KubeError('timeout', 'Late.'),
    'API server',
    5,
    'check the VPN, the proxy and the firewall; kubectl get --raw /version should answer',
  ],
  [
    new KubeError('body', 'No JSON.'),
    'API server',
    6,
    'check the address in the kubeconfig: it must lead to the API server itself',
  ],
  [
    refused(500),
    'API server',
    5,
    'run branchlog doctor again in a minute; if it still fails, ask whoever runs the cluster',
  ],
  [
    refused(403, 'users "jane" is forbidden: User "dev" cannot impersonate resource "users" in API group ""'),
    'credentials',
    3,
    'act as yourself, without --as or the "as" of the kubeconfig, or ask whoever runs the cluster',
  ],
])('an API server that does not answer ends it: %s', async (error, subject, exitCode, action) => {
  const {findings} = await check({'/version': error});
  expect(findings).toEqual([
    {status: 'FAIL', subject, words: error.message, action, exitCode},
    {status: 'skip', subject: 'the rest', words: 'needs an API server that answers'},
  ]);
});

test('a mistake of ours is none of the cluster', async () => {
  await expect(check({'/version': new TypeError('a mistake')})).rejects.toThrow('a mistake');
});

test('a namespace that is not there ends it; one that may not be read does not', async () => {
  const {findings} = await check({[namespace]: refused(404)});
  expect(findings.at(-1)).toEqual({
    status: 'FAIL',
    subject: 'namespace',
    words: 'there is no namespace shop',
    action: 'name another one with -n; kubectl get namespaces lists them, if you are allowed to',
    exitCode: 4,
  });
  expect((await check({[namespace]: refused(403)})).told).toHaveLength(5);
});

const who = 'pods is forbidden: User "dev@example" cannot list resource "pods"';

test('rights that are needed and missing are a failure with the Role', async () => {
  const {findings, wanted} = await check({
    [`${namespace}/pods`]: refused(403, who),
    [`${namespace}/pods/branchlog-asks-for-what-does-not-exist/log`]: refused(403),
    '/apis/batch/v1/namespaces/shop/jobs': refused(403),
  });
  expect(findings.slice(2)).toEqual([
    {
      status: 'FAIL',
      subject: 'permissions',
      words: 'missing in namespace shop, as dev@example: list and watch pods; get pods/log',
      action: 'ask someone who may grant rights to apply the Role; --format role prints it alone',
      exitCode: 3,
    },
    {status: 'skip', subject: 'workloads', words: 'needs the permissions'},
  ]);
  expect(wanted).toEqual({role: formatClusterRole('shop', 'dev@example'), isMissing: true});
});

test('rights that are optional are told by what lacks without them', async () => {
  const {told} = await check({
    '/apis/batch/v1/namespaces/shop/jobs': refused(403),
    '/apis/networking.k8s.io/v1/namespaces/shop/ingresses': refused(403),
  });
  expect(told[2]).toBe(
    'ok permissions: list and watch pods, events, deployments, statefulsets, daemonsets, rollouts, cronjobs, replicasets; get pods/log; without jobs, Jobs are not shown; without ingresses, host names must come from the config',
  );
});

test.each([
  [429, false],
  [500, false],
  [401, false],
  [410, true],
  [404, true],
])('a right that is tried and answered with %i is there: %s', async (status, isThere) => {
  const {told} = await check({[`${namespace}/events`]: refused(status)});
  expect(told[2]?.startsWith('ok permissions')).toBe(isThere);
});

test('a namespace without anything is a warning', async () => {
  const {told} = await check({
    [`${namespace}/pods`]: {items: []},
    '/apis/apps/v1/namespaces/shop/deployments': {items: []},
  });
  expect(told.slice(3)).toEqual([
    'warn workloads: namespace shop: no pods',
    'skip log: no pod is running, so no log was requested',
  ]);
});

test('five hundred objects are counted', async () => {
  const items = (count: number) => ({items: Array.from({length: count}, () => ({}))});
  const words = async (count: number) => (await check({[`${namespace}/pods`]: items(count)})).told[3];
  expect(await words(499)).toContain('499 Pods');
  expect(await words(500)).toContain('500 or more Pods');
});

test('a failure to list ends it, unless the kind is not there', async () => {
  const deployments = '/apis/apps/v1/namespaces/shop/deployments';
  expect((await check({[deployments]: refused(404)})).told[3]).toBe('ok workloads: namespace shop: 2 Pods');
});

test.each<readonly [text: unknown, words: string]>([
  ['', 'has no lines yet'],
  ['2026-11-22T12:00:05Z x', "wrote its last line 5 s from now, by this machine's clock"],
  ['2026-11-22T12:00:00Z x', 'wrote its last line 0 s ago'],
])('the log of a container that is %j: %s', async (text, words) => {
  const {told} = await check({[`${namespace}/pods/web-0/log`]: text});
  expect(told.at(-1)).toBe(`ok log: container php of pod web-0 ${words}`);
});

test('a log that cannot be read leads to its node', async () => {
  const {findings} = await check({[`${namespace}/pods/web-0/log`]: refused(500)});
  expect(findings.at(-1)).toMatchObject({
    status: 'FAIL',
    subject: 'log',
    action: 'check the node of the pod: kubectl logs -n shop web-0 -c php makes the same request',
  });
});

test('the Role has the rights that are used, and is bound to whoever is known', () => {
  expect(
    clusterRights.filter(({without}) => without === undefined).map(({verb, resource}) => `${verb} ${resource}`),
  ).toEqual([
    'list pods',
    'watch pods',
    'get pods/log',
    'list deployments',
    'watch deployments',
    'list statefulsets',
    'watch statefulsets',
  ]);
  const head = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: branchlog
  namespace: "shop"
rules:
  - apiGroups: [""]
    resources: ["pods"]
    verbs: ["list", "watch"]
  - apiGroups: [""]
    resources: ["pods/log"]
    verbs: ["get"]
  # Optional: without it, events are not among the lines.
  - apiGroups: [""]
    resources: ["events"]
    verbs: ["list", "watch"]
  - apiGroups: ["apps"]
    resources: ["deployments", "statefulsets"]
    verbs: ["list", "watch"]
`;
  const role = formatClusterRole('shop', undefined);
  expect(role.slice(0, head.length)).toBe(head);
  expect(role).toMatch(
    /\n# Bind it to a user: kubectl create rolebinding branchlog -n NAMESPACE --role branchlog --user USER\n$/,
  );
  expect(formatClusterRole('shop', 'dev')).toContain(
    'kind: RoleBinding\nmetadata:\n  name: branchlog\n  namespace: "shop"\nroleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: Role\n  name: branchlog\nsubjects:\n  - kind: User\n    name: "dev"\n    apiGroup: rbac.authorization.k8s.io\n',
  );
  expect(formatClusterRole('shop', 'system:serviceaccount:ops:logs')).toContain(
    'subjects:\n  - kind: ServiceAccount\n    name: "logs"\n    namespace: "ops"\n',
  );
});
