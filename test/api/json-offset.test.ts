import fc from 'fast-check';
import {expect, test} from 'vitest';
import {findJsonError} from '../../src/api/json-offset.ts';

const accepts = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test.each([
  ['', 0],
  ['  ', 2],
  ['{', 1],
  ['[1,]', 3],
  ['{"a":1,}', 7],
  ['{"a" 1}', 5],
  ['{a:1}', 1],
  ['[1 2]', 3],
  ['[1]x', 3],
  ['nul', 0],
  ['"\\x"', 2],
  ['"\\u12g4"', 5],
  ['"a\nb"', 2],
  ['"abc', 4],
  ['01', 1],
  ['1.', 1],
  ['-', 0],
  ['[}', 1],
  ['{]', 1],
  ['"ü", 1', 4],
])('%j is wrong at byte %i', (text, offset) => {
  expect(findJsonError(Buffer.from(text))).toBe(offset);
});

test('finds nothing wrong with JSON, however deep', () => {
  expect(findJsonError(Buffer.from(' {"a":[1,-0.5e+7,true,false,null,"\\u00e9\\n"],"b":{}} '))).toBeUndefined();
  expect(findJsonError(Buffer.from(`${'['.repeat(300_000)}${']'.repeat(300_000)}`))).toBeUndefined();
});

test('agrees with JSON.parse on what is JSON, for any small damage', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '1',
    '-',
    '.5',
    'e3',
    'true',
    'null',
    ' ',
    '\\',
    'ü',
    '\n',
    '0',
  );
  const soup = fc.array(pieces, {minLength: 0, maxLength: 12, size: 'max'}).map(parts => parts.join(''));
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', 'x', '\\'))
    .map(([json, at, piece]) => {
      const index = at % (json.length + 1);
      return json.slice(0, index) + piece + json.slice(index + 1);
    });
  fc.assert(
    fc.property(fc.oneof(soup, damaged, fc.json()), text => {
      const body = Buffer.from(text);
      const offset = findJsonError(body);
      expect(offset === undefined).toBe(accepts(body.toString('utf8')));
    }),
    {numRuns: 5000},
  );
});

test('a list of strings that is cut anywhere is wrong at its end', () => {
  fc.assert(
    fc.property(fc.array(fc.string({unit: 'binary'})), fc.nat(), (strings, at) => {
      const whole = Buffer.from(JSON.stringify(strings));
      const cut = whole.subarray(0, at % whole.length);
      expect(findJsonError(cut)).toBe(cut.length);
    }),
    {numRuns: 1000},
  );
});
