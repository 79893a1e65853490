import {expect, test} from 'vitest';
import {foldPath, requestShapeOf} from '#log/traits/fold-path.ts';
import {escapePattern, foldText, patternOfShape} from '#log/traits/fold-text.ts';

test.each([
  // Numbers
  ['took 12 ms', 'took ‹n› ms'],
  ['took 1.5 s', 'took ‹n› s'],
  ['version 1.2.3.', 'version ‹n›.'],
  ['at 5.x', 'at ‹n›.x'],
  ['in 0 of 9', 'in ‹n› of ‹n›'],
  ['x -5', 'x ‹n›'],
  ['(-5)', '(‹n›)'],
  ['a-5', 'a-‹n›'],
  ['3-5', '‹n›-‹n›'],
  ['z-5 Z-5', 'z-‹n› Z-‹n›'],
  ['_-5', '_‹n›'],
  ['-5', '‹n›'],
  ['worker12 of 3x4', 'worker‹n› of ‹n›x‹n›'],
  // Ids
  ['id deadbee1', 'id ‹id›'],
  ['id dead be1', 'id dead be‹n›'],
  ['id deadbe1', 'id deadbe‹n›'],
  ['id DEADBEE1', 'id ‹id›'],
  ['id deadbeeg1', 'id deadbeeg‹n›'],
  ['id 12345678', 'id ‹n›'],
  ['id 9f3K2m', 'id ‹id›'],
  ['id 9f3K', 'id ‹n›f‹n›K'],
  ['id 9f3Kx', 'id ‹n›f‹n›Kx'],
  ['id 9fxK2m', 'id ‹id›'],
  ['id log4jxx', 'id log‹n›jxx'],
  ['0x7f and 0X7f', '‹id› and ‹n›X‹n›f'],
  ['1x7f', '‹n›x‹n›f'],
  // UUIDs
  ['u 3fa85f64-5717-4562-b3fc-2c963f66afa6 x', 'u ‹id› x'],
  ['u abcdefab-abcd-abcd-abcd-abcdefabcdef', 'u ‹id›'],
  ['u 3FA85F64-5717-4562-B3FC-2C963F66AFA6', 'u ‹id›'],
  [
    'u 3fa85f64-5717-4562-b3fc-2c963f66afa6z',
    'u ‹id›-‹n›-‹n›-b‹n›fc-‹n›c‹n›f‹n›afa‹n›z'.replace('‹n›c‹n›f‹n›afa‹n›z', '‹id›'),
  ],
  // Addresses
  ['to 10.1.2.3:80', 'to ‹ip›:‹n›'],
  ['to 10.1.2.3.4', 'to ‹n›'],
  ['from fe80::1', 'from ‹ip›'],
  ['from 2001:db8::1', 'from ‹ip›'],
  ['from a:b:c', 'from a:b:c'],
  ['from g:1', 'from g:‹n›'],
  // Times
  ['2026-11-21 14:02:11 x', '‹time› x'],
  ['at 2026-11-21T14:02:11.031Z x', 'at ‹time› x'],
  ['at 2026/11/21', 'at ‹time›'],
  ['at 2026.11.21', 'at ‹time›'],
  ['at 14:02:11,', 'at ‹time›,'],
  ['at 21 Nov 2026 14:02:11', 'at ‹time›'],
  ['at Nov 21 14:02:11 x', 'at ‹time› x'],
  ['at Nop 21 14:02:11', 'at Nop ‹n› ‹time›'],
  ['at nov 21 14:02:11', 'at nov ‹n› ‹time›'],
  ['Sat Nov 21 14:02:11 2026', '‹time›'],
  ['081109 203615 148', '‹time› ‹n›'],
  ['1770000000123 x', '‹time› x'],
  ['x 1770000000123', 'x ‹n›'],
  ['at 2026,11,21', 'at ‹n›,‹n›,‹n›'],
  ['20171223-22:15:29:606|x', '‹time›|x'],
  // What stays
  ['J\\u00f6rg 3', 'J\\u00f6rg ‹n›'],
  ['a\\n3', 'a\\n‹n›'],
  ['a\\n12 b', 'a\\n‹n› b'],
  ['päte 3ö', 'päte ‹n›ö'],
  ['only words', 'only words'],
  ['@ [ ` { / :', '@ [ ` { / :'],
])('%s is folded to %s', (text, shape) => {
  expect(foldText(text)).toBe(shape);
});

