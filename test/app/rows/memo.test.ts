import {expect, test} from 'vitest';
import {createMemo} from '#app/rows/memo.ts';

test('the last answer is given again for the same parts, and made anew for any other', () => {
  const kept = createMemo<string>();
  let count = 0;
  const ask = (...parts: readonly unknown[]): string =>
    kept.answer(parts, () => {
      count += 1;
      return `${count}`;
    });
  const list = [1];
  expect([ask('a', list), ask('a', list)]).toEqual(['1', '1']);
  expect([ask('a', [1]), ask('a', [1], undefined), ask('b', list)]).toEqual(['2', '3', '4']);
  // Only the last one is kept.
  expect(ask('a', list)).toBe('5');
});

test('an answer that is undefined is kept too', () => {
  const kept = createMemo<undefined>();
  let count = 0;
  for (const part of [1, 1, 1]) {
    kept.answer([part], () => {
      count += 1;
      return undefined;
    });
  }
  expect(count).toBe(1);
});
