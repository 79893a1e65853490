import type {Branch} from '../../api/decode/branch.ts';
import type {RecordedLog, ReplayClient} from '../../api/recording/replay-client.ts';
import {NotFoundError} from '../io/not-found-error.ts';
import type {Say} from '../io/notices.ts';
import {UsageError} from '../io/usage-error.ts';
import {chooseBranches} from './choose-branches.ts';
import {resolveSiteId} from './resolve-site.ts';

/** A log to play, with its branch if the branch was given. */
export type ReplayedLog = {readonly log: RecordedLog; readonly branch: Branch | undefined};

/**
 * Returns the logs of a recording that SITE and BRANCH… select; without BRANCH, the only one. Throws `UsageError` if
 * there are several, `NotFoundError` if there is none, and the error of the recorded listing.
 */
export const chooseReplayed = async (
  client: ReplayClient,
  operands: readonly string[],
  say: Say,
  signal: AbortSignal,
): Promise<readonly ReplayedLog[]> => {
  const [siteWord, ...branchWords] = operands;
  const siteId = siteWord === undefined ? undefined : resolveSiteId(client.sites, siteWord);
  if (siteWord !== undefined && !client.sites.some(({id}) => id === siteId)) {
    const known = client.sites.map(({id, name}) => name ?? id).join(', ');
    throw new NotFoundError(`the recording has no site "${siteWord}": it has ${known || 'none'}`);
  }
  if (siteWord === undefined || siteId === undefined || branchWords.length === 0) {
    return [
      {log: onlyLog(client.logs.filter(log => siteId === undefined || log.siteId === siteId)), branch: undefined},
    ];
  }
  const {sites} = client;
  const branches = await chooseBranches({client, sites, siteId, siteWord, branchWords, say, signal});
  return branches.map(branch => {
    const log = client.logs.find(recorded => recorded.siteId === siteId && recorded.branchId === branch._id);
    if (!log) {
      throw new NotFoundError(`the recording has no log of branch ${branch.name} of site ${siteWord}`);
    }
    return {log, branch};
  });
};

/** Maximum number of logs listed: enough to find one's own. */
const listedLogsMax = 8;

const onlyLog = (logs: readonly RecordedLog[]): RecordedLog => {
  const [log, ...others] = logs;
  if (!log) {
    throw new NotFoundError('the recording has no log');
  }
  if (others.length > 0) {
    const listed = logs.slice(0, listedLogsMax).map(({siteId, branchId}) => `${siteId} ${branchId}`);
    const more = logs.length > listedLogsMax ? ` and ${logs.length - listedLogsMax} more` : '';
    throw new UsageError(`the recording has ${logs.length} logs: give SITE and BRANCH, ${listed.join(' or ')}${more}`);
  }
  return log;
};
