import {expect, test} from 'vitest';
import {readRelease} from '#service/kubernetes/objects/decode-workload.ts';

test.each([
  ['labels', 'argocd.argoproj.io/instance', 'shop', {name: 'shop', tool: 'Argo CD'}],
  ['annotations', 'argocd.argoproj.io/tracking-id', 'shop:apps/Deployment:prod/web', {name: 'shop', tool: 'Argo CD'}],
  ['labels', 'helm.toolkit.fluxcd.io/name', 'shop', {name: 'shop', tool: 'Flux'}],
  ['annotations', 'meta.helm.sh/release-name', 'shop', {name: 'shop', tool: 'Helm'}],
  ['labels', 'app.kubernetes.io/instance', 'shop', {name: 'shop', tool: undefined}],
  ['annotations', 'app.kubernetes.io/instance', 'shop', undefined],
  ['labels', 'app.kubernetes.io/instance', '', undefined],
])('of %s, %s "%s" names the release', (place, key, value, release) => {
  expect(readRelease({[place]: {[key]: value}})).toEqual(release);
});

test('the most certain mark counts', () => {
  const labels = {'app.kubernetes.io/instance': 'other', 'argocd.argoproj.io/instance': 'shop'};
  expect(readRelease({labels})).toEqual({name: 'shop', tool: 'Argo CD'});
});
