import {expect, test} from 'vitest';
import {createWarnOnce} from '#service/backend/errors.ts';

const record = () => {
  const given: string[] = [];
  return {given, once: createWarnOnce(message => given.push(message))};
};

test('gives a warning once, and again when the settings have changed', () => {
  const {given, once} = record();
  for (const message of ['a', 'b', 'a', 'b']) {
    once.warn(message);
  }
  expect(given).toEqual(['a', 'b']);
  once.forget();
  once.warn('a');
  expect(given).toEqual(['a', 'b', 'a']);
});

test('still gives new warnings after a thousand others, and forgets the oldest', () => {
  const {given, once} = record();
  for (let number = 0; number < 1_001; number += 1) {
    once.warn(`warning ${number}`);
  }
  once.warn('warning 1');
  expect(given).toHaveLength(1_001);
  once.warn('warning 0');
  expect(given).toHaveLength(1_002);
});
