import {expect, test} from 'vitest';
import {ApiError, type ApiErrorKind} from '../../../src/api/api-error.ts';
import {RecordingError} from '../../../src/api/recording/recording-error.ts';
import {exitCodeOf} from '../../../src/cli/io/exit-codes.ts';
import {NotFoundError} from '../../../src/cli/io/not-found-error.ts';
import {OutputClosed, OutputFailed} from '../../../src/cli/io/output.ts';
import {UsageError} from '../../../src/cli/io/usage-error.ts';

const codes: Readonly<Record<ApiErrorKind, number>> = {
  ended: 0,
  cancelled: 1,
  badId: 2,
  setting: 2,
  token: 3,
  unauthorised: 3,
  forbidden: 3,
  notFound: 4,
  tooManyRequests: 5,
  server: 5,
  network: 5,
  timeout: 5,
  tls: 5,
  redirect: 6,
  notInterface: 6,
  tooLarge: 6,
};

test.each(Object.entries(codes))('a request that failed with %s ends with %i', (kind, code) => {
  expect(exitCodeOf(new ApiError(kind as ApiErrorKind, 'text'))).toBe(code);
});

test.each([
  ['a command line that is wrong', new UsageError('text'), 2],
  ['a recording that cannot be read', new RecordingError('text'), 2],
  ['a site that is not there', new NotFoundError('text'), 4],
  ['a reader that has enough', new OutputClosed('text'), 0],
  ['a disk that is full', new OutputFailed('text'), 1],
  ['a fault of our own', new TypeError('text'), 1],
  ['what is no error', 'text', 1],
])('%s', (_, error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});
