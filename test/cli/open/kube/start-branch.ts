import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {type KubeDoubleOptions, startKubeDouble} from '../../../support/kubernetes/start-kube-double.ts';
import type {Pod} from '../../../support/kubernetes/world/pod-model.ts';
import type {NewWorkload} from '../../../support/kubernetes/world/workloads.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';
import {type CommandOptions, runCommand, startCommand} from '../../run-command.ts';

/** A cluster whose namespace shop has one Deployment, `web`, and commands on it. */
export const startBranch = async (given: Partial<NewWorkload> = {}, options: KubeDoubleOptions = {}) => {
  const folder = createTempFolder('kube');
  const double = await startKubeDouble(options);
  onTestFinished(async () => {
    await double.close();
    folder.remove();
  });
  const web = double.workloads.createDeployment({namespace: 'shop', name: 'web', ...given});
  const kubeconfig = join(folder.path, 'kubeconfig');
  writeFileSync(kubeconfig, double.kubeconfig(), {mode: 0o600});
  const env = {KUBECONFIG: kubeconfig, XDG_STATE_HOME: folder.path, PATH: process.env.PATH};
  return {
    double,
    web,
    env,
    pods: web.pods() as readonly [Pod, ...Pod[]],
    start: (line: string) => startCommand(line.split(' '), {env}),
    run: (line: string, more: CommandOptions = {}) => runCommand(line.split(' '), {...more, env}),
  };
};
