import {waitAtMost} from '#base/bounds.ts';
import {formatWorkload, type WorkloadKind} from '#base/workload-kinds.ts';
import {instantToMs} from '#log/line/instant.ts';
import type {Deps, Directory} from '#service/backend/backend.ts';
import {operatorWords, ServiceError, type UnavailableError} from '#service/backend/errors.ts';
import {isContainerPlace} from '#service/containers/container-logs.ts';
import {checkSelectors} from './directory/cluster-branches.ts';
import {type NamespaceWatch, watchNamespace} from './directory/namespace-watch.ts';
import {createSiteView, type SiteBranches, type SiteView} from './directory/site-view.ts';
import type {KubeClient} from './kube-client.ts';
import {type KubePlace, type KubeSettings, type KubeSiteSettings, listNamed} from './kube-settings.ts';

/** The cluster's first answers, milliseconds. A cluster that takes longer is waited for after the start. */
const startMsDefault = 10_000;
/** Changes come in bursts: a roll-out changes each pod several times a second. */
const changeDelayMs = 100;
/**
 * A namespace is watched for this long after somebody has asked for one of its sites, milliseconds: a watch of each
 * resource is a load for the API server. Longer than a branch is followed after its last request, which needs the pods.
 */
const namespaceIdleMs = 15 * 60_000;
/** How often it is checked whether anybody still asks, milliseconds. */
const idleCheckMs = 60_000;

export type KubeDirectoryOptions = Deps & {
  readonly client: KubeClient;
  readonly settings: KubeSettings;
  /** Returns the id of a branch that the settings do not name. The same for the same site and name at every start. */
  readonly makeBranchId: (siteId: string, name: string) => string;
  /** How long the start waits for the cluster's first answers, milliseconds; 10 s by default. */
  readonly startMs?: number | undefined;
};

