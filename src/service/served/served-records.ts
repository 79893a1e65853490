import {createHash} from 'node:crypto';
import {branchRecord, type RecordFieldSpec, type RecordFields, type SimpleType} from '#base/branch-record.ts';
import {isTable} from '#base/table.ts';
import type {BranchRecord, Deps, PodRecord} from '#service/backend/backend.ts';
import type {PodReading} from '#service/window/line-stamper.ts';
import type {LineSourceSetup} from './line-source.ts';

export type ServedPod = {
  readonly name: string;
  /** Undefined: same as for all pods. */
  readonly stamps?: PodReading['stamps'];
  readonly source: LineSourceSetup;
};

export type ServedBranch = {
  readonly id: string;
  readonly name: string;
  /** null: not built out. */
  readonly status: string | null;
  /** Further fields of the branch record, as served. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly pods: readonly ServedPod[];
};

export type ServedSite = {readonly id: string; readonly branches: readonly ServedBranch[]};

/** The sites and branches served. A reload can change them. */
export type ServedContent = {
  readonly sites: readonly ServedSite[];
  /** Lines in a window, over all pods of a branch or, with `windowPerPod`, of each. */
  readonly windowLines: number;
  readonly windowPerPod: boolean;
  /** For pods without a setting of their own. */
  readonly stamps?: PodReading['stamps'];
};

export type LineBackendOptions = ServedContent &
  Omit<Deps, 'random'> & {
    /** Folder of the embedded database; created if missing. */
    readonly stateFolder: string;
    /**
     * Pause between two looks at the sources, in milliseconds. By default 200 after a source reported a change,
     * otherwise ten seconds, or one if a source cannot report changes.
     */
    readonly pollIntervalMs?: number;
    /** How long a file that was moved away must be quiet before it is closed, in milliseconds; 30 s by default. */
    readonly rotationGraceMs?: number;
  };

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

const isMaster = (name: string): boolean => name === 'master' || name === 'main';

/** Given values win, table by table, so that a table with only one given field has the others too. */
export const fillIn = (given: unknown, neutral: unknown): unknown =>
  isTable(given) && isTable(neutral)
    ? Object.fromEntries(
        [...Object.entries(neutral), ...Object.entries(given)].map(([key, value]) => [
          key,
          fillIn(value, neutral[key]),
        ]),
      )
    : given;

/** A field with nothing set; null is in place of those that have no such value. */
const neutralValues: Readonly<Partial<Record<SimpleType, unknown>>> = {
  text: '',
  secret: '',
  flag: false,
  count: 0,
  object: {},
  variables: [],
};

type Times = {readonly [field: string]: string};

const neutralValue = (key: string, is: RecordFieldSpec['is'], times: Times): unknown => {
  if (typeof is === 'string') {
    return is === 'time' ? times[key] : (neutralValues[is] ?? null);
  }
  return 'table' in is ? neutralFields(is.table, times) : [];
};

const neutralFields = (fields: RecordFields, times: Times): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).map(([key, {is}]) => [key, neutralValue(key, is, times)]));

const {customDomains: domainsSpec, ...otherFields} = branchRecord;

/** Returns the fields that a branch has, built out or not, with nothing set but what follows from its configuration. */
const makeNeutral = (siteId: string, branch: ServedBranch, times: Times): ReadonlyMap<string, unknown> => {
  const specs: readonly [string, RecordFieldSpec][] = Object.entries(otherFields);
  const fields = Object.fromEntries(
    specs.filter(([, {isBase, isAdded}]) => isBase || (branch.status !== null && !isAdded)),
  );
  const known = {
    ...neutralFields(fields, times),
    project: siteId,
    branchType: isMaster(branch.name) ? 'MASTER' : 'BRANCH',
    originBranch: isMaster(branch.name) ? branch.name : 'master',
  };
  const activity = neutralFields(branchRecord.lastActivity.is.table, times);
  const built = {
    applicationName: branch.name,
    namespace: siteId,
    replicas: branch.pods.length,
    lastActivity: {...activity, project: siteId, application: branch.id},
  };
  return new Map<string, unknown>(Object.entries(branch.status === null ? known : {...known, ...built}));
};

/**
 * Creates a branch record, interface specification sections 2.1 to 2.4. The configuration overrides these neutral
 * values, except for the four fields of the branch's identity and status: `_id`, `name`, `status`, `project`. A branch
 * that is not built out has only the base fields and what the configuration adds. A table or custom domain given in
 * part gets neutral values for the rest.
 */
export const makeBranchRecord = (
  siteId: string,
  branch: ServedBranch,
  known: {readonly createdAtMs: number; readonly updatedAtMs: number},
): BranchRecord => {
  const createdAt = new Date(known.createdAtMs).toISOString();
  const updatedAt = new Date(known.updatedAtMs).toISOString();
  const times = {createdAt, updatedAt};
  const neutral = makeNeutral(siteId, branch, times);
  const neutralDomain = {...neutralFields(domainsSpec.is.list, times), application: branch.id};
  const {customDomains} = branch.fields;
  const domains = Array.isArray(customDomains)
    ? customDomains.map((domain: unknown) => fillIn(domain, neutralDomain))
    : [];
  return {
    ...Object.fromEntries(neutral),
    ...Object.fromEntries(Object.entries(branch.fields).map(([key, value]) => [key, fillIn(value, neutral.get(key))])),
    customDomains: domains,
    project: siteId,
    _id: branch.id,
    name: branch.name,
    status: branch.status,
  };
};
