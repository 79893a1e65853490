import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseBody} from '#api/client/body/parse-body.ts';
import {finishWork} from '#log/work.ts';
import {anyCharacter} from '../../../support/any-character.ts';
import {runsOf} from '../../../support/thorough.ts';

/** The byte at which a body is said to be no JSON, and its length; undefined if it is JSON. */
const errorOf = (body: Buffer): readonly [number, number] | undefined => {
  try {
    finishWork(parseBody(body, {}, 'HOST'));
    return undefined;
  } catch (error) {
    const [, byte, length] =
      /^the response from HOST is not JSON at byte (\d+) of (\d+)$/.exec(String(error).replace(/^\w+: /, '')) ?? [];
    return [Number(byte), Number(length)];
  }
};

const accepts = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test.each([
  ['  ', 2],
  ['{', 1],
  ['[1,]', 3],
  ['{"a":1,}', 7],
  ['{"a" 1}', 5],
  ['{a:1}', 1],
  ['[1 2]', 3],
  ['[1]x', 3],
  ['nul', 0],
  ['"\\x"', 1],
  ['"\\u12g4"', 1],
  ['"\\u12', 5],
  ['["a\\', 4],
  ['"a\nb"', 2],
  ['"abc', 4],
  ['01', 1],
  ['1.', 1],
  ['-', 0],
  ['[}', 1],
  ['{]', 1],
  ['"ü", 1', 4],
])('%j is wrong at byte %i', (text, offset) => {
  expect(errorOf(Buffer.from(text))?.[0]).toBe(offset);
});

test('finds nothing wrong with JSON, however deep', () => {
  expect(errorOf(Buffer.from(' {"a":[1,-0.5e+7,true,false,null,"\\u00e9\\n"],"b":{}} '))).toBeUndefined();
  expect(errorOf(Buffer.from(`${'['.repeat(200_000)}${']'.repeat(200_000)}`))).toBeUndefined();
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
      const error = errorOf(body);
      expect(error === undefined).toBe(accepts(body.toString('utf8')));
      // An empty body and one that looks like HTML are told in other words.
      expect(error === undefined || body.length === 0 || error[0] <= error[1]).toBe(true);
    }),
    {numRuns: runsOf(10000)},
  );
});

test('a list of strings that is cut anywhere is wrong at its end', () => {
  fc.assert(
    fc.property(fc.array(fc.string({unit: anyCharacter})), fc.nat(), (strings, at) => {
      const whole = Buffer.from(JSON.stringify(strings));
      const cut = whole.subarray(0, at % whole.length);
      expect(cut.length === 0 ? [0, 0] : errorOf(cut)).toEqual([cut.length, cut.length]);
    }),
    {numRuns: runsOf(2000)},
  );
});

test('millions of escapes in one string, and any depth, cost no stack', () => {
  const escapes = Buffer.from(`["${'\\n'.repeat(3_000_000)}", x]`);
  expect(errorOf(escapes)).toEqual([6_000_005, 6_000_007]);
  const deep = Buffer.from(`${'['.repeat(200_000)}x`);
  expect(errorOf(deep)).toEqual([200_000, 200_001]);
});
