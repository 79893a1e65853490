import {expect, test} from 'vitest';
import {decodePod, makeKubePodRecord} from '#service/kubernetes/objects/decode-pod.ts';

const metadata = {
  uid: 'uid-1',
  resourceVersion: '7',
  name: 'web-0',
  namespace: 'shop',
  creationTimestamp: '2026-11-22T12:00:00Z',
};

const pod = (spec: unknown, status: unknown, more: object = {}) => ({metadata: {...metadata, ...more}, spec, status});

const containersOf = (spec: unknown, status: unknown = {}) => decodePod(pod(spec, status))?.containers;

const php = {name: 'php', image: 'php:8'};
const statusOf = (fields: object) => ({containerStatuses: [{name: 'php', ...fields}]});

const begun = {
  name: 'php',
  image: 'php:8',
  kind: 'app',
  instanceId: undefined,
  previousId: undefined,
  restartCount: 0,
  state: 'waiting',
  finishedAtMs: undefined,
  isFinished: false,
};

test.each<readonly [what: string, status: object, container: object]>([
  ['nothing is known yet', {}, {}],
  [
    'it runs',
    statusOf({containerID: 'c1', restartCount: 2, state: {running: {}}}),
    {instanceId: 'c1', restartCount: 2, state: 'running'},
  ],
  [
    'it ended',
    statusOf({containerID: 'c1', state: {terminated: {exitCode: 0, finishedAt: '2026-11-22T12:00:01Z'}}}),
    {instanceId: 'c1', state: 'terminated', finishedAtMs: Date.UTC(2026, 10, 22, 12, 0, 1)},
  ],
  [
    'it ended, and only its end has its id',
    statusOf({state: {terminated: {containerID: 'c2'}}, lastState: {terminated: {containerID: 'c1'}}}),
    {instanceId: 'c2', previousId: 'c1', state: 'terminated'},
  ],
  [
    'it waits to be started again',
    statusOf({state: {waiting: {}}, lastState: {terminated: {containerID: 'c1', finishedAt: '2026-11-22T12:00:01Z'}}}),
    {instanceId: 'c1', previousId: 'c1', state: 'waiting', finishedAtMs: Date.UTC(2026, 10, 22, 12, 0, 1)},
  ],
  [
    'it runs again: when it ended before is of no interest',
    statusOf({containerID: 'c2', state: {running: {}}, lastState: {terminated: {finishedAt: '2026-11-22T12:00:01Z'}}}),
    {instanceId: 'c2', state: 'running'},
  ],
  ['the pod has ended well', {phase: 'Succeeded', ...statusOf({state: {}})}, {state: 'terminated', isFinished: true}],
  ['the pod has ended badly', {phase: 'Failed'}, {state: 'terminated', isFinished: true}],
  ['the pod runs', {phase: 'Running'}, {}],
])('of a container, %s', (_, status, container) => {
  expect(containersOf({containers: [php]}, status)).toEqual([{...begun, ...container}]);
});

test('containers come by kind: those of the app, init containers and sidecars, and ephemeral ones', () => {
  const ended = (exitCode: number) => ({state: {terminated: {exitCode}}});
  const containers = containersOf(
    {
      initContainers: [{name: 'migrate'}, {name: 'proxy', restartPolicy: 'Always'}, {name: 'fails'}],
      containers: [php, {image: 'nameless'}],
      ephemeralContainers: [{name: 'debug'}],
    },
    {
      containerStatuses: [{name: 'php', ...ended(0)}],
      initContainerStatuses: [
        {name: 'fails', ...ended(1)},
        {name: 'migrate', ...ended(0)},
        {name: 'proxy', ...ended(0)},
      ],
      ephemeralContainerStatuses: [{name: 'debug', restartCount: 1}],
    },
  );
  expect(containers?.map(({name, kind, isFinished, restartCount}) => [name, kind, isFinished, restartCount])).toEqual([
    ['php', 'app', false, 0],
    ['migrate', 'init', true, 0],
    ['proxy', 'sidecar', false, 0],
    ['fails', 'init', false, 0],
    ['debug', 'ephemeral', false, 1],
  ]);
  expect(containers?.map(({image}) => image)).toEqual(['php:8', '', '', '', '']);
});

test.each<readonly [conditions: unknown, isReady: boolean]>([
  [
    [
      {type: 'Initialized', status: 'True'},
      {type: 'Ready', status: 'True'},
    ],
    true,
  ],
  [
    [
      {type: 'Initialized', status: 'True'},
      {type: 'Ready', status: 'False'},
    ],
    false,
  ],
  [[{type: 'Initialized', status: 'True'}], false],
])('a pod takes requests if it says so: %j', (conditions, isReady) => {
  expect(decodePod(pod({}, {phase: 'Running', conditions}))?.isReady).toBe(isReady);
});

test('a pod has what every object has, its phase, and what made it', () => {
  const own = pod({}, {phase: 'Pending'}, {ownerReferences: [{kind: 'StatefulSet', name: 'db', controller: true}]});
  expect(decodePod(own)).toMatchObject({
    uid: 'uid-1',
    phase: 'Pending',
    owner: {kind: 'statefulset', name: 'db'},
    metadataText: JSON.stringify(own.metadata),
  });
  expect(decodePod(pod({}, undefined))).toMatchObject({phase: 'Unknown', troubles: [{reason: 'node lost'}]});
  expect(decodePod({metadata: {name: 'web-0'}})).toBeUndefined();
});

test('the record of a pod is its metadata as received, with what a record must have', () => {
  const decoded = decodePod(pod({}, {}, {labels: {app: 'shop'}, generateName: 'web-'}));
  expect(decoded && makeKubePodRecord(decoded)).toEqual({
    name: 'web-0',
    resourceVersion: '7',
    metadata: {
      ...metadata,
      generateName: 'web-',
      annotations: {},
      labels: {app: 'shop'},
      selfLink: '/api/v1/namespaces/shop/pods/web-0',
    },
  });
  const linked = decodePod(pod({}, {}, {selfLink: '/there', annotations: {a: 'b'}}));
  expect(linked && makeKubePodRecord(linked).metadata).toMatchObject({selfLink: '/there', annotations: {a: 'b'}});
});
