import {expect, test} from 'vitest';
import {createBranchEvents, type KubeEvent} from '#service/kubernetes/watch/kube-events.ts';

/** A branch of the workloads `deployment/web`, `statefulset/db` and `cronjob/nightly`, and of the pod with uid `known`. */
const openEvents = () => {
  let items = new Map<string, KubeEvent>();
  let changes = 0;
  let openCount = 0;
  const lines: string[] = [];
  const events = createBranchEvents({
    open: () => {
      openCount += 1;
      return {settled: Promise.resolve(), items: () => items, changes: () => changes, close: () => (openCount -= 1)};
    },
    hasPod: uid => uid === 'known',
    onLines: given => lines.push(...given.map(({line}) => line.slice(line.indexOf(' ') + 1))),
  });
  const place = {namespace: 'shop', workloads: ['deployment/web', 'statefulset/db', 'cronjob/nightly']};
  events.setPlace(place);
  return {
    events,
    place,
    lines,
    openCount: () => openCount,
    put: (object: string, {uid = object, count = 1, objectUid = 'other', second = 1} = {}) => {
      changes += 1;
      items = new Map(items);
      items.set(uid, {
        uid,
        resourceVersion: String(changes),
        object,
        objectUid,
        stamp: BigInt(second) * 1_000_000_000n,
        count,
        text: `${object} ×${count}`,
      });
    },
    clear: () => {
      changes += 1;
      items = new Map();
    },
  };
};

test.each([
  ['deployment/web', true],
  ['replicaset/web-6d5f8b7c9', true],
  ['pod/web-6d5f8b7c9-x2x4z', true],
  ['statefulset/db', true],
  ['pod/db-0', true],
  ['cronjob/nightly', true],
  ['job/nightly-29381760', true],
  ['pod/nightly-29381760-x2x4z', true],
  ['deployment/web-redis', false],
  ['replicaset/web-redis-6d5f8b7c9', false],
  ['replicaset/web-redis', false],
  ['pod/web-redis-0', false],
  ['pod/web-redis-6d5f8b7c9-x2x4z', false],
  ['pod/web-6d5f8b7c9', false],
  ['pod/db-x2x4z', false],
  ['node/node-1', false],
])('events of %s belong to the branch: %s', (object, isMine) => {
  const {events, put, lines} = openEvents();
  put(object);
  events.flush();
  expect(lines).toEqual(isMine ? [`${object} ×1`] : []);
});

test('an event that is seen again is one more line, and the same list again none', () => {
  const {events, put, lines} = openEvents();
  put('pod/db-0', {second: 2});
  put('pod/db-1', {second: 1});
  events.flush();
  put('pod/db-0', {second: 9, count: 4});
  events.flush();
  put('pod/db-0', {second: 9, count: 4});
  events.flush();
  expect(lines).toEqual(['pod/db-1 ×1', 'pod/db-0 ×1', 'pod/db-0 ×4']);
});

test('an event of a pod that becomes known later is given then', () => {
  const {events, place, put, lines} = openEvents();
  events.setPlace({namespace: 'shop', workloads: []});
  put('pod/db-0');
  put('pod/bare', {objectUid: 'known'});
  events.flush();
  expect(lines).toEqual(['pod/bare ×1']);
  events.setPlace(place);
  events.flush();
  expect(lines).toEqual(['pod/bare ×1', 'pod/db-0 ×1']);
});

test('what the cluster forgets is forgotten, and a branch without a place has nothing open', async () => {
  const {events, clear, put, lines, openCount} = openEvents();
  put('pod/db-0');
  await events.firstRead();
  clear();
  events.flush();
  put('pod/db-0');
  events.flush();
  expect(lines).toHaveLength(2);
  expect(openCount()).toBe(1);
  events.setPlace(undefined);
  expect(openCount()).toBe(0);
});
