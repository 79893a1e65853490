import type {Branch} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {doWork} from '#api/client/do-work.ts';
import type {Event} from '#app/state/event.ts';
import type {LogState, State} from '#app/state/state.ts';
import type {ComparedBranch, FoundIncident, IncidentOrder} from '#app/tail/incident-reading.ts';
import {pollTail} from '#app/tail/poll-tail.ts';
import {isUnread, type Tail} from '#app/tail/tail.ts';
import {findElsewhere} from '#log/incident/find-elsewhere.ts';
import {findIncident} from '#log/incident/find-incident.ts';
import {findSince} from '#log/incident/since-change.ts';
import {sourceOfLog} from '#log/incident/source-of-log.ts';
import type {IncidentSource} from '#log/incident/verdict.ts';
import type {ChangeMarker} from '#log/line/entry.ts';
import {type Instant, instantFromMs, parseInstant} from '#log/line/instant.ts';
import {noShapes, type ShapeTable} from '#log/traits/shape-table.ts';
import {unreadableWords} from '#log/words/describe-marker.ts';
import type {Work} from '#log/work.ts';
import {partWord} from './list-pods.ts';

/** Gathers what an incident is read from: everything that is held, whatever the filters show of it. */
export const incidentSources = (state: State, log: LogState): readonly IncidentSource[] => {
  const listed = state.branches?.branches ?? [];
  const known = {clockOffsetMs: state.clockOffsetMs, part: partWord(state.context)};
  return log.sources.map(({branch, tail, shapes}) =>
    incidentSourceOf(listed.find(({_id}) => _id === branch._id) ?? branch, tail, shapes, known),
  );
};

type Known = {
  /** From the monotonic clock to the service's, milliseconds; if left out, what lasts counts from its beginning. */
  readonly clockOffsetMs?: number | undefined;
  /** The parts that a log consists of. */
  readonly part?: string | undefined;
  /** All of it has come to its end, as files that are read once. */
  readonly isAtEnd?: boolean | undefined;
};

/** Gathers what an incident of one branch is read from. */
export const incidentSourceOf = (
  branch: Branch,
  tail: Tail,
  shapes: ShapeTable,
  {clockOffsetMs, part, isAtEnd = false}: Known = {},
): IncidentSource => {
  const {connection, log, unreadable} = tail;
  const instantOf = (ms: number | undefined): Instant | undefined =>
    ms === undefined || clockOffsetMs === undefined ? undefined : instantFromMs(ms + clockOffsetMs);
  const {hasEnded, ...source} = sourceOfLog(log, shapes);
  return {
    ...source,
    part,
    // A file was there before it was opened.
    knownChanges: [...activityOf(branch), ...(part === 'file' ? [] : source.knownChanges)],
    hasOlder: isUnread(tail, 'earlier'),
    unreadable: unreadable && {why: unreadableWords(unreadable, part), since: instantOf(tail.unreadableSinceMs)},
    failingSince:
      connection.kind === 'failing' ? (instantOf(connection.lastGoodAtMs ?? connection.sinceMs) ?? 0n) : undefined,
    hasEnded: name => isAtEnd || hasEnded(name),
  };
};

/** These markers are in no buffer. */
const noId = 0;

const activityOf = ({lastActivity}: Branch): readonly ChangeMarker[] => {
  const {action, status, createdBy, updatedAt, createdAt} = lastActivity ?? {};
  const at = parseInstant(updatedAt ?? createdAt ?? '');
  // A branch that nothing was done with may have an activity of empty fields.
  return at === undefined || !action
    ? []
    : [{kind: 'change', id: noId, at, happenedAt: at, change: {kind: 'activity', action, status, createdBy}}];
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
