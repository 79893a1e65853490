import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {makeDeployment} from '../cluster-objects.ts';
import {createScriptedClient, down} from '../scripted-client.ts';
import {makeSite, resourcePaths, startTestDirectory} from '../start-directory.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const minuteMs = 60_000;
const names = (records: readonly {readonly name: string}[]): readonly string[] => records.map(({name}) => name);

/** Two sites in two namespaces; somebody asks for `blog` all the time. */
const start = async () => {
  const scripted = createScriptedClient();
  scripted.setList('/apis/apps/v1/namespaces/blog/deployments', [makeDeployment('blog')]);
  const started = await startTestDirectory(
    {deployments: [makeDeployment('web')]},
    [makeSite(), makeSite({id: 'blog', namespace: 'blog'})],
    scripted,
  );
  const {directory, watchOf} = started;
  const watched = () =>
    ['shop', 'blog'].filter(
      namespace =>
        !watchOf(`/api/v1/namespaces/${namespace}/pods`).isClosed() &&
        !watchOf(`/apis/apps/v1/namespaces/${namespace}/deployments`).isClosed(),
    );
  return {
    ...started,
    watched,
    pass: async (minutes: number) => {
      for (let passed = 0; passed < minutes; passed += 1) {
        await vi.advanceTimersByTimeAsync(minuteMs);
        await directory.wake?.('blog');
      }
    },
  };
};

test('the watches of a namespace end a quarter of an hour after the last request, those of others go on', async () => {
  const {watched, pass, directory} = await start();
  await pass(10);
  await directory.wake?.('shop');
  await pass(14);
  expect(watched()).toEqual(['shop', 'blog']);
  await pass(2);
  expect(watched()).toEqual(['blog']);
  expect(names(directory.listBranches('blog') ?? [])).toEqual(['blog']);
});

test('they open again for the next request, which waits for what is there now', async () => {
  const {watched, pass, directory, setList, records, send} = await start();
  expect(names(records())).toEqual(['web']);
  await pass(16);
  expect(watched()).toEqual(['blog']);
  setList(resourcePaths.deployments, [makeDeployment('web-2')]);
  await directory.wake?.('shop');
  expect(names(records())).toEqual(['web-2']);
  await vi.advanceTimersByTimeAsync(0);
  expect(watched()).toEqual(['shop', 'blog']);
  send('deployments', 'ADDED', makeDeployment('web-3'));
  expect(names(records())).toEqual(['web-2', 'web-3']);
});

test('a request for a namespace that cannot be opened again says why, as at the start', async () => {
  const {pass, directory, fail} = await start();
  await pass(16);
  fail('get', resourcePaths.pods, down());
  await directory.wake?.('shop');
  expect(() => directory.listBranches('shop')).toThrow(
    'The pods of namespace shop cannot be listed. The cluster does not answer.',
  );
});

test('a reload leaves a namespace that nobody asks for alone', async () => {
  const {pass, directory, calls} = await start();
  await pass(16);
  const lists = () => calls.filter(({kind, path}) => kind === 'get' && path === resourcePaths.pods).length;
  const before = lists();
  const sites = [makeSite(), makeSite({id: 'blog', namespace: 'blog'})];
  await (await directory.prepareReload({sites})).apply();
  expect(lists()).toBe(before);
});
