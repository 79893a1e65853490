import {listDeployed} from '../backends/list-deployed.ts';
import type {Backend} from './backend.ts';

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
