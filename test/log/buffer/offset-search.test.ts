import {expect, test} from 'vitest';
import {firstIndexWhere} from '#log/buffer/buffer.ts';
import {countBelow, noOffsets, pieceAt, startsOf} from '#log/buffer/offset-search.ts';

test.each([
  [0, 0],
  [1, 0],
  [2, 1],
  [4, 1],
  [5, 2],
  [7, 3],
  [8, 4],
  [99, 4],
])('below %d are %d of the offsets', (offset, count) => {
  expect(countBelow(Uint16Array.from([1, 4, 6, 7]), offset)).toBe(count);
});

test('below anything is none of no offsets', () => {
  expect(countBelow(noOffsets, 5)).toBe(0);
});

test('counts are laid end to end', () => {
  expect(startsOf([3, 0, 2])).toEqual([0, 3, 3, 5]);
  expect(startsOf([])).toEqual([0]);
});

test.each([
  [0, 0],
  [2, 0],
  // An empty piece holds no index.
  [3, 2],
  [4, 2],
  [5, 3],
  [6, 3],
])('index %d is in piece %d', (index, piece) => {
  expect(pieceAt(startsOf([3, 0, 2]), index)).toBe(piece);
});

test('the first index for which something holds is found at any place, with few looks', () => {
  for (let first = 0; first <= 9; first++) {
    expect(firstIndexWhere(9, index => index >= first)).toBe(first);
  }
  let looks = 0;
  firstIndexWhere(1000, index => {
    looks += 1;
    return index >= 700;
  });
  expect(looks).toBeLessThanOrEqual(10);
});
