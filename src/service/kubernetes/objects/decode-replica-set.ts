import {flagField, listField, tableField, textField, textsField, timeField} from '#service/link/object-fields.ts';

/** What is needed of a ReplicaSet: one version of a Deployment, or of a Rollout of Argo Rollouts. */
export type ReplicaSet = {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly ownerUid: string | undefined;
  /** Grows with each roll-out; a roll-back gives the old version a new number. */
  readonly revision: number;
  readonly createdAtMs: number;
};

/** Returns undefined for an object that is not a ReplicaSet. */
export const decodeReplicaSet = (object: unknown): ReplicaSet | undefined => {
  const metadata = tableField(object, 'metadata');
  const uid = textField(metadata, 'uid');
  const createdAtMs = timeField(metadata, 'creationTimestamp');
  if (uid === undefined || createdAtMs === undefined) {
    return undefined;
  }
  const owner = listField(metadata, 'ownerReferences').find(each => flagField(each, 'controller'));
  const annotations = textsField(metadata, 'annotations');
  const revision = Number(
    annotations['deployment.kubernetes.io/revision'] ?? annotations['rollout.argoproj.io/revision'],
  );
  return {
    uid,
    resourceVersion: textField(metadata, 'resourceVersion') ?? '',
    ownerUid: textField(owner, 'uid'),
    revision: Number.isSafeInteger(revision) ? revision : 0,
    createdAtMs,
  };
};

/** Returns the version in use of each Deployment or Rollout, by its uid. */
export const findNewestVersions = (sets: Iterable<ReplicaSet>): ReadonlyMap<string, ReplicaSet> => {
  const newest = new Map<string, ReplicaSet>();
  for (const set of sets) {
    const known = set.ownerUid === undefined ? set : newest.get(set.ownerUid);
    if (set.ownerUid !== undefined && (known === undefined || set.revision > known.revision)) {
      newest.set(set.ownerUid, set);
    }
  }
  return newest;
};