test('512 characters are folded, and of more it is told that there are', () => {
  const words = 'word '.repeat(103);
  expect(foldText(words.slice(0, 512))).toBe(words.slice(0, 512));
  expect(foldText(words.slice(0, 513))).toBe(`${words.slice(0, 512)}…`);
  expect(foldText(`${'-'.repeat(511)}12`)).toBe(`${'-'.repeat(510)}‹n›…`);
});

test.each([
  ['/cart/12/items', '/cart/‹n›/items'],
  ['/cart/-12', '/cart/‹n›'],
  ['/12', '/‹n›'],
  ['12', '‹n›'],
  ['/cart/12?page=3', '/cart/‹n›'],
  ['/cart/12#34', '/cart/‹n›'],
  ['/cart/12/', '/cart/‹n›/'],
  ['//12//', '//‹n›//'],
  ['/o/deadbee1', '/o/‹id›'],
  ['/o/DEADBEE1', '/o/‹id›'],
  ['/o/deadbe1', '/o/deadbe1'],
  ['/o/12345678', '/o/‹n›'],
  ['/o/3fa85f64-5717-4562-b3fc-2c963f66afa6', '/o/‹id›'],
  ['/o/a1b2c3', '/o/‹id›'],
  ['/o/1a2b3c', '/o/‹id›'],
  ['/o/a1b2.png', '/o/a1b2.png'],
  ['/o/log4j', '/o/log4j'],
  ['/v2/items', '/v2/items'],
  ['/', '/'],
  ['', ''],
])('the path %s is folded to %s', (path, folded) => {
  expect(foldPath(path)).toBe(folded);
});

test('256 characters of a path are read', () => {
  const path = `/${'x'.repeat(250)}/1234567`;
  expect(foldPath(path)).toBe(`/${'x'.repeat(250)}/‹n›`);
  expect(foldPath(`/${'x'.repeat(300)}`)).toHaveLength(256);
  expect(foldPath(`/${'x'.repeat(254)}?1`)).toBe(`/${'x'.repeat(254)}`);
});

test('a request is known by its method and path', () => {
  expect([requestShapeOf('GET', '/a'), requestShapeOf(undefined, '/a'), requestShapeOf('GET', undefined)]).toEqual([
    'GET /a',
    ' /a',
    '-',
  ]);
});

test('a shape is a pattern that finds what its marks stand for, and the rest as it is', () => {
  const found = (shape: string, text: string): boolean => new RegExp(`^${patternOfShape(shape)}$`).test(text);
  expect(escapePattern('a.b*c(d)[e]{f}|^$+?\\')).toBe('a\\.b\\*c\\(d\\)\\[e\\]\\{f\\}\\|\\^\\$\\+\\?\\\\');
  expect([found('‹n› ms.', '-1.5 ms.'), found('‹n› ms.', '1 msx'), found('‹n›', 'a')]).toEqual([true, false, false]);
  expect([found('‹id›', 'a1b'), found('‹id›', '0x7f'), found('‹id›', '12'), found('‹id›', 'ab')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([found('‹ip›', 'fe80::1'), found('‹ip›', '10.1.2.3'), found('‹name›', 'bob'), found('‹name›', 'a b')]).toEqual(
    [true, true, true, false],
  );
  expect([found('‹time›', 'Nov 21 14:02:11'), found('‹time›', '14:0'), found('‹other›', '‹other›')]).toEqual([
    true,
    false,
    true,
  ]);
});
