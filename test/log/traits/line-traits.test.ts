import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createBuffer, sliceEntries} from '#log/buffer/buffer.ts';
import {openChunk, packChunk} from '#log/buffer/chunk.ts';
import {createSlabWriter} from '#log/buffer/packed.ts';
import {type LineEntry, textOf} from '#log/line/entry.ts';
import {levelOf} from '#log/reading/level.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {continuationsOf, continuedIn, headRanksOf, levelsOf} from '#log/traits/line-traits.ts';
import {runsOf} from '../../support/thorough.ts';
import {isContinuation} from '../line-alone.ts';
import {addWindow, arbitraryEdits} from '../pattern/arbitrary-buffer.ts';

test('lines of stack traces continue the line above, whatever language they are of', () => {
  const trace = [
    '\tat com.example.Order.pay(Order.java:42)',
    '    at processTicksAndRejections (node:internal/process/task_queues:95:5)',
    'at Object.<anonymous> (/app/index.js:1:1)',
    'Caused by: java.net.ConnectException: refused',
    'Suppressed: java.io.IOException',
    '... 23 more',
    '  File "/app/main.py", line 3, in <module>',
    '#0 /var/www/html/index.php(12): Order->pay()',
    'PHP Stack trace:',
    'PHP   1. {main}() /var/www/html/index.php:0',
    'Stack trace:',
    'thrown in /var/www/html/index.php on line 12',
    '}',
    '\x1b[31m    at colour (a.js:1:1)\x1b[0m',
    '',
    '   ',
  ];
  expect(trace.filter(text => !isContinuation(text))).toEqual([]);
  const others = ['#hash tag', 'at', 'attention: x', 'GET / 200', '...', 'Caused by', '} else {', '\x1b[31mred'];
  expect(others.filter(text => isContinuation(text))).toEqual([]);
});

test('levels and continuations are those of each line by itself, while chunks are added to, changed and packed', () => {
  fc.assert(
    fc.property(arbitraryEdits, ({windows, copies, bytesMax}) => {
      let buffer = createBuffer(bytesMax);
      for (const window of windows) {
        buffer = addWindow(buffer, window, copies);
        const entries = sliceEntries(buffer, 0, buffer.entryCount);
        const ranks = entries.map(entry => (entry.kind === 'line' ? levelRank(levelOf(textOf(entry))) : 0));
        expect(buffer.chunks.flatMap(chunk => [...levelsOf(chunk)])).toEqual(ranks);
        expect(buffer.chunks.flatMap(chunk => [...continuationsOf(chunk)])).toEqual(
          entries.map(entry => (entry.kind === 'line' && isContinuation(textOf(entry)) ? 1 : 0)),
        );
      }
    }),
    {numRuns: runsOf(160)},
  );
});

test('no line is looked through twice: neither when lines come after it nor when it is packed', () => {
  let looks = 0;
  const lineOf = (id: number): LineEntry => ({
    kind: 'line',
    id,
    at: BigInt(id),
    get raw() {
      looks += 1;
      return `plain ${id}`;
    },
    textIndex: 0,
    late: false,
  });
  const lines = Array.from({length: 100}, (_, id) => lineOf(id));
  const looksAt = (work: () => unknown): number => {
    looks = 0;
    work();
    return looks;
  };
  const chunk = openChunk(lines);
  const grown = openChunk([...lines, lineOf(100)]);
  const packed = packChunk(grown, createSlabWriter());
  expect(packed.kind).toBe('packed');
  expect(looksAt(() => levelsOf(chunk))).toBe(100);
  expect(looksAt(() => levelsOf(grown))).toBe(1);
  expect(looksAt(() => [levelsOf(chunk), continuationsOf(grown)])).toBe(0);
  expect(levelsOf(packed)).toBe(levelsOf(grown));
  expect(continuationsOf(packed)).toBe(continuationsOf(grown));
});

test('a line continues the line above it of its own source, also where several sources interleave', () => {
  const [a, b] = [{pod: 'a'}, {pod: 'b'}];
  const lines = (
    [
      [a, 'ERROR checkout failed'],
      [b, 'java.io.IOException: b alone'],
      [a, 'java.io.IOException: of checkout'],
      [b, 'INFO ready'],
      [a, '\tat com.example.Cart.pay(Cart.java:12)'],
      [b, '\tbelow ready'],
    ] as const
  ).map(([source, raw], id): LineEntry => ({kind: 'line', id, at: BigInt(id), raw, textIndex: 0, late: false, source}));
  const open = openChunk(lines);
  for (const chunk of [open, packChunk(openChunk([...lines]), createSlabWriter())]) {
    expect([...continuationsOf(chunk)]).toEqual([0, 0, 1, 0, 1, 1]);
    const [error, info] = [levelRank('error'), levelRank('info')];
    expect([...levelsOf(chunk)]).toEqual([error, error, 0, info, 0, 0]);
    expect([...headRanksOf(chunk, () => 0)]).toEqual([error, error, error, info, error, info]);
  }
});

test('the head of a line before its chunk is that of its own source', () => {
  const [a, b] = [{pod: 'a'}, {pod: 'b'}];
  const lines = [a, b, a].map(
    (source, id): LineEntry => ({kind: 'line', id, at: BigInt(id), raw: '\tat x', textIndex: 0, late: false, source}),
  );
  const chunk = openChunk(lines);
  expect(continuedIn(chunk)).toEqual([a, b]);
  expect([...headRanksOf(chunk, source => (source === a ? 5 : 3))]).toEqual([5, 3, 5]);
});
