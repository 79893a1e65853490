import {expect, test} from 'vitest';
import {countLinesFrom} from '#app/words/marker-words.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {instantFromMs} from '#log/line/instant.ts';

/** Lines at whole seconds since 1970, from one number up to another. */
const linesOf = (first: number, last: number): readonly string[] =>
  Array.from(
    {length: last - first + 1},
    (_, index) => `${new Date((first + index) * 1000).toISOString().slice(0, 19)}.000000000Z line ${first + index}`,
  );

test('counts the lines after an index over many chunks, and no marker among them', () => {
  const first = takeWindow(createBranchLog(100_000_000), {lines: linesOf(1, 20_000), pods: []}).log;
  // Past all that was held: the 20,001st entry is a gap.
  const {buffer} = takeWindow(first, {lines: linesOf(30_001, 30_010), pods: []}).log;
  expect(buffer.chunks.length).toBeGreaterThan(2);
  expect(buffer.newestLine?.at).toBe(instantFromMs(30_010_000));
  expect(buffer.entryCount).toBe(20_011);
  expect(countLinesFrom(buffer, 0)).toBe(20_010);
  expect(countLinesFrom(buffer, 1)).toBe(20_009);
  expect(countLinesFrom(buffer, 19_999)).toBe(11);
  expect(countLinesFrom(buffer, 20_000)).toBe(10);
  expect(countLinesFrom(buffer, 20_010)).toBe(1);
  expect(countLinesFrom(buffer, 20_011)).toBe(0);
});
