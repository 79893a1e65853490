import {describe, expect, test} from 'vitest';
import {createFields, type Flip, settingsIn} from '#log/incident/findings/fields.ts';

/** The flips that so many lines of each text show, a second apart. */
const flipsOf = (...written: readonly (readonly [count: number, text: string])[]): readonly Flip[] => {
  const fields = createFields();
  const lines = written.flatMap(([count, text]) => Array.from({length: count}, () => text));
  for (const [second, text] of lines.entries()) {
    fields.add(settingsIn(text), second, 1000 + second);
  }
  return fields.flips();
};

const named = (flips: readonly Flip[]): readonly string[] =>
  flips.map(({name, before, now}) => `${name} ${before} ${now}`);

test('a setting that changed is told with both values, when, where and how often it was seen since', () => {
  expect(flipsOf([10, 'version=1.41.3 ok'], [3, 'version=1.42.0 ok'])).toEqual([
    {name: 'version', before: '1.41.3', now: '1.42.0', at: 10, place: 1010, count: 3, isClear: true},
  ]);
});

describe('how often it was seen', () => {
  test.each([
    [5, 3, true],
    [4, 3, false],
    [5, 2, false],
  ])('%d times before and %d times after', (before, after, isTold) => {
    expect(flipsOf([before, 'mode=a x'], [after, 'mode=b x'])).toHaveLength(isTold ? 1 : 0);
  });

  test.each([
    [10, true],
    [9, false],
  ])('%d times before it changed is clear: %s', (before, isClear) => {
    expect(flipsOf([before, 'mode=a x'], [3, 'mode=b x'])).toMatchObject([{isClear}]);
  });

  test('after the change four tenths have the new value', () => {
    const since = (news: number, olds: number) =>
      flipsOf([10, 'mode=a x'], [1, 'mode=b x'], [olds, 'mode=a x'], [news - 1, 'mode=b x']);
    expect(since(4, 6)).toMatchObject([{now: 'b', count: 4, isClear: false}]);
    expect(since(4, 7)).toEqual([]);
    // The old value came back after the new one.
    expect(since(4, 1)).toMatchObject([{isClear: false}]);
  });
});

describe('of several values', () => {
  test('the last one that was there before is the one that changed', () => {
    expect(named(flipsOf([5, 'mode=a x'], [5, 'mode=b x'], [5, 'mode=c x']))).toEqual(['mode b c']);
    expect(flipsOf([5, 'mode=a x'], [5, 'mode=b x'], [5, 'mode=c x'])).toMatchObject([{at: 10, isClear: false}]);
  });

  test('four are a setting, five are not', () => {
    const values = (...names: readonly string[]) => flipsOf(...names.map(name => [5, `mode=${name} x`] as const));
    expect(named(values('a', 'b', 'c', 'd'))).toEqual(['mode c d']);
    expect(values('a', 'b', 'c', 'd', 'e')).toEqual([]);
    expect(values('a', 'b', 'c', 'd', 'e', 'f')).toEqual([]);
  });

  test('values that were there by turns do not change', () => {
    const turns = [1, 2, 3, 4, 5].flatMap(() => [[1, 'mode=a x'] as const, [1, 'mode=b x'] as const]);
    expect(flipsOf(...turns, [9, 'mode=c x'])).toEqual([]);
  });
});

test('a value that did not change is none', () => {
  expect(flipsOf([20, 'mode=a x'])).toEqual([]);
});

const change = (before: string, now: string) => named(flipsOf([10, before], [5, now]));

test.each([
  ['mode=a', 'mode=b'],
  ['at start mode=a, done', 'at start mode=b, done'],
  ['{"mode":"a"}', '{"mode":"b"}'],
  ['{"mode": "a", "x": 1}', '{"mode": "b", "x": 1}'],
  ['["mode": "a"]', '["mode": "b"]'],
  ['(mode=a)', '(mode=b)'],
  ['/x?mode=a;', '/x?mode=b;'],
  ['/x&mode=a', '/x&mode=b'],
  ['mode: a', 'mode: b'],
  ['"mode" = "a"', '"mode" = "b"'],
])('a field is read from %s', (before, now) => {
  expect(change(before, now)).toEqual(['mode a b']);
});

test.each([
  ['mode=a!', 'mode=b!'],
  ['xmode==a', 'xmode==b'],
  ['m=a', 'm=b'],
  [`${'x'.repeat(33)}=a`, `${'x'.repeat(33)}=b`],
  [`mode=${'a'.repeat(65)}`, `mode=${'b'.repeat(65)}`],
])('none is read from %s', (before, now) => {
  expect(change(before, now)).toEqual([]);
});

test('names have at most 32 characters, values 64', () => {
  const name = 'x'.repeat(32);
  expect(change(`${name}=a`, `${name}=b`)).toEqual([`${name} a b`]);
  const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
  expect(change(`mode=${a}`, `mode=${b}`)).toEqual([`mode ${a} ${b}`]);
});

test('numbers are measures, unless the name is that of a setting', () => {
  expect([change('total=1', 'total=2'), change('took_x=1.5ms', 'took_x=2.5ms')]).toEqual([[], []]);
  expect(change('replicas_limit=1', 'replicas_limit=2')).toEqual(['replicas_limit 1 2']);
  expect(change('poolsize=1', 'poolsize=2')).toEqual(['poolsize 1 2']);
  expect(change('sizes=1', 'sizes=2')).toEqual([]);
  expect(change('shard=1', 'shard=2')).toEqual(['shard 1 2']);
});

test('dates, and what every line has, are no settings', () => {
  expect(change('valid=2026-11-21', 'valid=2026-11-22')).toEqual([]);
  expect(change('level=info', 'level=error')).toEqual([]);
});

test('two hundred fields are looked at', () => {
  const fields = createFields();
  const write = (value: string): void => {
    for (let index = 0; index < 201; index++) {
      fields.add(settingsIn(`field_${index}=${value}`), 1, 1);
    }
  };
  for (const value of ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'b']) {
    write(value);
  }
  const flips = fields.flips();
  expect([flips.length, flips.at(-1)?.name]).toEqual([200, 'field_199']);
});
