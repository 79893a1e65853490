import {ApiError} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {doWork} from '#api/client/do-work.ts';
import type {Event} from '#app/state/event.ts';
import type {LogState, State} from '#app/state/state.ts';
import type {ComparedBranch, FoundIncident, IncidentOrder} from '#app/tail/incident-reading.ts';
import {incidentSourceOf} from '#app/tail/incident-source.ts';
import {pollTail} from '#app/tail/tail.ts';
import {partWord} from '#app/words/branch-labels.ts';
import {findElsewhere} from '#log/incident/find-elsewhere.ts';
import {findIncident} from '#log/incident/find-incident.ts';
import {findSince} from '#log/incident/since-change.ts';
import type {IncidentSource} from '#log/incident/verdict.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import type {Work} from '#log/work.ts';

/** Gathers what an incident is read from: everything that is held, whatever the filters show of it. */
export const incidentSources = (state: State, log: LogState): readonly IncidentSource[] => {
  const listed = state.branches?.branches ?? [];
  const known = {clockOffsetMs: state.clockOffsetMs, part: partWord(state.context)};
  return log.sources.map(({branch, tail, shapes}) =>
    incidentSourceOf(listed.find(({_id}) => _id === branch._id) ?? branch, tail, shapes, known),
  );
};

/** Fewer are read whole at once. */
const quickEntriesMin = 20_000;

const noDeployment = 'no deployment is known, neither from the branch and its pods nor from a version in the log';

type Asked = {readonly client: Promise<Pick<Client, 'probeLog'>>; readonly nowMs: () => number};

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
    for (const depth of isQuickFirst ? (['quick', 'whole'] as const) : (['whole'] as const)) {
      const since = isOfDeployment ? await doWork(timed(findSince(sources, time)), signal) : undefined;
      if (isOfDeployment && since === undefined) {
        dispatch({kind: 'noticed', notice: noDeployment});
      }
      const incident = since ?? (await doWork(timed(findIncident(sources, {depth, asked: time})), signal));
      const found = depth === 'quick' ? {incident, compared: undefined} : await compare(order, incident, asked, signal);
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
    const {probeLog} = await client;
    const {tail, result} = await pollTail(compared.tail, {
      fetchLog: fetching => probeLog(siteId, branch._id, fetching),
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
