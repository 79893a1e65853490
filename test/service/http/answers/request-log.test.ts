import type {FastifyRequest} from 'fastify';
import {expect, test} from 'vitest';
import {readPath} from '#service/http/answers/request-log.ts';

const pathOf = (url: string): string => readPath({raw: {url}} as FastifyRequest);

test('a path is logged without its query, and up to 512 characters of it', () => {
  expect(pathOf('/dev-v1/sites/shop/branches?token=secret#here')).toBe('/dev-v1/sites/shop/branches');
  const longest = `/${'x'.repeat(511)}`;
  expect([pathOf(longest), pathOf(`${longest}y`)]).toEqual([longest, longest]);
});
