import {inspect} from 'node:util';
import {expect, test} from 'vitest';
import {Secret} from '#base/secret.ts';

const secret = new Secret('hunter2-canary');

test('shows a mask of fixed width whichever way it is printed', () => {
  const mask = '********';
  expect(String(secret)).toBe(mask);
  expect(`${secret}`).toBe(mask);
  expect(['a', secret, 'b'].join(' ')).toBe(`a ${mask} b`);
  expect(JSON.stringify({secret})).toBe(`{"secret":"${mask}"}`);
  expect(inspect({secret, nested: [secret]}, {showHidden: true, depth: 9})).toBe(
    `{ secret: ${mask}, nested: [ ${mask}, [length]: 1 ] }`,
  );
  expect(inspect(secret, {customInspect: false, showHidden: true})).not.toContain('hunter2');
  expect(String(new Secret(''))).toBe(mask);
});

test('has no property that holds the value', () => {
  expect(Reflect.ownKeys(secret)).toEqual([]);
  expect({...secret}).toEqual({});
  expect(JSON.stringify(structuredClone(secret))).toBe('{}');
});

test('gives the value to reveal() alone', () => {
  expect(secret.reveal()).toBe('hunter2-canary');
});
