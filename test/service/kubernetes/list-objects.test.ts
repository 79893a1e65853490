import {expect, test} from 'vitest';
import {type KubeClient, KubeError} from '#service/kubernetes/kube-client.ts';
import {listObjects} from '#service/kubernetes/list-objects.ts';

test('each page is decoded before the next is asked for', async () => {
  const steps: string[] = [];
  const client = {
    address: 'c',
    get: (_path: string, {query}: {query: {continue?: string}}) => {
      steps.push(`page ${query.continue ?? 'first'}`);
      return Promise.resolve(
        query.continue === undefined
          ? {metadata: {resourceVersion: '1', continue: 'second'}, items: ['a', 'not']}
          : {metadata: {resourceVersion: '2'}, items: ['b']},
      );
    },
  } as unknown as KubeClient;
  const decode = (object: unknown) => {
    steps.push(`${object}`);
    return object === 'not' ? undefined : `${object}!`;
  };
  expect(await listObjects(client, '/pods', {decode, onTooMany: () => undefined})).toEqual({
    items: ['a!', 'b!'],
    version: '2',
  });
  expect(steps).toEqual(['page first', 'a', 'not', 'page second', 'b']);
});

test('where the pages of a list have expired, all of it is asked for at once', async () => {
  const asked: object[] = [];
  const answers = [
    {metadata: {resourceVersion: '1', continue: 'second'}, items: ['a', 'b']},
    new KubeError('status', 'The provided continue parameter is too old.', {status: 410}),
    {metadata: {resourceVersion: '7'}, items: ['a', 'b', 'c']},
  ];
  const client = {
    address: 'c',
    get: async (_path: string, {query}: {query: object}) => {
      asked.push(query);
      const answer = answers.shift();
      if (answer instanceof Error) {
        throw answer;
      }
      return answer;
    },
  } as unknown as KubeClient;
  const list = () => listObjects(client, '/pods', {decode: object => `${object}`, onTooMany: () => undefined});
  expect(await list()).toEqual({items: ['a', 'b', 'c'], version: '7'});
  expect(asked).toEqual([{limit: 500}, {limit: 500, continue: 'second'}, {}]);
  // The first page cannot expire: that is another fault.
  answers.push(new KubeError('status', 'Gone.', {status: 410}));
  await expect(list()).rejects.toThrow('Gone.');
});
