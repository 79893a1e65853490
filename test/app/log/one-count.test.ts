import {expect, test} from 'vitest';
import {createTally} from '#app/export/manifest.ts';
import {addToQueue, emptyQueue, readQueue, sentencesPerTurnMax} from '#app/reader/announce/line-queue.ts';
import {listBuffer} from '#log/buffer/entry-list.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {countErrorsFrom, findError} from '#log/overview/find-in-log.ts';
import {plotStrip} from '#log/overview/strip.ts';
import {addPart, createSummary, finishSummary, partsOf} from '#log/summary/summary.ts';
import {mergeBuffers} from '#log/view/log-view.ts';

const texts = [
  'INFO ready',
  'NOTICE: PHP message: PHP Fatal error:  Uncaught Error: no total in /app/cart.php:42',
  'Stack trace:',
  '#0 /app/index.php(12): Cart->total()',
  '  thrown in /app/cart.php on line 42',
  '10.2.0.7 - - [21/Nov/2026:14:02:11 +0000] "GET /cart HTTP/1.1" 502 157',
  'ERROR:shop.cart:checkout failed',
  'Traceback (most recent call last):',
  '  File "/app/cart.py", line 3, in pay',
  "KeyError: 'total'",
  'WARN slow',
];
const {buffer} = takeWindow(createBranchLog(1e9), {
  lines: texts.map((text, index) => `2026-11-21T14:02:${10 + index}.000000000Z ${text}`),
  pods: [],
}).log;
const view = mergeBuffers([buffer]);

test('three errors with their traces are three errors, wherever errors are counted', () => {
  const summary = createSummary();
  for (const part of partsOf(view)) {
    addPart(summary, part);
  }
  const {levels} = finishSummary(summary, 10);
  expect([...levels]).toEqual([
    ['info', 1],
    ['fatal', 1],
    ['error', 2],
    ['warn', 1],
  ]);
  expect(countErrorsFrom(buffer, 0)).toBe(3);
  expect(plotStrip([listBuffer(buffer)], 20)?.buckets.reduce((sum, {errors}) => sum + errors, 0)).toBe(3);
  const tally = createTally();
  tally.take(view.slice(0, view.entryCount));
  expect(tally.result().errorCount).toBe(3);
  const heard = view.slice(0, view.entryCount).map(({entry}) => ({entry, whose: undefined}));
  // The first ones are read, the others counted.
  const calm = Array.from({length: sentencesPerTurnMax}, () => heard.slice(0, 1)).flat();
  expect(readQueue(addToQueue(emptyQueue, [...calm, ...heard])).sentences.at(-1)).toContain(', 3 errors among them,');
});

test('the jumps go from error to error, past the lines of a trace', () => {
  const found: number[] = [];
  for (let index = findError(view, {fromIndex: -1, direction: 'next'}); index !== undefined; ) {
    found.push(index);
    index = findError(view, {fromIndex: index, direction: 'next'});
  }
  const first = view.slice(0, 1)[0]?.entry.kind === 'line' ? 0 : 1;
  expect(found.map(index => texts[index - first])).toEqual([texts[1], texts[5], texts[6]]);
});
