import {expect, test} from 'vitest';
import {addOnClientOf} from '#service/kubernetes/directory/namespace-watch.ts';
import {type KubeClient, KubeError} from '#service/kubernetes/kube-client.ts';

const api = '/apis/argoproj.io/v1alpha1';
const rollouts = `${api}/namespaces/shop/rollouts`;

/** A cluster that answers what it is asked for by turns, with an object or with the status of a refusal. */
const open = (...answers: readonly (object | number)[]) => {
  const asked: string[] = [];
  const left = [...answers];
  const get = async (path: string): Promise<unknown> => {
    asked.push(path);
    const answer = left.shift();
    if (typeof answer === 'number') {
      throw new KubeError('status', 'no', {status: answer});
    }
    return answer;
  };
  const client = addOnClientOf({address: 'https://cluster', get} as unknown as KubeClient);
  const list = (): Promise<unknown> => client.get(rollouts).catch((error: unknown) => String(error));
  return {asked, list};
};

const list = {items: []};

test('what the discovery of a cluster names is listed, and discovery is asked once', async () => {
  const cluster = open({resources: [{name: 'rollouts'}]}, list, list);
  expect([await cluster.list(), await cluster.list()]).toEqual([list, list]);
  expect(cluster.asked).toEqual([api, rollouts, rollouts]);
});

test.each([
  ['has no such API', 404],
  ['has another resource in it', {resources: [{name: 'applications'}]}],
])('a cluster that %s is not asked for a list', async (_, discovered) => {
  const cluster = open(discovered);
  const words = 'KubeError: https://cluster has no rollouts in /apis/argoproj.io/v1alpha1.';
  expect([await cluster.list(), await cluster.list()]).toEqual([words, words]);
  expect(cluster.asked).toEqual([api]);
});

test('where discovery is forbidden the list tells, and discovery is not asked again; after a failure it is', async () => {
  const forbidden = open(403, list, list);
  expect([await forbidden.list(), await forbidden.list()]).toEqual([list, list]);
  expect(forbidden.asked).toEqual([api, rollouts, rollouts]);
  const failing = open(500, list, {resources: []});
  expect([await failing.list(), await failing.list()]).toEqual([list, expect.stringContaining('has no rollouts')]);
  expect(failing.asked).toEqual([api, rollouts, api]);
});
