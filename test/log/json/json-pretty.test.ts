import fc from 'fast-check';
import {expect, test} from 'vitest';
import {formatJsonPretty} from '../../../src/log/json/format-pretty.ts';
import {walkJson} from '../../../src/log/json/walk-json.ts';

test('every name, copy, order and number stays as it was written', () => {
  expect(formatJsonPretty('{"b":12345678901234567890,"a":[1.50,-0,1E+5,{"c":null}],"b":"x","e":{},"f":[]}')).toEqual([
    '{',
    '  "b": 12345678901234567890,',
    '  "a": [',
    '    1.50,',
    '    -0,',
    '    1E+5,',
    '    {',
    '      "c": null',
    '    }',
    '  ],',
    '  "b": "x",',
    '  "e": {},',
    '  "f": []',
    '}',
  ]);
});

test('what stands before and after a record has rows of its own', () => {
  expect(formatJsonPretty('[x] app.ERROR: it failed {"a":1} []')).toEqual([
    '[x] app.ERROR: it failed',
    '{',
    '  "a": 1',
    '}',
    '[]',
  ]);
});

test('a trace in a string reads as one', () => {
  expect(formatJsonPretty('{"stack":"Error: x\\n  at a\\n  at b\\n","n":1}')).toEqual([
    '{',
    '  "stack": "Error: x\\n',
    '      at a\\n',
    '      at b\\n",',
    '  "n": 1',
    '}',
  ]);
});

test('an escaped backslash before an n ends no row', () => {
  expect(formatJsonPretty('{"a":"C:\\\\new x"}')).toEqual(['{', '  "a": "C:\\\\new x"', '}']);
});

test('characters escaped for ASCII show as themselves, those that cannot be drawn stay escaped', () => {
  expect(formatJsonPretty('{"a":"J\\u00F6rg \\ud83d\\ude00 \\u202e \\u001b[31m \\ud83d \\\\u00f6"}')).toEqual([
    '{',
    '  "a": "Jörg 😀 \\u202e \\u001b[31m \\ud83d \\\\u00f6"',
    '}',
  ]);
});

test('2,000 rows are shown, and how many are left', () => {
  const rows = formatJsonPretty(`{"a":[${Array.from({length: 3000}, (_, index) => index).join(',')}]}`) ?? [];
  expect(rows.length).toBe(2001);
  expect(rows[1999]).toBe('    1997,');
  expect(rows.at(-1)).toBe('… 1004 more rows');
});

test('no record, no rows', () => {
  for (const text of ['', 'x', '{"a":1', '{"a":tru}', '{"a" 1}', '{"a":[1,]}', `{"a":"${'x'.repeat(300_000)}"}`]) {
    expect(formatJsonPretty(text)).toBeUndefined();
  }
});

test('nesting without end is no record, and no trouble', () => {
  expect(formatJsonPretty(`${'{"a":'.repeat(50_000)}`)).toBeUndefined();
  expect(formatJsonPretty(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`)).toBeUndefined();
  expect(formatJsonPretty(`${'{"a":'.repeat(90)}1${'}'.repeat(90)}`)?.length).toBe(181);
});

const ignored = {onOpen() {}, onClose() {}, onKey() {}, onScalar() {}};
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** A document, and one in which a character was taken out, doubled or replaced. */
const spoilt = fc
  .tuple(
    fc.json({maxDepth: 4}),
    fc.nat(),
    fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', '0', ' ', '\n', 'e'),
  )
  .map(([text, at, sign]) => {
    const index = at % (text.length + 1);
    return text.slice(0, index) + sign + text.slice(index + 1);
  });

test('what is JSON is decided as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json({maxDepth: 4}), spoilt), text => {
      const end = walkJson(text, 0, ignored);
      const isWhole = end >= 0 && /^[ \t\r\n]*$/.test(text.slice(end));
      expect(isWhole).toBe(isJson(text));
    }),
  );
});

const printable = fc.string({unit: fc.constantFrom(...'abc "\\{}[]:,0')});

test('the rows of a record are the same record', () => {
  fc.assert(
    fc.property(fc.dictionary(printable, fc.jsonValue({stringUnit: fc.constantFrom(...'ab"\\{},')})), record => {
      const text = JSON.stringify(record);
      const rows = formatJsonPretty(text);
      expect(rows === undefined ? undefined : JSON.parse(rows.join('\n'))).toEqual(JSON.parse(text));
    }),
  );
});
