import {expect, test} from 'vitest';
import type {ApiError} from '#api/client/api-error.ts';
import {createBackendClient} from '#cli/connection/backend-client.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import type {Backend, PodRecord} from '#service/backend/backend.ts';
import {UnavailableError} from '#service/backend/errors.ts';

const clock = {nowMs: () => 5_000, monotonicMs: () => 0, sleep: async () => undefined};

const clientOf = (given: Partial<Backend>) =>
  createBackendClient({
    backend: {
      start: async () => undefined,
      listBranches: async () => undefined,
      readWindow: async () => undefined,
      close: async () => undefined,
      ...given,
    },
    name: 'prod-eu',
    clock,
  });

const failureOf = (answer: Promise<unknown>) =>
  answer.then(
    () => undefined,
    ({kind, status, message}: ApiError) => ({kind, status, message}),
  );

test('branches pass the checks and masks of any other answer', async () => {
  const records = [
    {_id: 'b1', name: 'web', status: 'DEPLOY_APPLICATION_SUCCESS', adminPassword: 'canary'},
    {_id: 'b2', name: 'worker', status: null},
    {_id: '', name: 'none', status: null},
  ];
  const client = clientOf({listBranches: async () => records});
  const all = await client.listBranches('shop');
  expect(all).toMatchObject({
    value: [{name: 'web'}, {name: 'worker'}],
    status: 200,
    serviceTimeMs: 5_000,
    skipped: ['[2]._id: expected a string that is not empty, got a string'],
    withoutId: 1,
  });
  expect(JSON.stringify(all)).not.toContain('canary');
  expect((await client.listDeployedBranches('shop')).value.map(({name}) => name)).toEqual(['web']);
});

test('a window comes as it is, with its pods decoded once for the same list of them', async () => {
  const asked: (ReadUpTo | undefined)[] = [];
  const pods: readonly PodRecord[] = [
    {name: 'web-1', resourceVersion: '7', metadata: {creationTimestamp: 'then', annotations: {password: 'canary'}}},
  ];
  const lines = ['2026-11-21T14:02:11.031000000Z GET /cart 200'];
  const numbering = {series: 's', first: 1, runs: [[0, 1] as const], sources: [{pod: 'web-1'}], losses: []};
  const arrivals = {series: 's', last: 1, dropped: 0};
  const client = clientOf({
    readWindow: async (_site, _branch, after) => {
      asked.push(after);
      return {pods, lines, numbering, arrivals, cut: 'branch'};
    },
  });
  const after = {series: 's', last: 0};
  const fetchLog: (...given: readonly unknown[]) => ReturnType<typeof client.fetchLog> = client.fetchLog as never;
  const [first, second] = [await client.fetchLog('shop', 'b1'), await fetchLog('shop', 'b1', undefined, after)];
  expect(first.value).toMatchObject({lines, numbering, arrivals, cut: 'branch', pods: [{name: 'web-1'}]});
  expect(first.value.pods[0]?.createdAt).toBe('then');
  expect(JSON.stringify(first)).not.toContain('canary');
  expect(second.value.pods).toBe(first.value.pods);
  expect(asked).toEqual([undefined, after]);
});

test('what a backend cannot answer is the error of a status', async () => {
  const late = new UnavailableError('The pods of namespace shop are not known yet: ask again \u001b[31min a moment.');
  const client = clientOf({
    listBranches: async () => {
      throw late;
    },
    listDeployed: async () => {
      throw new Error('a mistake of ours');
    },
  });
  expect(await failureOf(client.listBranches('shop'))).toMatchObject({
    kind: 'server',
    status: 503,
    message: expect.stringMatching(/^The pods of namespace shop are not known yet: ask again [^\u001b]*in a moment$/),
  });
  expect(await failureOf(client.listDeployedBranches('shop'))).toMatchObject({kind: 'server', status: 500});
  expect(await failureOf(client.fetchLog('shop', 'b1'))).toEqual({
    kind: 'notFound',
    status: 404,
    message: 'prod-eu knows no such branch: is it gone?',
  });
});

test('a request ends with its signal, or with the client', async () => {
  const client = clientOf({listBranches: () => new Promise(() => undefined)});
  const controller = new AbortController();
  const answers = [client.listBranches('shop', controller.signal), client.listBranches('shop')].map(failureOf);
  controller.abort();
  client.close();
  expect((await Promise.all(answers)).map(failure => failure?.kind)).toEqual(['cancelled', 'cancelled']);
  expect((await failureOf(client.listBranches('shop')))?.kind).toBe('cancelled');
});
