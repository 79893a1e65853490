import {expect, test} from 'vitest';
import {doubleUser} from '../../../support/kubernetes/start-kube-double.ts';
import {startCluster} from '../start-cluster.ts';
import {makeBranchSettings} from '../start-directory.ts';
import {startDoubleDirectory} from '../start-double-directory.ts';

const [success, progressing, failed] = ['SUCCESS', 'PROGRESSING', 'FAILED'].map(word => `DEPLOY_APPLICATION_${word}`);
const shop = (name: string) => ({namespace: 'shop', name});
/** Everything but Rollouts, which need the double to have them. */
const allWatches = 8;

test('a DaemonSet is a branch: rolled out once its pods on all nodes are of the newest version', async () => {
  const cluster = await startCluster();
  const agent = cluster.double.others.createDaemonSet({...shop('agent'), nodes: 3});
  const {find, status, until, untilPods, deployed} = await startDoubleDirectory(cluster);
  expect(find('agent')?.record).toMatchObject({status: success, replicas: 3, workloads: ['daemonset/agent']});
  await untilPods('agent', agent.pods());
  const rollOut = agent.rollOut();
  await until('the roll-out', () => status('agent') === progressing);
  expect(deployed()).toEqual(['agent']);
  rollOut.finish();
  await until('its end', () => status('agent') === success);
  await untilPods('agent', agent.pods());
});

test('a Job runs, tries again, and completes; what failed before is the past', async () => {
  const cluster = await startCluster();
  const job = cluster.double.others.createJob(shop('import'));
  const {find, status, until, untilPods, troubles, deployed} = await startDoubleDirectory(cluster);
  expect(find('import')?.record).toMatchObject({status: progressing, workloads: ['job/import']});
  await untilPods('import', job.pods());
  job.retry();
  await until('the second pod', () => find('import')?.places.length === 2);
  expect([status('import'), troubles('import')]).toEqual([progressing, ['past Error exit 1']]);
  job.complete();
  await until('its end', () => status('import') === success);
  expect(find('import')?.places.map(({state}) => state)).toEqual(['terminated', 'terminated']);
  expect(deployed()).toEqual(['import']);
});

test('a Job that has failed says why', async () => {
  const cluster = await startCluster();
  const job = cluster.double.others.createJob(shop('import'));
  const {status, until, troubles, deployed} = await startDoubleDirectory(cluster);
  job.fail('DeadlineExceeded', 'Job was active longer than specified deadline');
  await until('its failure', () => status('import') === failed);
  expect(troubles('import')).toEqual(['now DeadlineExceeded', 'now Error exit 1']);
  expect(deployed()).toEqual([]);
});

test('a CronJob is one branch with the pods of its Jobs, and does as its last Job did', async () => {
  const cluster = await startCluster();
  const cronJob = cluster.double.others.createCronJob(shop('backup'));
  const {find, names, status, until, untilPods, troubles} = await startDoubleDirectory(cluster);
  expect(find('backup')?.record).toMatchObject({status: success, workloads: ['cronjob/backup']});
  const first = cronJob.run();
  await until('the first Job', () => status('backup') === progressing);
  await untilPods('backup', first.pods());
  first.fail();
  await until('its failure', () => status('backup') === failed);
  expect(troubles('backup')).toEqual(['now BackoffLimitExceeded', 'now Error exit 1']);
  const second = cronJob.run();
  second.complete();
  await until('the second Job', () => status('backup') === success && find('backup')?.places.length === 2);
  expect(troubles('backup')).toEqual(['past Error exit 1']);
  expect(names()).toEqual(['backup']);
  // The garbage collector removes the pods a moment after the Job.
  first.removeJob();
  cluster.double.others.createJob(shop('later'));
  await until('what came after the end of the Job', () => find('later') !== undefined);
  expect(find('backup')?.places).toHaveLength(2);
  first.removePods();
  await until('its pods to go', () => find('backup')?.places.length === 1);
});

test('pods that nothing known has made are branches; pods that are named leave the branch of their workload', async () => {
  const cluster = await startCluster();
  const {others, workloads, pods} = cluster.double;
  const debug = others.createPod(shop('debug'));
  others.createPod({
    ...shop('etcd-node-1'),
    owner: {apiVersion: 'v1', kind: 'Node', name: 'node-1', uid: 'n', controller: true, blockOwnerDeletion: true},
  });
  const web = workloads.createDeployment({...shop('web'), replicas: 2});
  const [one, two] = web.pods();
  const {find, names, status, until, podNames, deployed} = await startDoubleDirectory(cluster, {
    named: [{kind: 'pod', name: one?.name ?? ''}],
  });
  expect(names()).toEqual(['debug', 'etcd-node-1', 'web', one?.name].toSorted());
  expect([podNames('web'), podNames(one?.name ?? '')]).toEqual([[two?.name], [one?.name]]);
  expect(find('debug')?.record).toMatchObject({status: success, workloads: ['pod/debug'], appserverTag: '1.0'});
  pods.setReady(debug, false);
  await until('unreadiness', () => status('debug') === progressing);
  pods.fail(debug, 3);
  await until('its failure', () => status('debug') === failed);
  expect(deployed()).not.toContain('debug');
  pods.remove(debug);
  await until('its end', () => find('debug') === undefined);
});

