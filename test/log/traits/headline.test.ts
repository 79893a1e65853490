import {describe, expect, test} from 'vitest';
import {chunkEntriesMax} from '#log/buffer/buffer-edit.ts';
import {textsOf} from '#log/buffer/chunk-text.ts';
import {listBuffer} from '#log/buffer/entry-list.ts';
import {selectEntries} from '#log/buffer/select-entries.ts';
import {countErrorsFrom, findError, listedLines} from '#log/overview/find-in-log.ts';
import {followNothing} from '#log/reading/continuation.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {
  areTraitsKnown,
  errorOffsetsOf,
  errorTimesOf,
  isContinuedAt,
  lastHeadRankOf,
  readError,
  readTraits,
  warningOffsetsOf,
} from '#log/traits/line-traits.ts';
import {headlineAt, isInTrace} from '#log/traits/trace.ts';
import {viewList} from '#log/view/log-view.ts';
import {pausesIn} from '../pauses-in.ts';
import {type Written, writtenLog} from '../sourced-lines.ts';

const headlines = (...written: readonly (string | Written)[]): readonly (string | undefined)[] => {
  const [chunk] = writtenLog(...written).chunks;
  const texts = chunk ? textsOf(chunk) : [];
  return texts.map((_, offset) => chunk && headlineAt(chunk, offset, texts));
};

const python = ['Traceback (most recent call last):', '  File "/app/main.py", line 3, in <module>', '    pay()'];

describe('what a line is about', () => {
  test('is what it says', () => {
    expect(headlines('INFO ready', 'ERROR no disk', '\tat a.b(C.java:1)')).toEqual([
      'INFO ready',
      'ERROR no disk',
      '\tat a.b(C.java:1)',
    ]);
    expect(headlines({})).toEqual(['']);
  });

  test('is what ends the trace that it announces', () => {
    expect(headlines(...python, 'ValueError: no such order', 'INFO ready')[0]).toBe('ValueError: no such order');
  });

  test('is not known if that did not come', () => {
    expect(headlines(...python, 'INFO ready')[0]).toBeUndefined();
    expect(headlines(...python)[0]).toBeUndefined();
  });

  test('is said by its own source, past markers and lines of others', () => {
    const [web, db] = [{pod: 'web'}, {pod: 'db'}];
    const lines = [
      ...python.map(text => ({text, source: web})),
      {text: 'INFO in db', source: db},
      {},
      {text: 'ValueError: no such order', source: web},
      {text: 'INFO ready', source: web},
    ];
    expect(headlines(...lines)[0]).toBe('ValueError: no such order');
  });

  test('is looked for in five hundred lines', () => {
    const frames = (count: number) => Array.from({length: count}, () => '    pay()');
    const first = (count: number) => headlines(python[0] ?? '', ...frames(count), 'ValueError: no such order')[0];
    expect([first(498), first(499)]).toEqual(['ValueError: no such order', undefined]);
  });
});

const mixed = writtenLog('INFO a', 'WARN b', 'ERROR c', '\tat d(E.java:1)', {}, 'FATAL e');

test('errors and warnings of a chunk are found by their places and times, without the rows of traces', () => {
  const [chunk] = mixed.chunks;
  expect(chunk && [...errorOffsetsOf(chunk)]).toEqual([2, 5]);
  expect(chunk && [...warningOffsetsOf(chunk)]).toEqual([1, 2, 5]);
  expect(chunk && errorTimesOf(chunk)).toEqual([2n, 5n]);
  const [calm] = writtenLog('INFO a').chunks;
  expect(calm && [...errorOffsetsOf(calm), ...warningOffsetsOf(calm)]).toEqual([]);
});

test('a line is an error by its level, unless it continues another', () => {
  const {follow, isError} = readError(followNothing, 'ERROR no disk');
  expect(isError).toBe(true);
  expect(readError(follow, 'java.io.IOException: of no disk').isError).toBe(false);
  expect(readError(followNothing, 'java.io.IOException: alone').isError).toBe(true);
  expect(readError(followNothing, 'WARN disk').isError).toBe(false);
});

test('errors of a list are those that it shows', () => {
  const list = selectEntries(mixed, [Uint16Array.from([0, 1, 5])]);
  expect([...listedLines(list, 0, 'error')]).toEqual([5]);
  expect([...listedLines(list, 0, 'warn')]).toEqual([1, 5]);
  expect([...listedLines(listBuffer(mixed), 0, 'error')]).toEqual([2, 5]);
  expect([...listedLines(list, 1, 'error')]).toEqual([]);
  const view = viewList(list);
  const find = (fromIndex: number, direction: 'next' | 'previous', levelMin?: 'warn') =>
    findError(view, {fromIndex, direction, ...(levelMin && {levelMin})});
  expect([find(-1, 'next'), find(-1, 'next', 'warn'), find(2, 'next'), find(3, 'next')]).toEqual([
    2,
    1,
    undefined,
    undefined,
  ]);
  expect([find(3, 'previous'), find(2, 'previous', 'warn'), find(0, 'previous'), find(1, 'previous')]).toEqual([
    2,
    1,
    undefined,
    undefined,
  ]);
});

test('errors are counted from a place on, over chunks', () => {
  const long = writtenLog(
    ...Array.from({length: 2 * chunkEntriesMax + 2}, (_, index) =>
      [0, chunkEntriesMax - 1, chunkEntriesMax, 2 * chunkEntriesMax + 1].includes(index) ? 'ERROR a' : `INFO ${index}`,
    ),
  );
  const counts = [0, 1, chunkEntriesMax - 1, chunkEntriesMax, chunkEntriesMax + 1, 2 * chunkEntriesMax + 2];
  expect(counts.map(from => countErrorsFrom(long, from))).toEqual([4, 3, 3, 2, 1, 0]);
});

test('what is known of the heads of a chunk', () => {
  const [web, db] = [{pod: 'web'}, {pod: 'db'}];
  const [chunk] = writtenLog(
    {text: '\tat a(E.java:1)', source: web},
    {text: 'ERROR b', source: web},
    {text: '\tat c(E.java:1)', source: web},
    {text: '\tat d(E.java:1)', source: db},
    {},
  ).chunks;
  expect(chunk && [0, 1, 2, 3, 4].map(offset => isContinuedAt(chunk, offset))).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
  expect(chunk && [web, db, undefined].map(source => lastHeadRankOf(chunk, source))).toEqual([
    levelRank('error'),
    undefined,
    undefined,
  ]);
});

test('traits are read ahead, with a pause after each chunk that was not known', () => {
  const long = writtenLog(...Array.from({length: 2 * chunkEntriesMax + 2}, (_, index) => `INFO ${index}`));
  expect(long.chunks.map(areTraitsKnown)).toEqual([false, false, false]);
  expect(pausesIn(readTraits(long)).pauses).toBe(3);
  expect(long.chunks.map(areTraitsKnown)).toEqual([true, true, true]);
  expect(pausesIn(readTraits(long)).pauses).toBe(0);
});

test('a line is in a trace if it continues another', () => {
  const isIn = (index: number) => isInTrace(mixed, {id: index + 1, at: BigInt(index)});
  expect([2, 3, 5, 99].map(isIn)).toEqual([false, true, false, false]);
});
