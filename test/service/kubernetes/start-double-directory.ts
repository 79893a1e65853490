import {onTestFinished} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import type {DirectoryBranch} from '#service/backend/backend.ts';
import {createWarnOnce} from '#service/backend/errors.ts';
import type {ContainerPlace} from '#service/containers/container-logs.ts';
import {createKubeDirectory} from '#service/kubernetes/kube-directory.ts';
import type {KubeSiteSettings} from '#service/kubernetes/kube-settings.ts';
import {waitFor} from '../../support/wait-for.ts';
import type {startCluster} from './start-cluster.ts';
import {makeSite} from './start-directory.ts';

/** A directory over a test double of a cluster, by way of the real client. */
export const startDoubleDirectory = async (
  {double, client}: Awaited<ReturnType<typeof startCluster>>,
  {watchCount = 8, ...site}: Partial<KubeSiteSettings> & {readonly watchCount?: number} = {},
) => {
  const warnings: string[] = [];
  const directory = createKubeDirectory({
    client,
    settings: {sites: [makeSite(site)]},
    makeBranchId: (_, name) => name,
    now: () => instantFromMs(Date.now()),
    monotonicMs: () => performance.now(),
    random: () => 0,
    warn: createWarnOnce(message => warnings.push(message)).warn,
  });
  onTestFinished(() => directory.close());
  await directory.start();
  await waitFor(() => double.streams('watch').length === watchCount, {what: `${watchCount} watches`});
  const find = (name: string) => directory.findBranch('shop', name) as DirectoryBranch<ContainerPlace> | undefined;
  const podNames = (name: string) => find(name)?.pods.map(pod => pod.name) ?? [];
  return {
    client,
    double,
    directory,
    warnings,
    find,
    names: () => directory.listBranches('shop')?.map(({name}) => name),
    status: (name: string) => find(name)?.record.status,
    troubles: (name: string) =>
      (find(name)?.record.troubles as {state: string; reason: string}[] | undefined)?.map(
        ({state, reason}) => `${state} ${reason}`,
      ),
    podNames,
    deployed: () => directory.listDeployed('shop')?.map(({name}) => name),
    until: (what: string, isSo: () => boolean) => waitFor(isSo, {what}),
    /** Waits until the directory knows the pods that the cluster has. */
    untilPods: (name: string, pods: readonly {readonly name: string}[]) =>
      waitFor(
        () =>
          podNames(name).join() ===
          pods
            .map(pod => pod.name)
            .toSorted()
            .join(),
        {what: `pods of ${name}`},
      ),
  };
};
