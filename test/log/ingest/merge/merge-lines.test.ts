import {describe, expect, test} from 'vitest';
import {createBuffer, type LineBuffer, sliceEntries} from '#log/buffer/buffer.ts';
import {AddedRun} from '#log/ingest/added.ts';
import {identityWithin, type MergeInput, mergeLines} from '#log/ingest/merge/merge.ts';
import {readWindow} from '#log/window/window-line.ts';
import type {WindowLines} from '#log/window/window-lines.ts';
import {finishWork} from '#log/work.ts';
import {pausesIn} from '../../pauses-in.ts';
import {line, nanos, short} from '../../simulation/lines-at.ts';

const linesOf = (texts: readonly string[]): WindowLines => finishWork(readWindow(texts.map(line), () => [])).lines;

const merge = (buffer: LineBuffer, texts: readonly string[], more: Partial<MergeInput> = {}) => {
  const {edit, added, tooLate} = finishWork(
    mergeLines({
      ...{buffer, lines: linesOf(texts), knownCount: 0, countSeen: () => 0},
      ...{believedThrough: undefined, anchoredCount: 0, ...more},
    }),
  );
  return {buffer: edit.finish(), added, tooLate};
};

const empty = createBuffer(1e9);
const bufferOf = (...texts: readonly string[]): LineBuffer => merge(empty, texts).buffer;
const held = (buffer: LineBuffer): readonly string[] =>
  sliceEntries(buffer, 0, 99).map(entry => (entry.kind === 'line' ? short(entry.raw) : entry.kind));

test('twenty thousand new lines are not handed out as an array', () => {
  const texts = Array.from({length: 20_000}, (_, index) => `${index + 1} a`);
  const {added} = merge(empty, texts);
  expect([added instanceof AddedRun, added.length, added.at(0)?.id, added.at(-1)?.at]).toEqual([
    true,
    20_000,
    1,
    nanos(20_000),
  ]);
  expect(merge(empty, texts.slice(1)).added).toBeInstanceOf(Array);
});

test('lines have the source that they are known to have, and are late if they are older than the newest', () => {
  const {added} = merge(bufferOf('1 a', '3 c'), ['1 a', '2 b', '3 c', '3 d', '4 e'], {
    sourceOf: ({raw}) => (raw.endsWith('e') ? {pod: 'web'} : undefined),
  });
  expect([...added].map(({raw, late, source}) => [short(raw), late, source?.pod])).toEqual([
    ['2 b', true, undefined],
    ['3 d', false, undefined],
    ['4 e', false, 'web'],
  ]);
});

test('what is known is not merged, but all of one time are', () => {
  const buffer = bufferOf('1 a', '2 b', '2 c');
  expect(
    [...merge(buffer, ['1 a', '1 new', '2 b', '2 c', '2 d'], {knownCount: 4}).added].map(({raw}) => short(raw)),
  ).toEqual(['2 d']);
  expect(merge(buffer, ['1 x', '2 y'], {knownCount: 2}).added).toEqual([]);
});

