import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createLogBodyReader} from '#api/client/body/log-body-reader.ts';
import {readNewLines} from '#app/log/held-logs.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takingWindow} from '#log/ingest/take-window.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {finishWork, linesPerPause, sortWork, visitEach} from '#log/work.ts';
import {pausesIn} from './pauses-in.ts';
import {line} from './simulation/lines-at.ts';

test('sorting in pieces gives what sorting at once gives, equal items in their order', () => {
  const items = fc.array(fc.nat(9), {minLength: 0, maxLength: 3000, size: 'max'});
  fc.assert(
    fc.property(items, keys => {
      const pairs = keys.map((key, index) => ({key, index}));
      const byKey = (a: {readonly key: number}, b: {readonly key: number}): number => a.key - b.key;
      expect(finishWork(sortWork(pairs, byKey))).toEqual(pairs.toSorted(byKey));
    }),
    {numRuns: 20},
  );
});

const lineCount = 8000;
const orders: Readonly<Record<string, (index: number) => number>> = {
  ordered: index => index,
  'newest first': index => lineCount - index,
  'at one time': () => 1,
};

test.each(Object.entries(orders))(
  'a window of many lines %s is taken with a pause every few hundred',
  (_, secondOf) => {
    const lines = Array.from({length: lineCount}, (_, index) => line(`${secondOf(index)} text ${index}`));
    const data = Buffer.from(JSON.stringify({data: lines, podNamesList: []}));
    expect(pausesIn(createLogBodyReader().read(data)).pauses).toBeGreaterThan(data.length / 100_000);
    const empty = createBranchLog(1e9);
    const {pauses, result} = pausesIn(takingWindow(empty, {lines, pods: []}));
    expect(pauses).toBeGreaterThan((3 * lineCount) / linesPerPause);
    const reading = pausesIn(readNewLines(noShapes, empty.buffer, result.log.buffer));
    expect(reading.pauses).toBe(result.log.buffer.chunks.length);
    const again = Array.from({length: lineCount}, (_, index) => line(`${secondOf(index)} other ${index}`));
    expect(pausesIn(takingWindow(result.log, {lines: again, pods: []})).pauses).toBeGreaterThan(
      (3 * lineCount) / linesPerPause,
    );
  },
);

test('items are visited in order with their indexes, and each 512 is a pause', () => {
  const visited: string[] = [];
  const visits = (count: number) =>
    pausesIn(
      visitEach(
        Array.from({length: count}, (_, index) => `item ${index}`),
        (item, index) => visited.push(`${index}: ${item}`),
      ),
    ).pauses;
  expect([visits(0), visits(2), visits(511), visits(512), visits(1025)]).toEqual([0, 0, 0, 1, 2]);
  expect(visited.slice(0, 2)).toEqual(['0: item 0', '1: item 1']);
});

test('sorting pauses for each piece, and while pieces are merged', () => {
  const pauses = (count: number) =>
    pausesIn(
      sortWork(
        Array.from({length: count}, (_, index) => (index * 7919) % count),
        (a, b) => a - b,
      ),
    ).pauses;
  expect([pauses(0), pauses(1), pauses(512)]).toEqual([0, 1, 1]);
  // Two pieces, then 1,023 items merged; three pieces, merged to two and to one.
  expect([pauses(1023), pauses(1536)]).toEqual([3, 9]);
});
