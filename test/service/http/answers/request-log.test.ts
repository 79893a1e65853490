import {expect, test} from 'vitest';
import {readPath} from '#service/http/answers/request-log.ts';

const pathOf = (url: string): string => readPath({url});

test('a path is without its query', () => {
  expect(pathOf('/dev-v1/sites/shop/branches?token=secret#here')).toBe('/dev-v1/sites/shop/branches');
});
