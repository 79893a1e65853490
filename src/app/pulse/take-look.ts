import type {Client} from '#api/client/client.ts';
import {doWork} from '#api/client/do-work.ts';
import type {LookAnswer} from '#app/tail/known-pulse.ts';
import {countWindow} from '#log/overview/pulse.ts';

/**
 * Has the service count the errors of all branches, if that is wanted and it can; otherwise requests one window of the
 * branch and counts it between keys. Nothing else of it is kept.
 */
export const takeLook = async (
  client: Pick<Client, 'lookAtLog' | 'countErrors'>,
  {siteId, branchId, wantsAll}: {readonly siteId: string; readonly branchId: string; readonly wantsAll: boolean},
  signal: AbortSignal,
): Promise<LookAnswer> => {
  const ofAll = wantsAll ? await client.countErrors(siteId, signal) : undefined;
  if (ofAll !== undefined) {
    return {...ofAll, isOfAll: true};
  }
  const answer = await client.lookAtLog(siteId, branchId, signal);
  const {lines, numbering} = answer.value;
  const pulse = await doWork(countWindow(lines, numbering, answer.serviceTimeMs), signal);
  return {...answer, value: new Map([[branchId, pulse]]), isOfAll: false};
};
