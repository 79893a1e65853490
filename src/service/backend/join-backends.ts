import type {Backend, BranchRecord} from './backend.ts';
import {ServiceError, UnavailableError} from './errors.ts';

const deployedStatus = 'DEPLOY_APPLICATION_SUCCESS';

/** Returns the deployed branches of a site: those that the backend counts as such, otherwise by their status. */
export const listDeployed = async (backend: Backend, siteId: string): Promise<readonly BranchRecord[] | undefined> =>
  backend.listDeployed
    ? await backend.listDeployed(siteId)
    : (await backend.listBranches(siteId))?.filter(({status}) => status === deployedStatus);

/**
 * Serves many sites, few of which are ever opened, each with a backend of its own that starts at the first request. A
 * single site starts at once, so that `start` reports its failure.
 */
export const createOnDemandBackend = (siteIds: readonly string[], open: (siteId: string) => Backend): Backend => {
  const known = new Set(siteIds);
  const opened = new Map<string, {readonly backend: Backend; readonly started: Promise<void>}>();

  const openSite = (siteId: string) => {
    const backend = open(siteId);
    const site = {backend, started: backend.start()};
    opened.set(siteId, site);
    return site;
  };

  const find = async (siteId: string): Promise<Backend | undefined> => {
    if (!known.has(siteId)) {
      return undefined;
    }
    const {backend, started} = opened.get(siteId) ?? openSite(siteId);
    await started.catch((error: unknown) => {
      // A backend that is unavailable keeps trying, and says why in each answer.
      if (!(error instanceof UnavailableError)) {
        throw error instanceof ServiceError ? new UnavailableError(error.message, {cause: error}) : error;
      }
    });
    return backend;
  };

  return {
    start: async () => {
      const [only, ...others] = siteIds;
      if (only !== undefined && others.length === 0) {
        await openSite(only).started;
      }
    },
    listBranches: async siteId => (await find(siteId))?.listBranches(siteId),
    listDeployed: async siteId => {
      const backend = await find(siteId);
      return backend && listDeployed(backend, siteId);
    },
    readWindow: async (siteId, branchId, after) => (await find(siteId))?.readWindow(siteId, branchId, after),
    countErrors: async siteId => opened.get(siteId)?.backend.countErrors?.(siteId),
    close: async () => {
      await Promise.all([...opened.values()].map(({backend}) => backend.close()));
    },
  };
};

/**
 * Serves the sites of several backends as one. Each site belongs to the first backend that knows it, and an error of
 * one reaches only those who ask for its sites. They start and close in order.
 */
export const joinBackends = (backends: readonly Backend[]): Backend => {
  const askEach = async <Answer>(
    ask: (backend: Backend) => Promise<Answer | undefined>,
  ): Promise<Answer | undefined> => {
    for (const backend of backends) {
      const answer = await ask(backend);
      if (answer !== undefined) {
        return answer;
      }
    }
    return undefined;
  };

  return {
    start: async () => {
      for (const backend of backends) {
        await backend.start();
      }
    },
    listBranches: siteId => askEach(backend => backend.listBranches(siteId)),
    listDeployed: siteId => askEach(backend => listDeployed(backend, siteId)),
    readWindow: (siteId, branchId, after) => askEach(backend => backend.readWindow(siteId, branchId, after)),
    countErrors: siteId => askEach(async backend => backend.countErrors?.(siteId)),
    measure: () => backends.flatMap(backend => backend.measure?.() ?? []),
    close: async () => {
      for (const backend of backends) {
        await backend.close();
      }
    },
  };
};
