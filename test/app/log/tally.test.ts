import {expect, test} from 'vitest';
import {createTally} from '#app/export/manifest.ts';
import type {LineEntry, SourceName} from '#log/line/entry.ts';

const lineOf = (raw: string, id: number, source?: SourceName): LineEntry => ({
  kind: 'line',
  id,
  at: BigInt(id),
  raw,
  textIndex: 0,
  late: false,
  ...(source && {source}),
});

test('an exception belongs to the error of its own source, also where another source wrote in between', () => {
  const [a, b] = [{pod: 'a'}, {pod: 'b'}];
  const tally = createTally();
  tally.take(
    [
      lineOf('ERROR checkout failed', 0, a),
      lineOf('INFO ready', 1, b),
      lineOf('java.io.IOException: of checkout', 2, a),
      lineOf('java.io.IOException: alone', 3, b),
    ].map(entry => ({source: 0, entry})),
  );
  expect(tally.result().errorCount).toBe(2);
});

test('lines without a source continue those of their branch', () => {
  const tally = createTally();
  tally.take([
    {source: 0, entry: lineOf('ERROR checkout failed', 0)},
    {source: 1, entry: lineOf('INFO ready', 1)},
    {source: 0, entry: lineOf('java.io.IOException: of checkout', 2)},
  ]);
  expect(tally.result().errorCount).toBe(1);
});

test('lines are counted by who wrote them, and not where the service does not say', () => {
  const tally = createTally();
  const php = {pod: 'a', container: 'php'};
  tally.take([
    {source: 0, entry: lineOf('one', 0, php)},
    {source: 0, entry: lineOf('two', 1, {...php})},
    {source: 0, entry: lineOf('three', 2)},
  ]);
  tally.take([{source: 1, entry: lineOf('four', 3, {pod: 'b'})}]);
  const {lineCounts, lineCount, firstAt, lastAt} = tally.result();
  expect([...lineCounts]).toEqual([
    ['["a","php",null]', 2],
    ['["b",null,null]', 1],
  ]);
  expect([lineCount, firstAt, lastAt]).toEqual([4, 0n, 3n]);
});

test('ten thousand markers are kept, and the others counted', () => {
  const markersOf = (count: number) => {
    const tally = createTally();
    tally.take(
      Array.from({length: count}, (_, id) => ({source: 0, entry: {kind: 'quiet', id, at: 1n, since: 0n} as const})),
    );
    const {markers, markersLeftOut, gapCount} = tally.result();
    return [markers.length, markersLeftOut, gapCount];
  };
  expect(markersOf(10_000)).toEqual([10_000, 0, 0]);
  expect(markersOf(10_002)).toEqual([10_000, 2, 0]);
});