export type KubeDirectory = Directory<KubePlace> & {
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

const messageOfCause = ({cause, message}: Error): string => (cause instanceof Error ? cause.message : message);

type ServedPart = {
  readonly watch: NamespaceWatch;
  /** Differs after each change of the namespace. */
  changes: number;
  /** When somebody last asked, monotonic milliseconds. */
  askedMs: number;
  isSettled: boolean;
};

type ServedSite = {readonly settings: KubeSiteSettings; view: SiteView};

/** Creates the directory of a cluster: sites are parts of namespaces, branches workloads. */
export const createKubeDirectory = (options: KubeDirectoryOptions): KubeDirectory => {
  const {client, makeBranchId, monotonicMs, random, warn, startMs = startMsDefault} = options;
  const startedMs = instantToMs(options.now());
  const listeners = new Set<() => void>();
  const namespaces = new Map<string, ServedPart>();
  let sites: ReadonlyMap<string, ServedSite> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  /** Never reused, so that no view confuses a namespace that was opened again with the previous one. */
  let changeCount = 0;

  const countChange = (): number => {
    changeCount += 1;
    return changeCount;
  };

  const notify = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const listener of listeners) {
        listener();
      }
      for (const part of namespaces.values()) {
        if (part.watch.noteShown()) {
          part.changes = countChange();
          notify();
        }
      }
    }, changeDelayMs).unref();
  };

  const isNamedIn = (namespace: string, kind: WorkloadKind): boolean =>
    [...sites.values()].some(
      ({settings}) => settings.namespace === namespace && listNamed(settings).some(word => word.kind === kind),
    );

  const openNamespace = (namespace: string): ServedPart => {
    const onChange = (): void => {
      const part = namespaces.get(namespace);
      if (part) {
        part.changes = countChange();
        notify();
      }
    };
    const isNamed = (kind: WorkloadKind): boolean => isNamedIn(namespace, kind);
    const watch = watchNamespace({client, namespace, onChange, isNamed, monotonicMs, random, warn});
    const part = {watch, changes: countChange(), askedMs: monotonicMs(), isSettled: false};
    watch.settled.then(() => {
      part.isSettled = true;
    });
    namespaces.set(namespace, part);
    return part;
  };

  const createView = (site: KubeSiteSettings): SiteView => createSiteView({site, makeBranchId, startedMs, warn});

  const closeNamespaces = (isOver: (namespace: string, part: ServedPart) => boolean): void => {
    for (const [namespace, part] of namespaces) {
      if (isOver(namespace, part)) {
        namespaces.delete(namespace);
        part.watch.close();
      }
    }
  };

  /** Closes the namespaces that nobody has asked for for a while, and forgets what their sites had. */
  const closeIdle = (): void => {
    closeNamespaces((_, {askedMs}) => monotonicMs() - askedMs >= namespaceIdleMs);
    for (const site of sites.values()) {
      site.view = namespaces.has(site.settings.namespace) ? site.view : createView(site.settings);
    }
  };

  /** Opens the namespaces that no site has so far. */
  const openNew = (settings: KubeSettings): void => {
    const served = new Set([...sites.values()].map(site => site.settings.namespace));
    for (const {namespace} of settings.sites) {
      if (!namespaces.has(namespace) && !served.has(namespace)) {
        openNamespace(namespace);
      }
    }
  };

  /** Closes the namespaces that no site has. */
  const closeUnused = (): void => {
    const used = new Set([...sites.values()].map(({settings}) => settings.namespace));
    closeNamespaces(namespace => !used.has(namespace));
  };

  const serve = (settings: KubeSettings): void => {
    sites = new Map(settings.sites.map(site => [site.id, {settings: site, view: createView(site)}]));
    closeUnused();
  };

  /** Waits until what is watched is known or cannot be. */
  const waitForLists = (parts: Iterable<ServedPart> = namespaces.values()): Promise<void> =>
    waitAtMost(Promise.all([...parts].map(({watch}) => watch.settled)), startMs);

  const readSite = (siteId: string, mayBeOld = false): SiteBranches | undefined => {
    const site = sites.get(siteId);
    const part = site && namespaces.get(site.settings.namespace);
    if (!site || !part) {
      return undefined;
    }
    const problem = part.watch.problem(mayBeOld);
    if (problem !== undefined) {
      throw problem;
    }
    return site.view(part.watch, part.changes);
  };

  const findProblems = (): readonly UnavailableError[] =>
    [...sites.values()]
      .map(({settings}) => namespaces.get(settings.namespace)?.watch.problem())
      .filter(problem => problem !== undefined);

  const warnOf = (problems: readonly UnavailableError[]): void =>
    problems.forEach(problem => void warn(operatorWords(problem)));

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
          `Branch ${name} of site ${id} is not built out: namespace ${namespace} has no ${formatWorkload(workload)}.`,
        );
      }
    }
  };

  return {
    start: async () => {
      idleTimer = setInterval(closeIdle, idleCheckMs).unref();
      options.settings.sites.forEach(checkSelectors);
      openNew(options.settings);
      serve(options.settings);
      await waitForLists();
      const problems = findProblems();
      const [problem] = problems;
      if (problem !== undefined && problems.length === sites.size) {
        throw problem;
      }
      warnOf(problems);
      for (const {settings} of sites.values()) {
        if (namespaces.get(settings.namespace)?.watch.problem() === undefined) {
          checkSite(settings);
        }
      }
    },
    wake: async siteId => {
      const namespace = sites.get(siteId)?.settings.namespace;
      if (namespace === undefined) {
        return;
      }
      const part = namespaces.get(namespace) ?? openNamespace(namespace);
      part.askedMs = monotonicMs();
      if (!part.isSettled) {
        await waitForLists([part]);
      }
    },
    prepareReload: async settings => {
      settings.sites.forEach(checkSelectors);
      openNew(settings);
      await waitForLists();
      return {
        apply: async () => {
          serve(settings);
          notify();
          warnOf(findProblems());
        },
        discard: async () => closeUnused(),
      };
    },
    listBranches: siteId => readSite(siteId)?.records,
    listDeployed: siteId => readSite(siteId)?.deployed,
    findBranch: (siteId, branchId) => {
      const branch = readSite(siteId, true)?.branches.get(branchId);
      const outage = namespaces.get(sites.get(siteId)?.settings.namespace ?? '')?.watch.outage();
      // Running containers tell by their logs whether they can be read.
      const isRunning = branch?.places.some(place => isContainerPlace(place) && place.state === 'running');
      if (branch && outage !== undefined && !isRunning) {
        throw outage;
      }
      return branch && outage ? {...branch, outage: messageOfCause(outage)} : branch;
    },
    onChange: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      clearTimeout(timer);
      clearInterval(idleTimer);
      closeNamespaces(() => true);
    },
  };
};
