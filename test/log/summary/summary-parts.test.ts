import {expect, test} from 'vitest';
import {selectEntries} from '#log/buffer/select-entries.ts';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {
  addPart,
  countEntries,
  createSummary,
  finishSummary,
  partsOf,
  type SummaryResult,
  type ViewRange,
} from '#log/summary/summary.ts';
import {mergeBuffers, viewList} from '#log/view/log-view.ts';
import {writtenLog} from '../sourced-lines.ts';

/** A head and rows of its trace, over more than a chunk. */
const traceLength = 700;
const textOf = (index: number): string =>
  index % traceLength === 0 ? `ERROR number ${index} failed` : `    at step${index} (index.js:1)`;

const logOf = (from: number, to: number, text = textOf): BranchLog => {
  const lines = Array.from(
    {length: to - from},
    (_, index) =>
      `${new Date(Date.UTC(2026, 10, 21, 14) + (from + index) * 10).toISOString().slice(0, -1)}000000Z ${text(from + index)}`,
  );
  return takeWindow(createBranchLog(1e9), {lines, pods: []}).log;
};

const sumUp = (logs: readonly BranchLog[], range?: ViewRange): SummaryResult => {
  const summary = createSummary();
  const parts = partsOf(mergeBuffers(logs.map(({buffer}) => buffer)), range);
  for (const part of parts) {
    addPart(summary, part);
  }
  return finishSummary(summary, 10);
};

test('an error counts once with all rows of its trace, in the next chunk as well', () => {
  const {levels, shapes} = sumUp([logOf(0, 1000)]);
  expect([...levels]).toEqual([['error', 2]]);
  expect(shapes.rows.map(({key, count}) => [key, count])).toEqual([['ERROR number ‹n› failed', 2]]);
});

test('what is picked is counted alone, wherever it lies among the chunks', () => {
  const logs = [logOf(0, 3000, index => `INFO a ${index}`)];
  for (const range of [
    {first: 0, last: 0},
    {first: 10, last: 20},
    {first: 500, last: 1600},
    {first: 2999, last: 2999},
  ]) {
    const {lineCount, firstAt, lastAt} = sumUp(logs, range);
    const view = mergeBuffers(logs.map(({buffer}) => buffer));
    expect(lineCount).toBe(range.last - range.first + 1);
    expect([firstAt, lastAt]).toEqual([range.first, range.last].map(index => view.slice(index, 1)[0]?.entry.at));
  }
});

test('of several logs the newest parts come first, and a range is of all of them', () => {
  const logs = [logOf(0, 2000, index => `INFO a ${index}`), logOf(1000, 3000, index => `INFO b ${index}`)];
  const view = mergeBuffers(logs.map(({buffer}) => buffer));
  const times = partsOf(view).map(({chunk}) => chunk.lastAt);
  expect(times).toEqual(times.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
  expect(partsOf(view).reduce((sum, part) => sum + countEntries(part), 0)).toBe(4000);
  const {lineCount, shapes} = sumUp(logs, {first: 1000, last: 2999});
  expect(lineCount).toBe(2000);
  expect(new Map(shapes.rows.map(({key, count}) => [key, count]))).toEqual(
    new Map([
      ['INFO a ‹n›', 1000],
      ['INFO b ‹n›', 1000],
    ]),
  );
});

test('of a view that a filter cuts, what it shows is counted', () => {
  const {buffer} = logOf(0, 1000, index => `INFO a ${index}`);
  const offsets = buffer.chunks.map((_, index) => Uint16Array.from(index === 0 ? [1, 5, 9] : [0, 2]));
  const view = viewList(selectEntries(buffer, offsets));
  const counted = (range?: ViewRange) =>
    partsOf(view, range).map(part => [countEntries(part), ...(part.offsets ?? [])]);
  expect(counted()).toEqual([
    [2, 0, 2],
    [3, 1, 5, 9],
  ]);
  expect(counted({first: 1, last: 3})).toEqual([
    [1, 0],
    [2, 5, 9],
  ]);
  expect(counted({first: 2, last: 2})).toEqual([[1, 9]]);
  const summary = createSummary();
  for (const part of partsOf(view, {first: 1, last: 3})) {
    addPart(summary, part);
  }
  expect([summary.lineCount, summary.levels.get('info')]).toEqual([3, 3]);
});

test('markers are not counted, and who wrote an error is', () => {
  const buffer = writtenLog({text: 'ERROR a', source: {pod: 'web'}}, {}, {text: 'INFO b'});
  const summary = createSummary();
  for (const part of partsOf(mergeBuffers([buffer]))) {
    addPart(summary, part);
  }
  const {lineCount, sources} = finishSummary(summary, 9);
  expect([lineCount, sources.rows.map(({key}) => key)]).toEqual([2, ['["web",null,null]']]);
});
