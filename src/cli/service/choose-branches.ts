import type {Branch} from '../../api/decode/branch.ts';
import type {Client} from '../../api/http/client.ts';
import type {SiteSetting} from '../../config/client/settings.ts';
import type {Say} from '../io/notices.ts';
import {UsageError} from '../io/usage-error.ts';
import {resolveBranch} from './resolve-branch.ts';
import {explainSiteError} from './resolve-site.ts';

export type ChooseBranchesInput = {
  readonly client: Client;
  readonly sites: readonly SiteSetting[];
  readonly siteId: string;
  /** The words on the command line: ids or names. */
  readonly siteWord: string;
  readonly branchWords: readonly string[];
  readonly say: Say;
  readonly signal: AbortSignal;
};

/**
 * Returns the requested branches that have a log; reports those that have none because they are not built out. Throws
 * `NotFoundError` for an unknown branch, and `UsageError` for one that is given twice.
 */
export const chooseBranches = async (input: ChooseBranchesInput): Promise<readonly Branch[]> => {
  const {client, sites, siteId, siteWord, branchWords, say, signal} = input;
  const listing = await client.listBranches(siteId, signal).catch((error: unknown) => {
    throw explainSiteError(error, sites, siteWord);
  });
  const branches = branchWords.map(word => resolveBranch(listing.value, word, siteWord));
  for (const [index, {_id, name}] of branches.entries()) {
    if (branches.findIndex(other => other._id === _id) < index) {
      throw new UsageError(`branch ${name} of site ${siteWord} is given twice: remove one of them`);
    }
  }
  return branches.filter(({name, status}) => {
    if (status === null) {
      say(`branch ${name} of site ${siteWord} is not built out: it has no log`);
    }
    return status !== null;
  });
};
