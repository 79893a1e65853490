import {onTestFinished, vi} from 'vitest';
import {parseInstant} from '#log/line/instant.ts';
import type {DirectoryBranch} from '#service/backend/backend.ts';
import {createWarnOnce} from '#service/backend/errors.ts';
import type {ContainerPlace} from '#service/containers/container-logs.ts';
import {createKubeDirectory} from '#service/kubernetes/kube-directory.ts';
import type {KubeBranchSettings, KubeSiteSettings} from '#service/kubernetes/kube-settings.ts';
import {createScriptedClient} from './scripted-client.ts';

export const resourcePaths = {
  pods: '/api/v1/namespaces/shop/pods',
  deployments: '/apis/apps/v1/namespaces/shop/deployments',
  statefulSets: '/apis/apps/v1/namespaces/shop/statefulsets',
  daemonSets: '/apis/apps/v1/namespaces/shop/daemonsets',
  jobs: '/apis/batch/v1/namespaces/shop/jobs',
  replicaSets: '/apis/apps/v1/namespaces/shop/replicasets',
  ingresses: '/apis/networking.k8s.io/v1/namespaces/shop/ingresses',
} as const;

export type ResourceLists = Partial<Record<keyof typeof resourcePaths, readonly unknown[]>>;

export const makeSite = (given: Partial<KubeSiteSettings> = {}): KubeSiteSettings => ({
  id: 'shop',
  namespace: 'shop',
  selector: undefined,
  branchLabel: undefined,
  containers: {only: undefined, except: []},
  shownVariables: [],
  branches: [],
  ...given,
});

export const makeBranchSettings = (name: string, given: Partial<KubeBranchSettings> = {}): KubeBranchSettings => ({
  id: `id-${name}`,
  name,
  workload: undefined,
  selector: undefined,
  containers: undefined,
  appserver: undefined,
  webserver: undefined,
  fields: {},
  ...given,
});

/** A directory over a scripted cluster. The timers are those of the test. */
export const createTestDirectory = (
  lists: ResourceLists,
  sites: readonly KubeSiteSettings[] = [makeSite()],
  scripted = createScriptedClient(),
) => {
  for (const [resource, path] of Object.entries(resourcePaths)) {
    scripted.setList(path, Object.entries(lists).find(([name]) => name === resource)?.[1] ?? []);
  }
  const warnings: string[] = [];
  const directory = createKubeDirectory({
    client: scripted.client,
    settings: {sites},
    makeBranchId: (siteId, name) => `${siteId}:${name}`,
    now: () => parseInstant('2026-11-22T12:00:00Z') ?? 0n,
    monotonicMs: () => Date.now(),
    random: () => 0,
    warn: createWarnOnce(message => warnings.push(message)).warn,
  });
  onTestFinished(() => directory.close());
  return {
    ...scripted,
    directory,
    warnings,
    /** Sends a change of a resource's watch. */
    send: (resource: keyof typeof resourcePaths, type: string, object: unknown) =>
      scripted.watchOf(resourcePaths[resource]).send(type, object),
    records: (siteId = 'shop') => directory.listBranches(siteId) ?? [],
    deployed: (siteId = 'shop') => (directory.listDeployed(siteId) ?? []).map(({name}) => name),
    branch: (name: string, siteId = 'shop') => {
      const record = directory.listBranches(siteId)?.find(each => each.name === name);
      const found = record && directory.findBranch(siteId, record._id);
      if (!found) {
        throw new Error(`There is no branch ${name}.`);
      }
      // Unless a site has events, all its places are containers.
      return found as DirectoryBranch<ContainerPlace>;
    },
  };
};

export const startTestDirectory = async (...given: Parameters<typeof createTestDirectory>) => {
  const created = createTestDirectory(...given);
  await created.directory.start();
  await vi.advanceTimersByTimeAsync(0);
  return created;
};
