import {expect, test} from 'vitest';
import {ApiError} from '../../../src/api/api-error.ts';
import {PathError} from '../../../src/base/paths/path-error.ts';
import {explainCallError} from '../../../src/cli/client/explain-call-error.ts';
import {exitCodeOf} from '../../../src/cli/io/exit-codes.ts';
import {UsageError} from '../../../src/cli/io/usage-error.ts';
import {CallError, type CallErrorKind} from '../../../src/service/errors/call-error.ts';
import {ServiceError} from '../../../src/service/errors/service-error.ts';
import {UnavailableError} from '../../../src/service/errors/unavailable-error.ts';
import {KubeError} from '../../../src/service/kubernetes/client/kube-client.ts';

test.each<[kind: CallErrorKind, status: number | undefined, explained: string, code: number]>([
  ['auth', undefined, 'unauthorised', 3],
  ['status', 401, 'unauthorised', 3],
  ['status', 403, 'forbidden', 3],
  ['status', 404, 'notFound', 4],
  ['status', 429, 'tooManyRequests', 5],
  ['status', 500, 'server', 5],
  ['status', 503, 'server', 5],
  ['status', 499, 'notInterface', 6],
  ['connection', undefined, 'network', 5],
  ['timeout', undefined, 'timeout', 5],
  ['body', undefined, 'notInterface', 6],
])('a call that failed with %s %s is explained as %s', (kind, status, explained, code) => {
  const error = explainCallError(new CallError(kind, 'The engine said no.', {status}));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({kind: explained, status, message: 'The engine said no.'});
  expect(exitCodeOf(error)).toBe(code);
});

test('a call that failed is found in what it was wrapped in', () => {
  const cause = new CallError('timeout', 'No answer in time.');
  const wrapped = explainCallError(new ServiceError('The cluster cannot be read.', {cause}));
  expect(wrapped).toMatchObject({kind: 'timeout', message: 'No answer in time.'});
});

test.each([
  ['pods is forbidden', 'Not allowed. branchlog doctor --kube prints the Role.'],
  ['users "jane" is forbidden: User "dev" cannot impersonate resource "users" in API group ""', 'Not allowed.'],
])('a right that is missing in a cluster names its Role: %s', (serverMessage, message) => {
  expect(explainCallError(new KubeError('status', 'Not allowed.', {status: 403, serverMessage}))).toMatchObject({
    kind: 'forbidden',
    message,
  });
});

test('other refusals, and those of an engine, name no Role', () => {
  expect(explainCallError(new KubeError('status', 'No.', {status: 404}))).toMatchObject({message: 'No.'});
  expect(explainCallError(new CallError('status', 'No.', {status: 403}))).toMatchObject({message: 'No.'});
});

test.each([
  ['a request that is wrong', new CallError('status', 'The name is too long.', {status: 400})],
  ['a file that others may write to', new CallError('auth', 'The name is too long.', {cause: new PathError('text')})],
])('%s is corrected by the user', (_, call) => {
  const error = explainCallError(call);
  expect(error).toBeInstanceOf(UsageError);
  expect(error).toMatchObject({message: 'The name is too long.', cause: call});
});

test('what may be answered later failed on the side of the server', () => {
  expect(explainCallError(new UnavailableError('Not known yet.'))).toMatchObject({
    kind: 'server',
    message: 'Not known yet.',
  });
});

test('another failure of a source is for the user to correct; any other error stays as it is', () => {
  expect(explainCallError(new ServiceError('Name a folder.'))).toBeInstanceOf(UsageError);
  const other = new TypeError('a mistake of ours');
  expect(explainCallError(other)).toBe(other);
});
