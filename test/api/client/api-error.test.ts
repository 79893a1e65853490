import {expect, test} from 'vitest';
import {ApiError, apiErrorKinds, helpsNewToken, messageOf} from '#api/client/api-error.ts';

test('an error has the cause that it is given, and none otherwise', () => {
  const cause = new Error('below');
  const error = new ApiError('server', 'words', {status: 503, retryAfterMs: 1000, cause});
  expect(error).toMatchObject({name: 'ApiError', kind: 'server', message: 'words', status: 503, retryAfterMs: 1000});
  expect(error.cause).toBe(cause);
  expect(Object.hasOwn(new ApiError('network', 'words'), 'cause')).toBe(false);
});

test('only what is wrong with the token is helped by a new one', () => {
  expect(apiErrorKinds.filter(helpsNewToken)).toEqual(['token', 'unauthorised']);
});

test('whatever is thrown has a message', () => {
  expect([messageOf(new Error('words')), messageOf('text'), messageOf(undefined)]).toEqual([
    'words',
    'unexpected fault',
    'unexpected fault',
  ]);
});
