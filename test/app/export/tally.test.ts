import {expect, test} from 'vitest';
import {createTally} from '../../../src/app/export/tally.ts';
import type {LineEntry} from '../../../src/log/line/entry.ts';
import type {SourceName} from '../../../src/log/line/source-name.ts';

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
