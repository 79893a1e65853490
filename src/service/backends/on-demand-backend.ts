import type {Backend} from '../backend/backend.ts';
import {ServiceError} from '../errors/service-error.ts';
import {UnavailableError} from '../errors/unavailable-error.ts';
import {listDeployed} from './list-deployed.ts';

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
