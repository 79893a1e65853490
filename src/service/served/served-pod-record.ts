import {createHash} from 'node:crypto';
import type {PodRecord} from '#service/backend/backend.ts';

const hash = (...parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Formats digits as a UUID of version 8 (RFC 9562, section 5.8), the version for custom values. */
const formatUid = (digits: string): string =>
  `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;

type PodIdentity = {
  readonly siteId: string;
  readonly branchId: string;
  readonly applicationName: string;
  readonly namespace: string;
  readonly name: string;
  /** The kind of source its lines come from. */
  readonly source: string;
  readonly createdAtMs: number;
};

/**
 * Creates the record of a pod, interface specification section 2.5, with every key of its metadata. There is no
 * orchestrator here, so everything is derived from the pod's place and name, and is the same at every start. Only
 * `createdAtMs`, the time the service first knew the pod, comes from the state.
 */
export const makePodRecord = (options: PodIdentity): PodRecord => {
  const {siteId, branchId, applicationName, namespace, name, source, createdAtMs} = options;
  const digits = hash(siteId, branchId, name);
  const createdAt = new Date(createdAtMs).toISOString();
  // 48 bits: an exact integer in every JSON reader.
  const resourceVersion = String(Number.parseInt(digits.slice(0, 12), 16));
  const generateName = name.includes('-') ? name.slice(0, name.lastIndexOf('-') + 1) : `${name}-`;
  return {
    name,
    resourceVersion,
    metadata: {
      annotations: {'branchlog/source': source},
      creationTimestamp: createdAt,
      generateName,
      labels: {app: applicationName, site: siteId, branch: branchId},
      managedFields: [
        {
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: {'f:metadata': {'f:labels': {'f:app': {}, 'f:branch': {}, 'f:site': {}}}},
          manager: 'branchlog',
          operation: 'Update',
          time: createdAt,
        },
      ],
      name,
      namespace,
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          blockOwnerDeletion: true,
          controller: true,
          kind: 'StatefulSet',
          name: generateName.slice(0, -1),
          uid: formatUid(hash(siteId, branchId, 'owner', generateName)),
        },
      ],
      resourceVersion,
      selfLink: `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`,
      uid: formatUid(digits),
    },
  };
};
