import {expect, onTestFinished, test} from 'vitest';
import {createKubectl, findKubectl} from '../../../support/kubernetes/run-kubectl.ts';
import {startKubeDouble} from '../../../support/kubernetes/start-kube-double.ts';

test.skipIf(findKubectl() === undefined)(
  'kubectl reads DaemonSets, Jobs, CronJobs and Rollouts of the double',
  async () => {
    const double = await startKubeDouble({hasRollouts: true});
    const kubectl = createKubectl(double.kubeconfig());
    onTestFinished(async () => {
      kubectl.remove();
      await double.close();
    });
    const shop = (name: string) => ({namespace: 'shop', name});
    const job = double.others.createJob(shop('import'));
    double.others.createDaemonSet(shop('agent'));
    double.others.createCronJob(shop('backup')).run();
    double.others.createRollout(shop('web'));
    for (const pod of double.pods.all()) {
      double.pods.write(pod, 'main', {text: `of ${pod.name}`});
    }
    const [names, agent, jobLog, wide] = await Promise.all([
      kubectl.run('get', 'ds,cj,rollouts.argoproj.io,jobs', '-o', 'name'),
      kubectl.run('rollout', 'status', 'ds/agent', '--timeout=2s'),
      kubectl.run('logs', 'job/import'),
      kubectl.run('get', 'ds,jobs,cj,ro'),
    ]);
    expect(names.stderr).toBe('');
    expect(names.stdout.trim().split('\n')).toEqual([
      'daemonset.apps/agent',
      'cronjob.batch/backup',
      'rollout.argoproj.io/web',
      expect.stringMatching(/^job\.batch\/backup-\d+$/),
      'job.batch/import',
    ]);
    expect(agent.stdout).toBe('daemon set "agent" successfully rolled out\n');
    expect(jobLog.stdout).toBe(`of ${job.pods()[0]?.name}\n`);
    expect(wide.stdout).toMatch(/^daemonset\.apps\/agent +2 +2 +2 +2 +2 /m);
    job.complete();
    const waited = await kubectl.run('wait', '--for=condition=Complete', 'job/import', '--timeout=2s');
    expect(waited.stdout).toBe('job.batch/import condition met\n');
  },
);
