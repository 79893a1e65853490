import {expect, test} from 'vitest';
import {type LaidLine, leavesOut, mapSpans} from '#log/reading/laid-row.ts';

/** A row of parts of a received text, each at its place there; what is ours has none. */
const rowOf = (...parts: readonly (readonly [text: string, start?: number, end?: number])[]): LaidLine => {
  let at = 0;
  const pieces = parts.map(([text, start = 0, end = 0]) => {
    const piece = {at, text, start, end, isQuiet: false};
    at += text.length;
    return piece;
  });
  return {text: parts.map(([text]) => text).join(''), pieces};
};

const spans = (...ranges: readonly (readonly [start: number, end: number])[]) =>
  ranges.map(([start, end]) => ({start, end}));

const received = 'GET /cart 502 slow';
const moved = rowOf(['502', 10, 13], ['  '], ['/cart', 4, 9], [' '], ['GET', 0, 3]);

test('a part of a piece is at the same place in it, and a span over several pieces becomes several', () => {
  expect(mapSpans(received, moved, spans([5, 7]))).toEqual(spans([6, 8]));
  expect(mapSpans(received, moved, spans([2, 12]))).toEqual(spans([0, 2], [5, 10], [13, 14]));
  expect(mapSpans(received, moved, spans([0, 3], [4, 5], [5, 6], [10, 18]))).toEqual(
    spans([0, 3], [5, 6], [6, 7], [11, 14]),
  );
});

test('a span keeps what else it says', () => {
  expect(mapSpans(received, moved, [{start: 10, end: 11, isCurrent: true}])).toEqual([
    {start: 0, end: 1, isCurrent: true},
  ]);
});

test('what only touches a piece is not in it', () => {
  expect(mapSpans(received, moved, spans([3, 4], [9, 10], [13, 18]))).toEqual([]);
  expect(leavesOut(moved, {start: 3, end: 4})).toBe(true);
  expect(leavesOut(moved, {start: 13, end: 18})).toBe(true);
  expect(leavesOut(moved, {start: 2, end: 4})).toBe(false);
  expect(leavesOut(moved, {start: 3, end: 5})).toBe(false);
  expect(leavesOut(moved, {start: 14, end: 14})).toBe(false);
});

test('in a piece that is written differently a span is at the same words, or over the whole', () => {
  const row = rowOf(['took '], ['1,312', 0, 4], [' B']);
  expect(mapSpans('1312', row, spans([1, 4]))).toEqual(spans([7, 10]));
  expect(mapSpans('1312', row, spans([0, 4]))).toEqual(spans([5, 10]));
  expect(mapSpans('1312', row, spans([0, 1], [1, 3]))).toEqual(spans([5, 6], [7, 9]));
  expect(mapSpans('a\u0000b', rowOf(['a␀b', 0, 3]), spans([2, 3], [1, 2]))).toEqual(spans([2, 3]));
});

test('the same words are found one after another', () => {
  const text = String.raw`ab\tab\tab`;
  const row = rowOf(['- '], ['ab ab ab', 0, text.length]);
  expect(mapSpans(text, row, spans([0, 2], [4, 6], [8, 10]))).toEqual(spans([2, 4], [5, 7], [8, 10]));
  // There is no fourth one, and over the whole it would lie on the others.
  expect(mapSpans(text, row, spans([0, 2], [0, 2], [0, 2], [0, 2]))).toEqual(spans([2, 4], [5, 7], [8, 10]));
});
