import {expect, test} from 'vitest';
import {readRelease, readReleaseMarks} from '#service/kubernetes/objects/decode-workload.ts';
import {readIdentity, readOwner} from '#service/kubernetes/objects/label-selector.ts';

const metadata = {
  uid: 'uid-1',
  resourceVersion: '7',
  name: 'web',
  namespace: 'shop',
  creationTimestamp: '2026-11-22T12:00:00Z',
  labels: {app: 'shop', wrong: 1},
};

test('an object of a namespace has a name, a place and a time', () => {
  expect(readIdentity({metadata})).toEqual({
    uid: 'uid-1',
    resourceVersion: '7',
    name: 'web',
    namespace: 'shop',
    labels: {app: 'shop'},
    createdAtMs: Date.UTC(2026, 10, 22, 12),
  });
  const {resourceVersion, labels, ...least} = metadata;
  expect(readIdentity({metadata: least})).toMatchObject({resourceVersion: '', labels: {}});
});

test.each(['uid', 'name', 'namespace', 'creationTimestamp'])('without %s it is none', key => {
  expect(readIdentity({metadata: {...metadata, [key]: undefined}})).toBeUndefined();
});

const owned = (kind: string, name: string, {labels = {}, controller = true} = {}) => ({
  labels,
  ownerReferences: [
    {kind: 'Job', name: 'watcher'},
    {kind, name, controller},
  ],
});

test.each<readonly [what: string, metadata: unknown, owner: unknown]>([
  ['a StatefulSet', owned('StatefulSet', 'db'), {kind: 'statefulset', name: 'db'}],
  ['a Job', owned('Job', 'nightly'), {kind: 'job', name: 'nightly'}],
  [
    "a Deployment's ReplicaSet",
    owned('ReplicaSet', 'web-1-5f6', {labels: {'pod-template-hash': '5f6'}}),
    {kind: 'deployment', name: 'web-1'},
  ],
  [
    "a Rollout's ReplicaSet",
    owned('ReplicaSet', 'web-5f6', {labels: {'rollouts-pod-template-hash': '5f6'}}),
    {kind: 'rollout', name: 'web'},
  ],
  ['a ReplicaSet of another name', owned('ReplicaSet', 'web-5f6', {labels: {'pod-template-hash': '777'}}), undefined],
  [
    'a ReplicaSet that ends in the hash without a dash',
    owned('ReplicaSet', 'web5f6', {labels: {'pod-template-hash': '5f6'}}),
    undefined,
  ],
  ['a ReplicaSet without a hash', owned('ReplicaSet', 'web'), undefined],
  ['a kind that is not known', owned('Widget', 'web'), undefined],
  ['an owner that is no controller', owned('StatefulSet', 'db', {controller: false}), undefined],
  ['an owner without a name', owned('StatefulSet', ''), undefined],
  ['nothing', {}, undefined],
])('what controls an object: %s', (_, own, owner) => {
  expect(readOwner(own)).toEqual(owner);
});

test('the marks of tools are read as labels, without the object that Argo CD adds', () => {
  expect(
    readReleaseMarks({
      labels: {'app.kubernetes.io/instance': 'shop', app: 'web', 'kustomize.toolkit.fluxcd.io/name': 'apps'},
      annotations: {'argocd.argoproj.io/tracking-id': ':apps', 'meta.helm.sh/release-name': 'chart'},
    }),
  ).toEqual({
    'kustomize.toolkit.fluxcd.io/name': 'apps',
    'meta.helm.sh/release-name': 'chart',
    'app.kubernetes.io/instance': 'shop',
  });
  expect(readRelease({labels: {'kustomize.toolkit.fluxcd.io/name': 'apps'}})).toEqual({name: 'apps', tool: 'Flux'});
  expect(readRelease({})).toBeUndefined();
});
