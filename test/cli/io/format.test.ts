import {expect, test} from 'vitest';
import {formatElapsed, formatTable, splitLine, wrapWords} from '#cli/io/format.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

test.each([
  [-5_000, '0 s'],
  [0, '0 s'],
  [499, '0 s'],
  [500, '1 s'],
  [59_499, '59 s'],
  [59_500, '1 min 0 s'],
  [minute + 5_000, '1 min 5 s'],
  [hour - 1_000, '59 min 59 s'],
  [hour, '1 h 0 min'],
  [hour + 5 * minute + 59_000, '1 h 5 min'],
  [48 * hour - 1_000, '47 h 59 min'],
  [48 * hour, '2 days 0 h'],
  [3 * day + 4 * hour, '3 days 4 h'],
])('%i milliseconds are %s', (ms, words) => {
  expect(formatElapsed(ms)).toBe(words);
});

test('a table has aligned columns, and none of its cells can act on the terminal', () => {
  const rows = [
    [{text: 'a'}, {text: '漢字'}, {text: 'last'}],
    [{text: 'long\u001b[2J'}, {text: ''}, {text: ''}],
  ];
  expect(formatTable(['NAME', 'B', 'C'], rows, undefined)).toBe('NAME   B     C\na      漢字  last\nlong␛\n');
});

test('cells have their tones, and the header its own', () => {
  const theme = (tone: string): string => ({strong: '1', bad: '31'})[tone] ?? '';
  expect(formatTable(['A', 'B'], [[{text: 'x', tone: 'bad'}, {text: 'y'}]], theme as never)).toBe(
    '\u001b[1mA\u001b[0m  \u001b[1mB\u001b[0m\n\u001b[31mx\u001b[0m  y\n',
  );
});

test('a cell has 120 characters', () => {
  const widthOf = (length: number): number =>
    formatTable(['A'], [[{text: 'x'.repeat(length)}]], undefined).split('\n')[1]?.length ?? 0;
  expect([widthOf(119), widthOf(120), widthOf(121)]).toEqual([119, 120, 120]);
});

test.each([
  ['2026-11-22T12:00:00Z a b', '2026-11-22T12:00:00Z', 'a b'],
  ['word a b', 'word', 'a b'],
  ['2026-11-22T12:00:00Z', '2026-11-22T12:00:00Z', ''],
  ['2026-11-22T12:00:00Z ', '2026-11-22T12:00:00Z', ''],
  ['word', '', 'word'],
  [' word', '', ' word'],
  ['', '', ''],
])('%j has the time %j and the text %j', (raw, timestamp, text) => {
  expect(splitLine(raw)).toEqual({timestamp, text});
});

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['one two three', 6, ['one', 'two', 'three']],
  ['longer than', 3, ['longer', 'than']],
  ['one', 10, ['one']],
  ['', 10, ['']],
])('%j in %i columns is %j', (sentence, columns, rows) => {
  expect(wrapWords(sentence, columns)).toEqual(rows);
});
