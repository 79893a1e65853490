import {expect, test} from 'vitest';
import {createBuffer, type LineBuffer} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import type {Entry, Marker} from '#log/line/entry.ts';
import {findMarker} from '#log/overview/find-in-log.ts';
import {anchorOf, lineAt, mergeBuffers} from '#log/view/log-view.ts';
import {line, nanos} from '../simulation/lines-at.ts';

/** Three lines; a pod comes after each of the last two, so the markers are at 2 and 4. */
const view = () => {
  const windows = [
    {texts: ['1 a'], pods: ['web-1']},
    {texts: ['1 a', '2 b'], pods: ['web-1', 'web-2']},
    {texts: ['1 a', '2 b', '3 c'], pods: ['web-1', 'web-2', 'web-3']},
  ];
  const log = windows.reduce(
    (held, {texts, pods}) =>
      takeWindow(held, {lines: texts.map(line), pods: pods.map(name => ({name, createdAt: undefined}))}).log,
    createBranchLog(1e9),
  );
  return mergeBuffers([log.buffer]);
};

const any = () => true;

test('the marker nearest to a place is found in either direction, without the place itself', () => {
  const log = view();
  const kinds = log.slice(0, 9).map(({entry}) => entry.kind);
  const markers = kinds.flatMap((kind, index) => (kind === 'line' ? [] : [index]));
  expect(markers).toHaveLength(2);
  const [first = -1, second = -1] = markers;
  const find = (fromIndex: number, direction: 'next' | 'previous') =>
    findMarker(log, {fromIndex, direction, holds: any})?.index;
  expect([find(-1, 'next'), find(first, 'next'), find(second, 'next')]).toEqual([first, second, undefined]);
  expect([find(kinds.length, 'previous'), find(second, 'previous'), find(first, 'previous')]).toEqual([
    second,
    first,
    undefined,
  ]);
});

test('a marker that is not wanted is passed, in either direction', () => {
  const log = view();
  const isOf = (name: string) => (marker: Marker) => marker.kind === 'pod' && marker.name === name;
  const find = (fromIndex: number, direction: 'next' | 'previous', name: string) =>
    findMarker(log, {fromIndex, direction, holds: isOf(name)})?.index;
  const second = log.entryCount - 2;
  expect(find(-1, 'next', 'web-3')).toBe(find(log.entryCount, 'previous', 'web-3'));
  expect(find(log.entryCount, 'previous', 'web-2')).toBeLessThan(second);
  expect(find(-1, 'next', 'web-4')).toBeUndefined();
  expect(find(log.entryCount, 'previous', 'web-4')).toBeUndefined();
});

test('of several logs, the nearest marker is found, and whose it is', () => {
  const gapAt = (id: number, count: number): Entry => ({kind: 'gap', id, at: nanos(count), after: 1n, before: 2n});
  const bufferOf = (...times: readonly number[]): LineBuffer => {
    const edit = editBuffer(createBuffer(1e9));
    for (const time of times) {
      edit.insert(gapAt(edit.takeId(), time));
    }
    return edit.finish();
  };
  const log = mergeBuffers([bufferOf(1, 6), bufferOf(2, 5)]);
  const find = (fromIndex: number, direction: 'next' | 'previous') =>
    findMarker(log, {fromIndex, direction, holds: any});
  expect(find(-1, 'next')).toEqual({index: 0, anchor: {source: 0, id: 1, at: nanos(1)}});
  expect(find(0, 'next')).toEqual({index: 1, anchor: {source: 1, id: 1, at: nanos(2)}});
  expect(find(4, 'previous')).toEqual({index: 3, anchor: {source: 0, id: 2, at: nanos(6)}});
  expect(find(3, 'previous')).toEqual({index: 2, anchor: {source: 1, id: 2, at: nanos(5)}});
  expect(find(0, 'previous')).toBeUndefined();
});

test('a line is told from the marker and the line that took its place', () => {
  const log = view();
  const [first, second] = log.slice(0, 3).map(anchorOf);
  const marker = log.slice(0, 9).find(({entry}) => entry.kind !== 'line');
  expect(lineAt(log, undefined)).toBeUndefined();
  expect(lineAt(log, first)).toBe(log.slice(0, 1)[0]?.entry);
  expect(lineAt(log, marker && anchorOf(marker))).toBeUndefined();
  expect(lineAt(log, first && {...first, source: 1})).toBeUndefined();
  expect(lineAt(log, first && {...first, id: 99})).toBeUndefined();
  expect(lineAt(log, second && {...second, at: nanos(99)})).toBeUndefined();
});
