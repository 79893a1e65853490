import {expect, test} from 'vitest';
import {takeWindow} from '../../../src/log/answer/take-window.ts';
import {createBranchLog} from '../../../src/log/merge/branch-log.ts';
import {findMarker} from '../../../src/log/view/find-marker.ts';
import {mergeBuffers} from '../../../src/log/view/merged-view.ts';
import {line} from '../simulation/lines-at.ts';

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
