import {expect, test} from 'vitest';
import {addToQueue, emptyQueue, sentencesPerTurnMax} from '#app/reader/announce/line-queue.ts';
import type {LineEntry} from '#log/line/entry.ts';

test('of lines that are only counted, an exception belongs to the error of its own source', () => {
  const [a, b] = [{pod: 'a'}, {pod: 'b'}];
  const texts = [
    ...Array.from({length: sentencesPerTurnMax}, () => [b, 'INFO ready'] as const),
    [a, 'ERROR checkout failed'] as const,
    [b, 'INFO ready'] as const,
    [a, 'java.io.IOException: of checkout'] as const,
    [b, 'java.io.IOException: alone'] as const,
  ];
  const heard = texts.map(([source, raw], id) => ({
    entry: {kind: 'line', id, at: BigInt(id), raw, textIndex: 0, late: false, source} satisfies LineEntry,
    whose: undefined,
  }));
  expect(addToQueue(emptyQueue, heard).rest).toMatchObject({lines: 4, errors: 2});
});
