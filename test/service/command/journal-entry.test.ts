import {expect, test} from 'vitest';
import {parseJournalEntry} from '#service/command/journal-entry.ts';

const entryWith = (fields: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({__CURSOR: 's=1;i=2', __REALTIME_TIMESTAMP: '1735689600000001', ...fields});

const linesOf = (fields: Readonly<Record<string, unknown>>) => parseJournalEntry(entryWith(fields))?.lines;

const stamped = (text: string): string => `2025-01-01T00:00:00.000001000Z stdout F ${text}`;

test('an entry is a line with its time in microseconds and its place in the journal', () => {
  expect(parseJournalEntry(entryWith({MESSAGE: 'GET /cart 200', PRIORITY: '6'}))).toEqual({
    cursor: 's=1;i=2',
    lines: [stamped('GET /cart 200')],
    units: [],
    identifier: undefined,
    dropped: undefined,
  });
});

test.each([
  ['several lines', 'a\n  b\r\n\nc', ['a', '  b', '', 'c']],
  ['a newline at its end', 'a\n', ['a']],
  ['nothing', '', ['']],
  ['bytes that are not UTF-8', [0x61, 0xff, 0x0a, 0x62], ['a\ufffd', 'b']],
  ['two messages', ['one', [0x74, 0x77, 0x6f]], ['one', 'two']],
  ['no message', null, []],
])('a message of %s', (_what, message, texts) => {
  expect(linesOf({MESSAGE: message})).toEqual(texts.map(stamped));
});

test('a priority comes back as the prefix that journald took off, where the text tells no level', () => {
  expect(linesOf({MESSAGE: 'no connection\nat x', PRIORITY: '3'})).toEqual(['<3>no connection', 'at x'].map(stamped));
  expect(linesOf({MESSAGE: 'WARN no connection', PRIORITY: '3'})).toEqual([stamped('WARN no connection')]);
  expect(linesOf({MESSAGE: 'connected', PRIORITY: '5'})).toEqual([stamped('connected')]);
});

test('a long line is cut as all lines are', () => {
  expect(linesOf({MESSAGE: 'x'.repeat(70_000)})?.map(line => line.length - stamped('').length)).toEqual([
    65_536, 4_464,
  ]);
});

test.each(['Suppressed 12 messages from shop.service', 'Suppressed 12 messages from /system.slice/shop.service'])(
  'journald says that it dropped messages: %s',
  message => {
    expect(parseJournalEntry(entryWith({MESSAGE: message, MESSAGE_ID: 'a596d6fe7bfa4994828e72309e95d61e'}))).toEqual({
      cursor: 's=1;i=2',
      lines: [],
      units: [],
      identifier: undefined,
      dropped: {unit: 'shop.service', messages: 12},
    });
  },
);

test.each([
  '',
  'null',
  '[]',
  '{"MESSAGE":',
  '-- Boot 6d936b1b --',
  '{"__CURSOR":"s=1","__REALTIME_TIMESTAMP":1}',
  '{"__REALTIME_TIMESTAMP":"1"}',
  '{"__CURSOR":"s=1","__REALTIME_TIMESTAMP":"-1"}',
])('%j is no entry', line => {
  expect(parseJournalEntry(line)).toBeUndefined();
});
