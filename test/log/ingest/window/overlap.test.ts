import fc from 'fast-check';
import {expect, test} from 'vitest';
import {findOverlap} from '#log/ingest/window/overlap.ts';
import {finishWork} from '#log/work.ts';
import {pausesIn} from '../../pauses-in.ts';

test.each([
  {before: 'abcde', now: 'cdefg', overlap: 3},
  {before: 'abc', now: 'abc', overlap: 3},
  {before: 'abc', now: 'abcd', overlap: 3},
  {before: 'abc', now: 'bc', overlap: 2},
  {before: 'abc', now: 'def', overlap: 0},
  {before: 'abc', now: 'abd', overlap: 0},
  {before: 'abc', now: 'xabc', overlap: 0},
  {before: '', now: 'abc', overlap: 0},
  {before: 'abc', now: '', overlap: 0},
  {before: 'aaaa', now: 'aaab', overlap: 3},
  {before: 'aaa', now: 'aaaaa', overlap: 3},
  {before: 'abab', now: 'ababx', overlap: 4},
  {before: 'xabaab', now: 'abaabaab', overlap: 5},
  {before: 'aab', now: 'aaab', overlap: 0},
])('the end of $before stands at the front of $now with $overlap lines', ({before, now, overlap}) => {
  expect(finishWork(findOverlap([...before], [...now]))).toBe(overlap);
});

test('it is the longest run of all, whatever repeats', () => {
  const lines = fc.array(fc.constantFrom('a', 'b'), {minLength: 0, maxLength: 60, size: 'max'});
  fc.assert(
    fc.property(lines, lines, lines, (before, shared, now) => {
      const [first, second] = [
        [...before, ...shared],
        [...shared, ...now],
      ];
      const lengths = Array.from({length: Math.min(first.length, second.length) + 1}, (_, length) => length);
      const longest = lengths.findLast(
        length => first.slice(first.length - length).join() === second.slice(0, length).join(),
      );
      expect(finishWork(findOverlap(first, second))).toBe(longest);
    }),
    {numRuns: 1000},
  );
});

test('looking for it pauses each 512 lines', () => {
  const lines = (count: number, text: string) => Array.from({length: count}, () => text);
  // The first line is in the 513th place: everything before it is looked through, then one line is compared.
  expect(pausesIn(findOverlap([...lines(512, 'a'), 'b'], ['b', ...lines(600, 'c')]))).toEqual({pauses: 1, result: 1});
  // Where it is in many places, both windows are gone through.
  const repeated = [...lines(1023, 'a'), 'b'];
  expect(pausesIn(findOverlap(repeated, lines(1024, 'a')))).toMatchObject({result: 0});
  expect(pausesIn(findOverlap(repeated, lines(1024, 'a'))).pauses).toBeGreaterThanOrEqual(4);
});
