import type {Workload} from '../objects/decode-workload.ts';

export type Rollout = 'done' | 'progressing' | 'failed';

/** Returns how far the newest version of a workload is rolled out. */
export const readRollout = ({rollout}: Pick<Workload, 'rollout'>): Rollout => {
  const {isUnseen, wanted, existing, updated, available, wantedUpdated, conditions} = rollout;
  if (isUnseen) {
    return 'progressing';
  }
  if (existing === wanted && available === wanted && updated >= wantedUpdated) {
    return 'done';
  }
  const hasFailed =
    conditions.get('Progressing')?.reason === 'ProgressDeadlineExceeded' || conditions.get('ReplicaFailure')?.isTrue;
  return hasFailed ? 'failed' : 'progressing';
};

/**
 * Checks whether some version of a workload is in use: its last roll-out came to its end, or enough pods serve while
 * another is under way or has failed.
 */
export const isInUse = ({kind, rollout}: Workload): boolean =>
  readRollout({rollout}) === 'done' ||
  rollout.conditions.get('Available')?.isTrue === true ||
  rollout.conditions.get('Progressing')?.reason === 'NewReplicaSetAvailable' ||
  // StatefulSets have no conditions.
  (kind === 'statefulset' && rollout.available > 0);

/** When a workload last changed its condition, milliseconds since 1970. */
export const readUpdatedMs = ({createdAtMs, rollout}: Workload): number =>
  [...rollout.conditions.values()].reduce((latest, {updatedAtMs}) => Math.max(latest, updatedAtMs ?? 0), createdAtMs);

/** Returns the worst of several. */
export const joinRollouts = (rollouts: readonly Rollout[]): Rollout =>
  (['failed', 'progressing'] as const).find(each => rollouts.includes(each)) ?? 'done';
