import {expect, test} from 'vitest';
import {createWatchLines} from '#service/kubernetes/watch/watch-lines.ts';

/** Returns the lines of a body that comes in these pieces, and `too long` for each that was dropped. */
const read = (...pieces: readonly (string | Buffer)[]): readonly string[] => {
  const told: string[] = [];
  const take = createWatchLines(
    line => told.push(line),
    () => told.push('too long'),
  );
  for (const piece of pieces) {
    take(Buffer.from(piece));
  }
  return told;
};

test('a line is whole wherever its bytes are cut, even inside a character', () => {
  const [front, end] = [Buffer.from('"ü"\n').subarray(0, 2), Buffer.from('"ü"\n').subarray(2)];
  expect(read('{"a":', '1}', '\n{"b":2}\n{"c"', ':3}\n', front, end)).toEqual(['{"a":1}', '{"b":2}', '{"c":3}', '"ü"']);
});

test('empty lines are left out, and a line without its end is not given yet', () => {
  expect(read('\n\n1\n\n2')).toEqual(['1']);
});

test('a line of more than 8 MB is told as too long, once, and the next one is read', () => {
  const megabyte = 'x'.repeat(1024 * 1024);
  expect(read(...Array.from({length: 10}, () => megabyte), '\n1\n')).toEqual(['too long', '1']);
});
