import {expect, test} from 'vitest';
import {takeWindow} from '../../../src/log/answer/take-window.ts';
import {quickBounds, readEvents} from '../../../src/log/incident/read-events.ts';
import {createBranchLog} from '../../../src/log/merge/branch-log.ts';
import {finishWork} from '../../../src/log/work/work.ts';

const startMs = Date.UTC(2026, 10, 21, 14);

/** What a quick look reads of a log of lines a millisecond apart. */
const read = (texts: readonly string[]) => {
  const lines = texts.map(
    (text, index) => `${new Date(startMs + index).toISOString().slice(0, -1)}000000Z level=info msg="${text}"`,
  );
  const {buffer} = takeWindow(createBranchLog(1e9), {lines, pods: [], cut: 'branch'}).log;
  return finishWork(readEvents([buffer], [], quickBounds));
};

/** A name in letters, which no other number has: digits would be one shape. */
const nameOf = (index: number): string =>
  [...String(index)].map(digit => String.fromCharCode(97 + Number(digit))).join('');

test('three thousand different things are kept apart', () => {
  const kept = (count: number): number => read(Array.from({length: count}, (_, index) => nameOf(index))).series.length;
  expect([kept(3_000), kept(3_001)]).toEqual([3_000, 3_000]);
});

test('a quick look reads four thousand lines, or of more every second one', () => {
  const {series, weight} = read(Array<string>(8_000).fill('order stored'));
  expect([series[0]?.seconds.length, weight]).toEqual([4_000, 2]);
});
