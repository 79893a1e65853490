import {expect, test} from 'vitest';
import {beginsInsideLine} from '#log/ingest/window/grow-lines.ts';
import {readWindow} from '#log/window/window-line.ts';
import {finishWork} from '#log/work.ts';
import {line} from '../../simulation/lines-at.ts';

const before = finishWork(readWindow(['1 GET /index', '2 GET /style', '3 end'].map(line), () => []));
const fragment = 'ET /index';

test.each([
  {what: 'the end of a line, and the line after it', lines: [fragment, line('2 GET /style')], expected: true},
  {what: 'the end of a line, and another line', lines: [fragment, line('3 end')], expected: false},
  {what: 'a whole line', lines: [line('1 GET /index'), line('2 GET /style')], expected: false},
  {what: 'a text that ends no line', lines: ['other', line('2 GET /style')], expected: false},
  {
    what: 'a piece of a timestamp, whatever follows',
    lines: [line('1 GET /index').slice(12), line('8 new')],
    expected: true,
  },
  {
    what: 'a piece of a timestamp that had more decimals',
    lines: ['02:00Z GET /index', '2026-11-21T14:02:00Z new'],
    expected: true,
  },
  {
    what: 'a piece of a timestamp that had fewer decimals',
    lines: ['.00000000100Z GET /index', '2026-11-21T14:02:00Z new'],
    expected: true,
  },
  {
    what: 'a piece of the seconds in a timestamp',
    lines: ['0.000000001Z GET /index', line('8 new')],
    expected: true,
  },
  {
    what: 'a piece of another timestamp',
    lines: ['02:01Z GET /index', '2026-11-21T14:02:00Z new'],
    expected: false,
  },
  {
    what: 'the end of a line, and the line after it with other decimals',
    lines: [fragment, '2026-11-21T14:02:00Z GET /style'],
    expected: true,
  },
  {what: 'a fragment alone', lines: [fragment], expected: false},
  {what: 'nothing', lines: [], expected: false},
  {what: 'a whole text, without its space', lines: ['GET /index', line('8 new')], expected: false},
  {what: 'a whole text with the space before it', lines: [' GET /index', line('8 new')], expected: false},
  {what: 'a whole text with one letter of its timestamp', lines: ['Z GET /index', line('8 new')], expected: true},
  {
    what: 'the rest of a character, and the end of a line after it',
    lines: [`\uFFFD\uFFFD${fragment}`, line('2 GET /style')],
    expected: true,
  },
  {
    what: 'the rest of a character, and what ends no line',
    lines: ['\uFFFD other', line('2 GET /style')],
    expected: false,
  },
])('a window that begins with $what: $expected', ({lines, expected}) => {
  expect(beginsInsideLine([before], lines)).toBe(expected);
});

test('the end of the last line is one unless it is short, or the line after it was shown', () => {
  const fox = finishWork(readWindow(['1 a', '2 the quick brown fox'].map(line), () => []));
  const begins = (...lines: readonly string[]) => beginsInsideLine([fox], lines);
  expect(begins('ck brown fox', line('8 new'))).toBe(true);
  expect(begins('brown fox', line('1 a'))).toBe(false);
  expect(begins('own fox', line('8 new'))).toBe(false);
  // All of its text may be another line, which has no timestamp.
  expect(begins('the quick brown fox', line('8 new'))).toBe(false);
  // Only what came last has nothing after it.
  expect(beginsInsideLine([before, fox], ['ck brown fox', line('8 new')])).toBe(false);
});

test('a fragment that was found in the window before is known again by what follows it', () => {
  const last = finishWork(readWindow(['2 GET /style', '3 end'].map(line), () => [], {fragment}));
  expect(beginsInsideLine([last], [fragment, line('2 GET /style')])).toBe(true);
  expect(beginsInsideLine([last], [fragment, line('3 end')])).toBe(false);
});

test('once a window was seen to begin inside a line, the end of any line that was shown is one', () => {
  const last = finishWork(readWindow(['3 end'].map(line), () => [], {fragment}));
  expect(beginsInsideLine([before], ['style', line('8 new')])).toBe(false);
  expect(beginsInsideLine([last, before], ['style', line('8 new')])).toBe(true);
  expect(beginsInsideLine([last, before], ['other', line('8 new')])).toBe(false);
});

test('a line without a timestamp that was shown whole is no end of one', () => {
  const last = finishWork(readWindow([line('1 a'), 'continued', line('2 b')], () => []));
  expect(beginsInsideLine([last], ['continued', line('2 b')])).toBe(false);
  expect(beginsInsideLine([last], ['tinued', line('2 b')])).toBe(true);
});
