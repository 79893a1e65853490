import {expect, test} from 'vitest';
import {
  columnsMax,
  filterNameCharsMax,
  filtersMax,
  namedFiltersMax,
  promptCharsMax,
  setNewest,
  waitAtMost,
} from '#base/bounds.ts';
import {errorCodeOf} from '#base/error-code.ts';
import {globPattern} from '#base/glob-pattern.ts';
import {quoteForShell} from '#base/system/find-distrust.ts';

test('of too many entries the oldest is forgotten, and one that is set again is the newest', () => {
  const map = new Map<string, number>();
  expect([setNewest(map, 'a', 1, 2), setNewest(map, 'b', 2, 2), setNewest(map, 'a', 3, 2)]).toEqual(
    Array(3).fill(undefined),
  );
  expect(setNewest(map, 'c', 4, 2)).toBe(2);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
  expect(setNewest(new Map(), 'a', 1, 0)).toBe(1);
});

test.each([
  ['web', 'web', true],
  ['web', 'web-1', false],
  ['web', 'my-web', false],
  ['web*', 'web-1', true],
  ['web**', 'web', true],
  ['*', 'any\nthing', true],
  ['web-?', 'web-1', true],
  ['web-?', 'web-12', false],
  ['web.1', 'webx1', false],
  ['a+(b)[c]{d}|^$\\', 'a+(b)[c]{d}|^$\\', true],
])('the pattern %s matches %j: %s', (pattern, text, matches) => {
  expect(globPattern(pattern).test(text)).toBe(matches);
});

test.each([
  ['a-b_c.d/e,f:g=h+i%j@k', 'a-b_c.d/e,f:g=h+i%j@k'],
  ['a b', "'a b'"],
  ['', "''"],
  ["it's", "'it'\\''s'"],
  ['$HOME', "'$HOME'"],
  ['a;b', "'a;b'"],
])('for a shell, %s is written %s', (argument, quoted) => {
  expect(quoteForShell(argument)).toBe(quoted);
});

test('an error is called by its code', () => {
  expect(errorCodeOf(Object.assign(new Error('x'), {code: 'ENOENT'}))).toBe('ENOENT');
  expect([errorCodeOf(new Error('secret')), errorCodeOf({code: 'ENOENT'}), errorCodeOf(undefined)]).toEqual(
    Array(3).fill('unknown error'),
  );
});

test('work that ends is waited for, work that hangs for a while, and a failure passes', async () => {
  await waitAtMost(Promise.resolve(), 1e6);
  await waitAtMost(new Promise(() => {}), 1);
  await expect(waitAtMost(Promise.reject(new Error('no')), 1e6)).rejects.toThrow('no');
});

test('a view has so many columns and filters, and their names so many characters', () => {
  expect([columnsMax, filtersMax, filterNameCharsMax, namedFiltersMax, promptCharsMax]).toEqual([20, 20, 30, 100, 500]);
});
