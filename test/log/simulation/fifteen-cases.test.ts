import {expect, test} from 'vitest';
import {aheadCase, lossCases, moreLossCases} from './cases.ts';
import {findDropped, findMisdated, findMisplaced, findSilentlyLost, findTwice, findUnseen} from './judge-log.ts';
import {createCluster, millisecond, second} from './simulated-cluster.ts';
import {createSubject} from './subject.ts';
import {watchLooks} from './watch-looks.ts';

test.each([...lossCases, ...moreLossCases])(
  'no line is lost without a marker, none doubled: $name',
  ({build, bufferBytesMax = 1e9, keepsLateLines = false}) => {
    const watched = watchLooks(build(), createSubject({bufferBytesMax, keepsLateLines}));
    expect({
      lostWithoutMarker: findSilentlyLost(watched).length,
      doubled: findTwice(watched),
      outOfOrder: findMisplaced(watched),
      dropped: findDropped(watched),
      misdated: findMisdated(watched),
    }).toEqual({lostWithoutMarker: 0, doubled: [], outOfOrder: [], dropped: [], misdated: []});
  },
);

test('a quiet pod whose clock is half a second ahead hides no loss of the loud one', () => {
  const watched = watchLooks(aheadCase(second / 2n), createSubject({bufferBytesMax: 1e9}));
  expect(findUnseen(watched).length).toBeGreaterThan(30_000);
  expect(findSilentlyLost(watched)).toEqual([]);
  expect(watched.marks.filter(({kind}) => kind === 'gap')).toHaveLength(7);
});

test('without clocks that differ each of seven bursts is one gap, and every loss lies inside one', () => {
  const watched = watchLooks(aheadCase(0n), createSubject({bufferBytesMax: 1e9}));
  expect(watched.marks.filter(({kind}) => kind === 'gap')).toHaveLength(7);
  expect(findSilentlyLost(watched)).toEqual([]);
});

test('a log cut by pod is whole only since the first line of the pod that was cut last', () => {
  const cluster = createCluster({cut: {per: 'pod', by: 'arrival', lines: 100}, show: 'stamp', says: 'cut'});
  cluster.podComes();
  cluster.podComes();
  cluster.emit({source: '1/app', count: 5, stepNanos: millisecond});
  cluster.emit({source: '2/app', count: 400, stepNanos: millisecond});
  cluster.poll();
  const {looks, arrived} = watchLooks(cluster, createSubject({bufferBytesMax: 1e9}));
  // Of the loud pod's 400 lines the last 100 are shown.
  expect(looks[0]?.wholeSince).toBeGreaterThanOrEqual(arrived[305]?.at ?? 0n);
});

test('a log is whole since no time before the marker of a pod that went', () => {
  const cluster = createCluster({cut: {per: 'branch', by: 'stamp', lines: 100}, show: 'stamp'});
  cluster.podComes();
  cluster.podComes();
  cluster.emit({source: '1/app', count: 30, stepNanos: millisecond});
  cluster.emit({source: '2/app', count: 30, stepNanos: millisecond});
  cluster.poll();
  cluster.podGoes(1);
  cluster.emit({source: '2/app', count: 5, stepNanos: millisecond});
  cluster.poll();
  const {looks, marks} = watchLooks(cluster, createSubject({bufferBytesMax: 1e9}));
  expect(marks.map(({kind, pod}) => [kind, pod])).toEqual([['gone', 'pod-1']]);
  expect(looks.at(-1)?.wholeSince).toBeGreaterThanOrEqual(marks[0]?.from ?? 0n);
});

test.each([
  {name: 'a banner stamped anew for each window', more: {banner: 'fresh'}},
  {name: 'a banner that is always the same', more: {banner: 'constant'}},
  {name: 'windows that begin with a fragment', more: {fragmentBytes: 12}},
] as const)('no gap where every window joins the one before: $name', ({more}) => {
  const cluster = createCluster({cut: {per: 'branch', by: 'stamp', lines: 100}, show: 'stamp', says: 'cut', ...more});
  cluster.podComes();
  cluster.emit({source: '1/app', count: 150, stepNanos: millisecond});
  for (let poll = 0; poll < 30; poll++) {
    cluster.emit({source: '1/app', count: 45, stepNanos: millisecond});
    cluster.poll();
  }
  expect(watchLooks(cluster, createSubject({bufferBytesMax: 1e9})).marks).toEqual([]);
});
