import {errorCodeOf} from '#base/error-code.ts';

/**
 * Loads a part of the program that is not needed from the start. If its file is gone, as after an upgrade on a shared
 * host, rejects with a sentence for the user; what is loaded already goes on.
 */
export const loadPart = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  try {
    return await load();
  } catch (error) {
    if (errorCodeOf(error) !== 'ERR_MODULE_NOT_FOUND') {
      throw error;
    }
    throw new Error('this branchlog was replaced on disk: quit and start it again to use this', {cause: error});
  }
};