test('a Rollout of Argo Rollouts is a branch where it is installed, which is asked for once', async () => {
  const cluster = await startCluster({hasRollouts: true});
  const {double} = cluster;
  const rollout = double.others.createRollout({...shop('web'), replicas: 2});
  const {find, status, until, untilPods, troubles, deployed} = await startDoubleDirectory(cluster, {
    watchCount: allWatches + 1,
  });
  expect(find('web')?.record).toMatchObject({status: success, replicas: 2, workloads: ['rollout/web']});
  await untilPods('web', rollout.pods());
  rollout.setPhase('Paused', 'CanaryPauseStep');
  await until('the pause', () => status('web') === progressing);
  rollout.setPhase('Degraded', 'RolloutAborted: Rollout aborted update to revision 2');
  await until('the abort', () => status('web') === failed);
  expect(troubles('web')).toEqual(['now RolloutAborted']);
  expect(deployed()).toEqual(['web']);
  const asked = () => double.requests.filter(({path}) => path === '/apis/argoproj.io/v1alpha1').length;
  await startDoubleDirectory(cluster, {watchCount: 2 * (allWatches + 1)});
  expect(asked()).toBe(1);
});

test('without Argo Rollouts nothing is listed of it, nor said', async () => {
  const cluster = await startCluster();
  cluster.double.workloads.createDeployment(shop('web'));
  const {warnings, names} = await startDoubleDirectory(cluster);
  expect([names(), warnings]).toEqual([['web'], []]);
  expect(cluster.double.requests.filter(({path}) => path.includes('rollouts'))).toEqual([]);
});

test('a kind that may not be read is passed over in silence, with a warning only where it is named', async () => {
  const cluster = await startCluster({hasRollouts: true});
  const {double} = cluster;
  double.workloads.createDeployment(shop('web'));
  double.others.createJob(shop('import'));
  const resources = ['pods', 'deployments', 'statefulsets', 'replicasets', 'ingresses', 'cronjobs'];
  double.access.setRules(doubleUser, [{resources, verbs: ['get', 'list', 'watch']}]);
  const silent = await startDoubleDirectory(cluster, {watchCount: resources.length});
  expect([silent.names(), silent.warnings]).toEqual([['web'], []]);
  await silent.directory.close();
  await silent.until('closed watches', () => double.streams('watch').length === 0);
  const {names, warnings} = await startDoubleDirectory(cluster, {
    watchCount: resources.length,
    branches: [makeBranchSettings('nightly', {workload: {kind: 'job', name: 'import'}})],
  });
  expect(names()).toEqual(['nightly', 'web']);
  expect(warnings).toEqual([
    expect.stringMatching(/^The jobs of namespace shop cannot be listed\. .*403/),
    'Branch nightly of site shop is not built out: namespace shop has no job/import.',
  ]);
});

test('one unusual kind alone is enough', async () => {
  const cluster = await startCluster();
  cluster.double.others.createJob(shop('import'));
  cluster.double.access.setRules(doubleUser, [{resources: ['pods', 'jobs'], verbs: ['get', 'list', 'watch']}]);
  const {names} = await startDoubleDirectory(cluster, {watchCount: 2});
  expect(names()).toEqual(['import']);
});

test('of a workload that is named without its kind there may be two: the start says which', async () => {
  const cluster = await startCluster();
  const {workloads, others} = cluster.double;
  workloads.createDeployment(shop('web'));
  others.createJob(shop('web'));
  const branches = [makeBranchSettings('master', {workload: {kind: undefined, name: 'web'}})];
  await expect(startDoubleDirectory(cluster, {branches})).rejects.toThrow(
    'Branch master of site shop: namespace shop has deployment/web and job/web, so "web" is ambiguous: write one of them.',
  );
});

test('of two workloads with one name, the first kind has the branch that is called so', async () => {
  const cluster = await startCluster({hasRollouts: true});
  const {workloads, others} = cluster.double;
  others.createPod(shop('web'));
  others.createCronJob(shop('web'));
  others.createDaemonSet(shop('web'));
  workloads.createStatefulSet({...shop('web'), labels: {app: 'db'}});
  const {names} = await startDoubleDirectory(cluster, {watchCount: allWatches + 1});
  expect(names()).toEqual(['cronjob/web', 'daemonset/web', 'pod/web', 'web']);
});
