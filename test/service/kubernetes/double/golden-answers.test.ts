import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {findRemovedWords, readGoneInstance} from '#service/containers/log-lines.ts';
import {askDouble} from '../../../support/kubernetes/double-request.ts';
import {doubleUser, type KubeDouble, startKubeDouble} from '../../../support/kubernetes/start-kube-double.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../support/kubernetes/fixtures', name), 'utf8'));

const answers: readonly {
  readonly what: string;
  readonly path: string;
  readonly status: number;
  readonly body: object;
}[] = read('api-answers.json');
const words: {readonly id: string; readonly removed: string; readonly gone: string} = read('node-words.json');

let double: KubeDouble;

const createPod = (name: string, startsAs: 'creating' | 'running') =>
  double.pods.create({namespace: 'shop', name, labels: {app: name}, containers: [{name: 'php'}], startsAs});

beforeAll(async () => {
  double = await startKubeDouble({listener: 'plain'});
  createPod('golden', 'running');
  const pull = createPod('pull', 'creating');
  for (const container of pull.containers) {
    container.waitingReason = 'ErrImageNeverPull';
  }
  double.access.setRules(doubleUser, [
    {verbs: ['get', 'list', 'watch'], resources: ['pods', 'pods/log'], namespaces: ['shop']},
  ]);
});

afterAll(() => double.close());

test.each(answers)('the double refuses as the real API server does: $what', async ({path, status, body}) => {
  const answer = await askDouble(double, `/api/v1${path}`);
  const asUser = JSON.parse(answer.body.replaceAll(doubleUser, 'limited'));
  expect([answer.status, asUser]).toEqual([status, body]);
});

test('the double ends a stream with the words of the real kubelet, and they are understood', async () => {
  const pod = createPod('web', 'running');
  double.pods.write(pod, 'php', {text: 'goodbye'});
  const following = askDouble(double, '/api/v1/namespaces/shop/pods/web/log?follow=true', {
    isEnough: text => {
      if (text === 'goodbye\n') {
        double.pods.finish(pod);
      }
      return false;
    },
  });
  const {body} = await following;
  const after = (await askDouble(double, '/api/v1/namespaces/shop/pods/web/log')).body;
  const id = /[0-9a-f]{64}/.exec(after)?.[0] ?? '';
  expect([body, after].map(text => text.replaceAll(id, words.id))).toEqual([`goodbye\n${words.removed}`, words.gone]);
  expect([findRemovedWords(words.removed), readGoneInstance(words.gone)]).toEqual([0, `containerd://${words.id}`]);
});
