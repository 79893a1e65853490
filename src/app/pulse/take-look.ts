import type {Answer} from '../../api/answer.ts';
import {doWork} from '../../api/do-work.ts';
import type {Client} from '../../api/http/client.ts';
import {countWindow} from '../../log/pulse/count-window.ts';
import type {Pulse} from '../../log/pulse/pulse.ts';

/** Requests one window of a branch and counts it between keys. Nothing else of it is kept. */
export const takeLook = async (
  client: Pick<Client, 'lookAtLog'>,
  {siteId, branchId}: {readonly siteId: string; readonly branchId: string},
  signal: AbortSignal,
): Promise<Answer<Pulse>> => {
  const answer = await client.lookAtLog(siteId, branchId, signal);
  const {lines, numbering} = answer.value;
  return {...answer, value: await doWork(countWindow(lines, numbering, answer.serviceTimeMs), signal)};
};
