import {expect, test} from 'vitest';
import {
  createWorkloadDecoder,
  decodeIngress,
  decodeReplicaSet,
  findNewestVersions,
} from '#service/kubernetes/objects/decode-workload.ts';

const metadata = {
  uid: 'uid-1',
  resourceVersion: '7',
  name: 'web',
  namespace: 'shop',
  creationTimestamp: '2026-11-22T12:00:00Z',
};

const backend = (name: string) => ({service: {name}});

test('an Ingress says under which names the outside reaches which services', () => {
  expect(
    decodeIngress({
      metadata: {...metadata, labels: {app: 'shop'}},
      spec: {
        defaultBackend: backend('fallback'),
        rules: [
          {host: 'shop.example', http: {paths: [{backend: backend('web')}, {backend: backend('api')}]}},
          {host: '*.shop.example', http: {paths: [{backend: backend('web')}, {backend: {}}]}},
          {http: {paths: []}},
        ],
      },
      status: {loadBalancer: {ingress: [{ip: '10.0.0.1', hostname: 'lb.example'}, {ip: '10.0.0.2'}]}},
    }),
  ).toEqual({
    uid: 'uid-1',
    resourceVersion: '7',
    name: 'web',
    labels: {app: 'shop'},
    hosts: ['shop.example'],
    services: new Set(['fallback', 'web', 'api']),
    address: 'lb.example',
  });
  expect(
    decodeIngress({metadata: {uid: 'u', name: 'n'}, status: {loadBalancer: {ingress: [{ip: '10.0.0.1'}]}}}),
  ).toEqual({
    uid: 'u',
    resourceVersion: '',
    name: 'n',
    labels: {},
    hosts: [],
    services: new Set(),
    address: '10.0.0.1',
  });
  expect([decodeIngress({metadata: {uid: 'u'}}), decodeIngress({metadata: {name: 'n'}})]).toEqual([
    undefined,
    undefined,
  ]);
});

const replicaSet = (uid: string, revision: string | undefined, more: object = {}) =>
  decodeReplicaSet({
    metadata: {
      ...metadata,
      uid,
      annotations: {'deployment.kubernetes.io/revision': revision},
      ownerReferences: [{uid: 'other'}, {uid: 'owner', controller: true}],
      ...more,
    },
  });

test('a ReplicaSet is a version of what controls it', () => {
  expect(replicaSet('a', '3')).toEqual({
    uid: 'a',
    resourceVersion: '7',
    ownerUid: 'owner',
    revision: 3,
    createdAtMs: Date.UTC(2026, 10, 22, 12),
  });
  expect(replicaSet('a', undefined, {annotations: {'rollout.argoproj.io/revision': '4'}})?.revision).toBe(4);
  expect([replicaSet('a', undefined)?.revision, replicaSet('a', 'x')?.revision]).toEqual([0, 0]);
  expect(replicaSet('a', '1', {ownerReferences: [], resourceVersion: undefined})).toMatchObject({
    ownerUid: undefined,
    resourceVersion: '',
  });
  expect([decodeReplicaSet({metadata: {uid: 'a'}}), decodeReplicaSet({metadata: {...metadata, uid: ''}})]).toEqual([
    undefined,
    undefined,
  ]);
});

test('the version in use is the one with the highest number, and the first of several', () => {
  const others = {ownerReferences: [{uid: 'other owner', controller: true}]};
  const sets = [
    replicaSet('a', '1'),
    replicaSet('b', '3'),
    replicaSet('c', '3'),
    replicaSet('d', '2'),
    replicaSet('e', '0', others),
    replicaSet('f', '9', {ownerReferences: []}),
  ].filter(set => set !== undefined);
  const newest = findNewestVersions(sets);
  expect([...newest].map(([owner, {uid}]) => [owner, uid])).toEqual([
    ['owner', 'b'],
    ['other owner', 'e'],
  ]);
});

test('a workload has its own labels, those of its pods and the marks of tools: of one that several have, its own', () => {
  const decode = createWorkloadDecoder('deployment');
  const workload = decode({
    metadata: {
      ...metadata,
      labels: {app: 'own'},
      annotations: {'meta.helm.sh/release-name': 'chart', 'kubernetes.io/change-cause': 'new image'},
      ownerReferences: [{kind: 'CronJob', name: 'nightly', controller: true}],
    },
    spec: {
      replicas: 2,
      selector: {matchLabels: {app: 'pods'}},
      template: {
        metadata: {
          labels: {app: 'pods', tier: 'web', 'meta.helm.sh/release-name': 'pods'},
          annotations: {'kubectl.kubernetes.io/default-container': 'php'},
        },
        spec: {
          containers: [
            {
              name: 'php',
              image: 'php:8',
              env: [{name: 'A', value: 'b'}, {name: 'SECRET', valueFrom: {}}, {value: 'nameless'}],
            },
            {},
          ],
        },
      },
    },
  });
  expect(workload).toMatchObject({
    uid: 'uid-1',
    kind: 'deployment',
    labels: {app: 'own', tier: 'web', 'meta.helm.sh/release-name': 'chart'},
    owner: {kind: 'cronjob', name: 'nightly'},
    release: {name: 'chart', tool: 'Helm'},
    selector: [{key: 'app', operator: 'in', values: ['pods']}],
    changeCause: 'new image',
    state: {wanted: 2},
    containers: [
      {name: 'php', image: 'php:8', variables: [{name: 'A', value: 'b'}]},
      {name: '', image: '', variables: []},
    ],
    defaultContainer: 'php',
  });
  expect(decode({metadata})).toMatchObject({
    labels: {},
    owner: undefined,
    release: undefined,
    selector: undefined,
    changeCause: '',
    containers: [],
    defaultContainer: undefined,
  });
  expect(decode({metadata: {name: 'web'}})).toBeUndefined();
});

test('the pods of a CronJob are described by the template of its Jobs', () => {
  const template = {spec: {containers: [{name: 'job'}]}};
  const cronjob = {metadata, spec: {jobTemplate: {spec: {template}}, template: {spec: {containers: [{name: 'no'}]}}}};
  expect(createWorkloadDecoder('cronjob')(cronjob)?.containers).toMatchObject([{name: 'job'}]);
  expect(createWorkloadDecoder('job')({metadata, spec: {template}})?.containers).toMatchObject([{name: 'job'}]);
});
