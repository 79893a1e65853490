import type {Backend} from '../backend.ts';
import {ServiceError} from '../errors/service-error.ts';
import {UnavailableError} from '../errors/unavailable-error.ts';
import {listDeployed} from './list-deployed.ts';

/**
 * Serves the sites of several backends as one. A backend that cannot start is said once, with `warn`, and does not keep
 * the others from serving; `start` throws only if none can. Each site belongs to the first backend that knows it.
 */
export const joinBackends = (backends: readonly Backend[], warn: (message: string) => void): Backend => {
  /** Why a backend has not started for good: what it would serve is not known. */
  let failure: ServiceError | undefined;

  const askEach = async <Answer>(
    ask: (backend: Backend) => Promise<Answer | undefined>,
  ): Promise<Answer | undefined> => {
    for (const backend of backends) {
      const answer = await ask(backend);
      if (answer !== undefined) {
        return answer;
      }
    }
    if (failure) {
      throw new UnavailableError(failure.message, {cause: failure});
    }
    return undefined;
  };

  return {
    start: async () => {
      const errors: ServiceError[] = [];
      for (const backend of backends) {
        try {
          await backend.start();
        } catch (error) {
          if (!(error instanceof ServiceError)) {
            throw error;
          }
          errors.push(error);
        }
      }
      const [first] = errors;
      if (first && errors.length === backends.length) {
        throw first;
      }
      for (const error of errors) {
        warn(error.message);
        failure ??= error instanceof UnavailableError ? undefined : error;
      }
    },
    listBranches: siteId => askEach(backend => backend.listBranches(siteId)),
    listDeployed: siteId => askEach(backend => listDeployed(backend, siteId)),
    readWindow: (siteId, branchId) => askEach(backend => backend.readWindow(siteId, branchId)),
    close: async () => {
      for (const backend of backends) {
        await backend.close();
      }
    },
  };
};