describe('a new line of a time goes', () => {
  const insert = (before: readonly string[], texts: readonly string[], anchoredCount: number) =>
    held(merge(bufferOf(...before), texts, {anchoredCount}).buffer);

  test('before the next line that is held, where that shows its place', () => {
    expect(insert(['1 a', '1 b', '1 c'], ['1 a', '1 new', '1 b'], 3)).toEqual(['1 a', '1 new', '1 b', '1 c']);
    expect(insert(['1 a', '1 b', '1 c'], ['1 new', '1 a', '1 b'], 0)).toEqual(['1 new', '1 a', '1 b', '1 c']);
  });

  test('to the end, if only a copy follows it, unless the window is known to repeat the last one', () => {
    expect(insert(['1 a', '1 a', '1 b'], ['1 new', '1 a', '1 a'], 0)).toEqual(['1 a', '1 a', '1 b', '1 new']);
    expect(insert(['1 a', '1 a', '1 b'], ['1 new', '1 a', '1 a'], 3)).toEqual(['1 new', '1 a', '1 a', '1 b']);
    // One of the window that is held once is no copy; one that is there twice is.
    expect(insert(['1 a', '1 b'], ['1 new', '1 a', '1 a'], 0)).toEqual(['1 a', '1 b', '1 new', '1 a']);
  });

  test('before one of which the window is known to repeat the place, and no further', () => {
    expect(insert(['1 a', '1 a', '1 b'], ['1 new', '1 a', '1 late', '1 a'], 2)).toEqual([
      '1 new',
      '1 a',
      '1 a',
      '1 b',
      '1 late',
    ]);
  });

  test('in the order of the window, several before one', () => {
    expect(insert(['1 a', '1 z'], ['1 a', '1 m', '1 n', '1 z', '1 y'], 4)).toEqual(['1 a', '1 m', '1 n', '1 z', '1 y']);
  });

  test('after the one before it where two are held the other way round', () => {
    expect(insert(['1 a', '1 b'], ['1 b', '1 new', '1 a'], 3)).toEqual(['1 a', '1 b', '1 new']);
    // The second source is listed first, and held last.
    expect(insert(['1 a', '1 b', '1 y', '1 z'], ['1 y', '1 z', '1 next', '1 a', '1 b', '1 c'], 6)).toEqual([
      ...['1 a', '1 b', '1 y', '1 z', '1 next', '1 c'],
    ]);
    expect(insert(['1 a', '1 y', '1 b', '1 z'], ['1 y', '1 new', '1 z', '1 a', '1 other', '1 b'], 6)).toEqual([
      ...['1 a', '1 y', '1 new', '1 other', '1 b', '1 z'],
    ]);
  });
});

test('below what has left the buffer, only lines that were not handed out are too late', () => {
  const buffer = {...bufferOf('5 e', '6 f'), evictedThrough: nanos(3)};
  const {
    added,
    tooLate,
    buffer: after,
  } = merge(buffer, ['2 a', '2 a', '2 b', '3 c', '4 d', '5 e'], {
    countSeen: ({raw}) => (raw.endsWith('a') ? 1 : raw.endsWith('b') ? 2 : 0),
  });
  expect(tooLate.map(({raw, late}) => [short(raw), late])).toEqual([
    ['2 a', true],
    ['3 c', true],
  ]);
  expect([...added].map(({raw}) => short(raw))).toEqual(['4 d']);
  expect([after.tooLateLines, held(after)]).toEqual([2, ['4 d', '5 e', '6 f']]);
});

test('a time that is not believed makes no newest line', () => {
  const {buffer} = merge(empty, ['1 a', '9 b'], {believedThrough: nanos(5)});
  expect(buffer.newestLine?.at).toBe(nanos(1));
});

test('lines are told apart by their text, and those without a timestamp from all others', () => {
  const identity = (raw: string, textIndex: number) => identityWithin({raw, textIndex});
  expect(identity('x a', 2)).toBe(identity('longer a', 7));
  expect(identity('a', 0)).not.toBe(identity('x a', 2));
});

test('merging pauses each 512 lines that are appended, and at each time that is held', () => {
  const texts = (count: number, from = 1) => Array.from({length: count}, (_, index) => `${index + from} a`);
  const pauses = (buffer: LineBuffer, lines: readonly string[]) =>
    pausesIn(
      mergeLines({
        ...{buffer, lines: linesOf(lines), knownCount: 0, countSeen: () => 0},
        ...{believedThrough: undefined, anchoredCount: 0},
      }),
    ).pauses;
  expect(pauses(empty, texts(1025))).toBe(3);
  expect(pauses(bufferOf(...texts(3)), texts(3))).toBe(3);
  // A thousand lines of one time: two pauses for each of what is done with them.
  const tie = Array.from({length: 1024}, (_, index) => `7 ${index}`);
  expect(pauses(bufferOf('7 other'), tie)).toBeGreaterThanOrEqual(1 + 3 * 2);
  expect(pauses(bufferOf('7 other'), tie)).toBeLessThanOrEqual(1 + 5 * 2);
});
