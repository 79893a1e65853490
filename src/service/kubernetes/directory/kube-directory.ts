import {type Instant, instantToMs} from '../../../log/line/instant.ts';
import type {Directory} from '../../directory.ts';
import {ServiceError} from '../../errors/service-error.ts';
import {UnavailableError} from '../../errors/unavailable-error.ts';
import type {KubeClient} from '../client/kube-client.ts';
import type {ContainerPlace} from '../container-place.ts';
import type {KubeSettings, KubeSiteSettings} from '../kube-settings.ts';
import {checkSelectors} from './cluster-branches.ts';
import {type NamespaceWatch, watchNamespace} from './namespace-watch.ts';
import {createSiteView, type SiteBranches, type SiteView} from './site-view.ts';

/** The cluster's first answers, milliseconds. A cluster that takes longer is waited for after the start. */
const startMsDefault = 10_000;
/** Changes come in bursts: a roll-out changes each pod several times a second. */
const changeDelayMs = 100;

export type KubeDirectoryOptions = {
  readonly client: KubeClient;
  readonly settings: KubeSettings;
  /** Returns the id of a branch that the settings do not name. The same for the same site and name at every start. */
  readonly makeBranchId: (siteId: string, name: string) => string;
  readonly now: () => Instant;
  /** Milliseconds on a monotonic clock. */
  readonly monotonicMs: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  /** Gives each message once. */
  readonly warn: (message: string) => void;
  /** How long the start waits for the cluster's first answers, milliseconds; 10 s by default. */
  readonly startMs?: number | undefined;
};

export type KubeDirectory = Directory<ContainerPlace> & {
  /**
   * Looks at what is new in these settings, while the sites stay as they are, and resolves when it is known or cannot
   * be for a while. Throws a `ServiceError` for a bad selector. Calls must not overlap.
   */
  prepareReload(settings: KubeSettings): Promise<PreparedReload>;
};

/** A reload that can no longer fail. One of the two must be called. */
export type PreparedReload = {
  apply(): Promise<void>;
  discard(): Promise<void>;
};

type ServedPart = {
  readonly watch: NamespaceWatch;
  /** Counts the changes of the namespace. */
  changes: number;
};

/** Creates the directory of a cluster: sites are parts of namespaces, branches workloads. */
export const createKubeDirectory = (options: KubeDirectoryOptions): KubeDirectory => {
  const {client, makeBranchId, monotonicMs, random, warn, startMs = startMsDefault} = options;
  const startedMs = instantToMs(options.now());
  const listeners = new Set<() => void>();
  const namespaces = new Map<string, ServedPart>();
  let sites: ReadonlyMap<string, {readonly settings: KubeSiteSettings; readonly view: SiteView}> = new Map();
  let timer: NodeJS.Timeout | undefined;

  const notify = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const listener of listeners) {
        listener();
      }
      for (const part of namespaces.values()) {
        if (part.watch.noteShown()) {
          part.changes += 1;
          notify();
        }
      }
    }, changeDelayMs).unref();
  };

  const openNamespace = (namespace: string): void => {
    const onChange = (): void => {
      const part = namespaces.get(namespace);
      if (part) {
        part.changes += 1;
        notify();
      }
    };
    const watch = watchNamespace({client, namespace, onChange, monotonicMs, random, warn});
    namespaces.set(namespace, {watch, changes: 0});
  };

  const openMissing = (settings: KubeSettings): void => {
    for (const {namespace} of settings.sites) {
      if (!namespaces.has(namespace)) {
        openNamespace(namespace);
      }
    }
  };

  /** Closes the namespaces that no site has. */
  const closeUnused = (): void => {
    const used = new Set([...sites.values()].map(({settings}) => settings.namespace));
    for (const [namespace, {watch}] of namespaces) {
      if (!used.has(namespace)) {
        namespaces.delete(namespace);
        watch.close();
      }
    }
  };

  const serve = (settings: KubeSettings): void => {
    sites = new Map(
      settings.sites.map(site => [
        site.id,
        {settings: site, view: createSiteView({site, makeBranchId, startedMs, warn})},
      ]),
    );
    closeUnused();
  };

  /** Waits until what is watched is known or cannot be. */
  const waitForLists = async (): Promise<void> => {
    let limit: NodeJS.Timeout | undefined;
    await Promise.race([
      Promise.all([...namespaces.values()].map(({watch}) => watch.settled)),
      new Promise(resolve => {
        limit = setTimeout(resolve, startMs);
      }),
    ]);
    clearTimeout(limit);
  };

  const readSite = (siteId: string): SiteBranches | undefined => {
    const site = sites.get(siteId);
    const part = site && namespaces.get(site.settings.namespace);
    if (!site || !part) {
      return undefined;
    }
    const problem = part.watch.problem();
    if (problem !== undefined) {
      throw new UnavailableError(problem);
    }
    return site.view.read(part.watch, part.changes);
  };

  const findProblems = (): readonly string[] =>
    [...sites.values()]
      .map(({settings}) => namespaces.get(settings.namespace)?.watch.problem())
      .filter(problem => problem !== undefined);

  /** Looks for mistakes in the settings of a site that only its cluster shows. */
  const checkSite = ({id, namespace, branches}: KubeSiteSettings): void => {
    const site = readSite(id);
    const [mistake] = site?.mistakes ?? [];
    if (mistake !== undefined) {
      throw new ServiceError(mistake);
    }
    for (const {id: branchId, name, workload} of branches) {
      if (workload && site?.branches.get(branchId)?.record.status === null) {
        warn(
          `Branch ${name} of site ${id} is not built out: namespace ${namespace} has no ${workload.kind}/${workload.name}.`,
        );
      }
    }
  };

  return {
    start: async () => {
      options.settings.sites.forEach(checkSelectors);
      openMissing(options.settings);
      serve(options.settings);
      await waitForLists();
      const problems = findProblems();
      const [problem] = problems;
      if (problem !== undefined && problems.length === sites.size) {
        throw new UnavailableError(problem);
      }
      for (const each of problems) {
        warn(each);
      }
      for (const {settings} of sites.values()) {
        if (namespaces.get(settings.namespace)?.watch.problem() === undefined) {
          checkSite(settings);
        }
      }
    },
    prepareReload: async settings => {
      settings.sites.forEach(checkSelectors);
      openMissing(settings);
      await waitForLists();
      return {
        apply: async () => {
          serve(settings);
          notify();
          findProblems().forEach(warn);
        },
        discard: async () => closeUnused(),
      };
    },
    listBranches: siteId => readSite(siteId)?.records,
    listDeployed: siteId => readSite(siteId)?.deployed,
    findBranch: (siteId, branchId) => {
      const branch = readSite(siteId)?.branches.get(branchId);
      const outage = namespaces.get(sites.get(siteId)?.settings.namespace ?? '')?.watch.outage();
      // Running containers tell by their logs whether they can be read.
      if (branch && outage !== undefined && !branch.places.some(({state}) => state === 'running')) {
        throw new UnavailableError(outage);
      }
      return branch;
    },
    onChange: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      clearTimeout(timer);
      for (const {watch} of namespaces.values()) {
        watch.close();
      }
      namespaces.clear();
    },
  };
};
