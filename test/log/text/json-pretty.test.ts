import fc from 'fast-check';
import {expect, test} from 'vitest';
import {formatJsonPretty} from '#log/text/format-pretty.ts';
import {decodeJsonString, findRecordStart, isRecordEnd} from '#log/text/json-record.ts';
import {walkingJson, walkJson} from '#log/text/walk-json.ts';
import {pausesIn} from '../pauses-in.ts';

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

test('a record begins at the first brace before a name, after a space or a sign, in 512 characters', () => {
  const starts = [
    '{',
    '{"a":1}',
    'x {"a":1}',
    'x{"a":1}',
    'x={ "a":1}',
    '[x]{"a":1}',
    '- >{"a":1}',
    'x {a}',
    'x {a} {"b":1}',
  ];
  expect(starts.map(findRecordStart)).toEqual([0, 0, 2, -1, 2, 3, 3, -1, 6]);
  expect(findRecordStart(`x {${' '.repeat(8)}"a":1}`)).toBe(2);
  expect(findRecordStart(`x {${' '.repeat(9)}"a":1}`)).toBe(-1);
  expect(findRecordStart(`${' '.repeat(510)}{"a":1}`)).toBe(510);
  expect(findRecordStart(`${' '.repeat(511)}{"a":1}`)).toBe(-1);
});

test.each([
  ['', true],
  ['  ', true],
  [' []', true],
  ['{} ', true],
  [' [] {}', false],
  ['x', false],
  [' '.repeat(15), true],
  [' '.repeat(16), false],
])('what is after a record, “%s”, belongs to it: %s', (rest, belongs) => {
  expect(isRecordEnd(`{"a":1}${rest}`, 7)).toBe(belongs);
});

test('a string is decoded', () => {
  expect([decodeJsonString('"ab"'), decodeJsonString('"a\\n\\u00f6"')]).toEqual(['ab', 'a\nö']);
});

/** What a text is walked as, and where it ended. */
const walked = (text: string, depthMax?: number) => {
  const seen: string[] = [];
  const end = walkJson(
    text,
    0,
    {
      onOpen: (isObject, start, isEmpty) => seen.push(`open ${isObject ? '{' : '['}${start}${isEmpty ? ' empty' : ''}`),
      onClose: (isObject, at) => seen.push(`close ${isObject ? '}' : ']'}${at}`),
      onKey: (start, at) => seen.push(`key ${text.slice(start, at)}`),
      onScalar: (start, at) => seen.push(text.slice(start, at)),
    },
    depthMax,
  );
  return {seen, end};
};

test('a text is walked value by value, with places', () => {
  expect(walked(' {"a" : [1, {}, []] , "b":"x"} rest')).toEqual({
    seen: [
      ...['open {1', 'key "a"', 'open [8', '1', 'open {12 empty', 'close }14', 'open [16 empty', 'close ]18'],
      ...['close ]19', 'key "b"', '"x"', 'close }30'],
    ],
    end: 30,
  });
  expect(walked('true x')).toEqual({seen: ['true'], end: 4});
});

test.each([
  ['{"a":tru}', 5],
  ['{"a" 1}', 5],
  ['{a:1}', 1],
  ['{"a":1,}', 7],
  ['{"a":1]', 6],
  ['[1}', 2],
  ['[1', 2],
  ['{"a', 3],
  ['{"a\\', 4],
  ['{"a\\u00', 7],
  ['{"a\\u00x', 3],
  ['{"a\\x"', 3],
  ['{"a\n"', 3],
  ['[01]', 2],
  ['', 0],
])('%j stops being JSON at %d', (text, at) => {
  expect(walked(text).end).toBe(~at);
});

test('nesting is walked to a bound, by default a hundred', () => {
  expect(walked('[[1]]', 2).end).toBe(5);
  expect(walked('[[1]]', 1).end).toBe(~1);
  const nested = (depth: number) => walked(`${'['.repeat(depth)}${']'.repeat(depth)}`).end;
  expect([nested(100), nested(101)]).toEqual([200, ~100]);
});

test('walking pauses each 4,096 values', () => {
  const text = (count: number) => JSON.stringify(Array.from({length: count}, () => 1));
  const pauses = (count: number) => pausesIn(walkingJson(text(count), 0, ignored, 100)).pauses;
  // The list itself is a value.
  expect([pauses(4094), pauses(4095), pauses(8191)]).toEqual([0, 1, 2]);
});

test('an escape is shown as its character from the first letter after controls', () => {
  expect(formatJsonPretty('{"a":"\\u009f \\u00a0 \\u00a1 \\u0041"}')?.[1]).toBe('  "a": "\\u009f \u00a0 ¡ \\u0041"');
});

test('a line of 256 KB is laid out, and no longer one', () => {
  const text = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;
  expect(formatJsonPretty(text(256 * 1024))).toHaveLength(3);
  expect(formatJsonPretty(text(256 * 1024 + 1))).toBeUndefined();
});

test('an escaped line end that is the last of a string has no row after it, others have', () => {
  expect(formatJsonPretty('{"a":"x\\n"}')).toEqual(['{', '  "a": "x\\n"', '}']);
  expect(formatJsonPretty('{"a":"x\\ny"}')).toEqual(['{', '  "a": "x\\n', '    y"', '}']);
  expect(formatJsonPretty('{"l":["x\\ny", {}]}')).toEqual([
    '{',
    '  "l": [',
    '    "x\\n',
    '      y",',
    '    {}',
    '  ]',
    '}',
  ]);
});
