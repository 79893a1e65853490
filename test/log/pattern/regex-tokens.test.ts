import {expect, test} from 'vitest';
import {type RegexToken, readRegexTokens} from '#log/pattern/parse-pattern.ts';

type Kind = RegexToken['kind'];

test.each<readonly [string, Kind]>([
  ['a', 'atom'],
  ['.', 'atom'],
  ['😀', 'atom'],
  ['}', 'atom'],
  [']', 'atom'],
  ['{', 'atom'],
  ['\\', 'atom'],
  ['\\.', 'atom'],
  ['\\0', 'atom'],
  ['\\s', 'atom'],
  ['\\😀', 'atom'],
  ['\\cA', 'atom'],
  ['\\x4f', 'atom'],
  ['\\u00e9', 'atom'],
  ['\\u{1f600}', 'atom'],
  ['\\p{Lu}', 'atom'],
  ['\\P{Lu}', 'atom'],
  ['\\b', 'other'],
  ['\\B', 'other'],
  ['\\1', 'other'],
  ['\\19', 'other'],
  ['\\k<name>', 'other'],
  ['^', 'other'],
  ['$', 'other'],
  ['|', 'other'],
  [')', 'other'],
  ['*', 'other'],
  ['+', 'other'],
  ['?', 'other'],
  ['[', 'other'],
  ['{3}', 'other'],
  ['{3,}', 'other'],
  ['{3,10}', 'other'],
  ['[a-z]', 'class'],
  ['[^\\]]', 'class'],
  ['[]', 'class'],
  ['(', 'group'],
  ['(?:', 'group'],
  ['(?=', 'group'],
  ['(?!', 'group'],
  ['(?<=', 'group'],
  ['(?<!', 'group'],
  ['(?<name>', 'group'],
  ['(?i:', 'group'],
  ['(?i-s:', 'group'],
])('%s is one token: %s', (source, kind) => {
  expect(readRegexTokens(source)).toEqual([{kind, text: source}]);
});

test.each([
  ['a\\d+', ['a', '\\d', '+']],
  ['[a][b]', ['[a]', '[b]']],
  ['[a\\]b]c', ['[a\\]b]', 'c']],
  ['[a', ['[', 'a']],
  ['\\xZ1', ['\\x', 'Z', '1']],
  ['\\u12', ['\\u', '1', '2']],
  ['a{,3}', ['a', '{', ',', '3', '}']],
  ['x{2,5}?', ['x', '{2,5}', '?']],
  ['(?', ['(?']],
  ['(?<=a)', ['(?<=', 'a', ')']],
  ['', []],
])('%s is split', (source, texts) => {
  expect(readRegexTokens(source).map(({text}) => text)).toEqual(texts);
});
