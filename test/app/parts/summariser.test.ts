import {expect, test} from 'vitest';
import {type CountedSummary, createSummariser, type SummaryOrder} from '#app/parts/summariser.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {partsOf} from '#log/summary/summary.ts';
import {mergeBuffers} from '#log/view/log-view.ts';

const orderOf = (lineCount: number): SummaryOrder => {
  const lines = Array.from(
    {length: lineCount},
    (_, index) =>
      `${new Date(Date.UTC(2026, 10, 21, 14) + index * 1000).toISOString().slice(0, -1)}000000Z INFO line ${index}`,
  );
  const {log} = takeWindow(createBranchLog(1e9), {lines, pods: []});
  const view = mergeBuffers([log.buffer]);
  return {parts: partsOf(view), entryCount: view.entryCount};
};

/** A summariser whose clock goes on by so much whenever it is read, and whose timers end when the test says so. */
const start = (msPerLook: number) => {
  const told: CountedSummary[] = [];
  let due: (() => void) | undefined;
  let clockMs = 0;
  const summariser = createSummariser({
    setTimer: callback => {
      due = callback;
      return () => {
        due = due === callback ? undefined : due;
      };
    },
    nowMs: () => {
      clockMs += msPerLook;
      return clockMs;
    },
    onCounted: counted => told.push(counted),
  });
  const runSlice = (): boolean => {
    const run = due;
    due = undefined;
    run?.();
    return run !== undefined;
  };
  return {summariser, told, runSlice};
};

const runAll = (runSlice: () => boolean): number => {
  let slices = 0;
  while (runSlice()) {
    slices += 1;
  }
  return slices;
};

test('nothing is read before the first slice, and all of it in slices of a few milliseconds', () => {
  const order = orderOf(5000);
  const {summariser, told, runSlice} = start(1);
  summariser.count(order);
  expect(told).toEqual([]);
  // The clock goes on by a millisecond a part, so a slice has four of them at the most.
  expect(runAll(runSlice)).toBeGreaterThanOrEqual(Math.ceil(order.parts.length / 4));
  expect(told.at(-1)?.readCount).toBe(order.entryCount);
  expect(told.at(-1)?.result.lineCount).toBe(5000);
});

test('it tells how far it is after the first slice, then seldom, and at the end', () => {
  const {summariser, told, runSlice} = start(1);
  summariser.count(orderOf(20_000));
  runSlice();
  expect(told).toHaveLength(1);
  expect(told[0]?.result.lastAt).toBeGreaterThan(told[0]?.result.firstAt ?? 0n);
  const slices = runAll(runSlice);
  expect(slices).toBeGreaterThan(5);
  expect(told).toHaveLength(2);
});

test('one that is begun takes the place of the one before, and nothing comes of one that was cancelled', () => {
  const {summariser, told, runSlice} = start(100);
  const [first, second] = [orderOf(3000), orderOf(2000)];
  summariser.count(first);
  runSlice();
  summariser.count(second);
  runAll(runSlice);
  expect(told.map(({order}) => (order === first ? 1 : 2))).toEqual([1, ...told.slice(1).map(() => 2)]);
  expect(told.at(-1)?.result.lineCount).toBe(2000);
  const before = told.length;
  summariser.count(first);
  summariser.cancel();
  expect(runAll(runSlice)).toBe(0);
  expect(told).toHaveLength(before);
});
