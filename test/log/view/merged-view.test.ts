import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {LineBuffer} from '#log/buffer/buffer.ts';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {anchorOf, mergeBuffers, type SourcedEntry} from '#log/view/log-view.ts';
import {following, oneRowPane, scrollBy, topIndex, visibleEntries} from '#log/view/viewport.ts';
import {runsOf} from '../../support/thorough.ts';
import {line, nanos, short} from '../simulation/lines-at.ts';

const takeAll = (log: BranchLog, texts: readonly string[]): BranchLog =>
  takeWindow(log, {lines: texts.map(line), pods: []}).log;

const take = (log: BranchLog, ...texts: readonly string[]): BranchLog => takeAll(log, texts);

const bufferOf = (...texts: readonly string[]): LineBuffer => takeAll(createBranchLog(1e9), texts).buffer;

const tell = ({source, entry}: SourcedEntry): string =>
  `${source}: ${entry.kind === 'line' ? short(entry.raw) : entry.kind}`;

test('several buffers are one log by time; at one time the first buffer comes first, and each keeps its own order', () => {
  const view = mergeBuffers([bufferOf('1 a', '3 c', '5 tie', '5 tie two'), bufferOf('2 b', '5 tie', '6 f')]);
  expect(view.entryCount).toBe(7);
  const all = ['0: 1 a', '1: 2 b', '0: 3 c', '0: 5 tie', '0: 5 tie two', '1: 5 tie', '1: 6 f'];
  expect(view.slice(0, 10).map(tell)).toEqual(all);
  expect(view.slice(2, 3).map(tell)).toEqual(all.slice(2, 5));
  expect(view.slice(5, 9).map(tell)).toEqual(all.slice(5));
  expect(view.slice(7, 1)).toEqual([]);
  expect(view.slice(-1, 2).map(tell)).toEqual(all.slice(0, 1));
  expect([0, 1, 4, 5, 7, 99].map(index => view.offsetsAt(index))).toEqual([
    [0, 0],
    [1, 0],
    [3, 1],
    [4, 1],
    [4, 3],
    [4, 3],
  ]);
  expect([-1, 0, 1, 3, 5, 6, 7].map(view.timeAt)).toEqual(
    [undefined, 1, 2, 5, 5, 6, undefined].map(count => count && nanos(count)),
  );
  expect([0, 3, 5, 6, 7].map(count => view.indexAtOrAfter(nanos(count)))).toEqual([0, 2, 3, 6, 7]);
});

test('a view of one buffer answers as the buffer does', () => {
  const view = mergeBuffers([bufferOf('1 a', '2 b')]);
  expect(view.slice(0, 5).map(tell)).toEqual(['0: 1 a', '0: 2 b']);
  expect([-1, 1, 9].map(index => view.offsetsAt(index))).toEqual([[0], [1], [2]]);
  expect([-1, 0, 1, 2].map(view.timeAt)).toEqual([undefined, nanos(1), nanos(2), undefined]);
  expect([0, 2, 3].map(count => view.indexAtOrAfter(nanos(count)))).toEqual([0, 1, 2]);
  expect(view.lists.map(list => list.offsetsIn(0))).toEqual([undefined]);
});

test('an entry that is no longer held is where the first entry later than it is', () => {
  // Each line takes 45 bytes: the first two of the first buffer leave.
  const small = take(take(createBranchLog(3 * 45), '2 bb', '4 dd', '6 ff'), '4 dd', '6 ff', '8 hh', '9 ii');
  const view = mergeBuffers([small.buffer, bufferOf('1 a', '3 c', '5 e')]);
  expect(view.slice(0, 9).map(tell)).toEqual(['1: 1 a', '1: 3 c', '1: 5 e', '0: 6 ff', '0: 8 hh', '0: 9 ii']);
  expect(view.indexOf({source: 0, id: 1, at: nanos(2)})).toBe(1);
  expect(view.indexOf({source: 0, id: 2, at: nanos(4)})).toBe(2);
});

/** Few times, so that many entries share one. */
const arbitraryTexts = fc
  .array(fc.tuple(fc.integer({min: 1, max: 40}), fc.constantFrom('a', 'b', 'c')), {maxLength: 60, size: 'max'})
  .map(lines => lines.toSorted(([a], [b]) => a - b).map(([at, text]) => `${at} ${text}`));

test('every index, slice, time and entry is where sorting all entries would put it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(arbitraryTexts, {minLength: 1, maxLength: 3}), {minLength: 1, maxLength: 8}),
      fc.nat(500),
      fc.nat(20),
      (branches, from, count) => {
        const buffers = branches.map(
          windows => windows.reduce((log, window) => take(log, ...window), createBranchLog(1e9)).buffer,
        );
        const view = mergeBuffers(buffers);
        // Sorting is stable, so entries of one time stay in the order of their buffers.
        const sorted = buffers
          .flatMap((buffer, source) =>
            mergeBuffers([buffer])
              .slice(0, buffer.entryCount)
              .map(({entry}) => ({source, entry})),
          )
          .toSorted((a, b) => Number(a.entry.at - b.entry.at));
        expect(view.entryCount).toBe(sorted.length);
        expect(view.slice(from, count)).toEqual(sorted.slice(from, from + count));
        const before = sorted.slice(0, from);
        expect(view.offsetsAt(from)).toEqual(
          buffers.map((_, source) => before.filter(each => each.source === source).length),
        );
        expect(sorted.map(each => view.indexOf(anchorOf(each)))).toEqual(sorted.map((_, index) => index));
        const at = nanos(from % 45);
        expect(view.indexAtOrAfter(at)).toBe(sorted.filter(({entry}) => entry.at < at).length);
      },
    ),
    {numRuns: runsOf(120)},
  );
});

/** A buffer that counts how often a chunk is looked at; each step of a binary search does so at least once. */
const countLooks = (buffer: LineBuffer, look: () => void): LineBuffer => {
  const watched = <T extends object>(list: T): T =>
    new Proxy(list, {
      get: (target, key) => {
        look();
        return Reflect.get(target, key);
      },
    });
  return {...buffer, chunks: watched(buffer.chunks), starts: watched(buffer.starts)};
};

const linesAt = (count: number, stepNanos: number, offset: number): readonly string[] =>
  Array.from({length: count}, (_, index) => `${offset + index * stepNanos} line ${index}`);

const looksOfAKey = (lineCount: number): number => {
  let looks = 0;
  const buffers = [linesAt(lineCount, 200, 1), linesAt(lineCount, 300, 2)].map(texts =>
    countLooks(takeAll(createBranchLog(1e9), texts).buffer, () => {
      looks += 1;
    }),
  );
  const view = mergeBuffers(buffers);
  const middle = scrollBy(following, view, oneRowPane(20), -lineCount);
  looks = 0;
  const up = scrollBy(middle, view, oneRowPane(20), -1);
  expect(visibleEntries(up, view, oneRowPane(20))).toHaveLength(20);
  const cost = looks;
  expect(topIndex(up, view, oneRowPane(20))).toBe(lineCount - 21);
  return cost;
};

test('a key in the middle of the log costs binary searches, not what is held', () => {
  // Sixty-four times the lines: each search has six more steps, and there are six more of them.
  expect(looksOfAKey(2000)).toBeLessThan(600);
  expect(looksOfAKey(128_000)).toBeLessThan(1600);
});

test('a view of no buffers is empty', () => {
  const view = mergeBuffers([]);
  expect([view.entryCount, view.slice(0, 5), view.timeAt(0), view.offsetsAt(0)]).toEqual([0, [], undefined, []]);
});
