import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Client} from '#api/client/client.ts';
import {askedServiceOf, serviceInside} from '#cli/connection/asked-service.ts';
import {keepBranchNames} from '#cli/connection/label-branches.ts';
import {recallBranchNames} from '#config/memory/branch-names.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('names');
});
afterEach(() => folder.remove());

const branch = (_id: string, name: string) => ({_id, name});

const clientWith = (branches: readonly ReturnType<typeof branch>[]) =>
  ({
    listBranches: async () => ({value: branches, status: 200}),
    listDeployedBranches: async () => ({value: branches.slice(1), status: 200}),
  }) as unknown as Client;

test('the names of a listing are kept for completion, by context and site, those that are not unique as ids', async () => {
  const ends: (() => Promise<unknown>)[] = [];
  const client = keepBranchNames(
    clientWith([branch('b1', 'web'), branch('b2', 'web'), branch('b3', 'worker')]),
    'prod',
    {env: {XDG_STATE_HOME: folder.path}, homeFolder: undefined},
    end => void ends.push(async () => end()),
  );
  expect((await client.listBranches('shop')).value).toHaveLength(3);
  await client.listDeployedBranches('blog');
  await Promise.all(ends.map(end => end()));
  const stateFolder = `${folder.path}/branchlog`;
  const recall = (contextName: string, siteId: string) => recallBranchNames(stateFolder, {contextName, siteId});
  expect(await recall('prod', 'shop')).toEqual(['b1', 'b2', 'worker']);
  expect(await recall('prod', 'blog')).toEqual([]);
  expect(await recall('test', 'shop')).toEqual([]);
});

test('without a folder for what is remembered, the client stays as it is', () => {
  const client = clientWith([]);
  expect(keepBranchNames(client, 'prod', {env: {}, homeFolder: undefined})).toBe(client);
});

test('of a context, commands need its name, where it is and whose it is; of a backend inside, its sites', () => {
  const context = {name: 'prod', baseUrl: new URL('https://logs.example:8443/api'), tenant: 'acme', sites: []};
  expect(askedServiceOf({...context, window: undefined} as never)).toEqual({
    name: 'prod',
    host: 'logs.example:8443',
    tenant: 'acme',
    sites: [],
    window: undefined,
  });
  expect(serviceInside('kind', 'cluster', ['shop', 'blog'])).toEqual({
    name: 'kind',
    host: 'cluster',
    tenant: undefined,
    window: undefined,
    sites: [
      {id: 'shop', name: undefined},
      {id: 'blog', name: undefined},
    ],
  });
});
