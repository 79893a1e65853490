import {expect, test} from 'vitest';
import {listNamespaces} from '#service/kubernetes/list-objects.ts';
import {doubleUser} from '../../../support/kubernetes/start-kube-double.ts';
import {startCluster} from '../start-cluster.ts';
import {makeBranchSettings} from '../start-directory.ts';
import {startDoubleDirectory} from '../start-double-directory.ts';

test('follows a Deployment through roll-outs, a failure and zero replicas', async () => {
  const cluster = await startCluster();
  const {workloads} = cluster.double;
  const web = workloads.createDeployment({namespace: 'shop', name: 'web', replicas: 2, containers: [{name: 'php'}]});
  workloads.createIngress({namespace: 'shop', name: 'web', host: 'shop.example.com', service: 'web', address: 'lb'});
  const {find, until, untilPods, deployed} = await startDoubleDirectory(cluster);
  const status = () => find('web')?.record.status;
  expect(find('web')?.record).toMatchObject({
    status: 'DEPLOY_APPLICATION_SUCCESS',
    replicas: 2,
    appserverTag: '1.0',
    hostname: 'shop.example.com',
    elb: 'lb',
  });
  expect(find('web')?.pods).toHaveLength(2);
  const activity = () => find('web')?.record.lastActivity;
  const before = activity();

  const rollOut = workloads.beginRollOut(web, {image: 'php:2.0', changeCause: 'release 2'});
  await until('progress', () => status() === 'DEPLOY_APPLICATION_PROGRESSING' && find('web')?.places.length === 4);
  expect(deployed()).toEqual(['web']);
  expect(
    find('web')
      ?.places.map(({state, isSeenFromStart}) => [state, isSeenFromStart])
      .toSorted(),
  ).toEqual([
    ['running', false],
    ['running', false],
    ['waiting', true],
    ['waiting', true],
  ]);
  rollOut.exceedDeadline();
  await until('the failure', () => status() === 'DEPLOY_APPLICATION_FAILED');
  expect(deployed()).toEqual(['web']);
  rollOut.finish();
  await untilPods('web', rollOut.newPods);
  await until('the end', () => status() === 'DEPLOY_APPLICATION_SUCCESS');
  expect(find('web')?.record.appserverTag).toBe('2.0');
  await until('the new version', () => JSON.stringify(activity()) !== JSON.stringify(before));
  expect(activity()).toMatchObject({action: 'release 2', status: 'SUCCESS'});

  workloads.setReplicaFailure(web, 'exceeded quota');
  workloads.scale(web, 0);
  await untilPods('web', []);
  await until('zero replicas', () => find('web')?.record.replicas === 0);
  expect(status()).toBe('DEPLOY_APPLICATION_SUCCESS');
  workloads.remove(web);
  await until('its end', () => find('web') === undefined);
});

test('knows new pods of a StatefulSet by their uid, and pods that went while the watch was away', async () => {
  const cluster = await startCluster({listener: 'h1'});
  const {double} = cluster;
  const search = double.workloads.createStatefulSet({namespace: 'shop', name: 'search', replicas: 2});
  const {find, until, untilPods, podNames} = await startDoubleDirectory(cluster);
  const uids = () => find('search')?.places.map(({podUid}) => podUid) ?? [];
  const before = uids();
  double.workloads.rollOut(search);
  await until('two new pods', () => uids().length === 2 && uids().every(uid => !before.includes(uid)));
  expect(podNames('search')).toEqual(['search-0', 'search-1']);

  const known = uids();
  const watch = double.streams('watch').find(({name}) => name === 'pods');
  watch?.freeze();
  double.workloads.rollOut(search);
  double.workloads.scale(search, 1);
  double.compact();
  expect(uids()).toEqual(known);
  watch?.cut();
  await untilPods('search', search.pods());
  await until('new pods', () => uids().every(uid => !known.includes(uid)));
});

test('goes on after cuts, ends and a refusal for being busy, without a list', async () => {
  const cluster = await startCluster();
  const {double} = cluster;
  const web = double.workloads.createDeployment({namespace: 'shop', name: 'web', replicas: 1});
  const {untilPods, warnings} = await startDoubleDirectory(cluster);
  const listCount = () => double.requests.filter(({path}) => path.includes('/pods') && !path.includes('watch')).length;
  const before = listCount();
  for (const [index, spoil] of ['cut', 'end', 'endInNextLine'].entries()) {
    for (const stream of double.streams('watch').filter(({name}) => name === 'pods')) {
      stream[spoil as 'cut' | 'end' | 'endInNextLine']();
    }
    if (index === 0) {
      double.throttle(1);
    }
    double.workloads.scale(web, index + 2);
    await untilPods('web', web.pods());
  }
  expect(listCount()).toBe(before);
  expect(warnings).toEqual([]);
});

test('gets along with fewer permissions, and says what is missing', async () => {
  const cluster = await startCluster();
  const {double, client} = cluster;
  double.workloads.createDeployment({namespace: 'shop', name: 'web'});
  double.workloads.createNamespace('blog');
  expect(await listNamespaces(client)).toEqual(['blog', 'shop']);
  const verbs = ['get', 'list', 'watch'] as const;
  double.access.setRules(doubleUser, [
    {namespaces: ['shop'], resources: ['pods'], verbs},
    {namespaces: ['shop'], resources: ['deployments'], verbs},
  ]);
  expect(await listNamespaces(client)).toBeUndefined();
  const {find, warnings} = await startDoubleDirectory(cluster, {branches: [makeBranchSettings('web')], watchCount: 2});
  expect(find('id-web')?.record).toMatchObject({hostname: '', status: 'DEPLOY_APPLICATION_SUCCESS'});
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/^The statefulsets of namespace shop cannot be listed\. .*403/);
  double.access.setRules(doubleUser, []);
  await expect(startDoubleDirectory(cluster)).rejects.toThrow(/^The pods of namespace shop cannot be listed\. .*403/);
});
