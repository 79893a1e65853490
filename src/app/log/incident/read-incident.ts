import type {Branch} from '../../../api/decode/branch.ts';
import type {IncidentSource} from '../../../log/incident/incident-source.ts';
import type {ChangeMarker, PodMarker} from '../../../log/line/entry.ts';
import {parseInstant} from '../../../log/line/instant.ts';
import type {Pod} from '../../../log/merge/pods.ts';
import type {ShapeTable} from '../../../log/shapes/shape-table.ts';
import type {LogState, State} from '../../state/state.ts';
import type {Tail} from '../../tail/tail.ts';

/** Gathers what an incident is read from: everything that is held, whatever the filters show of it. */
export const incidentSources = (state: State, log: LogState): readonly IncidentSource[] => {
  const listed = state.branches?.branches ?? [];
  return log.sources.map(({branch, tail, shapes}) =>
    incidentSourceOf(listed.find(({_id}) => _id === branch._id) ?? branch, tail, shapes),
  );
};

/** Gathers what an incident of one branch is read from. */
export const incidentSourceOf = (branch: Branch, tail: Tail, shapes: ShapeTable): IncidentSource => {
  const {buffer, pods, wholeSince, proof} = tail.log;
  return {
    buffer,
    shapes,
    podNames: pods.map(({name}) => name),
    wholeSince,
    proof,
    knownChanges: [...activityOf(branch), ...pods.flatMap(createdPod)],
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

const createdPod = ({name, createdAt}: Pod): readonly PodMarker[] => {
  const at = parseInstant(createdAt ?? '');
  return at === undefined ? [] : [{kind: 'pod', id: noId, at, change: 'appeared', name, since: undefined}];
};
