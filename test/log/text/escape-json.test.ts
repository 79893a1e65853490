import fc from 'fast-check';
import {expect, test} from 'vitest';
import {stringifySafe} from '#log/text/escape-json.ts';
import {anyCharacter} from '../../support/any-character.ts';

test('controls, DEL, C1, bidi controls, separators and lone surrogates are written as four hex digits', () => {
  expect(stringifySafe('\0\b\t\n\f\r\x1b')).toBe('"\\u0000\\u0008\\u0009\\u000a\\u000c\\u000d\\u001b"');
  expect(stringifySafe('\x7f\x80\x9b')).toBe('"\\u007f\\u0080\\u009b"');
  expect(stringifySafe('\u061c\u200e\u200f\u202a\u202e\u2066\u2069')).toBe(
    '"\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069"',
  );
  expect(stringifySafe('\u2028\u2029\ud800x')).toBe('"\\u2028\\u2029\\ud800x"');
});

test('what is drawn as nothing is written as hex digits: zero-width characters, soft hyphens, tags', () => {
  expect(stringifySafe('a\u200bb\u00ad\ufeff\u2060\u3164')).toBe('"a\\u200bb\\u00ad\\ufeff\\u2060\\u3164"');
  expect(stringifySafe('\u{e0041}')).toBe('"\\udb40\\udc41"');
});

test('everything else stays as it is', () => {
  expect(stringifySafe({kind: 'line', text: 'é 日 😀 "q" \\n \\\\t'})).toBe(
    '{"kind":"line","text":"é 日 😀 \\"q\\" \\\\n \\\\\\\\t"}',
  );
  expect(stringifySafe([1, null, true, {}])).toBe('[1,null,true,{}]');
});

test('keys are escaped too', () => {
  expect(stringifySafe({'\x1b[2J\n': 1})).toBe('{"\\u001b[2J\\u000a":1}');
});

test('what JSON has no word for is null', () => {
  expect([stringifySafe(undefined), stringifySafe(() => 1), stringifySafe(null)]).toEqual(['null', 'null', 'null']);
});

test('it gives the same value back and holds nothing unsafe', () => {
  const text = fc.oneof(
    fc.string({unit: anyCharacter}),
    fc.constantFrom('\\', '\\n', '\\\n', '\ud800', '\u202e\\t', '\x85"'),
  );
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text)), fc.array(text), (record, list) => {
      const value = [{...record}, list];
      const json = stringifySafe(value);
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(json).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
      expect(json).not.toMatch(/(?<!\\)(?:\\\\)*\\[bfnrt]/);
    }),
    {numRuns: 1200},
  );
});
