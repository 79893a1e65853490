import {expect, test} from 'vitest';
import {parsePattern, patternCharsMax, patternFlags} from '#log/pattern/parse-pattern.ts';

const expressionOf = (query: string): RegExp => {
  const pattern = parsePattern(query);
  if ('error' in pattern) {
    throw new Error(pattern.error);
  }
  return new RegExp(pattern.source, patternFlags(pattern));
};

const errorOf = (query: string): string | undefined => {
  const pattern = parsePattern(query);
  return 'error' in pattern ? pattern.error : undefined;
};

test('an upper-case letter that is looked for makes a pattern tell cases apart, and nothing else does', () => {
  const flagsOf = (query: string): string => expressionOf(query).flags;
  expect(
    ['error', 'éà', 're:\\S+\\W\\D\\B', 're:\\p{Lu}x', 're:[\\S\\W]', 're:(?<Name>a)', 're:(?i)ERROR'].map(flagsOf),
  ).toEqual(Array(7).fill('iu'));
  expect(['Error', 'É', 're:E', 're:[A-Z]', 're:\\s+T'].map(flagsOf)).toEqual(Array(5).fill('u'));
});

test('text without the prefix is found as it stands, every sign of it', () => {
  const signs = '^$.*+?()[]{}|\\/-#&,:;<=>@_`~!"%\' ';
  expect(expressionOf(signs).test(`before${signs}after`)).toBe(true);
  expect(expressionOf('a.c').test('abc')).toBe(false);
});

test('what people write in expressions is taken although the strict syntax refuses it', () => {
  expect(expressionOf('re:\\"id\\":\\ [\\"\\d]').test('{"id": "7"}')).toBe(true);
  expect(expressionOf('re:{"level":\\d+}').test('{"level":30}')).toBe(true);
  expect(expressionOf('re:a{2}]').test('aa]')).toBe(true);
  expect(expressionOf('re:^[\\w\\-.]+\\-\\d$').test('web-0.a-1')).toBe(true);
});

test('what is wrong with a pattern is told as a sentence', () => {
  expect(errorOf('re:(a')).toBe("This regular expression can't be used: unterminated group.");
  expect(errorOf('re:[z-a]')).toMatch(/^This regular expression can't be used: range out of order/);
  expect(errorOf('re:\\')).toMatch(/^This regular expression can't be used: /);
  expect(errorOf('re:\\y')).toMatch(/^This regular expression can't be used: invalid/);
  expect([errorOf(''), errorOf('re:'), errorOf('re:(?i)')]).toEqual(Array(3).fill('The pattern is empty.'));
  expect(errorOf('a\nb')).toMatch(/line break/);
  expect(errorOf('x'.repeat(patternCharsMax))).toBeUndefined();
  expect(errorOf('x'.repeat(patternCharsMax + 1))).toMatch(/1000 characters/);
});
