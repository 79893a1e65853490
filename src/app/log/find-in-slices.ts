import {ApiError} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {doWork} from '#api/client/do-work.ts';
import type {Event} from '#app/state/event.ts';
import type {ComparedBranch, FoundIncident, IncidentOrder} from '#app/tail/incident-reading.ts';
import {pollTail} from '#app/tail/poll-tail.ts';
import {findElsewhere} from '#log/incident/find-elsewhere.ts';
import {findIncident} from '#log/incident/find-incident.ts';
import {findSince} from '#log/incident/since-change.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import type {Work} from '#log/work.ts';
import {incidentSourceOf} from './incident/read-incident.ts';

/** Fewer are read whole at once. */
const quickEntriesMin = 20_000;

const noDeployment = 'no deployment is known, neither from the branch and its pods nor from a version in the log';

type Asked = {readonly client: Promise<Pick<Client, 'lookAtLog'>>; readonly nowMs: () => number};

/** Reads an incident between keys: a first look, then the whole; that once the other branch has been read, too. */
export const findInSlices = async (
  order: IncidentOrder,
  asked: Asked,
  signal: AbortSignal,
  dispatch: (event: Event) => void,
): Promise<void> => {
  const {sources, asked: time, isRenewal, isOfDeployment} = order;
  const entryCount = sources.reduce((sum, {buffer}) => sum + buffer.entryCount, 0);
  const isQuickFirst = entryCount > quickEntriesMin && !isRenewal && !isOfDeployment;
  let tookMs = 0;
  function* timed<T>(work: Work<T>): Work<T> {
    for (;;) {
      const fromMs = asked.nowMs();
      const {done, value} = work.next();
      tookMs += asked.nowMs() - fromMs;
      if (done) {
        return value;
      }
      yield;
    }
  }
  try {
    for (const look of isQuickFirst ? (['quick', 'whole'] as const) : (['whole'] as const)) {
      const since = isOfDeployment ? await doWork(timed(findSince(sources, time)), signal) : undefined;
      if (isOfDeployment && since === undefined) {
        dispatch({kind: 'noticed', notice: noDeployment});
      }
      const incident = since ?? (await doWork(timed(findIncident(sources, {look, asked: time})), signal));
      const found = look === 'quick' ? {incident, compared: undefined} : await compare(order, incident, asked, signal);
      if ('notice' in found) {
        dispatch({kind: 'noticed', notice: found.notice});
      }
      dispatch({kind: 'incidentFound', order, incident: found.incident, compared: found.compared, tookMs});
    }
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
};

type Compared = {
  readonly incident: FoundIncident;
  readonly compared: ComparedBranch | undefined;
  readonly notice?: string;
};

/** Reads what the other branch's log has now, in addition to what is held, and compares the findings with it. */
const compare = async (
  {compared}: IncidentOrder,
  incident: FoundIncident,
  {client, nowMs}: Asked,
  signal: AbortSignal,
): Promise<Compared> => {
  if (compared === undefined) {
    return {incident, compared};
  }
  const {siteId, branch} = compared;
  try {
    const {lookAtLog} = await client;
    const {tail, result} = await pollTail(compared.tail, {
      fetchLog: fetching => lookAtLog(siteId, branch._id, fetching),
      nowMs,
      random: () => 0,
      signal,
    });
    const isReadable = !(result instanceof ApiError) && result.value.unreadable === undefined;
    const other = {branch: branch.name, source: incidentSourceOf(branch, tail, noShapes), isReadable};
    return {incident: await doWork(findElsewhere(incident, other), signal), compared: {...compared, tail}};
  } catch (error) {
    if (error instanceof ApiError && !signal.aborted) {
      return {incident, compared: undefined, notice: `not compared with ${branch.name}: ${error.message}`};
    }
    throw error;
  }
};
