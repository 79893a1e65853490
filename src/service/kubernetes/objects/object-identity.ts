import {type WorkloadName, workloadKinds} from '#base/workload-kinds.ts';
import {flagField, listField, tableField, textField, textsField, timeField} from '#service/link/object-fields.ts';
import type {Labels} from './label-selector.ts';

/** What every object of a namespace has. */
export type ObjectIdentity = {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly name: string;
  readonly namespace: string;
  readonly labels: Labels;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
};

/** Reads an object's metadata. Returns undefined if it is not an object of a namespace. */
export const readIdentity = (object: unknown): ObjectIdentity | undefined => {
  const metadata = tableField(object, 'metadata');
  const uid = textField(metadata, 'uid');
  const name = textField(metadata, 'name');
  const namespace = textField(metadata, 'namespace');
  const createdAtMs = timeField(metadata, 'creationTimestamp');
  if (uid === undefined || name === undefined || namespace === undefined || createdAtMs === undefined) {
    return undefined;
  }
  const resourceVersion = textField(metadata, 'resourceVersion') ?? '';
  return {uid, resourceVersion, name, namespace, labels: textsField(metadata, 'labels'), createdAtMs};
};

/** The label with the hash in the names of ReplicaSets, by what made them. The second is that of Argo Rollouts. */
const hashLabels = [
  ['deployment', 'pod-template-hash'],
  ['rollout', 'rollouts-pod-template-hash'],
] as const;

/**
 * Reads from an object's metadata which workload controls it; undefined if none of the known kinds does. A Deployment's
 * ReplicaSet is named after both, so that needs no permission to read ReplicaSets.
 */
export const readOwner = (metadata: unknown): WorkloadName | undefined => {
  const owner = listField(metadata, 'ownerReferences').find(each => flagField(each, 'controller'));
  const [title, name] = [textField(owner, 'kind'), textField(owner, 'name')];
  if (name === undefined) {
    return undefined;
  }
  if (title !== 'ReplicaSet') {
    const found = workloadKinds.find(each => each.title === title);
    return found && {kind: found.kind, name};
  }
  const labels = textsField(metadata, 'labels');
  for (const [kind, label] of hashLabels) {
    const hash = labels[label];
    if (hash !== undefined && name.endsWith(`-${hash}`)) {
      return {kind, name: name.slice(0, -hash.length - 1)};
    }
  }
  return undefined;
};
