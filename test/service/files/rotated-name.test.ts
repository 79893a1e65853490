import {expect, test} from 'vitest';
import {
  compareRotatedNames,
  findRotatedFrom,
  isCopyName,
  isRotatedFrom,
  parseRotatedName,
} from '#service/files/rotated-files.ts';

test.each([
  ['a.log.1', 'a.log'],
  ['a.log.12.gz', 'a.log'],
  ['a.1.log', 'a.log'],
  ['a.log-20250102', 'a.log'],
  ['a-20250102.log.zst', 'a.log'],
  ['0.log.20250102-101112', '0.log'],
  ['a.log-2025-01-02T10:11:12Z', 'a.log'],
  ['a.log.1.bak.gz', 'a.log'],
  ['a__2026-11-20_00-00-00.log', 'a.log'],
  ['2026-11-20-a.log.gz', 'a.log'],
  ['a.log.old', 'a.log'],
  ['a-old.log.gz', 'a.log'],
  ['4f1b7a-json.log.2.gz', '4f1b7a-json.log'],
])('%s is a rotation of %s', (name, base) => {
  expect(parseRotatedName(name, base)).toBeDefined();
});

test.each([
  ['a.log', 'a.log'],
  ['a.log.gz', 'a.log'],
  ['a.log.bak', 'a.log'],
  ['app.1.log', 'app'],
  ['a-admin.log', 'a.log'],
  ['1.log', '0.log'],
  ['ab.log.1', 'a.log'],
  ['12-a.log', 'a.log'],
])('%s is none of %s', (name, base) => {
  expect(parseRotatedName(name, base)).toBeUndefined();
});

test.each([
  ['a.log.3.gz', 'a.log.1'],
  ['a.log.10', 'a.log.9'],
  ['a.log-20250102', 'a.log-20250103.gz'],
  ['a.log-20250102', 'a.log-20250102-1'],
  ['a.log-99999999', 'a.log-100000000'],
])('%s is of an earlier rotation than %s', (earlier, later) => {
  const [left, right] = [parseRotatedName(earlier, 'a.log'), parseRotatedName(later, 'a.log')];
  expect(left && right && compareRotatedNames(left, right)).toBeLessThan(0);
  expect(left && right && compareRotatedNames(right, left)).toBeGreaterThan(0);
});

test('a number and a date do not tell which came first', () => {
  const [left, right] = [parseRotatedName('a.log.1', 'a.log'), parseRotatedName('a.log-20250102', 'a.log')];
  expect(left && right && compareRotatedNames(left, right)).toBeUndefined();
});

test.each([
  ['a.log.bak', true],
  ['a-old.log', true],
  ['a.log', false],
  ['b.log', false],
  ['b.log.1', false],
])('%s may be a copy of a.log: %s', (name, isCopy) => {
  expect(isCopyName(name, 'a.log')).toBe(isCopy);
});

test('takes no other worker for a rotated one', () => {
  expect(parseRotatedName('worker10.log', 'worker1.log')).toBeUndefined();
  expect(parseRotatedName('worker1.log.10', 'worker1.log')).toEqual({kind: 'numbered', number: 10});
  expect(parseRotatedName('worker1-20250102.log', 'worker1.log')?.kind).toBe('dated');
});

test.each([
  ['/logs/a.log.1', '/logs/a.log'],
  ['/logs/a.log.1.gz', '/logs/a.log'],
  ['/logs/a.1.log', '/logs/a.log'],
  ['/logs/a-20250102.log.zst', '/logs/a.log'],
  ['/logs/a.log-2025-01-02T10:11:12Z', '/logs/a.log'],
  ['/logs/a__2026-11-20_00-00-00.log', '/logs/a.log'],
  ['/logs/2026-11-20-a.log', '/logs/a.log'],
  ['/logs/a.log.old.gz', '/logs/a.log'],
])('%s was rotated from %s', (path, other) => {
  expect([isRotatedFrom(path, other), findRotatedFrom(path, each => each === other)]).toEqual([true, other]);
  expect(findRotatedFrom(path, () => false)).toBeUndefined();
});

test.each([
  ['/logs/a.log', '/logs/a.log'],
  ['/old/a.log.1', '/logs/a.log'],
  ['/logs/b.log.1', '/logs/a.log'],
  ['/logs/a.log.bak', '/logs/a.log'],
])('%s was not rotated from %s', (path, other) => {
  expect([isRotatedFrom(path, other), findRotatedFrom(path, each => each === other)]).toEqual([false, undefined]);
});

test('of several logs that could be meant, it is the one with the longest name', () => {
  expect(findRotatedFrom('/logs/a.log.2.1', each => ['/logs/a.log', '/logs/a.log.2'].includes(each))).toBe(
    '/logs/a.log.2',
  );
});

test('four digits are a number, five a date', () => {
  expect(parseRotatedName('a.log.9999', 'a.log')).toEqual({kind: 'numbered', number: 9_999});
  expect(parseRotatedName('a.log.10000', 'a.log')).toEqual({kind: 'dated', digits: [10_000n]});
});

test('the same dates are the same rotation', () => {
  const dated = {kind: 'dated', digits: [2025n, 1n]} as const;
  expect([
    compareRotatedNames(dated, dated),
    compareRotatedNames({kind: 'numbered', number: 1}, {kind: 'numbered', number: 1}),
  ]).toEqual([0, 0]);
});
