import {expect, test} from 'vitest';
import type {KubeClient} from '#service/kubernetes/kube-client.ts';
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
