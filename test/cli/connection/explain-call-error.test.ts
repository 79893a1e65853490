import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import type {ApiError} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {PathError} from '#base/system/open-regular.ts';
import {askedServiceOf, serviceInside} from '#cli/connection/asked-service.ts';
import {backendReading} from '#cli/connection/backend-client.ts';
import {explainCallError} from '#cli/connection/explain-call-error.ts';
import {keepBranchNames} from '#cli/connection/label-branches.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import {recallBranchNames} from '#config/memory/branch-names.ts';
import {CallError, type CallErrorKind, ServiceError, UnavailableError} from '#service/backend/errors.ts';
import {KubeError} from '#service/kubernetes/kube-client.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

test.each<readonly [kind: CallErrorKind, status: number | undefined, explained: string]>([
  ['auth', undefined, 'unauthorised'],
  ['status', 401, 'unauthorised'],
  ['connection', undefined, 'network'],
  ['timeout', undefined, 'timeout'],
  ['body', 200, 'notInterface'],
  ['status', 403, 'forbidden'],
  ['status', 404, 'notFound'],
  ['status', 429, 'tooManyRequests'],
  ['status', 500, 'server'],
  ['status', 503, 'server'],
  ['status', 499, 'notInterface'],
  ['status', undefined, 'notInterface'],
])('a call that failed by %s %s is one of kind %s', (kind, status, explained) => {
  const error = new CallError(kind, 'It failed.', {status});
  expect(explainCallError(error)).toMatchObject({
    name: 'ApiError',
    kind: explained,
    status,
    message: 'It failed.',
    cause: error,
  });
});

test('what the user has written is a mistake of theirs', () => {
  expect(explainCallError(new CallError('status', 'No such selector.', {status: 400}))).toBeInstanceOf(UsageError);
  const path = new PathError('is open to every user');
  expect(explainCallError(new CallError('auth', 'It is open.', {cause: path}))).toBeInstanceOf(UsageError);
  const service = new ServiceError('The kubeconfig is none.');
  expect(explainCallError(service)).toMatchObject({
    name: 'UsageError',
    message: 'The kubeconfig is none.',
    cause: service,
  });
});

test('the operator’s detail is told, and a failed call is found behind a sentence', () => {
  const call = new CallError('auth', 'The plugin failed.', {operatorDetail: 'It wrote: x.'});
  expect(explainCallError(call)).toMatchObject({message: 'The plugin failed. It wrote: x.'});
  expect(explainCallError(new ServiceError('Out.', {cause: call}))).toMatchObject({
    name: 'ApiError',
    message: 'The plugin failed. It wrote: x.',
  });
});

test('a right that is missing in a cluster leads to its Role, unless it is that of acting as another', () => {
  const help = ' branchlog doctor --kube prints the Role.';
  const words = (error: CallError) => (explainCallError(error) as ApiError).message;
  expect(words(new KubeError('status', 'Forbidden.', {status: 403}))).toBe(`Forbidden.${help}`);
  expect(words(new KubeError('status', 'Gone.', {status: 404}))).toBe('Gone.');
  expect(words(new CallError('status', 'Forbidden.', {status: 403}))).toBe('Forbidden.');
  const serverMessage = 'users "jane" is forbidden: User "dev" cannot impersonate resource "users" in API group ""';
  expect(words(new KubeError('status', 'Forbidden.', {status: 403, serverMessage}))).toBe('Forbidden.');
});

test('what cannot be answered now is the error of a service, and others stay as they are', () => {
  expect(explainCallError(new UnavailableError('Not yet.'))).toMatchObject({
    name: 'ApiError',
    kind: 'server',
    message: 'Not yet.',
  });
  const other = new Error('a mistake');
  expect([explainCallError(other), explainCallError('x')]).toEqual([other, 'x']);
});

test('a branch holds as many lines as fit into its memory, and its first read waits for what is asked for', () => {
  const mb = 1024 * 1024;
  expect(backendReading({bufferMb: 3, firstRead: undefined}, 9_000)).toEqual({
    holds: {bytesMax: 3 * mb, linesMax: Math.ceil((3 * mb) / 200), answerLinesMax: 20_000},
    firstLinesMs: 50,
    readerIsOperator: true,
  });
  const firstRead = {since: 5n, tailLines: undefined};
  expect(backendReading({bufferMb: 1, firstRead}, 9_000)).toMatchObject({firstRead, firstReadMsMax: 9_000});
  expect(backendReading({bufferMb: 1, firstRead}, 9_000)).not.toHaveProperty('firstLinesMs');
});

test('what is asked has a name, a host and sites', () => {
  expect(serviceInside('Docker', '/run/docker.sock', ['a', 'b'])).toEqual({
    name: 'Docker',
    host: '/run/docker.sock',
    tenant: undefined,
    window: undefined,
    sites: [
      {id: 'a', name: undefined},
      {id: 'b', name: undefined},
    ],
  });
  const context = {
    name: 'prod',
    tenant: 'acme',
    window: undefined,
    sites: [],
    baseUrl: 'https://logs.example:8443/dev-v1',
  };
  expect(askedServiceOf(context as never)).toEqual({
    name: 'prod',
    tenant: 'acme',
    window: undefined,
    sites: [],
    host: 'logs.example:8443',
  });
});

const clientOf = (names: readonly string[]) =>
  ({listBranches: async () => ({value: names.map((name, index) => ({_id: `b${index}`, name}))})}) as unknown as Client;

test('the names of a listing are kept for completion, and that is waited for at the end', async () => {
  const folder = createTempFolder('names');
  onTestFinished(folder.remove);
  const ends: (() => Promise<void> | void)[] = [];
  const io = {env: {XDG_STATE_HOME: folder.path}, homeFolder: undefined};
  const client = keepBranchNames(clientOf(['master', 'twice', 'twice']), 'prod', io, end => ends.push(end as never));
  const answer = await client.listBranches('shop');
  expect(answer.value).toHaveLength(3);
  await Promise.all(ends.map(end => end()));
  const stateFolder = join(folder.path, 'branchlog');
  expect(await recallBranchNames(stateFolder, {contextName: 'prod', siteId: 'shop'})).toEqual(['master', 'b1', 'b2']);
  expect(await recallBranchNames(stateFolder, {contextName: 'prod', siteId: 'blog'})).toEqual([]);
  const texts = readdirSync(stateFolder).map(name => readFileSync(join(stateFolder, name), 'utf8'));
  expect(texts.join('')).toContain('master');
});

test('where nothing can be kept, the client stays as it is', () => {
  const client = clientOf([]);
  expect(keepBranchNames(client, 'prod', {env: {}, homeFolder: undefined})).toBe(client);
});
