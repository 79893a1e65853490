import {expect, onTestFinished, test} from 'vitest';
import type {Backend} from '#service/backend/backend.ts';
import {ServiceError, UnavailableError} from '#service/backend/errors.ts';
import {joinBackends} from '#service/backend/join-backends.ts';
import {createServer} from '#service/http/server.ts';

const makeBackend = (
  siteId: string,
  events: string[],
  given: {readonly startError?: Error; readonly readError?: Error; readonly deployed?: Backend['listDeployed']} = {},
): Backend => {
  const read = async <Answer>(asked: string, answer: Answer): Promise<Answer | undefined> => {
    if (asked === siteId && given.readError) {
      throw given.readError;
    }
    return asked === siteId && !given.startError ? answer : undefined;
  };
  return {
    start: async () => {
      events.push(`start ${siteId}`);
      if (given.startError) {
        throw given.startError;
      }
    },
    listBranches: asked =>
      read(asked, [
        {_id: `${siteId}-1`, name: 'master', status: 'DEPLOY_APPLICATION_SUCCESS'},
        {_id: `${siteId}-2`, name: 'next', status: 'DEPLOY_APPLICATION_PROGRESSING'},
      ]),
    ...(given.deployed && {listDeployed: given.deployed}),
    readWindow: asked => read(asked, {pods: [], lines: [`line of ${siteId}`]}),
    close: async () => {
      events.push(`close ${siteId}`);
    },
  };
};

const names = (records: readonly {readonly _id: string}[] | undefined) => records?.map(({_id}) => _id);

test('serves the sites of each, and starts and closes them in order', async () => {
  const events: string[] = [];
  const cluster = makeBackend('cluster', events, {
    deployed: async siteId =>
      siteId === 'cluster' ? [{_id: 'cluster-2', name: 'next', status: 'DEPLOY_APPLICATION_PROGRESSING'}] : undefined,
  });
  const joined = joinBackends([makeBackend('files', events), cluster]);
  await joined.start();
  expect(names(await joined.listBranches('files'))).toEqual(['files-1', 'files-2']);
  expect(names(await joined.listBranches('cluster'))).toEqual(['cluster-1', 'cluster-2']);
  expect(names(await joined.listDeployed?.('files'))).toEqual(['files-1']);
  expect(names(await joined.listDeployed?.('cluster'))).toEqual(['cluster-2']);
  expect((await joined.readWindow('cluster', 'x'))?.lines).toEqual(['line of cluster']);
  expect(await joined.listBranches('neither')).toBeUndefined();
  await joined.close();
  expect(events).toEqual(['start files', 'start cluster', 'close files', 'close cluster']);
});

test('an error of one reaches only those who ask for its sites', async () => {
  const away = makeBackend('cluster', [], {readError: new UnavailableError('The cluster is away.')});
  const joined = joinBackends([makeBackend('files', []), away]);
  expect(names(await joined.listBranches('files'))).toEqual(['files-1', 'files-2']);
  await expect(joined.listBranches('cluster')).rejects.toThrow('The cluster is away.');
  expect(await joined.listBranches('neither')).toBeUndefined();
});

test('an answer that cannot be given now has status 503 and its sentence; the deployed list is the backend’s', async () => {
  const cluster = makeBackend('cluster', [], {
    readError: new UnavailableError('The pods of namespace shop cannot be listed.'),
    deployed: async () => [{_id: 'two', name: 'next', status: 'DEPLOY_APPLICATION_PROGRESSING'}],
  });
  const server = createServer({backend: cluster, token: 't', tenant: 'a', authMode: 'b', host: '127.0.0.1', port: 0});
  const {baseUrl} = await server.start();
  onTestFinished(() => server.stop());
  const ask = async (path: string) => {
    const headers = {authorization: 'Bearer t', tenant: 'a', 'auth-mode': 'b'};
    const answer = await fetch(`${baseUrl}/sites/cluster/${path}`, {headers});
    return [answer.status, await answer.json()];
  };
  const refusal = [503, {message: 'The pods of namespace shop cannot be listed.'}];
  expect(await ask('branches')).toEqual(refusal);
  expect(await ask('branches/x/logs')).toEqual(refusal);
  expect(await ask('deployed-branches')).toEqual([
    200,
    [{_id: 'two', name: 'next', status: 'DEPLOY_APPLICATION_PROGRESSING'}],
  ]);
});

test('a backend that cannot start is closed: nothing of it keeps the process alive', async () => {
  const events: string[] = [];
  const backend = makeBackend('cluster', events, {startError: new ServiceError('No.')});
  const server = createServer({backend, token: 't', tenant: 'a', authMode: 'b', host: '127.0.0.1', port: 0});
  await expect(server.start()).rejects.toThrow('No.');
  expect(events).toEqual(['start cluster', 'close cluster']);
});
