import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {splitImage} from '#service/kubernetes/directory/cluster-record.ts';
import {conditions, doneStatus, makeDeployment, makePod, makeReplicaSet, makeStatefulSet} from '../cluster-objects.ts';
import {makeBranchSettings, makeSite, startTestDirectory} from '../start-directory.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('tells of a branch what the cluster knows, and nothing else', async () => {
  const {records} = await startTestDirectory(
    {
      deployments: [
        makeDeployment('shop-master', {
          replicas: 3,
          annotations: {'kubernetes.io/change-cause': 'release 4.2'},
          containers: [
            {
              name: 'php',
              image: 'registry.example.com:5000/shop/php:8.3',
              env: [
                {name: 'APP_ROOT', value: '/app'},
                {name: 'API_KEY', value: 'a literal secret'},
                {name: 'WEB_ROOT', valueFrom: {secretKeyRef: {name: 's', key: 'k'}}},
              ],
            },
            {name: 'nginx', image: 'nginx@sha256:abcdef', env: [{name: 'NGINX_SERVER_ROOT', value: '/srv'}]},
          ],
        }),
      ],
      replicaSets: [
        makeReplicaSet('shop-master', 9, '2026-11-21T09:00:00Z'),
        makeReplicaSet('shop-master', 10, '2026-11-22T10:00:00Z'),
      ],
      ingresses: [
        {
          metadata: {name: 'shop', uid: 'i', resourceVersion: '1'},
          spec: {
            rules: [
              {host: '*.example.com'},
              {host: 'shop.example.com', http: {paths: [{backend: {service: {name: 'shop-master'}}}]}},
            ],
          },
          status: {loadBalancer: {ingress: [{hostname: 'lb.example.com'}]}},
        },
      ],
    },
    [makeSite({shownVariables: ['APP_ROOT', 'WEB_ROOT', 'NGINX_SERVER_ROOT']})],
  );
  const [record] = records();
  expect(record).toMatchObject({
    _id: 'shop:shop-master',
    name: 'shop-master',
    status: 'DEPLOY_APPLICATION_SUCCESS',
    applicationName: 'shop-master',
    namespace: 'shop',
    replicas: 3,
    createdAt: '2026-11-20T08:00:00.000Z',
    updatedAt: '2026-11-22T10:05:00.000Z',
    appserverImage: 'registry.example.com:5000/shop/php',
    appserverTag: '8.3',
    webserverImage: 'nginx',
    webserverTag: 'sha256:abcdef',
    hostname: 'shop.example.com',
    elb: 'lb.example.com',
    deploymentConfig: {
      application: {storage: ''},
      images: {
        nginx: {env: [{name: 'NGINX_SERVER_ROOT', value: '/srv'}]},
        php: {env: [{name: 'APP_ROOT', value: '/app'}]},
      },
    },
    lastActivity: {
      _id: 'uid-replicaset-shop-master-2026-11-22T10:00:00Z',
      action: 'release 4.2',
      createdBy: '',
      status: 'SUCCESS',
      createdAt: '2026-11-22T10:00:00.000Z',
      updatedAt: '2026-11-22T10:05:00.000Z',
      application: 'shop:shop-master',
    },
    dbPassword: '',
    customDomains: [],
  });
  expect(JSON.stringify(record)).not.toContain('secret');
});

test('tells the version in use after a roll-back, not the one that was made last', async () => {
  const {records} = await startTestDirectory({
    deployments: [makeDeployment('web')],
    replicaSets: [makeReplicaSet('web', 12, '2026-11-01T08:00:00Z'), makeReplicaSet('web', 11, '2026-11-22T10:00:00Z')],
  });
  expect(records()[0]).toMatchObject({
    lastActivity: {_id: 'uid-replicaset-web-2026-11-01T08:00:00Z', createdAt: '2026-11-01T08:00:00.000Z'},
  });
});

