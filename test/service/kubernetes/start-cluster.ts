import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {openCluster} from '#service/kubernetes/open-cluster.ts';
import {type KubeDoubleOptions, startKubeDouble} from '../../support/kubernetes/start-kube-double.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

/** A test double of a cluster, and the real client of it. */
export const startCluster = async (options: KubeDoubleOptions = {}) => {
  const double = await startKubeDouble(options);
  const folder = createTempFolder('kube');
  const kubeconfig = join(folder.path, 'config');
  writeFileSync(kubeconfig, double.kubeconfig());
  const {client} = await openCluster({kubeconfigs: [kubeconfig], env: {}, homeFolder: folder.path});
  onTestFinished(async () => {
    await client.close();
    await double.close();
    folder.remove();
  });
  return {double, client};
};
