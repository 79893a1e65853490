import type {Branch} from '#api/client/answer.ts';
import {type IncidentSource, sourceOfLog} from '#log/incident/verdict.ts';
import type {ChangeMarker} from '#log/line/entry.ts';
import {type Instant, instantFromMs, parseInstant} from '#log/line/instant.ts';
import type {ShapeTable} from '#log/traits/shape-table.ts';
import {unreadableWords} from '#log/words/describe-marker.ts';
import {isUnread, type Tail} from './tail.ts';

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