test('takes the containers that the configuration names, else the names that the interface has', async () => {
  const containers = [
    {name: 'proxy', image: 'proxy:1'},
    {name: 'app', image: 'app:2'},
    {name: 'front', image: 'front'},
  ];
  const {branch} = await startTestDirectory(
    {deployments: [makeDeployment('a', {containers}), makeDeployment('b', {containers})]},
    [makeSite({branches: [makeBranchSettings('a', {appserver: 'app', webserver: 'front'})]})],
  );
  expect(branch('a').record).toMatchObject({
    appserverImage: 'app',
    appserverTag: '2',
    webserverImage: 'front',
    webserverTag: '',
  });
  expect(branch('b').record).toMatchObject({appserverImage: 'proxy', webserverImage: ''});
});

const partial = {observedGeneration: 1, replicas: 4, updatedReplicas: 1, readyReplicas: 3, availableReplicas: 3};

test.each([
  ['rolled out', {}, 'SUCCESS', 'SUCCESS', true],
  ['scaled to zero', {replicas: 0}, 'SUCCESS', 'SUCCESS', true],
  ['not yet seen by its controller', {generation: 2}, 'PROGRESSING', 'SUCCESS', true],
  [
    'rolling out while old pods serve',
    {
      replicas: 4,
      status: {
        ...partial,
        conditions: conditions(['Available', 'True', ''], ['Progressing', 'True', 'ReplicaSetUpdated']),
      },
    },
    'PROGRESSING',
    'PROGRESSING',
    true,
  ],
  [
    'rolling out while all pods are available',
    {
      replicas: 4,
      status: {
        ...doneStatus(4),
        updatedReplicas: 3,
        conditions: conditions(['Available', 'True', ''], ['Progressing', 'True', 'ReplicaSetUpdated']),
      },
    },
    'PROGRESSING',
    'PROGRESSING',
    true,
  ],
  [
    'rolling out for the first time',
    {
      replicas: 4,
      status: {
        observedGeneration: 1,
        replicas: 4,
        updatedReplicas: 4,
        conditions: conditions(['Available', 'False', ''], ['Progressing', 'True', 'NewReplicaSetCreated']),
      },
    },
    'PROGRESSING',
    'PROGRESSING',
    false,
  ],
  [
    'stuck while old pods serve',
    {
      replicas: 4,
      status: {
        ...partial,
        conditions: conditions(['Available', 'True', ''], ['Progressing', 'False', 'ProgressDeadlineExceeded']),
      },
    },
    'FAILED',
    'FAILED',
    true,
  ],
  [
    'over its quota',
    {
      replicas: 4,
      status: {
        ...partial,
        conditions: conditions(
          ['Available', 'False', ''],
          ['Progressing', 'True', 'ReplicaSetUpdated'],
          ['ReplicaFailure', 'True', 'FailedCreate'],
        ),
      },
    },
    'FAILED',
    'PROGRESSING',
    false,
  ],
  [
    'crashing after it was rolled out',
    {
      replicas: 1,
      status: {
        observedGeneration: 1,
        replicas: 1,
        updatedReplicas: 1,
        conditions: conditions(['Available', 'False', ''], ['Progressing', 'True', 'NewReplicaSetAvailable']),
      },
    },
    'PROGRESSING',
    'SUCCESS',
    true,
  ],
] as const)('tells the status of a Deployment that is %s', async (_, given, status, activity, isDeployed) => {
  const {records, deployed} = await startTestDirectory({deployments: [makeDeployment('web', given)]});
  expect(records()[0]).toMatchObject({status: `DEPLOY_APPLICATION_${status}`, lastActivity: {status: activity}});
  expect(deployed()).toEqual(isDeployed ? ['web'] : []);
});

test('tells the status of StatefulSets, which have no conditions', async () => {
  const {records, deployed} = await startTestDirectory({
    statefulSets: [
      makeStatefulSet('done', {replicas: 2}),
      makeStatefulSet('first', {replicas: 1, status: {observedGeneration: 1, replicas: 1}}),
      makeStatefulSet('rolling', {
        replicas: 3,
        status: {observedGeneration: 1, replicas: 3, readyReplicas: 2, updatedReplicas: 1, updateRevision: 'rolling-2'},
      }),
    ],
  });
  expect(records().map(({name, status}) => [name, status])).toEqual([
    ['done', 'DEPLOY_APPLICATION_SUCCESS'],
    ['first', 'DEPLOY_APPLICATION_PROGRESSING'],
    ['rolling', 'DEPLOY_APPLICATION_PROGRESSING'],
  ]);
  expect(records()[2]).toMatchObject({lastActivity: {_id: 'rolling-2', status: 'PROGRESSING'}});
  expect(deployed()).toEqual(['done', 'rolling']);
});

