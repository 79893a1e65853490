import {expect, test} from 'vitest';
import {PathError} from '#base/system/open-regular.ts';
import {
  CallError,
  describeError,
  describeUnread,
  hasErrorCode,
  isRefusal,
  isSignedOut,
  operatorWords,
  toCallError,
} from '#service/backend/errors.ts';

const withFields = (message: string, fields: object, cause?: unknown): Error =>
  Object.assign(new Error(message, {cause}), fields);

test('an error has one of several codes, or none', () => {
  const error = withFields('x', {code: 'ENOENT'});
  expect([
    hasErrorCode(error, 'ENOENT'),
    hasErrorCode(error, 'EACCES', 'ENOENT'),
    hasErrorCode(error, 'EACCES'),
  ]).toEqual([true, true, false]);
  expect([
    hasErrorCode(new Error('x'), 'ENOENT'),
    hasErrorCode({code: 'ENOENT'}, 'ENOENT'),
    hasErrorCode(undefined, 'x'),
  ]).toEqual([false, false, false]);
  expect(hasErrorCode(withFields('x', {code: 5}), '5')).toBe(false);
});

test.each<readonly [error: unknown, words: string]>([
  [new Error("EACCES: permission denied, open '/a'"), 'permission denied'],
  [new Error('EACCES: permission denied'), 'permission denied'],
  [new Error('the file: it is gone, all of it'), 'the file: it is gone, all of it'],
  ['a text', 'a text'],
  [7, '7'],
])('%s is told as "%s"', (error, words) => {
  expect(describeError(error)).toBe(words);
});

test('a file that could not be read is named', () => {
  expect(describeUnread('/a', new PathError('is a folder'))).toBe('/a is a folder');
  expect(describeUnread('/a', new Error('EIO: i/o error, read'))).toBe('/a cannot be read: i/o error.');
});

test.each<
  readonly [
    failure: {kind: 'status' | 'auth' | 'connection'; status: number | undefined},
    isOut: boolean,
    isRefused: boolean,
  ]
>([
  [{kind: 'auth', status: undefined}, true, true],
  [{kind: 'status', status: 401}, true, true],
  [{kind: 'status', status: 403}, false, true],
  [{kind: 'status', status: 404}, false, false],
  [{kind: 'connection', status: undefined}, false, false],
])('%j: signed out %s, refused %s', (failure, isOut, isRefused) => {
  expect([isSignedOut(failure), isRefusal(failure)]).toEqual([isOut, isRefused]);
});

test('without a failure nobody is signed out', () => {
  expect(isSignedOut(undefined)).toBe(false);
});

test('the operator reads what caused an error, once', () => {
  const detailed = (message: string, operatorDetail: string | undefined, cause?: unknown) =>
    new CallError('auth', message, {operatorDetail, cause});
  expect(operatorWords(new Error('It failed.'))).toBe('It failed.');
  expect(operatorWords(detailed('It failed.', 'It wrote: x.'))).toBe('It failed. It wrote: x.');
  expect(operatorWords(detailed('It failed: x.', 'x'))).toBe('It failed: x.');
  expect(
    operatorWords(new Error('Out.', {cause: new Error('In.', {cause: detailed('It failed.', 'It wrote: x.')})})),
  ).toBe('Out. It wrote: x.');
  expect(operatorWords(detailed('Out.', undefined, detailed('In.', 'y')))).toBe('Out. y');
  expect(operatorWords(new Error('Out.', {cause: 'x'}))).toBe('Out.');
});

test('whatever a call threw is a failed call', () => {
  const error = new CallError('timeout', 'Late.', {
    status: 504,
    reason: 'Timeout',
    retryAfterMs: 5,
    serverMessage: 'm',
  });
  expect(toCallError(error)).toBe(error);
  expect(error).toMatchObject({
    kind: 'timeout',
    status: 504,
    reason: 'Timeout',
    retryAfterMs: 5,
    serverMessage: 'm',
    name: 'CallError',
  });
  const cause = new Error('EIO: i/o error, read');
  expect(toCallError(cause)).toMatchObject({kind: 'body', message: 'i/o error.', cause});
});