test('tells the worst status of a branch of several workloads', async () => {
  const labels = {instance: 'master'};
  const {records} = await startTestDirectory(
    {
      deployments: [
        makeDeployment('web', {labels}),
        makeDeployment('jobs', {
          labels,
          status: {...doneStatus(0), conditions: conditions(['Progressing', 'False', 'ProgressDeadlineExceeded'])},
        }),
      ],
    },
    [makeSite({branchLabel: 'instance'})],
  );
  expect(records()[0]?.status).toBe('DEPLOY_APPLICATION_FAILED');
});

test.each([
  ['Argo CD', {labels: {'argocd.argoproj.io/instance': 'store', 'app.kubernetes.io/instance': 'other'}}],
  ['Argo CD', {annotations: {'argocd.argoproj.io/tracking-id': 'store:apps/Deployment:shop/web'}}],
  ['Flux', {labels: {'kustomize.toolkit.fluxcd.io/name': 'store', 'kustomize.toolkit.fluxcd.io/namespace': 'flux'}}],
  [
    'Flux',
    {labels: {'helm.toolkit.fluxcd.io/name': 'store'}, annotations: {'meta.helm.sh/release-name': 'shop-store'}},
  ],
  ['Helm', {labels: {'app.kubernetes.io/instance': 'x'}, annotations: {'meta.helm.sh/release-name': 'store'}}],
  [undefined, {labels: {'app.kubernetes.io/instance': 'store'}}],
])('tells the release, as %s marks it; each workload of it stays a branch', async (tool, marks) => {
  const {records} = await startTestDirectory({
    deployments: [makeDeployment('web', marks), makeDeployment('api', marks), makeDeployment('alone')],
  });
  expect(records().map(({name, release, releaseTool}) => [name, release, releaseTool])).toEqual([
    ['alone', undefined, undefined],
    ['api', 'store', tool],
    ['web', 'store', tool],
  ]);
});

test('takes the annotation of a tool for a branch label, too', async () => {
  const annotations = {'meta.helm.sh/release-name': 'store'};
  const {records} = await startTestDirectory(
    {deployments: [makeDeployment('web', {annotations}), makeDeployment('api', {annotations})]},
    [makeSite({branchLabel: 'meta.helm.sh/release-name'})],
  );
  expect(records()).toMatchObject([{name: 'store', workloads: ['deployment/api', 'deployment/web']}]);
});

test('selects by the labels of a workload, else by those that it gives to its pods', async () => {
  const chosen = async (selector: string) =>
    (
      await startTestDirectory(
        {
          // Their pods have the label app, with their names.
          deployments: [makeDeployment('web', {labels: {app: 'shop'}}), makeDeployment('api')],
          pods: [makePod('debug', {app: 'debug'})],
        },
        [makeSite({selector})],
      )
    )
      .records()
      .map(({name}) => name);
  expect(await chosen('app=api')).toEqual(['api']);
  expect(await chosen('app=shop')).toEqual(['web']);
  expect(await chosen('app=web')).toEqual([]);
  expect(await chosen('app=debug')).toEqual(['debug']);
  expect(await chosen('app!=api')).toEqual(['debug', 'web']);
});

test.each([
  ['php', 'php', ''],
  ['php:8', 'php', '8'],
  ['host:5000/shop/php', 'host:5000/shop/php', ''],
  ['host:5000/php:8', 'host:5000/php', '8'],
  ['php@sha256:ab', 'php', 'sha256:ab'],
  ['host/php:8@sha256:ab', 'host/php', '8@sha256:ab'],
])('splits the image %s', (reference, image, tag) => {
  expect(splitImage(reference)).toEqual({image, tag});
});
